//! What people and their programs wrote into photos: EXIF, IPTC-IIM, XMP and the texts of PNG.
//!
//! Every format has its own places for these blocks; the walks over the formats in
//! [`probe`](crate::probe()) hand them over as [`Carriers`]. What each says is merged by the
//! precedence of the Metadata Working Group, in [`precedence`]. Nothing here fails: what cannot be
//! read says nothing, and no block may make memory or time grow beyond a bound.

mod charset;
mod exif_texts;
mod iptc;
mod keywords;
mod moment;
pub(crate) mod photoshop;
mod png_text;
mod precedence;
mod regions;
mod says;
mod sidecar;
pub(crate) mod xmp;

use std::borrow::Cow;

use crate::Orientation;
use crate::exif::Found;
use crate::probe::Probe;

pub(crate) use charset::guessed;
pub(crate) use exif_texts::Texts;
pub(crate) use moment::Moment;
pub(crate) use png_text::PngTexts;
pub use sidecar::{Sidecar, read_sidecar, with_sidecar};

/// What was found in a file that may say something about the picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carriers<'a> {
    pub(crate) exif: Option<Found>,
    /// The main packet.
    pub(crate) xmp: Option<Cow<'a, [u8]>>,
    /// What did not fit into it.
    pub(crate) extended_xmp: Option<Vec<u8>>,
    pub(crate) iptc: Option<Cow<'a, [u8]>>,
    /// The MD5 of the IPTC data to which the XMP data were made equal.
    pub(crate) iptc_digest: Option<[u8; 16]>,
    pub(crate) texts: PngTexts,
}

impl<'a> Carriers<'a> {
    /// A file's EXIF block and packet.
    pub(crate) fn new(exif: Option<Found>, xmp: Option<Cow<'a, [u8]>>) -> Self {
        Self { exif, xmp, ..Self::default() }
    }

    /// How the picture is to be turned, where EXIF decides about that.
    pub(crate) fn orientation(&self) -> Orientation {
        self.exif.as_ref().and_then(|found| found.orientation).unwrap_or_default()
    }

    /// Takes what Photoshop's resources hold.
    pub(crate) fn take_photoshop(&mut self, resources: &'a [u8]) {
        self.take_resources(resources, Cow::Borrowed);
    }

    /// The same of resources that are not in one piece in the file.
    pub(crate) fn copy_photoshop(&mut self, resources: &[u8]) {
        self.take_resources(resources, |data| Cow::Owned(data.to_vec()));
    }

    fn take_resources<'b>(
        &mut self,
        resources: &'b [u8],
        taken: impl Fn(&'b [u8]) -> Cow<'a, [u8]>,
    ) {
        let found = |number| photoshop::find(resources, number).map(&taken);
        self.iptc = self.iptc.take().or_else(|| found(photoshop::IPTC));
        self.xmp = self.xmp.take().or_else(|| found(photoshop::XMP));
        let digest = photoshop::find(resources, photoshop::IPTC_DIGEST);
        self.iptc_digest = self.iptc_digest.or(digest.and_then(|digest| digest.try_into().ok()));
    }

    /// Notes in the probe what all of them say.
    pub(crate) fn describe(&self, probe: &mut Probe) {
        let size = (probe.width, probe.height);
        let (metadata, exif) = precedence::merged(self, probe.orientation, size);
        if !metadata.is_empty() {
            probe.metadata = metadata;
        }
        if exif.is_some() {
            probe.exif = exif;
        }
    }
}

//! Sidecars: XMP in a file of its own beside a photo, by programs that leave the photo untouched.

use model::{Exif, Metadata};

use super::charset::xml;
use super::keywords::merged;
use super::precedence::{supplemented, texts};
use super::regions::upright;
use super::xmp::{PACKET_BYTES_MAX, Xmp};
use crate::probe::Probe;
use crate::{Error, Orientation};

/// What a sidecar says.
#[derive(Clone, Debug, PartialEq)]
pub struct Sidecar {
    xmp: Xmp,
}

/// Reads a sidecar (`.xmp`).
pub fn read_sidecar(bytes: &[u8]) -> Result<Sidecar, Error> {
    if bytes.len() > PACKET_BYTES_MAX {
        return Err(Error::TooManyBytes {
            bytes: bytes.len() as u64,
            limit: PACKET_BYTES_MAX as u64,
        });
    }
    let none = || Error::unsupported("a sidecar without XMP");
    // Some programs name other files so, in which XMP is only a part.
    let is_text = xml(bytes.get(..64).unwrap_or(bytes)).trim_start().starts_with('<');
    let xmp = if is_text { Xmp::read([bytes]) } else { None };
    Ok(Sidecar { xmp: xmp.ok_or_else(none)? })
}

impl Sidecar {
    /// What people wrote, as if the image were stored upright.
    pub fn metadata(&self) -> Metadata {
        self.metadata_of(Orientation::Upright, (0, 0))
    }

    /// What it repeats of what the camera wrote.
    pub fn exif(&self) -> Option<Exif> {
        let says = &self.xmp.says;
        let taken = says.created.or(says.digitized);
        let exif = Exif {
            taken_at: taken.map(|moment| moment.at),
            offset_minutes: taken.and_then(|moment| moment.offset_minutes),
            ..self.xmp.exif.clone()
        };
        let exif = exif.finite();
        (exif != Exif::default()).then_some(exif)
    }

    fn metadata_of(&self, orientation: Orientation, size: (u32, u32)) -> Metadata {
        let (says, last) = (&self.xmp.says, &self.xmp.last);
        Metadata {
            keywords: merged(&says.keywords, self.xmp.paths.clone()),
            regions: upright(&self.xmp.marked, orientation, size),
            ..texts(&[says, last])
        }
    }
}

impl Probe {
    /// The same with what a sidecar of the file says.
    #[must_use]
    pub fn with_sidecar(mut self, sidecar: &Sidecar) -> Self {
        let size = (self.width, self.height);
        (self.metadata, self.exif) =
            with_sidecar(self.metadata, self.exif, sidecar, self.orientation, size);
        self
    }
}

/// What a file and its sidecar say about an image of this orientation and size as stored. The
/// sidecar wins wherever it says something, but about the camera: people write sidecars to change
/// what the file says, and do not change which camera it was.
pub fn with_sidecar(
    metadata: Metadata,
    exif: Option<Exif>,
    sidecar: &Sidecar,
    orientation: Orientation,
    size: (u32, u32),
) -> (Metadata, Option<Exif>) {
    let new = sidecar.metadata_of(orientation, size);
    let metadata = Metadata {
        title: new.title.or(metadata.title),
        description: new.description.or(metadata.description),
        keywords: if new.keywords.is_empty() { metadata.keywords } else { new.keywords },
        rating: new.rating.or(metadata.rating),
        artist: new.artist.or(metadata.artist),
        copyright: new.copyright.or(metadata.copyright),
        // A city of one and a country of the other would be nowhere.
        place: if new.place.is_empty() { metadata.place } else { new.place },
        regions: if new.regions.is_empty() { metadata.regions } else { new.regions },
    };
    (metadata, exif_with(exif.unwrap_or_default(), sidecar))
}

fn exif_with(exif: Exif, sidecar: &Sidecar) -> Option<Exif> {
    let says = &sidecar.xmp.says;
    let digitized = says.digitized.filter(|_| exif.taken_at.is_none());
    let taken = says.created.or(digitized);
    let gps = sidecar.xmp.exif.gps.or(exif.gps);
    let exif = Exif { gps, ..supplemented(exif, &sidecar.xmp.exif) };
    let exif = match taken {
        // The sidecar repeats without the zone what the camera wrote with it.
        Some(moment)
            if moment.offset_minutes.is_none() && is_shown_by(moment.on_the_clock(), &exif) =>
        {
            exif
        }
        Some(moment) => {
            Exif { taken_at: Some(moment.at), offset_minutes: moment.offset_minutes, ..exif }
        }
        None => exif,
    };
    let exif = exif.finite();
    (exif != Exif::default()).then_some(exif)
}

/// Whether a clock showed this second when the image was taken.
fn is_shown_by(clock: i64, exif: &Exif) -> bool {
    let offset = i64::from(exif.offset_minutes.unwrap_or(0)) * 60_000;
    let shown = exif.taken_at.map(|at| at.as_millis() + offset);
    shown.is_some_and(|shown| shown.div_euclid(1000) == clock.div_euclid(1000))
}

//! Photoshop documents: the picture of all layers that most of them end with.

use std::ops::Range;

use model::MediaType;

use super::icc::{ColorProfile, ProfileKind};
use super::{ColorModel, Probe};
use crate::metadata::{Carriers, photoshop};
use crate::read::{be16, be32, be64};
use crate::{Error, exif};

const ICC_PROFILE: u16 = 1039;
const VERSION_INFO: u16 = 1057;
const EXIF: u16 = 1058;
const THUMBNAIL: u16 = 1036;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let document = Document::read(bytes)?;
    document.check()?;
    let mut probe = Probe::new(MediaType::Psd, document.width, document.height);
    probe.bit_depth = u8::try_from(document.depth).unwrap_or(8).max(8);
    probe.color_model = match document.mode {
        Mode::Bitmap | Mode::Gray => ColorModel::Gray,
        Mode::Indexed | Mode::Rgb => ColorModel::Rgb,
        Mode::Cmyk => ColorModel::Cmyk,
    };
    probe.has_alpha = document.has_alpha;
    if let Some(profile) = document.resource(ICC_PROFILE).and_then(ColorProfile::from_icc) {
        probe.color_profile = profile;
    } else if document.mode == Mode::Cmyk {
        probe.color_profile = ColorProfile::named(ProfileKind::Cmyk);
    }
    carriers(bytes).describe(&mut probe);
    Ok(probe)
}

/// What may say something about the picture.
pub(super) fn carriers(bytes: &[u8]) -> Carriers<'_> {
    let place = Sections::read(bytes).map(|sections| sections.resources);
    let place = place.map(|place| place.start..place.end.min(bytes.len()));
    let resources = place.and_then(|place| bytes.get(place)).unwrap_or_default();
    let mut carriers = Carriers::new(photoshop::find(resources, EXIF).and_then(exif::read), None);
    carriers.take_photoshop(resources);
    carriers
}

/// Where the small picture is that file managers show.
pub(super) fn thumbnail(bytes: &[u8]) -> Option<Range<usize>> {
    let header = Sections::read(bytes)?;
    let resource = find(bytes, header.resources, THUMBNAIL)?;
    // 28 bytes say of what kind it is; 1 is JPEG.
    let is_jpeg = be32(bytes, resource.start) == Some(1);
    is_jpeg.then(|| resource.start.saturating_add(28).min(resource.end)..resource.end)
}

/// What a document says of its picture.
#[derive(Clone, Debug)]
pub(crate) struct Document<'a> {
    bytes: &'a [u8],
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) channels: usize,
    /// Bits of a sample: 1, 8, 16 or 32.
    pub(crate) depth: u16,
    pub(crate) mode: Mode,
    /// 256 reds, 256 greens and 256 blues.
    pub(crate) palette: &'a [u8],
    /// Whether the channel behind the colours is opacity.
    pub(crate) has_alpha: bool,
    /// Whether lengths of rows have four bytes instead of two.
    pub(crate) is_large: bool,
    /// Where the compression and the pixels are.
    pub(crate) pixels: usize,
    resources: Range<usize>,
}

/// What the channels stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Bitmap,
    Gray,
    Indexed,
    Rgb,
    Cmyk,
}

impl Mode {
    /// Channels of colour.
    pub(crate) fn channels(self) -> usize {
        match self {
            Self::Bitmap | Self::Gray | Self::Indexed => 1,
            Self::Rgb => 3,
            Self::Cmyk => 4,
        }
    }
}

impl<'a> Document<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let sections = Sections::read(bytes).ok_or_else(cut_off)?;
        let mode = match be16(bytes, 24).ok_or_else(cut_off)? {
            0 => Mode::Bitmap,
            // Duotones are grey until they are printed.
            1 | 8 => Mode::Gray,
            2 => Mode::Indexed,
            3 => Mode::Rgb,
            4 => Mode::Cmyk,
            other => {
                return Err(Error::unsupported(format!("a PSD file with colours of mode {other}")));
            }
        };
        let field = |at| be32(bytes, at).ok_or_else(cut_off);
        let channels = usize::from(be16(bytes, 12).ok_or_else(cut_off)?);
        Ok(Self {
            bytes,
            width: field(18)?,
            height: field(14)?,
            channels,
            depth: be16(bytes, 22).ok_or_else(cut_off)?,
            mode,
            palette: bytes.get(sections.colors.clone()).unwrap_or_default(),
            has_alpha: channels > mode.channels() && sections.first_alpha_is_opacity(bytes),
            is_large: sections.is_large,
            pixels: sections.pixels,
            resources: sections.resources,
        })
    }

    /// Fails for what is not read.
    fn check(&self) -> Result<(), Error> {
        if self.channels < self.mode.channels() || self.channels > 56 {
            return Err(Error::damaged("a PSD file with another number of channels than its mode"));
        }
        let depth_fits = match self.mode {
            Mode::Bitmap => self.depth == 1,
            Mode::Indexed => self.depth == 8,
            _ => matches!(self.depth, 8 | 16 | 32),
        };
        if !depth_fits {
            return Err(Error::damaged("a PSD file of an impossible bit depth"));
        }
        // Said by documents that were saved without compatibility.
        if self.resource(VERSION_INFO).and_then(|info| info.get(4)) == Some(&0) {
            return Err(Error::unsupported("a PSD file saved without a picture of all its layers"));
        }
        Ok(())
    }

    fn resource(&self, id: u16) -> Option<&'a [u8]> {
        self.bytes.get(find(self.bytes, self.resources.clone(), id)?)
    }
}

/// Where the parts of a document are.
struct Sections {
    is_large: bool,
    colors: Range<usize>,
    resources: Range<usize>,
    layers: Range<usize>,
    pixels: usize,
}

impl Sections {
    fn read(bytes: &[u8]) -> Option<Self> {
        let is_large = match be16(bytes, 4)? {
            1 => false,
            2 => true,
            _ => return None,
        };
        let block = |at: usize| {
            let start = at.checked_add(4)?;
            Some(start..start.checked_add(be32(bytes, at)? as usize)?)
        };
        let colors = block(26)?;
        let resources = block(colors.end)?;
        let layers = if is_large {
            let start = resources.end.checked_add(8)?;
            let length = usize::try_from(be64(bytes, resources.end)?).ok()?;
            start..start.checked_add(length)?
        } else {
            block(resources.end)?
        };
        Some(Self { is_large, colors, resources, pixels: layers.end, layers })
    }

    /// A negative number of layers says so.
    fn first_alpha_is_opacity(&self, bytes: &[u8]) -> bool {
        let at = self.layers.start + if self.is_large { 8 } else { 4 };
        self.layers.contains(&at) && be16(bytes, at).is_some_and(|count| count.cast_signed() < 0)
    }
}

/// Where a resource is.
fn find(bytes: &[u8], resources: Range<usize>, id: u16) -> Option<Range<usize>> {
    let end = resources.end.min(bytes.len());
    let found = photoshop::find(bytes.get(resources.start..end)?, id)?;
    let start = found.as_ptr().addr() - bytes.as_ptr().addr();
    Some(start..start + found.len())
}

fn cut_off() -> Error {
    Error::truncated("a PSD file that ends before its picture")
}

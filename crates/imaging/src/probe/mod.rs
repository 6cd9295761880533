//! What a file is, read from its headers alone.
//!
//! Nothing here decodes a pixel or trusts a length: every walk over a file is bounded by a count
//! and by the bytes that are there, and what is copied out of it (profiles, texts) is bounded too.

mod bits;
pub(crate) mod bmp;
mod boxes;
mod gif;
pub(crate) mod heif;
mod hevc;
mod icc;
pub(crate) mod ico;
mod jp2;
pub(crate) mod jpeg;
mod jxl;
mod memory;
mod png;
mod preview;
pub(crate) mod psd;
mod raw;
pub(crate) mod tga;
mod tiff;
mod webp;

use std::ops::Range;

use model::{Exif, MediaType, Metadata, Shown, SizeSpec};

pub use icc::{ColorProfile, ProfileKind};
pub(crate) use ico::is_ico;
pub(crate) use jpeg::is_jpeg;
pub(crate) use tga::is_tga;

use crate::{Error, Limits, Orientation, sniff};

/// Tells what a file is, without decoding it.
///
/// `bytes` should be the whole file. A prefix works as far as it goes: if it ends before the size
/// of the image is known the error is [`Error::Truncated`] and more bytes help; otherwise size,
/// depth and colour model are right, while what stands further back (the profile, the number of
/// frames, EXIF data) may be missing, and of a RAW file a smaller preview be found.
pub fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let media_type = sniff(bytes).ok_or_else(|| unknown(bytes))?;
    let found = probe_as(media_type, bytes);
    // A smaller picture in the file is better than none.
    let mut probe = match found {
        Err(error) => preview::find(bytes, media_type).ok_or(error)?,
        Ok(probe) if probe.width == 0 || probe.height == 0 => {
            let empty = || Error::damaged("an image without pixels");
            preview::find(bytes, media_type).ok_or_else(empty)?
        }
        Ok(probe) => probe,
    };
    probe.size_bytes = bytes.len() as u64;
    Ok(probe)
}

/// The same, and within limits: of an image beyond them, the preview in it if there is one.
pub fn probe_within(bytes: &[u8], limits: &Limits, sizes: &[SizeSpec]) -> Result<Probe, Error> {
    let probe = probe(bytes)?;
    match probe.check(limits, sizes) {
        Ok(()) => Ok(probe),
        Err(error) if probe.preview.is_none() && error.is_about_showing() => {
            let preview = preview_of(bytes, &probe).ok_or_else(|| error.clone())?;
            preview.check(limits, sizes).map_err(|_| error)?;
            Ok(preview)
        }
        Err(error) => Err(error),
    }
}

/// What stands for an image that cannot be decoded.
pub(crate) fn preview_of(bytes: &[u8], probe: &Probe) -> Option<Probe> {
    if probe.preview.is_some() {
        return None;
    }
    let mut preview = preview::find(bytes, probe.media_type)?;
    preview.size_bytes = probe.size_bytes;
    preview.exif.clone_from(&probe.exif);
    preview.metadata.clone_from(&probe.metadata);
    Some(preview)
}

/// What kind of image a file is, whether or not it can be shown; `None` if it is none.
pub fn recognise(bytes: &[u8]) -> Option<MediaType> {
    match sniff(bytes)? {
        MediaType::Tiff if tiff::is_raw(bytes) => Some(MediaType::Raw),
        kind => Some(kind),
    }
}

fn probe_as(media_type: MediaType, bytes: &[u8]) -> Result<Probe, Error> {
    match media_type {
        MediaType::Jpeg => jpeg::probe(bytes).and_then(of_8_bits),
        MediaType::Png => png::probe(bytes),
        MediaType::Webp => webp::probe(bytes),
        MediaType::Gif => gif::probe(bytes),
        MediaType::Avif | MediaType::Heic => heif::probe(bytes),
        MediaType::Tiff => tiff::probe(bytes),
        MediaType::Bmp => bmp::probe(bytes),
        MediaType::Jxl => jxl::probe(bytes),
        MediaType::Raw => raw::probe(bytes),
        MediaType::Psd => psd::probe(bytes),
        MediaType::Jp2 => jp2::probe(bytes),
        MediaType::Tga => tga::probe(bytes),
        MediaType::Ico => ico::probe(bytes),
        kind @ (MediaType::Jxr | MediaType::Exr) => Err(not_shown(kind)),
    }
}

/// What is known and kept, but read by nothing here.
pub(crate) fn not_shown(kind: MediaType) -> Error {
    Error::unsupported(format!("files of the kind {} are not read", kind.name()))
}

/// What the headers of a file tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// What kind of file it is.
    pub media_type: MediaType,
    /// Length of the file.
    pub size_bytes: u64,
    /// Width in pixels as stored, without padding; see [`Self::display_size`]. Of RAW files, that
    /// of the preview.
    pub width: u32,
    /// Height in pixels as stored.
    pub height: u32,
    /// What must be done to the stored pixels to see the image upright, by the rules of its
    /// format: EXIF counts for some, while HEIC, AVIF and JPEG XL have their own properties.
    /// Decoders of those three usually have it applied to what they return.
    pub orientation: Orientation,
    /// Bits per channel; of palette images 8.
    pub bit_depth: u8,
    /// The kind of channels beside alpha.
    pub color_model: ColorModel,
    /// Whether it may be transparent somewhere.
    pub has_alpha: bool,
    /// Frames of an animation, 1 for a still image. Counted up to a bound of 100,000; those of
    /// an animated JPEG XL file cannot be counted without decoding and are given as 2.
    pub frames: u32,
    /// The colour profile; sRGB if the file does not say.
    pub color_profile: ColorProfile,
    /// What the camera wrote.
    pub exif: Option<Exif>,
    /// What people and their programs wrote.
    pub metadata: Metadata,
    /// Where in the file the JPEG is that stands for an image: of RAW files, and where nothing else
    /// of a file can be shown. Width, height and colours are then those of this JPEG.
    pub preview: Option<Range<usize>>,
    /// How much of the image that is.
    pub shown: Shown,
    /// Pixels of the largest surface a decoder has to hold, should the file contain one larger
    /// than the image (a GIF frame beyond its canvas, a HEIC tile).
    pub(crate) largest_surface_pixels: u64,
    /// Whether it is put together from tiles that are decoded one after the other.
    pub(crate) tiled: bool,
    /// How often its size can be halved while it is decoded.
    pub(crate) levels: u8,
    /// What a decoder holds beside the picture: of JPEG files with several scans, the coefficients
    /// of the whole image; of TIFF files, a strip or a row of tiles; of HEIF files in tiles, one.
    pub(crate) held_bytes: u64,
    /// Whether a smaller picture can be made of a part of those coefficients.
    pub(crate) held_in_part: bool,
    /// Whether it can only be decoded whole: interlaced PNG, lossless JPEG and WebP.
    pub(crate) whole_only: bool,
}

/// The kind of channels of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorModel {
    /// Lightness only.
    Gray,
    /// Red, green and blue, or what is converted into them (YCbCr, palettes, XYB).
    Rgb,
    /// Printing inks (CMYK and YCCK).
    Cmyk,
}

impl Probe {
    /// Width and height as seen.
    pub fn display_size(&self) -> (u32, u32) {
        self.orientation.apply_to_size((self.width, self.height))
    }

    /// What it is coded as: JPEG where a preview is shown.
    pub(crate) fn coding(&self) -> MediaType {
        if self.preview.is_some() { MediaType::Jpeg } else { self.media_type }
    }

    /// Whether it moves.
    pub fn is_animated(&self) -> bool {
        self.frames > 1
    }

    /// Fails with the first limit that the image, or making these renditions of it, exceeds.
    pub fn check(&self, limits: &Limits, sizes: &[SizeSpec]) -> Result<(), Error> {
        limits.check_bytes(self.size_bytes)?;
        limits.check_size(self.width, self.height)?;
        limits.check_pixels(self.surface_pixels())?;
        limits.check_frames(self.frames)?;
        limits.check_decoded_bytes(self.decoded_bytes(sizes))
    }

    pub(crate) fn surface_pixels(&self) -> u64 {
        self.largest_surface_pixels.max(u64::from(self.width) * u64::from(self.height))
    }

    /// Whether the file contains a surface larger than the image.
    fn has_larger_surface(&self) -> bool {
        self.largest_surface_pixels > u64::from(self.width) * u64::from(self.height)
    }

    /// Notes that a decoder has to hold a surface of this size, too.
    fn include_surface(&mut self, width: u32, height: u32) {
        let pixels = u64::from(width) * u64::from(height);
        self.largest_surface_pixels = self.largest_surface_pixels.max(pixels);
    }

    /// A still sRGB image of 8 bits without anything else.
    fn new(media_type: MediaType, width: u32, height: u32) -> Self {
        Self {
            media_type,
            size_bytes: 0,
            width,
            height,
            orientation: Orientation::Upright,
            bit_depth: 8,
            color_model: ColorModel::Rgb,
            has_alpha: false,
            frames: 1,
            color_profile: ColorProfile::default(),
            exif: None,
            metadata: Metadata::default(),
            preview: None,
            shown: Shown::Whole,
            largest_surface_pixels: 0,
            tiled: false,
            levels: 0,
            held_bytes: 0,
            held_in_part: false,
            whole_only: false,
        }
    }
}

/// No file is walked for more frames than these.
const FRAMES_COUNTED_MAX: u32 = 100_000;

/// There are JPEG files of 2 to 16 bits, mostly from medicine; they are not decoded.
fn of_8_bits(probe: Probe) -> Result<Probe, Error> {
    match probe.bit_depth {
        8 => Ok(probe),
        bits => Err(Error::unsupported(format!("a JPEG file of {bits} bits"))),
    }
}

fn unknown(bytes: &[u8]) -> Error {
    if bytes.len() < 32 {
        return Error::truncated("too short to tell what it is");
    }
    Error::unsupported("its first bytes are those of no image format known here")
}

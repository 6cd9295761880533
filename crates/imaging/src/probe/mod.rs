//! What a file is, read from its headers alone.
//!
//! Nothing here decodes a pixel or trusts a length: every walk over a file is bounded by a count
//! and by the bytes that are there, and what is copied out of it (profiles, texts) is bounded too.

mod bits;
mod bmp;
mod boxes;
mod gif;
mod heif;
mod hevc;
mod icc;
mod jpeg;
mod jxl;
mod memory;
mod png;
mod raw;
mod tiff;
mod webp;

use std::ops::Range;

use model::{Exif, MediaType, SizeSpec};

pub use icc::{ColorProfile, ProfileKind};

use crate::{Error, Limits, Orientation, sniff};

/// Tells what a file is, without decoding it.
///
/// `bytes` should be the whole file. A prefix works as far as it goes: if it ends before the size
/// of the image is known the error is [`Error::Truncated`] and more bytes help; otherwise size,
/// depth and colour model are right, while what stands further back (the profile, the number of
/// frames, EXIF data) may be missing, and of a RAW file a smaller preview be found.
pub fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let media_type = sniff(bytes).ok_or_else(|| unknown(bytes))?;
    let mut probe = match media_type {
        MediaType::Jpeg => jpeg::probe(bytes).and_then(of_8_bits),
        MediaType::Png => png::probe(bytes),
        MediaType::Webp => webp::probe(bytes),
        MediaType::Gif => gif::probe(bytes),
        MediaType::Avif | MediaType::Heic => heif::probe(bytes),
        MediaType::Tiff => tiff::probe(bytes),
        MediaType::Bmp => bmp::probe(bytes),
        MediaType::Jxl => jxl::probe(bytes),
        MediaType::Raw => raw::probe(bytes),
    }?;
    probe.size_bytes = bytes.len() as u64;
    if probe.width == 0 || probe.height == 0 {
        return Err(Error::damaged("an image without pixels"));
    }
    Ok(probe)
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
    /// Where in the file the JPEG preview of a RAW file is: decode that instead.
    pub preview: Option<Range<usize>>,
    /// Pixels of the largest surface a decoder has to hold, should the file contain one larger
    /// than the image (a GIF frame beyond its canvas, a HEIC tile).
    pub(crate) largest_surface_pixels: u64,
    /// Whether the whole image has to be held as coefficients while it is decoded.
    pub(crate) progressive: bool,
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

    fn surface_pixels(&self) -> u64 {
        self.largest_surface_pixels.max(u64::from(self.width) * u64::from(self.height))
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
            preview: None,
            largest_surface_pixels: 0,
            progressive: false,
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

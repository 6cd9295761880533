//! One decode per image, into pixels of 8 bits as the file stores them: not yet upright, not yet
//! in sRGB.
//!
//! A decoder is only run on a file whose size and memory have been checked, is told the same
//! limits again where it takes any, and must find the size that was checked.

mod avif;
mod bmp;
mod gif;
mod heic;
mod ico;
mod jp2;
mod jpeg;
mod jxl;
mod mosaic;
mod png;
mod psd;
mod tga;
mod tiff;
mod webp;

use model::{MediaType, Shown};

pub(crate) use gif::GifReader;
pub(crate) use jpeg::{coefficient_bytes, scaled_size};
pub(crate) use webp::rescaled_size;

use crate::color::Space;
use crate::picture::{Buffers, Channels, Picture, Pixels, Size};
use crate::resize::{Resize, Strips};
use crate::{Error, Limits, Orientation, Probe};

/// What to decode, and how large it is needed.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) probe: &'a Probe,
    pub(crate) limits: &'a Limits,
    /// The size the image is going to be shrunk to, as stored. Decoders that can may return
    /// anything between that and the full size.
    pub(crate) wanted: Size,
    /// Whether a rendition has chroma for every pixel.
    pub(crate) full_chroma: bool,
}

/// What a file says.
pub(crate) struct Decoded {
    pub(crate) picture: Picture,
    /// What the numbers stand for.
    pub(crate) space: Space,
    /// What is still to be done to see it upright.
    pub(crate) orientation: Orientation,
    /// Whether pixels are missing.
    pub(crate) shown: Shown,
}

/// Decodes a still image, or the first frame of an animation.
pub(crate) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let probe = source.probe;
    let part = |(picture, shown)| Decoded {
        picture,
        space: Space::of(&probe.color_profile),
        orientation: probe.orientation,
        shown,
    };
    let plain = |picture| part((picture, Shown::Whole));
    let pixels = |(pixels, shown)| part((Picture::Pixels(pixels), shown));
    if probe.preview.is_some() {
        return jpeg::decode(&preview(source)?, buffers).map(part);
    }
    match probe.media_type {
        MediaType::Jpeg => jpeg::decode(source, buffers).map(part),
        MediaType::Png => png::decode(source, buffers).map(Picture::Pixels).map(plain),
        MediaType::Webp => webp::decode(source, buffers).map(plain),
        MediaType::Gif => gif::decode(source, buffers).map(Picture::Pixels).map(plain),
        MediaType::Tiff => tiff::decode(source, buffers).map(Picture::Pixels).map(plain),
        MediaType::Bmp => bmp::decode(source, buffers).map(pixels),
        MediaType::Heic => heic::decode(source, buffers),
        MediaType::Avif => avif::decode(source, buffers),
        MediaType::Jxl => jxl::decode(source, buffers),
        MediaType::Raw => Err(Error::unsupported("a RAW file without a preview")),
        MediaType::Psd => psd::decode(source, buffers).map(pixels),
        MediaType::Tga => tga::decode(source, buffers).map(pixels),
        MediaType::Ico => ico::decode(source, buffers).map(pixels),
        MediaType::Jp2 => jp2::decode(source, buffers),
        kind @ (MediaType::Jxr | MediaType::Exr) => Err(crate::probe::not_shown(kind)),
    }
}

/// The JPEG file that stands for the image.
fn preview<'a>(source: &Source<'a>) -> Result<Source<'a>, Error> {
    let range = source.probe.preview.clone();
    let bytes = range.and_then(|range| source.bytes.get(range));
    let bytes = bytes.ok_or_else(|| Error::unsupported("a file without a preview"))?;
    Ok(Source { bytes, ..*source })
}

impl Source<'_> {
    /// The size that was checked, as stored.
    fn size(&self) -> Size {
        (self.probe.width, self.probe.height)
    }

    /// Fails unless a decoder has found the size that was checked.
    fn expect_size(&self, width: u32, height: u32) -> Result<(), Error> {
        if (width, height) == self.size() {
            return Ok(());
        }
        Err(Error::damaged("an image of another size than its header says"))
    }
}

/// A picture whose rows come one after the other, from the top, made smaller on the way.
fn shrunk(
    source: &Source<'_>,
    channels: Channels,
    buffers: &mut Buffers,
    mut next_row: impl FnMut(&mut [u8]) -> Result<(), Error>,
) -> Result<Pixels, Error> {
    let mut resize = Resize::default();
    let size = source.size();
    let mut strips = Strips::new(buffers, size, channels, source.wanted);
    for _ in 0..size.1 {
        strips.push(&mut resize, &mut next_row)?;
    }
    strips.finish(buffers)
}

/// Numbers of 16 bits as numbers of 8, rounded.
fn narrow(value: u16) -> u8 {
    ((u32::from(value) * 255 + 32_895) >> 16) as u8
}

/// An empty picture of the size that was checked.
fn blank(source: &Source<'_>, channels: Channels, buffers: &mut Buffers) -> Pixels {
    let size = source.size();
    let data = buffers.take(crate::picture::area(size) * channels.count());
    Pixels { size, channels, data }
}

#[cfg(test)]
mod tests {
    use super::narrow;

    #[test]
    fn sixteen_bits_are_rounded_to_eight() {
        for value in 0..=u16::MAX {
            let exact = f64::from(value) * 255.0 / 65_535.0;
            assert_eq!(f64::from(narrow(value)), exact.round(), "{value}");
        }
    }
}

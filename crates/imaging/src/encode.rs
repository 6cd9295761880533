//! Pixels to files. Nothing of the original's metadata can come along: encoders are given pixels
//! and, if wide colours are kept, the colour profile.

mod avif;
mod jpeg;
mod png;
mod webp;

use model::RenditionFormat;

use crate::Error;
use crate::picture::{Buffers, Picture};

/// How to encode a picture.
#[derive(Clone, Copy)]
pub(crate) struct Encoding<'a> {
    pub(crate) format: RenditionFormat,
    pub(crate) quality: u8,
    /// The profile to embed if the picture is not sRGB.
    pub(crate) icc: Option<&'a [u8]>,
    /// Whether the picture is as the decoder left it after scaling it down.
    pub(crate) is_scaled: bool,
}

/// Encodes a picture in sRGB (or by the profile to embed): planes as JPEG has them, RGB or RGBA.
pub(crate) fn encode(
    picture: &Picture,
    encoding: Encoding<'_>,
    buffers: &mut Buffers,
) -> Result<Vec<u8>, Error> {
    match encoding.format {
        RenditionFormat::Webp => webp::encode(picture, encoding, buffers),
        RenditionFormat::Jpeg => jpeg::encode(picture, encoding, buffers),
        RenditionFormat::Png => png::encode(picture, encoding),
        RenditionFormat::Avif => avif::encode(picture, encoding),
    }
}

/// Whether a format stores planes with chroma at half width and height, so that nothing is lost
/// by keeping a photograph in such planes all the way.
pub(crate) fn takes_planes(format: RenditionFormat) -> bool {
    matches!(format, RenditionFormat::Webp | RenditionFormat::Jpeg)
}

/// Whether a format is lossy and so has a quality.
pub(crate) fn has_quality(format: RenditionFormat) -> bool {
    format != RenditionFormat::Png
}

/// Only pixels were expected.
fn not_pixels() -> Error {
    Error::Internal { what: "planes where pixels are needed".into() }
}

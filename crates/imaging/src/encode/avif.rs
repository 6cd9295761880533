//! AVIF by rav1e. Takes seconds for a large picture, so no default rendition uses it.

use ravif::{Encoder, Img, RGB8, RGBA8};

use super::{Encoding, not_pixels};
use crate::Error;
use crate::picture::{Channels, Picture};

/// From 1 (slowest) to 10. Slower than this gains some percent of bytes for twice the time.
const SPEED: u8 = 8;

pub(super) fn encode(picture: &Picture, encoding: Encoding<'_>) -> Result<Vec<u8>, Error> {
    let Picture::Pixels(pixels) = picture else { return Err(not_pixels()) };
    let (width, height) = (pixels.size.0 as usize, pixels.size.1 as usize);
    let quality = f32::from(encoding.quality);
    let encoder = Encoder::new()
        .with_quality(quality)
        .with_alpha_quality(quality)
        .with_speed(SPEED)
        .with_num_threads(Some(1));
    let encoded = match pixels.channels {
        Channels::Rgb => {
            let rgb: Vec<RGB8> = pixels
                .data
                .as_chunks::<3>()
                .0
                .iter()
                .map(|[r, g, b]| RGB8::new(*r, *g, *b))
                .collect();
            encoder.encode_rgb(Img::new(&rgb, width, height))
        }
        Channels::Rgba => {
            let rgba = pixels.data.as_chunks::<4>().0.iter();
            let rgba: Vec<RGBA8> = rgba.map(|[r, g, b, a]| RGBA8::new(*r, *g, *b, *a)).collect();
            encoder.encode_rgba(Img::new(&rgba, width, height))
        }
        _ => return Err(not_pixels()),
    };
    let encoded =
        encoded.map_err(|error| Error::Internal { what: format!("AVIF: {error}").into() })?;
    Ok(encoded.avif_file)
}

//! Colour: from what a file's numbers stand for to sRGB, and between planes and pixels.

mod planes;
mod profile;

pub(crate) use planes::{limited, to_rgb};
pub(crate) use profile::{Space, to_srgb};

use crate::Error;
use crate::picture::{Buffers, Channels, Coding, Pixels, area};

/// The coding with this number in ITU-T H.273; `None` if planes of it are no luma and chroma.
pub(crate) fn coding_of(matrix: u32, full_range: bool) -> Option<Coding> {
    let (red, blue) = match matrix {
        1 => (0.2126, 0.0722),
        // Not said, BT.601 for 625 and for 525 lines.
        2 | 5 | 6 => (0.299, 0.114),
        4 => (0.30, 0.11),
        7 => (0.212, 0.087),
        9 => (0.2627, 0.0593),
        _ => return None,
    };
    Some(Coding { red, blue, full_range })
}

/// RGBA of pixels without opacity and the opacity.
pub(crate) fn with_alpha(
    pixels: &Pixels,
    opacity: &[u8],
    buffers: &mut Buffers,
) -> Result<Pixels, Error> {
    let mut data = buffers.take(area(pixels.size) * 4);
    let rgba = data.as_chunks_mut::<4>().0.iter_mut().zip(opacity);
    match pixels.channels {
        Channels::Rgb => {
            for ((into, alpha), [r, g, b]) in rgba.zip(pixels.data.as_chunks::<3>().0) {
                *into = [*r, *g, *b, *alpha];
            }
        }
        Channels::Gray => {
            for ((into, alpha), gray) in rgba.zip(pixels.data.iter()) {
                *into = [*gray, *gray, *gray, *alpha];
            }
        }
        _ => return Err(Error::Internal { what: "opacity for pixels that have one".into() }),
    }
    Ok(Pixels { size: pixels.size, channels: Channels::Rgba, data })
}

/// Divides colour by opacity.
pub(crate) fn unpremultiply(rgba: &mut [u8]) {
    for [r, g, b, alpha] in rgba.as_chunks_mut::<4>().0 {
        let alpha = u32::from(*alpha);
        if alpha == 0 || alpha == 255 {
            continue;
        }
        for channel in [r, g, b] {
            *channel = ((u32::from(*channel) * 255 + alpha / 2) / alpha).min(255) as u8;
        }
    }
}

/// RGB over white, for formats without opacity.
pub(crate) fn flatten(pixels: &Pixels, buffers: &mut Buffers) -> Pixels {
    let mut data = buffers.take(area(pixels.size) * 3);
    let rgb = data.as_chunks_mut::<3>().0;
    for (into, [r, g, b, alpha]) in rgb.iter_mut().zip(pixels.data.as_chunks::<4>().0) {
        *into = [*r, *g, *b].map(|channel| over_white(channel, *alpha));
    }
    Pixels { size: pixels.size, channels: Channels::Rgb, data }
}

/// A channel of a pixel with this opacity on white paper.
pub(crate) fn over_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u32::from(channel), u32::from(alpha));
    ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opacity_is_divided_out_and_shown_on_white() {
        let mut rgba = [50, 100, 0, 128, 9, 9, 9, 255, 7, 7, 7, 0];
        unpremultiply(&mut rgba);
        assert_eq!(rgba, [100, 199, 0, 128, 9, 9, 9, 255, 7, 7, 7, 0]);
        assert_eq!([over_white(0, 0), over_white(0, 255), over_white(100, 128)], [255, 0, 177]);
    }
}

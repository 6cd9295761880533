//! What stands for an image while it is not there: a thumbhash, a colour, and a hash that similar
//! images share.

use std::f32::consts::PI;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::Error;
use crate::color::over_white;
use crate::picture::{Buffers, Channels, Pixels, area};
use crate::resize::{Resize, Window};

/// The longer side of the picture the others are found from. Thumbhash takes at most 100 and looks
/// at seven waves on a side, so this is plenty.
pub(crate) const SIDE_MAX: u32 = 64;

/// What [`find`] finds.
pub(crate) struct Placeholder {
    /// A thumbhash, as base64.
    pub(crate) thumbhash: String,
    /// The dominant colour, as `#rrggbb`; none if nothing is visible.
    pub(crate) color: Option<String>,
    /// The perceptual hash, as 16 hexadecimal digits.
    pub(crate) perceptual_hash: String,
}

/// Looks at a small picture of RGBA, at most [`SIDE_MAX`] on a side.
pub(crate) fn find(
    pixels: &Pixels,
    resize: &mut Resize,
    buffers: &mut Buffers,
) -> Result<Placeholder, Error> {
    let (width, height) = (pixels.size.0 as usize, pixels.size.1 as usize);
    let hash = thumbhash::rgba_to_thumb_hash(width, height, &pixels.data);
    Ok(Placeholder {
        thumbhash: STANDARD.encode(&hash),
        color: dominant(&pixels.data).map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}")),
        perceptual_hash: format!("{:016x}", perceptual_hash(pixels, resize, buffers)?),
    })
}

/// The mean of the most frequent colour, of 4096.
fn dominant(rgba: &[u8]) -> Option<[u8; 3]> {
    let mut bins = vec![(0_u32, [0_u32; 3]); 4096];
    for [r, g, b, alpha] in rgba.as_chunks::<4>().0 {
        let index = usize::from(r >> 4) << 8 | usize::from(g >> 4) << 4 | usize::from(b >> 4);
        if let Some((count, sum)) = bins.get_mut(index).filter(|_| *alpha >= 128) {
            *count += 1;
            sum.iter_mut().zip([r, g, b]).for_each(|(sum, channel)| *sum += u32::from(*channel));
        }
    }
    // Of equally frequent ones the first, so that the same picture always has the same colour.
    let best = bins.into_iter().reduce(|best, bin| if bin.0 > best.0 { bin } else { best });
    best.filter(|(count, _)| *count > 0).map(|(count, sum)| {
        sum.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX))
    })
}

/// Side of the picture the perceptual hash is found from, and of the block of its frequencies.
const HASH_SIDE: usize = 32;
const HASH_BLOCK: usize = 8;

/// The classic DCT hash ("pHash"): the picture is made 32 × 32 in lightness without regard to its
/// shape, transformed, and of the 8 × 8 lowest frequencies each gives a bit, row by row from the
/// highest, that is set if it is above their median. The mean lightness (the first frequency) takes part
/// with a zero, so its bit says only whether the median is negative. Two images are near-duplicates if their
/// hashes differ in few bits, say at most 8.
fn perceptual_hash(
    pixels: &Pixels,
    resize: &mut Resize,
    buffers: &mut Buffers,
) -> Result<u64, Error> {
    let lightness: Vec<u8> = pixels.data.as_chunks::<4>().0.iter().map(lightness).collect();
    let gray = Pixels { size: pixels.size, channels: Channels::Gray, data: lightness.into() };
    let side = HASH_SIDE as u32;
    let small = resize.pixels(buffers, &gray, Window::whole(gray.size), (side, side))?;
    let mut low = frequencies(&small.data);
    buffers.give(small.data);
    if let Some(mean) = low.first_mut() {
        *mean = 0.0;
    }
    let mut sorted = low;
    sorted.sort_by(f32::total_cmp);
    let middle = sorted.len() / 2;
    let median = sorted.iter().skip(middle - 1).take(2).sum::<f32>() / 2.0;
    Ok(low.iter().fold(0, |hash, frequency| hash << 1 | u64::from(*frequency > median)))
}

fn lightness([r, g, b, alpha]: &[u8; 4]) -> u8 {
    let weigh = |channel: u8, weight: u32| u32::from(over_white(channel, *alpha)) * weight;
    ((weigh(*r, 299) + weigh(*g, 587) + weigh(*b, 114) + 500) / 1000) as u8
}

/// The lowest frequencies of a picture of 32 × 32, by the discrete cosine transform.
fn frequencies(samples: &[u8]) -> [f32; HASH_BLOCK * HASH_BLOCK] {
    let waves: [[f32; HASH_SIDE]; HASH_BLOCK] = std::array::from_fn(|frequency| {
        std::array::from_fn(|at| {
            (PI * frequency as f32 * (2 * at + 1) as f32 / (2 * HASH_SIDE) as f32).cos()
        })
    });
    let across = |row: &[u8]| {
        waves.map(|wave| row.iter().zip(wave).map(|(sample, wave)| f32::from(*sample) * wave).sum())
    };
    let rows: Vec<[f32; HASH_BLOCK]> = samples.chunks_exact(HASH_SIDE).map(across).collect();
    let mut low = [0.0; HASH_BLOCK * HASH_BLOCK];
    for (into, wave) in low.chunks_exact_mut(HASH_BLOCK).zip(waves) {
        for (row, wave) in rows.iter().zip(wave) {
            into.iter_mut().zip(row).for_each(|(into, sample)| *into += sample * wave);
        }
    }
    low
}

/// A picture as RGBA, for [`find`].
pub(crate) fn opaque(pixels: &Pixels, buffers: &mut Buffers) -> Pixels {
    let mut data = buffers.take(area(pixels.size) * 4);
    let into = data.as_chunks_mut::<4>().0.iter_mut();
    into.zip(pixels.data.as_chunks::<3>().0)
        .for_each(|(into, [r, g, b])| *into = [*r, *g, *b, 255]);
    Pixels { size: pixels.size, channels: Channels::Rgba, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dominant_colour_is_the_mean_of_the_fullest_bin() {
        let pixels = [[10, 20, 30, 255], [12, 20, 30, 255], [200, 0, 0, 255], [0, 0, 0, 0]];
        assert_eq!(dominant(pixels.as_flattened()), Some([11, 20, 30]));
        assert_eq!(dominant(&[1, 2, 3, 0]), None);
    }

    #[test]
    fn similar_pictures_have_similar_hashes_and_others_do_not() {
        let hash = |pixel: &dyn Fn(u32, u32) -> u8| {
            let size = (100, 75);
            let data: Vec<u8> = (0..75)
                .flat_map(|y| (0..100).map(move |x| (x, y)))
                .flat_map(|(x, y)| [pixel(x, y), pixel(x, y), pixel(x, y), 255])
                .collect();
            let pixels = Pixels { size, channels: Channels::Rgba, data: data.into() };
            perceptual_hash(&pixels, &mut Resize::default(), &mut Buffers::default()).unwrap()
        };
        let wave = |x: u32, y: u32| ((x * x / 37 + y * 5 / 3 + x * y / 50) % 200) as u8;
        let original = hash(&wave);
        let brighter = hash(&|x, y| wave(x, y) + 30);
        let mirrored = hash(&|x, y| wave(99 - x, y));
        assert!((original ^ brighter).count_ones() <= 4);
        assert!((original ^ mirrored).count_ones() >= 16);
    }
}

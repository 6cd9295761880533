//! Between planes of luma and chroma and pixels of red, green and blue.

use crate::Error;
use crate::picture::{Buffer, Buffers, Channels, Coding, Pixels, Plane, Size, Ycc, area};
use crate::resize::{Resize, Window};

/// Planes as RGB of another size. Luma and chroma are resampled straight to it, each from all the
/// detail it has.
pub(crate) fn to_rgb(
    resize: &mut Resize,
    buffers: &mut Buffers,
    ycc: &Ycc,
    size: Size,
) -> Result<Pixels, Error> {
    let whole = Window::whole(ycc.size);
    if ycc.size == size && ycc.step == (1, 1) {
        return Ok(mix(ycc, buffers));
    }
    let full = resize.ycc(buffers, ycc, whole, size, (1, 1))?;
    let pixels = mix(&full, buffers);
    buffers.give(full.data);
    Ok(pixels)
}

/// Fixed-point numbers with this many bits behind the point.
const BITS: i32 = 14;

/// Planes with a chroma sample for every pixel as RGB.
fn mix(ycc: &Ycc, buffers: &mut Buffers) -> Pixels {
    let Coding { red, blue, full_range } = ycc.coding;
    let green = 1.0 - red - blue;
    let (luma_gain, chroma_gain) =
        if full_range { (1.0, 1.0) } else { (255.0 / 219.0, 255.0 / 224.0) };
    let fixed = |number: f32| (number * (1 << BITS) as f32).round() as i32;
    let gain = fixed(luma_gain);
    let black = if full_range { 0 } else { 16 };
    let red_cr = fixed(2.0 * (1.0 - red) * chroma_gain);
    let blue_cb = fixed(2.0 * (1.0 - blue) * chroma_gain);
    let green_cb = fixed(2.0 * (1.0 - blue) * blue / green * chroma_gain);
    let green_cr = fixed(2.0 * (1.0 - red) * red / green * chroma_gain);

    let mut data = buffers.take(area(ycc.size) * 3);
    let [y, cb, cr] = ycc.planes();
    let samples = y.data.iter().zip(cb.data).zip(cr.data);
    for (into, ((y, cb), cr)) in data.as_chunks_mut::<3>().0.iter_mut().zip(samples) {
        let luma = (i32::from(*y) - black) * gain + (1 << (BITS - 1));
        let (cb, cr) = (i32::from(*cb) - 128, i32::from(*cr) - 128);
        let r = luma + red_cr * cr;
        let g = luma - green_cb * cb - green_cr * cr;
        let b = luma + blue_cb * cb;
        *into = [r, g, b].map(|channel| (channel >> BITS).clamp(0, 255) as u8);
    }
    Pixels { size: ycc.size, channels: Channels::Rgb, data }
}

/// The planes of a JPEG image as those of a WebP image, which leave room at both ends of the
/// range; without padding, one after the other. Chroma must be at half width and height.
///
/// The samples have been rounded before, and rounding them again would draw steps into soft
/// gradients, which then cost bytes as well. So it is done by the pattern of [`THRESHOLDS`]: the
/// mean of four neighbours is right to a quarter of a level, and the pattern itself is too fine
/// and too faint for the encoder to keep.
pub(crate) fn limited(ycc: &Ycc, buffers: &mut Buffers) -> Buffer {
    let chroma = (ycc.size.0.div_ceil(2), ycc.size.1.div_ceil(2));
    let mut data = buffers.take(area(ycc.size) + 2 * area(chroma));
    let [y, cb, cr] = ycc.planes();
    let (y_out, rest) = data.split_at_mut_checked(area(ycc.size)).unwrap_or_default();
    let (cb_out, cr_out) = rest.split_at_mut_checked(area(chroma)).unwrap_or_default();
    squeeze_plane::<219, LUMA_ZERO>(y, y_out, ycc.size);
    squeeze_plane::<224, CHROMA_ZERO>(cb, cb_out, chroma);
    squeeze_plane::<224, CHROMA_ZERO>(cr, cr_out, chroma);
    data
}

/// Where numbers are rounded up, in parts of 65,536, by row and column: at 1/8, 5/8, 7/8 and 3/8.
const THRESHOLDS: [[u32; 2]; 2] = [[8_192, 40_960], [57_344, 24_576]];

/// What 0 becomes, in parts of 65,536: 16, and for chroma a little less, so that 128 stays itself.
const LUMA_ZERO: u32 = 16 << 16;
const CHROMA_ZERO: u32 = (128 << 16) - 128 * 224 * 257;

fn squeeze_plane<const RANGE: u16, const ZERO: u32>(
    from: Plane<'_>,
    into: &mut [u8],
    (width, _): Size,
) {
    let width = (width as usize).max(1);
    let patterns = THRESHOLDS.map(|thresholds| Pattern::new(ZERO, thresholds, width));
    let rows = into.chunks_exact_mut(width).zip(from.data.chunks_exact(from.stride.max(1)));
    for ((into, row), pattern) in rows.zip(patterns.iter().cycle()) {
        let steps = pattern.zeros.iter().zip(&pattern.halves);
        for ((into, sample), (zero, half)) in into.iter_mut().zip(row).zip(steps) {
            *into = squeeze::<RANGE>(*sample, *zero, *half);
        }
    }
}

/// What is added to the samples of a row, one after the other: written out for all of it, so that
/// the loop over it has no case to tell apart and takes eight samples at once.
struct Pattern {
    /// The whole part of zero and threshold.
    zeros: Vec<u16>,
    /// Half of the rest, which is even.
    halves: Vec<u16>,
}

impl Pattern {
    fn new(zero: u32, thresholds: [u32; 2], width: usize) -> Self {
        let sums = || thresholds.iter().cycle().take(width).map(|threshold| zero + threshold);
        Self {
            zeros: sums().map(|sum| (sum >> 16) as u16).collect(),
            halves: sums().map(|sum| ((sum & 0xffff) / 2) as u16).collect(),
        }
    }
}

/// A sample of full range in the given one: `(sample * RANGE * 257 + zero + threshold) >> 16`,
/// where 257 makes 255 a 65,535, so that the division is a shift; in steps that fit 16 bits.
fn squeeze<const RANGE: u16>(sample: u8, zero: u16, half: u16) -> u8 {
    let scaled = u16::from(sample) * RANGE;
    let rest = ((scaled >> 1) + half) >> 7;
    (((scaled + rest) >> 8) + zero) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_squeezed_without_changing_the_mean() {
        for sample in 0..=255_u8 {
            let number = f64::from(sample);
            let luma = 16.0 + number * 219.0 / 255.0;
            let chroma = 128.0 + (number - 128.0) * 224.0 / 255.0;
            let size = (4, 4);
            let ycc = Ycc {
                size,
                step: (2, 2),
                coding: Coding::JPEG,
                data: vec![sample; Ycc::bytes(size, (2, 2))].into(),
            };
            let squeezed = limited(&ycc, &mut Buffers::default());
            let mean = |part: &[u8]| {
                part.iter().map(|byte| f64::from(*byte)).sum::<f64>() / part.len() as f64
            };
            let (y, rest) = squeezed.split_at(16);
            let (cb, cr) = rest.split_at(4);
            assert!((mean(y) - luma).abs() <= 0.13, "{sample}: {}", mean(y));
            assert!((mean(cb) - chroma).abs() <= 0.13, "{sample}: {}", mean(cb));
            assert_eq!(cb, cr);
        }
    }

    #[test]
    fn squeezing_in_16_bits_is_exact() {
        fn check<const RANGE: u16, const ZERO: u32>() {
            let samples: Vec<u8> = (0..=255).flat_map(|sample| [sample; 2]).collect();
            for thresholds in THRESHOLDS {
                let pattern = Pattern::new(ZERO, thresholds, samples.len());
                let steps = pattern.zeros.iter().zip(&pattern.halves);
                for ((sample, (zero, half)), at) in samples.iter().zip(steps).zip(0..) {
                    let threshold = thresholds[at % 2];
                    let exact = u32::from(*sample) * u32::from(RANGE) * 257 + ZERO + threshold;
                    assert_eq!(u32::from(squeeze::<RANGE>(*sample, *zero, *half)), exact >> 16);
                }
            }
        }
        check::<219, LUMA_ZERO>();
        check::<224, CHROMA_ZERO>();
    }

    #[test]
    fn ends_and_greys_have_no_pattern() {
        let squeezed = |sample: u8| {
            let size = (4, 4);
            let data = vec![sample; Ycc::bytes(size, (2, 2))].into();
            let ycc = Ycc { size, step: (2, 2), coding: Coding::JPEG, data };
            limited(&ycc, &mut Buffers::default()).to_vec()
        };
        assert!(squeezed(0).iter().take(16).all(|luma| *luma == 16));
        assert!(squeezed(255).iter().take(16).all(|luma| *luma == 235));
        assert!(squeezed(128).iter().skip(16).all(|chroma| *chroma == 128));
    }

    #[test]
    fn odd_sides_are_squeezed_to_their_ends() {
        let size = (5, 3);
        let data = vec![255; Ycc::bytes(size, (2, 2))].into();
        let ycc = Ycc { size, step: (2, 2), coding: Coding::JPEG, data };
        let squeezed = limited(&ycc, &mut Buffers::default());
        assert_eq!(squeezed.len(), 15 + 2 * 6);
        assert!(squeezed.iter().take(15).all(|luma| *luma == 235));
        assert!(squeezed.iter().skip(15).all(|chroma| (239..=240).contains(chroma)));
    }

    #[test]
    fn planes_become_the_colours_they_stand_for() {
        let one = |coding, samples: [u8; 3]| {
            let data = samples.to_vec().into();
            let ycc = Ycc { size: (1, 1), step: (1, 1), coding, data };
            mix(&ycc, &mut Buffers::default()).data.to_vec()
        };
        assert_eq!(one(Coding::JPEG, [255, 128, 128]), [255, 255, 255]);
        assert_eq!(one(Coding::JPEG, [76, 85, 255]), [254, 0, 0]);
        let limited = Coding { full_range: false, ..Coding::JPEG };
        assert_eq!(one(limited, [235, 128, 128]), [255, 255, 255]);
        assert_eq!(one(limited, [16, 128, 128]), [0, 0, 0]);
        assert_eq!(one(limited, [81, 90, 240]), [254, 0, 0]);
    }
}

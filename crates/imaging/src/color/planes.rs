//! Between planes of luma and chroma and pixels of red, green and blue.

use crate::Error;
use crate::picture::{Buffer, Buffers, Channels, Coding, Pixels, Size, Ycc, area};
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
pub(crate) fn limited(ycc: &Ycc, buffers: &mut Buffers) -> Buffer {
    let (width, height) = (ycc.size.0 as usize, ycc.size.1 as usize);
    let chroma = (ycc.size.0.div_ceil(2), ycc.size.1.div_ceil(2));
    let mut data = buffers.take(area(ycc.size) + 2 * area(chroma));
    let [y, cb, cr] = ycc.planes();
    let (luma_out, chroma_out) = data.split_at_mut_checked(width * height).unwrap_or_default();
    let rows = luma_out.chunks_exact_mut(width.max(1)).zip(y.data.chunks_exact(y.stride.max(1)));
    for (into, row) in rows {
        for (into, sample) in into.iter_mut().zip(row) {
            *into = squeeze(*sample, 219, 16);
        }
    }
    for (into, sample) in chroma_out.iter_mut().zip(cb.data.iter().chain(cr.data)) {
        *into = squeeze_chroma(*sample);
    }
    data
}

/// A luma sample of full range in the given one.
fn squeeze(sample: u8, range: u32, black: u32) -> u8 {
    // 257 makes 255 a 65535, so that the division is a shift.
    ((u32::from(sample) * range * 257 + 32_768) / 65_536 + black) as u8
}

fn squeeze_chroma(sample: u8) -> u8 {
    let centred = i32::from(sample) - 128;
    ((centred * 224 * 257 + 32_768 + 128 * 65_536) >> 16) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_squeezed_to_the_nearest_number() {
        for sample in 0..=255_u8 {
            let number = f64::from(sample);
            assert_eq!(
                f64::from(squeeze(sample, 219, 16)),
                (16.0 + number * 219.0 / 255.0).round()
            );
            let chroma = 128.0 + (number - 128.0) * 224.0 / 255.0;
            assert!((f64::from(squeeze_chroma(sample)) - chroma).abs() <= 0.505, "{sample}");
        }
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

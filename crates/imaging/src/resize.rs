//! Resampling: Lanczos for less pixels, Catmull-Rom where chroma needs more.
//!
//! Works on the numbers as they are (gamma-encoded), as browsers and other thumbnailers do. Colour
//! of transparent pixels never bleeds into visible ones.

mod shrink;
mod strips;

use std::f64::consts::PI;
use std::sync::LazyLock;

use fast_image_resize::images::{TypedCroppedImageMut, TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x2, U8x3, U8x4};
use fast_image_resize::{Filter, FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};

pub(crate) use self::strips::{Strips, strips_bytes};

use self::shrink::Shrink;
use crate::Error;
use crate::picture::{Buffers, Channels, Coding, Pixels, Plane, Size, Ycc};

/// A part of a picture, in its pixels; edges may lie between pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Window {
    /// All of a picture.
    pub(crate) fn whole(size: Size) -> Self {
        Self { left: 0.0, top: 0.0, width: f64::from(size.0), height: f64::from(size.1) }
    }

    /// The middle part of this size.
    pub(crate) fn middle(size: Size, (width, height): (f64, f64)) -> Self {
        let (all_width, all_height) = (f64::from(size.0), f64::from(size.1));
        let (width, height) = (width.min(all_width), height.min(all_height));
        Self { left: (all_width - width) / 2.0, top: (all_height - height) / 2.0, width, height }
    }

    /// Whether it has less pixels than this in some direction.
    fn enlarged_by(self, size: Size) -> bool {
        self.least_and_most_of(size).0 < 1.0
    }

    /// How many of its pixels become one, in the direction where they are less and in the other.
    fn least_and_most_of(self, size: Size) -> (f64, f64) {
        let (across, down) = (self.width / f64::from(size.0), self.height / f64::from(size.1));
        (across.min(down), across.max(down))
    }

    /// The same part of a plane that has one sample for so many pixels.
    ///
    /// `covered` is what the samples wanted of it stand for, in pixels of the result, of which
    /// there are `size`.
    fn of_plane(self, step: Size, covered: Size, size: Size, plane: Plane<'_>) -> Self {
        let along = |start: f64, length: f64, step: u32, covered: u32, size: u32, end: usize| {
            let start = start / f64::from(step);
            let length = length / f64::from(step) * f64::from(covered) / f64::from(size);
            (start, length.min(end as f64 - start))
        };
        let (left, width) = along(self.left, self.width, step.0, covered.0, size.0, plane.stride);
        let (top, height) = along(self.top, self.height, step.1, covered.1, size.1, plane.rows);
        Self { left, top, width, height }
    }
}

/// Resizes; keeps its coefficients and intermediate rows between calls.
#[derive(Default)]
pub(crate) struct Resize {
    resizer: Resizer,
}

/// Intermediate rows kept between images.
const KEPT_BYTES_MAX: usize = 8 << 20;

impl Resize {
    /// Lets the system have what is too much to keep; returns what is kept.
    pub(crate) fn trim(&mut self) -> usize {
        if self.resizer.size_of_internal_buffers() > KEPT_BYTES_MAX {
            self.resizer.reset_internal_buffers();
        }
        self.resizer.size_of_internal_buffers()
    }

    /// Interleaved channels, as a picture of another size.
    pub(crate) fn pixels(
        &mut self,
        buffers: &mut Buffers,
        source: &Pixels,
        window: Window,
        size: Size,
    ) -> Result<Pixels, Error> {
        let channels = source.channels;
        let mut data = buffers.take(crate::picture::area(size) * channels.count());
        let plane = Plane {
            data: &source.data,
            stride: source.size.0 as usize,
            rows: source.size.1 as usize,
        };
        self.samples(plane, channels, window, (&mut data, size), size)?;
        Ok(Pixels { size, channels, data })
    }

    /// Planes, as planes of another size with one chroma sample for `step` pixels.
    pub(crate) fn ycc(
        &mut self,
        buffers: &mut Buffers,
        source: &Ycc,
        window: Window,
        size: Size,
        step: Size,
    ) -> Result<Ycc, Error> {
        let data = buffers.take(Ycc::bytes(size, step));
        let mut result = Ycc { size, step, coding: source.coding, data };
        let [y, cb, cr] = source.planes();
        let ([y_out, cb_out, cr_out], [luma_size, chroma_size]) = result.planes_mut();
        self.planes([(y, y_out)], window, luma_size, size)?;
        // The last sample of an odd side stands for one pixel only, and repeats the one before:
        // stretching all samples over it would shift them.
        let whole = ((size.0 / step.0).max(1), (size.1 / step.1).max(1));
        let covered = ((whole.0 * step.0).min(size.0), (whole.1 * step.1).min(size.1));
        let chroma = window.of_plane(source.step, covered, size, cb);
        self.planes([(cb, cb_out), (cr, cr_out)], chroma, chroma_size, whole)?;
        result.pad(whole);
        Ok(result)
    }

    /// Planes of equal size, into the top left part, `size` large, of each output.
    fn planes<const N: usize>(
        &mut self,
        planes: [(Plane<'_>, &mut [u8]); N],
        window: Window,
        output_size: Size,
        size: Size,
    ) -> Result<(), Error> {
        let (least, most) = window.least_and_most_of(size);
        if least < 1.0 || most > Shrink::STEEPEST {
            for (plane, into) in planes {
                self.samples(plane, Channels::Gray, window, (into, output_size), size)?;
            }
            return Ok(());
        }
        let from = planes.first().map_or((0, 0), |(plane, _)| (plane.stride, plane.rows));
        let shrink = Shrink::new((from.0 as u32, from.1 as u32), window, size);
        for (plane, into) in planes {
            shrink.apply(plane, into, output_size.0 as usize);
        }
        Ok(())
    }

    /// Into the top left part, `size` large, of the output.
    fn samples(
        &mut self,
        source: Plane<'_>,
        channels: Channels,
        window: Window,
        output: (&mut [u8], Size),
        size: Size,
    ) -> Result<(), Error> {
        // Naming the kinds of pixels keeps the code for all others from being compiled.
        match channels {
            Channels::Gray => self.typed::<U8>(source, false, window, output, size),
            Channels::GrayAlpha => self.typed::<U8x2>(source, true, window, output, size),
            Channels::Rgb => self.typed::<U8x3>(source, false, window, output, size),
            Channels::Rgba => self.typed::<U8x4>(source, true, window, output, size),
            Channels::Cmyk => self.typed::<U8x4>(source, false, window, output, size),
        }
    }

    fn typed<P: PixelTrait>(
        &mut self,
        source: Plane<'_>,
        has_alpha: bool,
        window: Window,
        (output, output_size): (&mut [u8], Size),
        size: Size,
    ) -> Result<(), Error> {
        let from = (source.stride as u32, source.rows as u32);
        let input = TypedImageRef::<P>::from_buffer(from.0, from.1, source.data).map_err(fault)?;
        let (width, height) = output_size;
        let output = TypedImage::<P>::from_buffer(width, height, output).map_err(fault)?;
        let mut output = TypedCroppedImageMut::new(output, 0, 0, size.0, size.1).map_err(fault)?;
        let filter = if window.enlarged_by(size) { FilterType::CatmullRom } else { lanczos()? };
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(filter))
            .crop(window.left, window.top, window.width, window.height)
            .use_alpha(has_alpha);
        self.resizer.resize_typed(&input, &mut output, &options).map_err(fault)
    }
}

/// Lanczos with three lobes. The library's own calls the sine function twice for each of a hundred
/// thousand weights, which takes 2 % of the time of a whole photo.
fn lanczos() -> Result<FilterType, Error> {
    let filter = Filter::new("Lanczos3", lanczos_weight, LOBES).map_err(fault)?;
    Ok(FilterType::Custom(filter))
}

const LOBES: f64 = 3.0;

/// Weights that are known for each unit of distance; between them the filter is all but straight.
const KNOWN: usize = 1024;

static WEIGHTS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    let distances = (0..=LOBES as usize * KNOWN).map(|at| at as f64 / KNOWN as f64);
    distances.map(|x| sinc(x) * sinc(x / LOBES)).collect()
});

fn lanczos_weight(x: f64) -> f64 {
    let at = x.abs() * KNOWN as f64;
    let (before, part) = (at as usize, at.fract());
    match WEIGHTS.get(before..before.saturating_add(2)) {
        Some([left, right]) => left + (right - left) * part,
        _ => 0.0,
    }
}

/// How the planes of a JPEG photograph are kept: as WebP and JPEG files have them.
pub(crate) const HALF_CHROMA: Size = (2, 2);

/// Whether planes are already as [`Resize::ycc`] would make them for an encoder.
pub(crate) fn is_ready(ycc: &Ycc, size: Size) -> bool {
    ycc.size == size && ycc.step == HALF_CHROMA && ycc.coding == Coding::JPEG
}

fn fault(error: impl std::fmt::Display) -> Error {
    Error::Internal { what: format!("resizing: {error}").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_lanczos() {
        for step in 0..=35_000 {
            let x = f64::from(step) / 10_000.0;
            let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
            let exact = if x < LOBES { sinc(x) * sinc(x / LOBES) } else { 0.0 };
            for x in [x, -x] {
                assert!((lanczos_weight(x) - exact).abs() < 1e-6, "{x}: {}", lanczos_weight(x));
            }
        }
    }
}

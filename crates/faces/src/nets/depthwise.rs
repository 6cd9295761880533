//! Layers in which every channel is filtered on its own with three by three weights, as if the
//! picture had a border of zeros.

use pulp::{Arch, Simd, WithSimd};

use super::pointwise::activated;
use super::{Slope, Unusable, slopes};

/// The layer: nine rows of weights, one number per channel each.
pub(crate) struct Depthwise {
    channels: usize,
    stride: usize,
    taps: Vec<f32>,
    bias: Vec<f32>,
    slope: Vec<f32>,
}

/// Three rows of a picture with a pixel of zeros at both ends, the newest last.
struct Window {
    rows: [Vec<f32>; 3],
    /// How many numbers a pixel has.
    border: usize,
}

impl Depthwise {
    /// Of weights in the order of ONNX: all nine of the first channel first.
    pub(crate) fn new(
        weights: &[f32],
        bias: Vec<f32>,
        slope: Slope,
        stride: usize,
    ) -> Result<Self, Unusable> {
        let channels = bias.len();
        let slope = slopes(slope, channels);
        if weights.len() != channels * 9 || slope.len() != channels || !channels.is_multiple_of(16)
        {
            return Err(format!("a layer of {channels} channels is unheard of"));
        }
        let taps = (0..9).flat_map(|tap| weights.iter().skip(tap).step_by(9).copied()).collect();
        Ok(Self { channels, stride, taps, bias, slope })
    }

    /// How many pixels there are per row or column after this layer.
    pub(crate) fn shrunk(&self, length: usize) -> usize {
        length.div_ceil(self.stride)
    }

    /// All of a picture of this many rows of this width. `source` fills a row of the picture, so
    /// that it can be computed at the moment it is needed, while it is in the cache.
    pub(crate) fn apply(
        &self,
        width: usize,
        height: usize,
        mut source: impl FnMut(usize, &mut [f32]),
        to: &mut [f32],
    ) {
        let mut window = Window::new(width * self.channels, self.channels);
        window.push(|row| source(0, row));
        let mut next = 1;
        let rows = to.chunks_exact_mut(self.shrunk(width) * self.channels);
        for (y, to) in rows.take(self.shrunk(height)).enumerate() {
            while next < y * self.stride + 2 {
                if next < height {
                    window.push(|row| source(next, row));
                } else {
                    window.push_zeros();
                }
                next += 1;
            }
            Arch::new().dispatch(Filter { layer: self, window: &window, to });
        }
    }
}

impl Window {
    fn new(row: usize, border: usize) -> Self {
        Self { rows: [(); 3].map(|()| vec![0.0; row + 2 * border]), border }
    }

    fn push(&mut self, fill: impl FnOnce(&mut [f32])) {
        self.rows.rotate_left(1);
        let [.., last] = &mut self.rows;
        let end = last.len() - self.border;
        if let Some(inside) = last.get_mut(self.border..end) {
            fill(inside);
        }
    }

    fn push_zeros(&mut self) {
        self.rows.rotate_left(1);
        let [.., last] = &mut self.rows;
        last.fill(0.0);
    }
}

struct Filter<'a> {
    layer: &'a Depthwise,
    window: &'a Window,
    to: &'a mut [f32],
}

impl WithSimd for Filter<'_> {
    type Output = ();

    /// One row. The nine weights of a few channels stay in registers while the row passes by.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let pixel = self.layer.channels / S::F32_LANES;
        let step = self.layer.stride * pixel;
        let to = S::as_mut_simd_f32s(self.to).0;
        let rows = self.window.rows.each_ref().map(|row| S::as_simd_f32s(row).0);
        let taps = S::as_simd_f32s(&self.layer.taps).0;
        let ends =
            S::as_simd_f32s(&self.layer.bias).0.iter().zip(S::as_simd_f32s(&self.layer.slope).0);
        for (place, (bias, slope)) in ends.enumerate() {
            let taps = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|tap| at(simd, taps, tap * pixel + place));
            for (x, to) in to.iter_mut().skip(place).step_by(pixel).enumerate() {
                let start = x * step + place;
                let [a, b, c, d, e, f, g, h, i] = taps;
                let [above, here, below] = rows;
                let mut sum = *bias;
                sum = simd.mul_add_e_f32s(at(simd, above, start), a, sum);
                sum = simd.mul_add_e_f32s(at(simd, above, start + pixel), b, sum);
                sum = simd.mul_add_e_f32s(at(simd, above, start + 2 * pixel), c, sum);
                sum = simd.mul_add_e_f32s(at(simd, here, start), d, sum);
                sum = simd.mul_add_e_f32s(at(simd, here, start + pixel), e, sum);
                sum = simd.mul_add_e_f32s(at(simd, here, start + 2 * pixel), f, sum);
                sum = simd.mul_add_e_f32s(at(simd, below, start), g, sum);
                sum = simd.mul_add_e_f32s(at(simd, below, start + pixel), h, sum);
                sum = simd.mul_add_e_f32s(at(simd, below, start + 2 * pixel), i, sum);
                *to = activated(simd, sum, *slope);
            }
        }
    }
}

#[inline(always)]
fn at<S: Simd>(simd: S, row: &[S::f32s], index: usize) -> S::f32s {
    row.get(index).copied().unwrap_or_else(|| simd.splat_f32s(0.0))
}

//! Layers in which every output of a pixel is a weighted sum of all inputs of the same pixel: a
//! multiplication of matrices. Nearly all time is spent here.

use pulp::{Arch, Simd, WithSimd};

use super::{Slope, Unusable, slopes};

/// Outputs that are computed at a time; what both networks have is a multiple of it.
const WIDE: usize = 16;
/// Pixels that are computed at a time. With two vectors of eight outputs each, sums fill twelve of
/// the sixteen registers that x86 has.
const TALL: usize = 6;

/// The layer: weights in panels of [`WIDE`] outputs, input after input.
pub(crate) struct Pointwise {
    inputs: usize,
    outputs: usize,
    panels: Vec<f32>,
    bias: Vec<f32>,
    slope: Vec<f32>,
}

impl Pointwise {
    /// Of weights in the order of ONNX: all inputs of the first output first.
    pub(crate) fn new(weights: &[f32], bias: Vec<f32>, slope: Slope) -> Result<Self, Unusable> {
        let outputs = bias.len();
        let inputs = weights.len().checked_div(outputs).unwrap_or(0);
        let slope = slopes(slope, outputs);
        let fits = inputs * outputs == weights.len() && slope.len() == outputs;
        if inputs == 0 || !outputs.is_multiple_of(WIDE) || !fits {
            return Err(format!("a layer of {inputs} inputs and {outputs} outputs is unheard of"));
        }
        let panels = weights
            .chunks_exact(inputs * WIDE)
            .flat_map(|panel| transposed(panel, inputs))
            .collect();
        Ok(Self { inputs, outputs, panels, bias, slope })
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// All pixels of `from`, which holds nothing else, into as many of `to`. The buffer is kept
    /// between calls to spare allocations.
    pub(crate) fn apply(&self, from: &[f32], to: &mut [f32], buffer: &mut Vec<f32>) {
        pack(from, self.inputs, buffer);
        Arch::new().dispatch(Multiply { layer: self, tiles: buffer, to });
    }
}

fn transposed(panel: &[f32], inputs: usize) -> impl Iterator<Item = f32> {
    (0..inputs).flat_map(move |input| panel.iter().skip(input).step_by(inputs).copied())
}

/// Puts the pixels into tiles of [`TALL`], in which the same input of all of them is side by side;
/// the last is filled up with zeros.
fn pack(from: &[f32], inputs: usize, tiles: &mut Vec<f32>) {
    let pixels = from.len() / inputs;
    tiles.clear();
    tiles.resize(pixels.div_ceil(TALL) * TALL * inputs, 0.0);
    let sources = from.chunks(TALL * inputs);
    for (tile, source) in tiles.chunks_exact_mut(TALL * inputs).zip(sources) {
        let (tile, _) = tile.as_chunks_mut::<TALL>();
        for (place, pixel) in source.chunks_exact(inputs).enumerate() {
            for (column, value) in tile.iter_mut().zip(pixel) {
                if let Some(cell) = column.get_mut(place) {
                    *cell = *value;
                }
            }
        }
    }
}

struct Multiply<'a> {
    layer: &'a Pointwise,
    tiles: &'a [f32],
    to: &'a mut [f32],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match S::F32_LANES {
            8 => self.run::<S, 2>(simd),
            #[cfg(target_arch = "aarch64")]
            4 => self.run::<S, 4>(simd),
            _ => self.plain(),
        }
    }
}

impl Multiply<'_> {
    /// On processors of which we know nothing.
    fn plain(self) {
        let layer = self.layer;
        for (number, panel) in layer.panels.chunks_exact(layer.inputs * WIDE).enumerate() {
            let tiles = self.tiles.chunks_exact(layer.inputs * TALL);
            for (tile, to) in tiles.zip(self.to.chunks_mut(layer.outputs * TALL)) {
                for (row, pixel) in to.chunks_exact_mut(layer.outputs).enumerate() {
                    let inputs = tile.iter().skip(row).step_by(TALL);
                    for (column, to) in pixel.iter_mut().enumerate().skip(number * WIDE).take(WIDE)
                    {
                        let weights = panel.iter().skip(column % WIDE).step_by(WIDE);
                        let sum: f32 = inputs.clone().zip(weights).map(|(a, b)| a * b).sum();
                        let sum = sum + layer.bias.get(column).unwrap_or(&0.0);
                        let slope = layer.slope.get(column).unwrap_or(&1.0);
                        *to = sum.max(0.0) + sum.min(0.0) * slope;
                    }
                }
            }
        }
    }

    /// With sums of `V` vectors per pixel.
    #[inline(always)]
    fn run<S: Simd, const V: usize>(self, simd: S) {
        let layer = self.layer;
        let panels = layer.panels.chunks_exact(layer.inputs * WIDE);
        let bias = layer.bias.as_chunks::<WIDE>().0;
        let slope = layer.slope.as_chunks::<WIDE>().0;
        for (number, ((panel, bias), slope)) in panels.zip(bias).zip(slope).enumerate() {
            let (panel, _) = S::as_simd_f32s(panel).0.as_chunks::<V>();
            let ends =
                End { bias: vectors::<S, V>(simd, bias), slope: vectors::<S, V>(simd, slope) };
            let tiles = self.tiles.chunks_exact(layer.inputs * TALL);
            for (tile, to) in tiles.zip(self.to.chunks_mut(layer.outputs * TALL)) {
                let sums = sum_tile::<S, V>(simd, tile.as_chunks::<TALL>().0, panel, ends.bias);
                for (sums, pixel) in sums.iter().zip(to.chunks_exact_mut(layer.outputs)) {
                    if let Some(to) = pixel.get_mut(number * WIDE..(number + 1) * WIDE) {
                        ends.store(simd, sums, to);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn sum_tile<S: Simd, const V: usize>(
    simd: S,
    tile: &[[f32; TALL]],
    panel: &[[S::f32s; V]],
    start: [S::f32s; V],
) -> [[S::f32s; V]; TALL] {
    let mut sums = [start; TALL];
    for (pixels, weights) in tile.iter().zip(panel) {
        for (sums, pixel) in sums.iter_mut().zip(pixels) {
            let pixel = simd.splat_f32s(*pixel);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = simd.mul_add_e_f32s(pixel, *weight, *sum);
            }
        }
    }
    sums
}

struct End<S: Simd, const V: usize> {
    bias: [S::f32s; V],
    slope: [S::f32s; V],
}

impl<S: Simd, const V: usize> End<S, V> {
    #[inline(always)]
    fn store(&self, simd: S, sums: &[S::f32s; V], to: &mut [f32]) {
        let to = S::as_mut_simd_f32s(to).0;
        for ((to, sum), slope) in to.iter_mut().zip(sums).zip(&self.slope) {
            *to = activated(simd, *sum, *slope);
        }
    }
}

/// Negative numbers times the slope, others as they are.
#[inline(always)]
pub(super) fn activated<S: Simd>(simd: S, x: S::f32s, slope: S::f32s) -> S::f32s {
    let zero = simd.splat_f32s(0.0);
    simd.mul_add_e_f32s(simd.min_f32s(x, zero), slope, simd.max_f32s(x, zero))
}

#[inline(always)]
fn vectors<S: Simd, const V: usize>(simd: S, numbers: &[f32; WIDE]) -> [S::f32s; V] {
    let mut vectors = [simd.splat_f32s(0.0); V];
    for (vector, number) in vectors.iter_mut().zip(S::as_simd_f32s(numbers).0) {
        *vector = *number;
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the processor can do, it is the same sum.
    #[test]
    fn vectors_and_plain_numbers_agree() {
        let number = |place: usize| ((place * 7919) % 201) as f32 / 100.0 - 1.0;
        let weights: Vec<f32> = (0..48 * 32).map(number).collect();
        let (bias, slope) = ((0..32).map(number).collect(), (0..32).map(number).collect());
        let layer = Pointwise::new(&weights, bias, Slope::Learnt(slope)).expect("a layer");
        for pixels in [1, 5, 6, 7, 20] {
            let from: Vec<f32> = (0..pixels * 48).map(|place| number(place + 3)).collect();
            let (mut one, mut other) = (vec![0.0; pixels * 32], vec![0.0; pixels * 32]);
            let mut tiles = Vec::new();
            layer.apply(&from, &mut one, &mut tiles);
            Multiply { layer: &layer, tiles: &tiles, to: &mut other }.plain();
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-4), "{pixels} pixels");
            assert!(one.iter().any(|number| number.abs() > 0.1));
        }
    }
}

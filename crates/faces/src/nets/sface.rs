//! SFace, the embedder: fourteen layers, each filtering and then mixing, and one that sums up.

use super::depthwise::Depthwise;
use super::full::Full;
use super::pointwise::Pointwise;
use super::{Slope, Unusable, Weights};
use crate::Vector;

/// Width and height of the aligned face it looks at.
pub(crate) const FACE: usize = 112;
/// Red, green and blue of three by three pixels.
const PATCH: usize = 27;
/// Inputs, outputs and stride of all layers but the first.
const LAYERS: [(usize, usize, usize); 13] = [
    (32, 64, 1),
    (64, 128, 2),
    (128, 128, 1),
    (128, 256, 2),
    (256, 256, 1),
    (256, 512, 2),
    (512, 512, 1),
    (512, 512, 1),
    (512, 512, 1),
    (512, 512, 1),
    (512, 512, 1),
    (512, 1024, 2),
    (1024, 1024, 1),
];
/// What the layers before the last leave of a face.
const CHANNELS: usize = 1024;
const CELLS: usize = 7 * 7;

/// Added to variances before dividing by their root, as the networks were trained.
const EPSILON: f32 = 1e-3;
const EPSILON_AT_THE_END: f32 = 2e-5;

pub(crate) struct SFace {
    first: Pointwise,
    layers: Vec<(Depthwise, Pointwise)>,
    /// Of every channel before the last layer.
    before: Normal,
    full: Full,
    after: Normal,
}

impl SFace {
    pub(crate) fn new(weights: &Weights<'_>) -> Result<Self, Unusable> {
        let mut layers = Vec::new();
        for (number, (inputs, outputs, stride)) in (2..).zip(LAYERS) {
            let filter = folded(weights, &format!("conv_{number}_dw"), 9, inputs)?;
            let mix = folded(weights, &format!("conv_{number}"), inputs, outputs)?;
            layers.push((
                Depthwise::new(&filter.weights, filter.bias, filter.slope, stride)?,
                Pointwise::new(&mix.weights, mix.bias, mix.slope)?,
            ));
        }
        let bias = weights.floats("pre_fc1_bias", Vector::LENGTH)?;
        Ok(Self {
            first: first(weights)?,
            layers,
            before: Normal::new(weights, "bn1", CHANNELS, EPSILON_AT_THE_END)?,
            full: Full::new(weights.blocks("pre_fc1_weight")?, bias)?,
            after: Normal::new(weights, "fc1", Vector::LENGTH, EPSILON_AT_THE_END)?,
        })
    }

    /// What an aligned face looks like: [`FACE`] rows of as many pixels of red, green and blue from
    /// 0 to 255. A face and its mirror image are the same person to everybody but the network, so
    /// both are looked at: by ADR 17, of the pairs that it got wrong it then gets a third right.
    pub(crate) fn embed(&self, face: &[f32]) -> Option<[f32; Vector::LENGTH]> {
        let mut said = self.look_at(face);
        for (sum, said) in said.iter_mut().zip(self.look_at(&mirrored(face))) {
            *sum += said;
        }
        said.iter().all(|number| number.is_finite()).then_some(said)
    }

    fn look_at(&self, face: &[f32]) -> [f32; Vector::LENGTH] {
        let mut buffer = Vec::new();
        let mut map = self.begin(face, &mut buffer);
        let mut side = FACE;
        for (filter, mix) in &self.layers {
            let row = map.len() / side;
            let smaller = filter.shrunk(side);
            let channels = row / side;
            let mut filtered = vec![0.0; smaller * smaller * channels];
            let source = |y: usize, to: &mut [f32]| {
                if let Some(from) = map.get(y * row..(y + 1) * row) {
                    to.copy_from_slice(from);
                }
            };
            filter.apply(side, side, source, &mut filtered);
            side = smaller;
            map = vec![0.0; side * side * mix.outputs()];
            mix.apply(&filtered, &mut map, &mut buffer);
        }
        let sums = self.full.apply(&self.by_channel(&map));
        let mut said = [0.0; Vector::LENGTH];
        for ((said, sum), (scale, shift)) in said.iter_mut().zip(sums).zip(self.after.both()) {
            *said = sum * scale + shift;
        }
        said
    }

    fn begin(&self, face: &[f32], buffer: &mut Vec<f32>) -> Vec<f32> {
        let row = FACE * self.first.outputs();
        let mut map = vec![0.0; FACE * row];
        let mut patches = vec![0.0; FACE * PATCH];
        for (y, to) in map.chunks_exact_mut(row).enumerate() {
            fill_patches(face, y, &mut patches);
            self.first.apply(&patches, to, buffer);
        }
        map
    }

    /// The last layer reads channel by channel.
    fn by_channel(&self, map: &[f32]) -> Vec<f32> {
        let mut turned = Vec::with_capacity(CHANNELS * CELLS);
        for (channel, (scale, shift)) in self.before.both().enumerate() {
            let cells = map.iter().skip(channel).step_by(CHANNELS);
            turned.extend(cells.map(|x| x * scale + shift));
        }
        turned
    }
}

fn mirrored(face: &[f32]) -> Vec<f32> {
    let rows = face.chunks_exact(FACE * 3);
    rows.flat_map(|row| row.chunks_exact(3).rev().flatten()).copied().collect()
}

/// For every pixel of this row, three by three pixels around it; what is outside counts as the
/// middle grey that the first layer takes off.
fn fill_patches(face: &[f32], y: usize, patches: &mut [f32]) {
    for down in 0..3 {
        let row = (y + down).checked_sub(1).and_then(|y| face.chunks_exact(FACE * 3).nth(y));
        let row = row.unwrap_or(&[]);
        for (x, patch) in patches.chunks_exact_mut(PATCH).enumerate() {
            for (place, to) in patch.iter_mut().skip(down * 9).take(9).enumerate() {
                let from = (x * 3 + place).checked_sub(3).and_then(|place| row.get(place));
                *to = from.map_or(0.0, |from| (from - 127.5) / 128.0);
            }
        }
    }
}

/// A layer with the normalisation after it multiplied in.
struct Folded {
    weights: Vec<f32>,
    bias: Vec<f32>,
    slope: Slope,
}

fn folded(
    weights: &Weights<'_>,
    name: &str,
    inputs: usize,
    outputs: usize,
) -> Result<Folded, Unusable> {
    let mut layer = weights.floats(&format!("{name}_conv2d_weight"), inputs * outputs)?;
    let normal = Normal::new(weights, &format!("{name}_batchnorm"), outputs, EPSILON)?;
    for (of_output, scale) in layer.chunks_exact_mut(inputs).zip(&normal.scale) {
        of_output.iter_mut().for_each(|weight| *weight *= scale);
    }
    let slope = Slope::Learnt(weights.floats(&format!("{name}_relu_gamma"), outputs)?);
    Ok(Folded { weights: layer, bias: normal.shift, slope })
}

/// The first layer's weights come colour by colour; we have pixel by pixel.
fn first(weights: &Weights<'_>) -> Result<Pointwise, Unusable> {
    let layer = folded(weights, "conv_1", PATCH, 32)?;
    let mut wanted = Vec::with_capacity(layer.weights.len());
    for of_output in layer.weights.chunks_exact(PATCH) {
        for place in 0..9 {
            wanted.extend(of_output.iter().skip(place).step_by(9).copied());
        }
    }
    Pointwise::new(&wanted, layer.bias, layer.slope)
}

/// Batch normalisation as it is once training has ended: a factor and a summand per channel.
struct Normal {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

impl Normal {
    fn new(
        weights: &Weights<'_>,
        name: &str,
        channels: usize,
        epsilon: f32,
    ) -> Result<Self, Unusable> {
        let part = |part: &str| weights.floats(&format!("{name}_{part}"), channels);
        let (gamma, beta) = (part("gamma")?, part("beta")?);
        let (mean, variance) = (part("moving_mean")?, part("moving_var")?);
        let scale: Vec<f32> =
            gamma.iter().zip(&variance).map(|(gamma, v)| gamma / (v + epsilon).sqrt()).collect();
        let moved = mean.iter().zip(&scale).map(|(mean, scale)| mean * scale);
        let shift = beta.iter().zip(moved).map(|(beta, moved)| beta - moved).collect();
        Ok(Self { scale, shift })
    }

    fn both(&self) -> impl Iterator<Item = (f32, f32)> {
        self.scale.iter().copied().zip(self.shift.iter().copied())
    }
}

//! The last layer of the embedder, in which every output depends on everything. Its six million
//! weights stay the bytes that they are in the file: a quarter of the memory, and of what has to
//! be read for every face.

use pulp::Arch;

use super::Unusable;
use super::onnx::Blocks;

/// Numbers that are summed side by side.
const LANES: usize = 16;

pub(crate) struct Full {
    weights: Blocks,
    inputs: usize,
    bias: Vec<f32>,
}

impl Full {
    pub(crate) fn new(weights: Blocks, bias: Vec<f32>) -> Result<Self, Unusable> {
        let inputs = weights.bytes.len().checked_div(bias.len()).unwrap_or(0);
        let whole = inputs > 0 && inputs.is_multiple_of(weights.block);
        if !whole || !weights.block.is_multiple_of(LANES) {
            return Err(format!("a full layer of {inputs} inputs is unheard of"));
        }
        Ok(Self { weights, inputs, bias })
    }

    pub(crate) fn apply(&self, from: &[f32]) -> Vec<f32> {
        Arch::new().dispatch(
            #[inline(always)]
            || {
                let rows = self.weights.bytes.chunks_exact(self.inputs);
                let blocks = self.inputs / self.weights.block;
                let scales = self.weights.scales.chunks_exact(blocks);
                let zeros = self.weights.zeros.chunks_exact(blocks);
                rows.zip(scales.zip(zeros))
                    .zip(&self.bias)
                    .map(|((row, (scales, zeros)), bias)| {
                        bias + row_sum(from, row, self.weights.block, scales, zeros)
                    })
                    .collect()
            },
        )
    }
}

#[inline(always)]
fn row_sum(from: &[f32], row: &[i8], block: usize, scales: &[f32], zeros: &[i8]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let parts = from.chunks_exact(block).zip(row.chunks_exact(block));
    for ((from, bytes), (scale, zero)) in parts.zip(scales.iter().zip(zeros)) {
        let mut part = [0.0_f32; LANES];
        let zero = f32::from(*zero);
        for (from, bytes) in from.as_chunks::<LANES>().0.iter().zip(bytes.as_chunks::<LANES>().0) {
            for ((part, from), byte) in part.iter_mut().zip(from).zip(bytes) {
                *part += (f32::from(*byte) - zero) * from;
            }
        }
        for (sum, part) in sums.iter_mut().zip(part) {
            *sum += part * scale;
        }
    }
    sums.iter().sum()
}

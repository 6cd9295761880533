//! Samples from the coefficients of the lowest frequencies: the same waves, at fewer points.

use std::f32::consts::{FRAC_1_SQRT_2, PI};

/// What is grey without any wave.
const MIDDLE: f32 = 128.0;

/// The waves of a scale and what their coefficients are multiplied by.
pub(super) struct Basis {
    eighths: usize,
    /// By point and frequency.
    waves: Vec<f32>,
    quantizer: Vec<f32>,
}

impl Basis {
    pub(super) fn new(eighths: usize, quantizer: &[f32]) -> Self {
        let wave = |point: usize, frequency: usize| {
            let gain = if frequency == 0 { FRAC_1_SQRT_2 / 2.0 } else { 0.5 };
            let phase = (2 * point + 1) as f32 * frequency as f32 / (2 * eighths) as f32;
            gain * (phase * PI).cos()
        };
        let points = (0..eighths).flat_map(|point| (0..eighths).map(move |at| (point, at)));
        let waves = points.map(|(point, frequency)| wave(point, frequency)).collect();
        Self { eighths, waves, quantizer: quantizer.to_vec() }
    }

    /// A row of blocks as rows of samples, as many as a block is high at this scale.
    pub(super) fn row(&self, blocks: &[i16], into: &mut [u8]) {
        match self.eighths {
            1 => self.row_of::<1>(blocks, into),
            2 => self.row_of::<2>(blocks, into),
            4 => self.row_of::<4>(blocks, into),
            _ => self.row_of::<8>(blocks, into),
        }
    }

    fn row_of<const N: usize>(&self, blocks: &[i16], into: &mut [u8]) {
        let waves: [[f32; N]; N] = square(&self.waves);
        let quantizer: [[f32; N]; N] = square(&self.quantizer);
        let stride = into.len() / N.max(1);
        for (at, block) in blocks.chunks_exact(N * N).enumerate() {
            let mut levels = quantizer;
            for (level, coefficient) in levels.as_flattened_mut().iter_mut().zip(block) {
                *level *= f32::from(*coefficient);
            }
            // Along the rows, then down the columns.
            let across = levels.map(|row| waves.map(|wave| dot(&wave, &row)));
            let rows = into.chunks_mut(stride.max(1));
            for (wave, row) in waves.iter().zip(rows) {
                let mut sums = [MIDDLE; N];
                for (gain, part) in wave.iter().zip(&across) {
                    sums.iter_mut().zip(part).for_each(|(sum, level)| *sum += gain * level);
                }
                let samples = row.get_mut(at * N..(at + 1) * N).unwrap_or_default();
                samples.iter_mut().zip(sums).for_each(|(into, sum)| *into = sum.round() as u8);
            }
        }
    }
}

fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn square<const N: usize>(numbers: &[f32]) -> [[f32; N]; N] {
    let mut square = [[0.0; N]; N];
    square.as_flattened_mut().iter_mut().zip(numbers).for_each(|(into, number)| *into = *number);
    square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_their_means_and_slopes() {
        // The first coefficient is eight times the mean above grey.
        let mut samples = [0; 8];
        Basis::new(2, &[2.0; 4]).row(&[40, 0, 0, 0, -40, 0, 0, 0], &mut samples);
        assert_eq!(samples, [138, 138, 118, 118, 138, 138, 118, 118]);
        Basis::new(2, &[1.0; 4]).row(&[0, 80, 0, 0, 0, 0, 80, 0], &mut samples);
        // 80 / √8 · ½ · cos(π/4) is 10.
        assert_eq!(samples, [138, 118, 138, 138, 138, 118, 118, 118]);
        let mut one = [0; 2];
        Basis::new(1, &[8.0]).row(&[1000, -3], &mut one);
        assert_eq!(one, [255, 125]);
    }
}

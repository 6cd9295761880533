use std::ops::Range;

use super::{LANES, WEIGHT};
use crate::resize::{LOBES, lanczos_weight};

/// Which samples make up each sample of the result, and by what weights.
pub(super) struct Taps {
    starts: Vec<usize>,
    /// As many for each, a multiple of [`LANES`]; zeros at the end.
    weights: Vec<i16>,
    count: usize,
    /// Weights that are not filled up.
    used: Vec<usize>,
}

impl Taps {
    /// For `length` of `all` samples, from `start` on, that become `size`.
    pub(super) fn new(all: u32, start: f64, length: f64, size: u32) -> Self {
        let scale = length / f64::from(size);
        let reach = LOBES * scale.max(1.0);
        let count = ((2.0 * reach) as usize + 1).next_multiple_of(LANES);
        let outputs = size as usize;
        let mut taps = Self {
            starts: Vec::with_capacity(outputs),
            weights: Vec::with_capacity(outputs * count),
            count,
            used: Vec::with_capacity(outputs),
        };
        let mut exact = Vec::with_capacity(count);
        for at in 0..size {
            // Samples lie in the middle of their places.
            let middle = start + (f64::from(at) + 0.5) * scale - 0.5;
            let first = (middle - reach).ceil().max(0.0) as u32;
            let last = ((middle + reach).floor() as u32).min(all.saturating_sub(1));
            exact.clear();
            exact.extend(
                (first..=last)
                    .map(|sample| lanczos_weight((f64::from(sample) - middle) / scale.max(1.0))),
            );
            taps.push(first as usize, &exact);
        }
        taps
    }

    /// Adds a sample of the result. The weights become whole numbers whose sum is exactly one, so
    /// that an even surface stays what it is.
    fn push(&mut self, first: usize, exact: &[f64]) {
        let one = f64::from(1 << WEIGHT);
        let sum: f64 = exact.iter().sum();
        let begin = self.weights.len();
        self.weights.extend(exact.iter().map(|weight| (weight / sum * one).round() as i16));
        let made = self.weights.get_mut(begin..).unwrap_or_default();
        let missing = (1 << WEIGHT) - made.iter().map(|weight| i32::from(*weight)).sum::<i32>();
        if let Some(largest) = made.iter_mut().max_by_key(|weight| **weight) {
            *largest = largest.saturating_add(missing as i16);
        }
        self.weights.resize(begin + self.count, 0);
        self.starts.push(first);
        self.used.push(exact.len());
    }

    /// How many samples the result has.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// How many weights each of them has, the zeros at the end included.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The samples that have a weight somewhere.
    pub(super) fn covered(&self) -> Range<usize> {
        let ends = self.starts.iter().zip(&self.used).map(|(start, used)| start + used);
        self.starts.iter().copied().min().unwrap_or(0)..ends.max().unwrap_or(0)
    }

    /// For samples of which the first `by` are left out.
    pub(super) fn move_left(&mut self, by: usize) {
        self.starts.iter_mut().for_each(|start| *start = start.saturating_sub(by));
    }

    /// The first sample for each of the result, and the weights from it on, without the zeros.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[i16])> {
        let weights = self.weights.chunks_exact(self.count).zip(&self.used);
        let weights = weights.map(|(weights, used)| weights.get(..*used).unwrap_or_default());
        self.starts.iter().copied().zip(weights)
    }

    /// The first sample for each, and all weights, the zeros at the end included.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn padded(&self) -> (&[usize], &[[i16; LANES]]) {
        (&self.starts, self.weights.as_chunks().0)
    }
}

//! Planes made smaller by Lanczos, which is what most of a photograph's pixels go through.
//!
//! Every row of the result is made on its own: first the rows of the source that lie under it are
//! blended into one, which stays in the nearest cache, and then that row's samples. Between the two
//! directions samples keep [`FINE`] bits behind the point, so they are rounded once only.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod taps;

use std::ops::Range;

use self::taps::Taps;
use super::Window;
use crate::picture::{Plane, Size};

/// Bits behind the point of a weight.
const WEIGHT: u32 = 14;

/// Bits behind the point of a sample between the directions. Filters overshoot by a third at most,
/// so nine bits before the point and a sign are enough, and 16 are there.
const FINE: u32 = 6;

/// Weights that are used at once: as many as make 32 bytes.
const LANES: usize = 16;

/// Planes of equal size that are made smaller alike.
pub(super) struct Shrink {
    across: Taps,
    down: Taps,
    /// The columns that matter.
    columns: Range<usize>,
}

impl Shrink {
    /// Samples of a direction that may become one: more would have too small weights.
    pub(super) const STEEPEST: f64 = 8.0;

    /// The part of planes of `from` samples that is to become `size` samples, which must be no
    /// more in any direction.
    pub(super) fn new(from: Size, window: Window, size: Size) -> Self {
        let mut across = Taps::new(from.0, window.left, window.width, size.0);
        let down = Taps::new(from.1, window.top, window.height, size.1);
        let columns = across.covered();
        across.move_left(columns.start);
        Self { across, down, columns }
    }

    /// Makes one of the planes smaller, into the top left of rows of `stride` samples.
    pub(super) fn apply(&self, plane: Plane<'_>, into: &mut [u8], stride: usize) {
        #[cfg(target_arch = "x86_64")]
        if let pulp::Arch::V3(simd) = pulp::Arch::new() {
            simd.vectorize(
                #[inline(always)]
                || self.run(avx2::Avx2(simd), plane, into, stride),
            );
            return;
        }
        self.run(Plain, plane, into, stride);
    }

    #[inline(always)]
    fn run<B: Blend>(&self, blend: B, plane: Plane<'_>, into: &mut [u8], stride: usize) {
        // Windows at the end of the row reach beyond it, with weights of zero.
        let mut blended = vec![0; self.columns.len() + self.across.count()];
        let mut rows = Vec::with_capacity(self.down.count());
        for (target, (first, weights)) in into.chunks_mut(stride.max(1)).zip(self.down.iter()) {
            rows.clear();
            rows.extend((first..first + weights.len()).filter_map(|row| {
                let row = plane.data.get(row * plane.stride..(row + 1) * plane.stride)?;
                row.get(self.columns.clone())
            }));
            let Some(inside) = blended.get_mut(..self.columns.len()) else { return };
            blend.rows(&rows, weights, inside);
            let Some(target) = target.get_mut(..self.across.len()) else { return };
            blend.columns(&blended, &self.across, target);
        }
    }
}

/// The two halves of the work, alike to the bit wherever they run.
trait Blend: Copy {
    /// Weighs rows of samples, all as long as the result.
    fn rows(self, rows: &[&[u8]], weights: &[i16], into: &mut [i16]);

    /// Weighs the samples of a row.
    fn columns(self, row: &[i16], taps: &Taps, into: &mut [u8]);
}

/// For processors without a way of their own. Compilers make vectors of it.
#[derive(Clone, Copy)]
struct Plain;

impl Blend for Plain {
    #[inline(always)]
    fn rows(self, rows: &[&[u8]], weights: &[i16], into: &mut [i16]) {
        plain_rows(rows, weights, into, 0);
    }

    #[inline(always)]
    fn columns(self, row: &[i16], taps: &Taps, into: &mut [u8]) {
        plain_columns(row, taps, into, 0);
    }
}

/// From column `skip` on.
#[inline(always)]
fn plain_rows(rows: &[&[u8]], weights: &[i16], into: &mut [i16], skip: usize) {
    const BLOCK: usize = 64;
    let mut sums = [0_i32; BLOCK];
    let blocks = into.get_mut(skip..).unwrap_or_default().chunks_mut(BLOCK);
    for (block, at) in blocks.zip((skip..).step_by(BLOCK)) {
        sums.fill(1 << (WEIGHT - FINE - 1));
        for (row, weight) in rows.iter().zip(weights) {
            let samples = row.get(at..).unwrap_or_default();
            for (sum, sample) in sums.iter_mut().zip(samples) {
                *sum += i32::from(*sample) * i32::from(*weight);
            }
        }
        for (into, sum) in block.iter_mut().zip(sums) {
            *into = (sum >> (WEIGHT - FINE)).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
    }
}

/// From sample `skip` on.
#[inline(always)]
fn plain_columns(row: &[i16], taps: &Taps, into: &mut [u8], skip: usize) {
    for (into, (start, weights)) in into.iter_mut().zip(taps.iter()).skip(skip) {
        let samples = row.get(start..).unwrap_or_default();
        let products = samples.iter().zip(weights).map(|(a, b)| i32::from(*a) * i32::from(*b));
        let sum = products.sum::<i32>() + (1 << (WEIGHT + FINE - 1));
        *into = (sum >> (WEIGHT + FINE)).clamp(0, 255) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: Size = (301, 203);

    /// A soft scene with sharp edges and a little noise.
    fn samples() -> Vec<u8> {
        let mut noise = 1_u32;
        let mut sample = |x: u32, y: u32| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let edge = if (x / 40 + y / 30).is_multiple_of(2) { 200 } else { 0 };
            (edge + x * y / 1_500 + (noise >> 28)).min(255) as u8
        };
        let (width, height) = FROM;
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| sample(x, y))
            .collect()
    }

    /// As it is done where nothing better is known.
    fn shrunk(window: Window, size: Size) -> Vec<u8> {
        let data = samples();
        let plane = Plane { data: &data, stride: FROM.0 as usize, rows: FROM.1 as usize };
        let mut into = vec![0; size.0 as usize * size.1 as usize];
        Shrink::new(FROM, window, size).run(Plain, plane, &mut into, size.0 as usize);
        into
    }

    fn cases() -> [(Window, Size); 5] {
        let part = Window { left: 20.5, top: 3.25, width: 200.0, height: 190.5 };
        [
            (Window::whole(FROM), (154, 104)),
            (Window::whole(FROM), (301, 100)),
            (Window::whole(FROM), (101, 203)),
            (part, (77, 76)),
            (part, (25, 24)),
        ]
    }

    /// The same in floating point, with all weights by the formula.
    fn exact(window: Window, size: Size) -> Vec<f64> {
        let sinc = |x: f64| {
            let x = x * std::f64::consts::PI;
            if x == 0.0 { 1.0 } else { x.sin() / x }
        };
        let weights = |all: u32, start: f64, length: f64, size: u32, at: u32| -> Vec<f64> {
            let scale = length / f64::from(size);
            let middle = start + (f64::from(at) + 0.5) * scale;
            let weight = |sample: u32| {
                let x = (f64::from(sample) + 0.5 - middle) / scale;
                if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 }
            };
            let weights: Vec<f64> = (0..all).map(weight).collect();
            let sum: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight / sum).collect()
        };
        let data = samples();
        let across: Vec<_> =
            (0..size.0).map(|x| weights(FROM.0, window.left, window.width, size.0, x)).collect();
        let mut result = Vec::new();
        for y in 0..size.1 {
            let down = weights(FROM.1, window.top, window.height, size.1, y);
            let mut row = vec![0.0; FROM.0 as usize];
            for (line, weight) in data.chunks_exact(FROM.0 as usize).zip(down) {
                row.iter_mut().zip(line).for_each(|(sum, s)| *sum += f64::from(*s) * weight);
            }
            result.extend(across.iter().map(|weights| {
                row.iter().zip(weights).map(|(sample, weight)| sample * weight).sum::<f64>()
            }));
        }
        result
    }

    #[test]
    fn samples_are_those_of_lanczos_rounded_once() {
        for (window, size) in cases() {
            let made = shrunk(window, size);
            let errors = made
                .iter()
                .zip(exact(window, size))
                .map(|(made, exact)| (f64::from(*made) - exact.clamp(0.0, 255.0)).abs());
            // Half a level is rounding; the rest is what weights and samples of 16 bits cost.
            let worst = errors.fold(0.0, f64::max);
            assert!(worst < 0.6, "{size:?}: {worst}");
        }
    }

    #[test]
    fn an_even_surface_stays_what_it_is() {
        for level in [0, 1, 77, 254, 255] {
            let data = vec![level; 301 * 203];
            let plane = Plane { data: &data, stride: 301, rows: 203 };
            let mut into = vec![7; 160 * 90];
            Shrink::new(FROM, Window::whole(FROM), (150, 90)).apply(plane, &mut into, 160);
            for row in into.chunks_exact(160) {
                assert_eq!(row[..150], [level; 150]);
                assert_eq!(row[150..], [7; 10], "beyond the part that was asked for");
            }
        }
    }

    #[test]
    fn every_processor_makes_the_same() {
        for (window, size) in cases() {
            let data = samples();
            let plane = Plane { data: &data, stride: FROM.0 as usize, rows: FROM.1 as usize };
            let mut into = vec![0; size.0 as usize * size.1 as usize];
            Shrink::new(FROM, window, size).apply(plane, &mut into, size.0 as usize);
            assert!(into == shrunk(window, size), "{size:?}");
        }
    }
}

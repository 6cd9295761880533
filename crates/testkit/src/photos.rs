//! Photo-like pixels that follow from a seed, the same on every machine.
//!
//! Image codecs and resizers behave on flat colours or white noise as they never do on photos, so
//! what measures or judges them needs pictures with the statistics of photos. These are "dead
//! leaves": overlapping discs whose radii follow a power law, which gives the edges, the
//! occlusions and the 1/f spectrum of natural scenes. Above them lies a sky, over them texture in
//! many octaves, rough on some and smooth on others, and before all of it a camera.
//!
//! They are tuned to what was found in 41 photographs of 8 to 16 MP as telephones and cameras had
//! written them; see docs/testing.md for the figures.
//!
//! Only additions, multiplications and square roots are used, which IEEE 754 defines to the bit.

mod camera;
mod dice;
mod leaves;
mod noise;
mod scene;

use std::thread;

use scene::Scene;

/// Rows painted at a time, which bounds the memory beyond the pixels themselves.
const BAND_ROWS: usize = 128;

/// A picture, 8 bits of red, green and blue each, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

/// Takes the photo that belongs to a seed. Seeds that differ by one show different kinds of
/// scenes: a landscape, a town, a portrait, a dim room.
pub fn take(seed: u64, width: usize, height: usize) -> Photo {
    let mut rgb = vec![0; 3 * width * height];
    if rgb.is_empty() {
        return Photo { width, height, rgb };
    }
    let scene = Scene::new(seed, width, height);
    let mut bands: Vec<_> = rgb.chunks_mut(3 * width * BAND_ROWS).enumerate().collect();
    let painters = thread::available_parallelism().map_or(1, usize::from);
    let share = bands.len().div_ceil(painters);
    thread::scope(|scope| {
        for bands in bands.chunks_mut(share) {
            scope.spawn(|| {
                for (number, band) in bands {
                    scene.take(*number * BAND_ROWS, band);
                }
            });
        }
    });
    Photo { width, height, rgb }
}

#[cfg(test)]
mod tests {
    use super::{BAND_ROWS, take};

    #[test]
    fn a_seed_gives_the_same_photo_always() {
        let first = take(7, 200, 2 * BAND_ROWS + 20);
        assert_eq!(first, take(7, 200, 2 * BAND_ROWS + 20));
        assert_ne!(first, take(8, 200, 2 * BAND_ROWS + 20));
    }

    #[test]
    fn the_pixels_are_the_same_on_every_machine() {
        let photo = take(1, 64, 48);
        let sum = photo.rgb.iter().fold(0_u64, |sum, byte| {
            sum.wrapping_mul(0x0100_0000_01B3).wrapping_add(u64::from(*byte))
        });
        assert_eq!(
            sum, 1_294_147_745_552_926_623,
            "the generator has changed: figures measured before do not compare"
        );
    }

    #[test]
    fn a_photo_is_neither_flat_nor_noise() {
        for seed in 0..4 {
            let photo = take(seed, 400, 300);
            let green: Vec<i32> =
                photo.rgb.iter().skip(1).step_by(3).map(|byte| i32::from(*byte)).collect();
            let darkest = green.iter().min().expect("has pixels");
            let brightest = green.iter().max().expect("has pixels");
            assert!(brightest - darkest > 100, "seed {seed}: {darkest} to {brightest}");
            let steps: i32 = green.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
            let step = f64::from(steps) / green.len() as f64;
            assert!((1.0..20.0).contains(&step), "seed {seed}: neighbours differ by {step}");
        }
    }
}

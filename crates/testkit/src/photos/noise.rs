//! Smooth noise in octaves, the sum of which has a 1/f spectrum.

use super::dice::{Dice, at};

/// Octaves of noise, from long waves to short ones.
#[derive(Clone, Debug)]
pub struct Fractal {
    octaves: Vec<Octave>,
}

#[derive(Clone, Debug)]
struct Octave {
    seed: u64,
    /// Waves per pixel.
    frequency: f32,
    amplitude: f32,
    offset: f32,
}

impl Fractal {
    /// Waves from `longest` to `shortest` pixels, each octave `persistence` times as strong as
    /// the one before; the sum is about as strong as `amplitude`.
    pub fn new(
        dice: &mut Dice,
        longest: f32,
        shortest: f32,
        persistence: f32,
        amplitude: f32,
    ) -> Self {
        let mut octaves = Vec::new();
        let (mut wave, mut strength, mut power) = (longest, 1.0, 0.0);
        while wave >= shortest {
            let (seed, offset) = (dice.next(), dice.between(8.0, 64.0));
            octaves.push(Octave { seed, frequency: 1.0 / wave, amplitude: strength, offset });
            power += strength * strength;
            strength *= persistence;
            wave *= 0.5;
        }
        for octave in &mut octaves {
            octave.amplitude *= amplitude / f32::max(power, f32::MIN_POSITIVE).sqrt();
        }
        Self { octaves }
    }

    /// Writes the noise of row `y`, which is around 0.
    pub fn row(&self, y: usize, row: &mut [f32]) {
        row.fill(0.0);
        let mut lattice = Vec::new();
        for octave in &self.octaves {
            octave.add(y, row, &mut lattice);
        }
    }
}

impl Octave {
    fn add(&self, y: usize, row: &mut [f32], lattice: &mut Vec<f32>) {
        let (cell_y, part_y) = self.cell(y);
        let (last, _) = self.cell(row.len());
        let (first, _) = self.cell(0);
        lattice.clear();
        lattice.extend((first..=last + 1).map(|x| {
            let (above, below) = (at(self.seed, x, cell_y), at(self.seed, x, cell_y + 1));
            // An even distribution from 0 to 1 has a deviation of 0.29.
            (above + (below - above) * part_y - 0.5) * (self.amplitude / 0.29)
        }));
        for (x, value) in row.iter_mut().enumerate() {
            let (cell, part) = self.cell(x);
            let cell = (cell - first) as usize;
            if let Some([left, right]) = lattice.get(cell..cell + 2) {
                *value += left + (right - left) * part;
            }
        }
    }

    /// The cell a pixel is in, and how far along it, eased so that no corners show.
    fn cell(&self, pixel: usize) -> (i64, f32) {
        let place = pixel as f32 * self.frequency + self.offset;
        let cell = place as i64;
        let part = place - cell as f32;
        (cell, part * part * (3.0 - 2.0 * part))
    }
}

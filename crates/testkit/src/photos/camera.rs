//! What a camera makes of the light that falls into it.
//!
//! The statistics of a photograph at full size are those of the camera as much as those of the
//! scene: no edge is sharper than the lens, colour has less resolution than brightness because
//! every pixel of the sensor sees one colour only, what noise is left has been smoothed, and edges
//! have been sharpened again.

use super::dice::Dice;
use super::noise::Fractal;

/// Light by row, as red, green and blue from 0 to 1.
pub type Light = Vec<[f32; 3]>;

/// Rows above and below that the camera looks at for the ones it is asked for.
pub const MARGIN_ROWS: usize = 8;

/// Passes of the smallest blur that colour gets beyond that of the lens.
const COLOR_PASSES: usize = 3;

/// How much of the difference to its surroundings is added to a pixel.
const SHARPENING: f32 = 1.4;

/// How much of a pixel goes to each of its neighbours in a row or column in the smallest blur.
const SPREAD: f32 = 0.15;

pub struct Camera {
    size: (usize, usize),
    /// Passes of the smallest blur that the lens amounts to.
    lens_passes: usize,
    /// Deviation of the noise that is left in brightness and in colour, in levels of 255.
    noise: (f32, f32),
    grain: Fractal,
    /// In blue and in red.
    blotches: [Fractal; 2],
}

impl Camera {
    /// `pixel` is how many pixels wide the smallest detail of a 12 MP camera is on this sensor.
    pub fn new(dice: &mut Dice, size: (usize, usize), pixel: f32, noise: (f32, f32)) -> Self {
        Self {
            size,
            // Variances of blurs add up.
            lens_passes: (pixel * pixel + 0.5).max(1.0) as usize,
            noise,
            grain: Fractal::new(dice, 4.0, 2.0, 0.8, 1.0),
            blotches: [(); 2].map(|()| Fractal::new(dice, 32.0, 6.0, 0.8, 1.0)),
        }
    }

    /// Takes the rows that lie within `light`, which begins `MARGIN_ROWS` above `first_row` and
    /// ends as many below the last.
    pub fn take(&self, first_row: usize, light: &Light, bytes: &mut [u8]) {
        let (width, height) = self.size;
        let split = |weights: [f32; 3]| -> Vec<f32> {
            light.iter().map(|pixel| dot(*pixel, weights)).collect()
        };
        let mut luma = split([0.299, 0.587, 0.114]);
        let mut blue = split([-0.169, -0.331, 0.5]);
        let mut red = split([0.5, -0.419, -0.081]);
        blur(&mut luma, width, self.lens_passes);
        for color in [&mut blue, &mut red] {
            blur(color, width, self.lens_passes + COLOR_PASSES);
        }
        let mut around = luma.clone();
        blur(&mut around, width, 1);

        let mut noise = [(); 3].map(|()| vec![0.0; width]);
        let middle = (width as f32 * 0.5, height as f32 * 0.5);
        let corner = middle.0 * middle.0 + middle.1 * middle.1;
        for (number, bytes) in bytes.chunks_exact_mut(3 * width).enumerate() {
            let y = first_row + number;
            let [grain, blue_blotch, red_blotch] = &mut noise;
            self.grain.row(y, grain);
            let [of_blue, of_red] = &self.blotches;
            of_blue.row(y, blue_blotch);
            of_red.row(y, red_blotch);
            let dy = y as f32 - middle.1;
            let start = (number + MARGIN_ROWS) * width;
            for (x, bytes) in bytes.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let at = |plane: &[f32]| plane.get(start + x).copied().unwrap_or_default();
                let of = |row: &[f32]| row.get(x).copied().unwrap_or_default();
                let dx = x as f32 - middle.0;
                let lens = 1.0 - 0.18 * (dx * dx + dy * dy) / corner;
                let sharp = at(&luma) + SHARPENING * (at(&luma) - at(&around));
                // Photons come one by one: noise grows with the root of the brightness, of which
                // the tone curve leaves a part; shadows keep the noise of the electronics.
                let shown = self.noise.0 * (0.5 + 0.5 * sharp.clamp(0.0, 1.0).sqrt());
                let luma = sharp * lens * 255.0 + of(grain) * shown;
                let blue = at(&blue) * lens * 255.0 + of(blue_blotch) * self.noise.1;
                let red = at(&red) * lens * 255.0 + of(red_blotch) * self.noise.1;
                *bytes =
                    [luma + 1.402 * red, luma - 0.344 * blue - 0.714 * red, luma + 1.772 * blue]
                        .map(|level| (level + 0.5).clamp(0.0, 255.0) as u8);
            }
        }
    }
}

fn dot(pixel: [f32; 3], weights: [f32; 3]) -> f32 {
    pixel.iter().zip(weights).map(|(channel, weight)| channel * weight).sum()
}

/// Blurs a plane both ways, some times.
fn blur(plane: &mut [f32], width: usize, passes: usize) {
    let mut above = vec![0.0; width];
    for _ in 0..passes {
        plane.chunks_exact_mut(width).for_each(blur_row);
        if let Some(first) = plane.get(..width) {
            above.copy_from_slice(first);
        }
        let mut rest = &mut *plane;
        while let Some((row, below)) = rest.split_at_mut_checked(width) {
            // What is below is still as it was; the last row is left.
            for ((here, above), below) in row.iter_mut().zip(&mut above).zip(below.iter()) {
                let before = *here;
                *here = before + SPREAD * (*above - 2.0 * before + below);
                *above = before;
            }
            rest = below;
        }
    }
}

fn blur_row(row: &mut [f32]) {
    let mut left = row.first().copied().unwrap_or_default();
    for x in 0..row.len() {
        let right = row.get(x + 1).or(row.last()).copied().unwrap_or_default();
        if let Some(here) = row.get_mut(x) {
            let before = *here;
            *here = before + SPREAD * (left - 2.0 * before + right);
            left = before;
        }
    }
}

//! What is in front of the camera.

use super::camera::{Camera, Light, MARGIN_ROWS};
use super::dice::Dice;
use super::leaves::{Leaf, Sizes, Surface};
use super::noise::Fractal;

/// What makes one kind of scene differ from another. Brightness goes from 0 to 1; lengths are
/// parts of the picture's shorter side unless they are said to be pixels.
struct Kind {
    /// How much of the picture is sky.
    sky: f32,
    /// Brightness and how far it varies between leaves.
    brightness: (f32, f32),
    /// How far leaves differ in red and blue.
    colorful: f32,
    /// The smallest leaf in pixels of a 12 MP camera, and the largest.
    leaves: (f32, f32),
    /// Strength of the texture where it is sharpest.
    texture: f32,
    /// How much weaker each octave of the texture is.
    persistence: f32,
    /// How much of the picture is out of focus.
    blurred: f32,
    /// What is left of the sensor's noise in brightness and in colour, in levels of 255.
    noise: (f32, f32),
}

const LANDSCAPE: Kind = Kind {
    sky: 0.40,
    brightness: (0.38, 0.30),
    colorful: 0.16,
    leaves: (5.0, 0.25),
    texture: 0.13,
    persistence: 0.88,
    blurred: 0.30,
    noise: (2.3, 0.6),
};

const TOWN: Kind = Kind {
    sky: 0.20,
    brightness: (0.48, 0.34),
    colorful: 0.18,
    leaves: (9.0, 0.35),
    texture: 0.08,
    persistence: 0.84,
    blurred: 0.25,
    noise: (2.2, 0.6),
};

const PORTRAIT: Kind = Kind {
    sky: 0.0,
    brightness: (0.52, 0.26),
    colorful: 0.2,
    leaves: (14.0, 0.50),
    texture: 0.12,
    persistence: 0.86,
    blurred: 0.5,
    noise: (2.2, 0.6),
};

const DIM_ROOM: Kind = Kind {
    sky: 0.0,
    brightness: (0.30, 0.30),
    colorful: 0.2,
    leaves: (9.0, 0.45),
    texture: 0.14,
    persistence: 0.86,
    blurred: 0.35,
    noise: (3.2, 1.0),
};

const KINDS: [Kind; 4] = [LANDSCAPE, TOWN, PORTRAIT, DIM_ROOM];

/// The shorter side of a 12 MP picture, for which lengths in pixels are given.
const CAMERA_SIDE: f32 = 3_000.0;

/// Everything needed to paint any row.
pub struct Scene {
    kind: &'static Kind,
    width: usize,
    height: usize,
    camera: Camera,
    leaves: Vec<Leaf>,
    /// Light and shade over the whole picture, clouds in the sky.
    shade: Fractal,
    hue: Fractal,
    texture: Fractal,
    /// Where the lens is sharp.
    focus: Fractal,
    /// The line between sky and ground, by column.
    horizon: Vec<f32>,
}

/// Rows that are used again and again.
struct Rows {
    shade: Vec<f32>,
    hue: Vec<f32>,
    texture: Vec<f32>,
    focus: Vec<f32>,
}

impl Scene {
    pub fn new(seed: u64, width: usize, height: usize) -> Self {
        let [landscape, ..] = &KINDS;
        let kind = KINDS.get((seed % KINDS.len() as u64) as usize).unwrap_or(landscape);
        let mut dice = Dice::new(seed);
        let side = width.min(height) as f32;
        // Larger sensors resolve more, but their pixels are softer.
        let pixel = f32::max(side / CAMERA_SIDE, 0.05).sqrt();
        let shortest = f32::max(2.2 * pixel, 2.0);
        let mut horizon = vec![0.0; width];
        Fractal::new(&mut dice, 0.6 * side, 4.0, 0.45, 0.05 * side).row(0, &mut horizon);
        for line in &mut horizon {
            *line += kind.sky * height as f32;
        }
        let shade = Fractal::new(&mut dice, 0.9 * side, 0.02 * side, 0.55, 0.09);
        let hue = Fractal::new(&mut dice, 0.7 * side, 0.04 * side, 0.5, 0.04);
        let texture =
            Fractal::new(&mut dice, 0.01 * side, shortest, kind.persistence, kind.texture);
        let focus = Fractal::new(&mut dice, 0.8 * side, 0.1 * side, 0.5, 0.5);
        let leaves = leaves(kind, &mut dice, width, height, pixel);
        let camera = Camera::new(&mut dice, (width, height), pixel, kind.noise);
        Self { kind, width, height, camera, leaves, shade, hue, texture, focus, horizon }
    }

    /// Takes a picture of as many rows as the band holds, `first_row` being the first.
    pub fn take(&self, first_row: usize, band: &mut [u8]) {
        let count = band.len() / (3 * self.width) + 2 * MARGIN_ROWS;
        let top = first_row as f32 - MARGIN_ROWS as f32;
        let near: Vec<&Leaf> =
            self.leaves.iter().filter(|leaf| leaf.touches(top, count as f32)).collect();
        let mut rows = Rows::new(self.width);
        let mut canvas = Vec::new();
        let mut light = Light::with_capacity(count * self.width);
        for number in 0..count {
            // Beyond its edges the picture repeats them.
            let y = (first_row + number).saturating_sub(MARGIN_ROWS).min(self.height - 1);
            canvas.clear();
            let ground = Surface { color: [self.kind.brightness.0; 3], rough: 0.5 };
            canvas.resize(self.width, ground);
            for leaf in near.iter().filter(|leaf| leaf.touches(y as f32, 0.0)) {
                leaf.paint(y, &mut canvas);
            }
            rows.fill(self, y);
            self.paint_sky(y, &mut canvas);
            self.shine(&rows, &canvas, &mut light);
        }
        self.camera.take(first_row, &light, band);
    }

    /// Covers what is above the horizon.
    fn paint_sky(&self, y: usize, canvas: &mut [Surface]) {
        if self.kind.sky <= 0.0 {
            return;
        }
        let height = y as f32 / (self.kind.sky * self.height as f32);
        let color = [0.42 + 0.30 * height, 0.58 + 0.20 * height, 0.84 + 0.04 * height];
        for (pixel, horizon) in canvas.iter_mut().zip(&self.horizon) {
            let cover = ((horizon - y as f32) * 0.7 + 0.5).clamp(0.0, 1.0);
            for (channel, color) in pixel.color.iter_mut().zip(color) {
                *channel += (color - *channel) * cover;
            }
            pixel.rough -= pixel.rough * cover;
        }
    }

    /// Shades and colours everything, and adds the texture where the lens is sharp.
    fn shine(&self, rows: &Rows, canvas: &[Surface], light: &mut Light) {
        let sharp_above = 2.0 * self.kind.blurred - 1.0;
        let rows = rows.shade.iter().zip(&rows.hue).zip(rows.texture.iter().zip(&rows.focus));
        for (pixel, ((shade, hue), (texture, focus))) in canvas.iter().zip(rows) {
            let sharp = (1.5 * (focus - sharp_above) + 0.5).clamp(0.12, 1.0);
            let [red, green, blue] = pixel.color;
            let change = 1.0 + shade + texture * sharp * pixel.rough * 2.0;
            light.push([(red + hue) * change, green * change, (blue - hue) * change]);
        }
    }
}

impl Rows {
    fn new(width: usize) -> Self {
        let row = || vec![0.0; width];
        Self { shade: row(), hue: row(), texture: row(), focus: row() }
    }

    fn fill(&mut self, scene: &Scene, y: usize) {
        scene.shade.row(y, &mut self.shade);
        scene.hue.row(y, &mut self.hue);
        scene.texture.row(y, &mut self.texture);
        scene.focus.row(y, &mut self.focus);
    }
}

fn leaves(kind: &Kind, dice: &mut Dice, width: usize, height: usize, pixel: f32) -> Vec<Leaf> {
    let side = width.min(height) as f32;
    let largest = f32::max(kind.leaves.1 * side, 2.0);
    let smallest = (kind.leaves.0 * side / CAMERA_SIDE).clamp(1.5, largest);
    let sizes = Sizes { smallest, largest, cover: 0.9 };
    let count = sizes.count((width * height) as f32);
    (0..count).map(|_| leaf(kind, dice, &sizes, (width as f32, height as f32), pixel)).collect()
}

fn leaf(kind: &Kind, dice: &mut Dice, sizes: &Sizes, picture: (f32, f32), pixel: f32) -> Leaf {
    let radius = sizes.radius(dice);
    let (x, y) = (dice.between(0.0, picture.0), dice.between(0.0, picture.1));
    let gray = kind.brightness.0 + kind.brightness.1 * (dice.bell() + dice.bell());
    let (red, blue) = (dice.bell() * kind.colorful, dice.bell() * kind.colorful);
    let steep = 0.5 * kind.brightness.1 / radius;
    let light = (dice.bell() * steep, dice.bell() * steep);
    let blur = pixel * dice.between(1.2, 3.0) * if dice.unit() < kind.blurred { 4.0 } else { 1.0 };
    let color = [gray + red, gray, gray + blue].map(|channel| channel.clamp(0.02, 0.98));
    let rough = dice.unit();
    Leaf { x, y, radius, color, rough: rough * rough, light, blur }
}

//! Discs that hide one another, many small and few large ones.

use super::dice::Dice;

/// What is seen at a pixel.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    pub color: [f32; 3],
    pub rough: f32,
}

/// A disc, lit from one side.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub x: f32,
    pub y: f32,
    pub radius: f32,
    pub color: [f32; 3],
    /// How much texture its surface has, from 0 to 1.
    pub rough: f32,
    /// How much brighter it gets over one pixel to the right, and down.
    pub light: (f32, f32),
    /// Pixels over which its edge fades.
    pub blur: f32,
}

/// Sizes and places of leaves that cover a picture several times.
#[derive(Clone, Debug)]
pub struct Sizes {
    pub smallest: f32,
    pub largest: f32,
    /// How many times the leaves of each doubling of the radius cover the picture.
    pub cover: f32,
}

impl Sizes {
    /// How many leaves that takes, for a picture with so many pixels.
    pub fn count(&self, pixels: f32) -> usize {
        // The integral of a density c/r³ over the radii; each octave covers c·π·ln 2 of a unit.
        let density = self.cover / (std::f32::consts::PI * std::f32::consts::LN_2);
        let per_pixel =
            density * 0.5 * (inverse_square(self.smallest) - inverse_square(self.largest));
        (per_pixel * pixels) as usize
    }

    /// A radius by the power law r⁻³.
    pub fn radius(&self, dice: &mut Dice) -> f32 {
        let (small, large) = (inverse_square(self.smallest), inverse_square(self.largest));
        1.0 / (small - (small - large) * dice.unit()).sqrt()
    }
}

impl Leaf {
    /// Whether it reaches into rows of the picture.
    pub fn touches(&self, first_row: f32, rows: f32) -> bool {
        let reach = self.radius + self.blur;
        self.y + reach >= first_row && self.y - reach <= first_row + rows
    }

    /// Paints what falls on one row.
    pub fn paint(&self, y: usize, row: &mut [Surface]) {
        let dy = y as f32 - self.y;
        let outer = self.radius + 0.5 * self.blur;
        let inner = f32::max(self.radius - 0.5 * self.blur, 0.0);
        let half = outer * outer - dy * dy;
        if half <= 0.0 {
            return;
        }
        let half = half.sqrt();
        let from = f32::max(self.x - half, 0.0) as usize;
        let to = (f32::max(self.x + half, 0.0) as usize + 1).min(row.len());
        let Some(pixels) = row.get_mut(from.min(to)..to) else { return };
        for (offset, pixel) in pixels.iter_mut().enumerate() {
            let dx = (from + offset) as f32 - self.x;
            let distance = dx * dx + dy * dy;
            let cover = if distance <= inner * inner {
                1.0
            } else {
                ((outer - distance.sqrt()) / self.blur).clamp(0.0, 1.0)
            };
            let light = dx * self.light.0 + dy * self.light.1;
            for (channel, color) in pixel.color.iter_mut().zip(self.color) {
                *channel += (color + light - *channel) * cover;
            }
            pixel.rough += (self.rough - pixel.rough) * cover;
        }
    }
}

fn inverse_square(radius: f32) -> f32 {
    1.0 / (radius * radius)
}

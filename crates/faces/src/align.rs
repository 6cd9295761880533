//! Turning and scaling a face so that eyes, nose and mouth are where the embedder expects them.

use crate::faces::Error;
use crate::nets::FACE;
use crate::shrink::{Small, shrink};
use crate::{Pixels, Square};

/// Where the embedder expects eyes, nose and corners of the mouth.
const EXPECTED: [(f32, f32); 5] = [
    (38.2946, 51.6963),
    (73.5318, 51.5014),
    (56.0252, 71.7366),
    (41.5493, 92.3655),
    (70.7299, 92.2041),
];
/// From how many pixels of the picture per pixel of the face on it is made smaller first, so that
/// no detail is skipped.
const SKIPS_FROM: f32 = 1.5;

/// The face with these landmarks, in pixels of the picture, as rows of red, green and blue from 0
/// to 255; what is outside the picture is black. `None` if the landmarks are all in one place.
pub(crate) fn align(
    pixels: &Pixels<'_>,
    landmarks: &[(f32, f32); 5],
) -> Result<Option<Vec<f32>>, Error> {
    let Some(place) = Placement::of(landmarks) else { return Ok(None) };
    let part = place.part_of(pixels);
    if place.scale() < SKIPS_FROM || part.width < 2 || part.height < 2 {
        return Ok(Some(sample(pixels, &place)));
    }
    let smaller = shrunk(pixels, part, place.scale())?;
    let right = smaller.width as f32 / part.width as f32;
    let down = smaller.height as f32 / part.height as f32;
    let place = place.within(part, right, down);
    Ok(smaller.pixels().map(|pixels| sample(&pixels, &place)))
}

fn shrunk(pixels: &Pixels<'_>, part: Square, scale: f32) -> Result<Small, Error> {
    let side = |side: u32| ((side as f32 / scale).round() as u32).max(1);
    shrink(pixels, part, side(part.width), side(part.height))
}

/// Where in the picture each pixel of the aligned face comes from.
struct Placement {
    origin: (f32, f32),
    /// What one pixel to the right means.
    right: (f32, f32),
    /// What one pixel down means.
    down: (f32, f32),
}

impl Placement {
    /// The turn, scale and shift under which the landmarks come nearest to what is expected, by
    /// the sum of squares; as a multiplication of complex numbers.
    fn of(landmarks: &[(f32, f32); 5]) -> Option<Self> {
        let (from, to) = (middle(landmarks), middle(&EXPECTED));
        let (mut re, mut im, mut squares) = (0.0, 0.0, 0.0);
        for (p, q) in landmarks.iter().zip(&EXPECTED) {
            let (px, py) = (p.0 - from.0, p.1 - from.1);
            let (qx, qy) = (q.0 - to.0, q.1 - to.1);
            re += px * qx + py * qy;
            im += px * qy - py * qx;
            squares += px * px + py * py;
        }
        // The picture's pixels per pixel of the face: one over (re + i im) / squares.
        let length = re * re + im * im;
        if !(squares.is_finite() && length > 1e-6) {
            return None;
        }
        let (re, im) = (re * squares / length, -im * squares / length);
        let origin = (from.0 - (re * to.0 - im * to.1), from.1 - (im * to.0 + re * to.1));
        Some(Self { origin, right: (re, im), down: (-im, re) })
    }

    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.origin.0 + x * self.right.0 + y * self.down.0,
            self.origin.1 + x * self.right.1 + y * self.down.1,
        )
    }

    /// How many pixels of the picture there are per pixel of the face.
    fn scale(&self) -> f32 {
        self.right.0.hypot(self.right.1)
    }

    /// The part of the picture that is looked at.
    fn part_of(&self, pixels: &Pixels<'_>) -> Square {
        let side = FACE as f32;
        let corners =
            [self.at(0.0, 0.0), self.at(side, 0.0), self.at(0.0, side), self.at(side, side)];
        let (left, right) = span(corners.map(|corner| corner.0), self.scale(), pixels.width());
        let (top, bottom) = span(corners.map(|corner| corner.1), self.scale(), pixels.height());
        Square { left, top, width: right - left, height: bottom - top }
    }

    /// The same in a part of the picture, of which each pixel has become so many.
    fn within(&self, part: Square, right: f32, down: f32) -> Self {
        // Pixels are squares: the middle of the first is half a pixel from the edge.
        let moved = |x: f32, start: u32, by: f32| (x + 0.5 - start as f32) * by - 0.5;
        Self {
            origin: (moved(self.origin.0, part.left, right), moved(self.origin.1, part.top, down)),
            right: (self.right.0 * right, self.right.1 * down),
            down: (self.down.0 * right, self.down.1 * down),
        }
    }
}

/// The whole pixels between which all of these are, with a margin, inside the picture.
fn span(places: [f32; 4], margin: f32, all: u32) -> (u32, u32) {
    let least = places.iter().copied().fold(f32::INFINITY, f32::min) - margin;
    let most = places.iter().copied().fold(f32::NEG_INFINITY, f32::max) + margin;
    let start = (least.floor().max(0.0) as u32).min(all);
    (start, (most.ceil().max(0.0) as u32).clamp(start, all))
}

fn middle(points: &[(f32, f32); 5]) -> (f32, f32) {
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    (sum.0 / 5.0, sum.1 / 5.0)
}

fn sample(pixels: &Pixels<'_>, place: &Placement) -> Vec<f32> {
    let mut face = Vec::with_capacity(FACE * FACE * 3);
    for y in 0..FACE {
        for x in 0..FACE {
            let (x, y) = place.at(x as f32, y as f32);
            face.extend(between(pixels, x, y));
        }
    }
    face
}

/// The colour at a place between four pixels.
fn between(pixels: &Pixels<'_>, x: f32, y: f32) -> [f32; 3] {
    let (left, top) = (x.floor(), y.floor());
    let (right, down) = (x - left, y - top);
    let mut colour = [0.0; 3];
    for (column, row, weight) in [
        (left, top, (1.0 - right) * (1.0 - down)),
        (left + 1.0, top, right * (1.0 - down)),
        (left, top + 1.0, (1.0 - right) * down),
        (left + 1.0, top + 1.0, right * down),
    ] {
        let pixel = pixels.at(column, row);
        for (colour, part) in colour.iter_mut().zip(pixel) {
            *colour += f32::from(part) * weight;
        }
    }
    colour
}

//! How much a face can be relied on.

use crate::nets::{Candidate, FACE};

/// How well a face can be seen; every figure from 0 (not at all) to 1 (as well as is of use).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// How many pixels it has, between too few to compare and more than is looked at.
    pub size: f32,
    /// How much detail it has: little if it is blurred, or was enlarged.
    pub sharpness: f32,
    /// How much it is turned towards the camera: little in profile.
    pub pose: f32,
    /// All of these together with the detector's confidence; the best face of a person by this
    /// makes a good cover.
    pub total: f32,
    /// Whether it is good enough to shape a person. One that is not is shown with the person it
    /// resembles most, but makes no persons and holds none together.
    pub shapes: bool,
}

/// Faces of this many pixels or fewer say nothing, of this many or more say all they can.
const PIXELS: (f32, f32) = (16.0, FACE as f32);
/// The part of the differences between neighbours that goes when the face is blurred once more:
/// little where nothing is left to blur, and this much where all detail is there.
const LOST_BY_BLUR: (f32, f32) = (0.08, 0.55);
/// How far the nose is from the nearer eye, as part of the way between the eyes: nothing in
/// profile, and this much of what it is from in front.
const FROM_IN_FRONT: f32 = 0.5;

/// What is needed to shape a person.
const LEAST_SIZE: f32 = 0.2;
const LEAST_SHARPNESS: f32 = 0.085;
const LEAST_POSE: f32 = 0.25;
const LEAST_CONFIDENCE: f32 = 0.8;

impl Quality {
    /// Of a face as it was found, in pixels of the picture, and aligned.
    pub(crate) fn of(found: &Candidate, aligned: &[f32]) -> Self {
        let size = part_of(found.width.min(found.height), PIXELS);
        let sharpness = part_of(lost_by_blur(aligned), LOST_BY_BLUR);
        let pose = pose(&found.landmarks);
        Self {
            size,
            sharpness,
            pose,
            total: (found.score.clamp(0.0, 1.0) * size * sharpness * pose).sqrt().sqrt(),
            shapes: size >= LEAST_SIZE
                && sharpness >= LEAST_SHARPNESS
                && pose >= LEAST_POSE
                && found.score >= LEAST_CONFIDENCE,
        }
    }
}

fn part_of(x: f32, (none, all): (f32, f32)) -> f32 {
    let part = (x - none) / (all - none);
    if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
}

/// How much of the differences between neighbours goes when the middle of a face is blurred: a
/// measure that does not depend on contrast.
fn lost_by_blur(aligned: &[f32]) -> f32 {
    let lightness: Vec<f32> =
        aligned.as_chunks::<3>().0.iter().map(|[r, g, b]| 0.3 * r + 0.6 * g + 0.1 * b).collect();
    let (mut all, mut lost) = (0.0_f32, 0.0_f32);
    for row in lightness.chunks_exact(FACE).skip(FACE / 4).take(FACE / 2) {
        count_lost(row.iter().copied(), &mut all, &mut lost);
    }
    for column in FACE / 4..FACE * 3 / 4 {
        count_lost(lightness.iter().skip(column).step_by(FACE).copied(), &mut all, &mut lost);
    }
    lost / all.max(1.0)
}

fn count_lost(line: impl Iterator<Item = f32>, all: &mut f32, lost: &mut f32) {
    let line: Vec<f32> = line.skip(FACE / 4).take(FACE / 2).collect();
    let blurred: Vec<f32> = line.windows(5).map(|five| five.iter().sum::<f32>() / 5.0).collect();
    let steps = |line: &[f32]| -> Vec<f32> {
        line.iter().zip(line.iter().skip(1)).map(|(a, b)| (a - b).abs()).collect()
    };
    let (sharp, soft) = (steps(&line), steps(&blurred));
    for (sharp, soft) in sharp.iter().skip(2).zip(&soft) {
        *all += sharp;
        *lost += (sharp - soft).max(0.0);
    }
}

/// From where the nose is between the eyes, along the line through them.
fn pose(landmarks: &[(f32, f32); 5]) -> f32 {
    let [left, right, nose, ..] = *landmarks;
    let across = (right.0 - left.0, right.1 - left.1);
    let squares = across.0 * across.0 + across.1 * across.1;
    let along = ((nose.0 - left.0) * across.0 + (nose.1 - left.1) * across.1) / squares;
    part_of(along.min(1.0 - along), (0.0, FROM_IN_FRONT))
}

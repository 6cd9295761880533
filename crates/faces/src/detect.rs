//! Where the faces are.

use crate::faces::Error;
use crate::nets::{Candidate, YuNet};
use crate::shrink::{Small, shrink};
use crate::{Pixels, Square};

/// The longer side of what the detector looks at. It finds faces from about 15 pixels on: with
/// this, down to one fortieth of the picture.
const LONGER_SIDE: u32 = 640;
/// How sure the detector has to be.
const LEAST_CONFIDENCE: f32 = 0.7;
/// How much two guesses may overlap, as part of what they cover together, without being one.
const MOST_OVERLAP: f32 = 0.3;
/// More faces than this are not looked for in one picture.
const MOST_FACES: usize = 200;

/// All faces, the surest first, in pixels of the picture.
pub(crate) fn detect(net: &YuNet, pixels: &Pixels<'_>) -> Result<Vec<Candidate>, Error> {
    let small = fitting(pixels)?;
    let looked_at = small.as_ref().and_then(Small::pixels).unwrap_or(*pixels);
    let (width, height) = (looked_at.width(), looked_at.height());
    let guesses = net.look(looked_at.rgb(), width as usize, height as usize, LEAST_CONFIDENCE);
    let (right, down) =
        (pixels.width() as f32 / width as f32, pixels.height() as f32 / height as f32);
    Ok(surest(guesses).into_iter().map(|guess| guess.scaled(right, down)).collect())
}

/// The picture in the size to look at, if it has another.
fn fitting(pixels: &Pixels<'_>) -> Result<Option<Small>, Error> {
    let longer = pixels.width().max(pixels.height());
    if longer <= LONGER_SIDE {
        return Ok(None);
    }
    let fit = |side: u32| {
        let side = f64::from(side) * f64::from(LONGER_SIDE) / f64::from(longer);
        (side.round() as u32).max(1)
    };
    let all = Square { left: 0, top: 0, width: pixels.width(), height: pixels.height() };
    shrink(pixels, all, fit(pixels.width()), fit(pixels.height())).map(Some)
}

/// Of guesses of the same face, the surest.
fn surest(mut guesses: Vec<Candidate>) -> Vec<Candidate> {
    guesses.retain(Candidate::is_somewhere);
    guesses.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Candidate> = Vec::new();
    for guess in guesses {
        if kept.len() == MOST_FACES {
            break;
        }
        if kept.iter().all(|other| guess.overlap(other) <= MOST_OVERLAP) {
            kept.push(guess);
        }
    }
    kept
}

impl Candidate {
    fn is_somewhere(&self) -> bool {
        let numbers = [self.score, self.left, self.top, self.width, self.height];
        let points = self.landmarks.iter().all(|(x, y)| x.is_finite() && y.is_finite());
        numbers.iter().all(|number| number.is_finite()) && points
    }

    /// What both cover, as part of what either covers.
    fn overlap(&self, other: &Self) -> f32 {
        let wide =
            (self.left + self.width).min(other.left + other.width) - self.left.max(other.left);
        let high = (self.top + self.height).min(other.top + other.height) - self.top.max(other.top);
        let both = wide.max(0.0) * high.max(0.0);
        both / (self.width * self.height + other.width * other.height - both).max(f32::MIN_POSITIVE)
    }

    fn scaled(mut self, right: f32, down: f32) -> Self {
        self.left *= right;
        self.width *= right;
        self.top *= down;
        self.height *= down;
        self.landmarks = self.landmarks.map(|(x, y)| (x * right, y * down));
        self
    }
}

//! Where a face is, as parts of the picture's width and height, so that it holds for all sizes of
//! the same picture.

use crate::Pixels;
use crate::nets::Candidate;

/// A point; (0, 0) is the upper left corner and (1, 1) the lower right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the left, as part of the width.
    pub x: f32,
    /// From the top, as part of the height.
    pub y: f32,
}

/// A rectangle inside the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// From the left, as part of the width.
    pub left: f32,
    /// From the top, as part of the height.
    pub top: f32,
    /// As part of the picture's width.
    pub width: f32,
    /// As part of the picture's height.
    pub height: f32,
}

/// A square of pixels inside a picture, or as much of it as there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// Pixels from the left.
    pub left: u32,
    /// Pixels from the top.
    pub top: u32,
    /// How many pixels wide; less than `height` only in pictures that are narrower than that.
    pub width: u32,
    /// How many pixels high.
    pub height: u32,
}

impl Bounds {
    /// What of a face in pixels is inside the picture; `None` if nothing is.
    pub(crate) fn of(face: &Candidate, pixels: &Pixels<'_>) -> Option<Self> {
        let (left, width) = inside(face.left, face.width, pixels.width());
        let (top, height) = inside(face.top, face.height, pixels.height());
        (width > 0.0 && height > 0.0).then_some(Self { left, top, width, height })
    }
}

/// Start and length of a span as parts of all there is, without what is outside.
fn inside(start: f32, length: f32, all: u32) -> (f32, f32) {
    let all = all as f32;
    let (from, to) = (start.clamp(0.0, all), (start + length).clamp(0.0, all));
    (from / all, (to - from) / all)
}

/// How much longer than the longer side of a face its portrait is: hair and chin belong to it.
const PORTRAIT: f32 = 1.7;

/// The part of a picture that shows this face with some of what is around it: for a portrait. It
/// is square wherever the picture is large enough, and inside the picture always.
#[must_use]
pub fn crop(pixels: &Pixels<'_>, face: Bounds) -> Square {
    crop_of_size(pixels.width(), pixels.height(), face)
}

pub(crate) fn crop_of_size(width: u32, height: u32, face: Bounds) -> Square {
    let (across, down) = (face.width * width as f32, face.height * height as f32);
    let side = (across.max(down) * PORTRAIT).round().max(1.0) as u32;
    let (wide, high) = (side.min(width), side.min(height));
    let middle_x = (face.left + face.width / 2.0) * width as f32;
    let middle_y = (face.top + face.height / 2.0) * height as f32;
    Square {
        left: start_of(middle_x, wide, width),
        top: start_of(middle_y, high, height),
        width: wide,
        height: high,
    }
}

/// Where a span of this length begins whose middle is as near to the wanted one as the picture
/// allows.
fn start_of(middle: f32, length: u32, all: u32) -> u32 {
    let start = (middle - length as f32 / 2.0).round().max(0.0) as u32;
    start.min(all.saturating_sub(length))
}

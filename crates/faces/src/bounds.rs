//! Where a face is, as parts of the picture's width and height, so that it holds for all sizes of
//! the same picture.

use crate::Pixels;

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

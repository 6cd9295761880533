//! How much a face can be relied on.

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

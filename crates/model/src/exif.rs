use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// What the camera wrote into the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exif {
    /// Maker and model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// The lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lens: Option<String>,
    /// Sensitivity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iso: Option<u32>,
    /// Exposure time, such as `1/250`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shutter_speed: Option<String>,
    /// The f-number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aperture: Option<f64>,
    /// Focal length in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focal_length: Option<f64>,
    /// When it was taken. Cameras without a time zone are taken to be at UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Timestamp>,
    /// Minutes east of UTC where it was taken, if the camera knew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset_minutes: Option<i32>,
    /// Where it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gps: Option<Gps>,
}

/// A place on earth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gps {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Metres above the sea.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub altitude: Option<f64>,
}

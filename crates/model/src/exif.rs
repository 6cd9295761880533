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

impl Exif {
    /// The same without numbers that are none: files may claim a focal length of 0/0.
    #[must_use]
    pub fn finite(mut self) -> Self {
        self.aperture = self.aperture.filter(|number| can_be_stored(*number));
        self.focal_length = self.focal_length.filter(|number| can_be_stored(*number));
        self.gps = self.gps.and_then(Gps::on_earth);
        self
    }
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

impl Gps {
    /// The same, if there is such a place.
    fn on_earth(mut self) -> Option<Self> {
        self.altitude = self.altitude.filter(|number| can_be_stored(*number));
        let exists = self.latitude.abs() <= 90.0 && self.longitude.abs() <= 180.0;
        for degrees in [&mut self.latitude, &mut self.longitude] {
            *degrees = if can_be_stored(*degrees) { *degrees } else { 0.0 };
        }
        exists.then_some(self)
    }
}

/// Not every store holds every number, and files may claim any.
fn can_be_stored(number: f64) -> bool {
    number == 0.0 || (1e-9..=1e9).contains(&number.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_are_left_out() {
        let gps = |latitude, altitude| Gps { latitude, longitude: 7.0, altitude };
        let exif = Exif {
            aperture: Some(f64::NAN),
            focal_length: Some(50.0),
            gps: Some(gps(46.0, Some(f64::INFINITY))),
            ..Exif::default()
        };
        let finite = exif.clone().finite();
        assert_eq!((finite.aperture, finite.focal_length), (None, Some(50.0)));
        assert_eq!(finite.gps, Some(gps(46.0, None)));
        for nowhere in [f64::NAN, f64::INFINITY, 90.1] {
            let exif = Exif { gps: Some(gps(nowhere, None)), ..exif.clone() };
            assert_eq!(exif.finite().gps, None);
        }
    }
}

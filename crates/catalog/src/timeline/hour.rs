//! One hour of a timeline.

use model::{ImageId, Timestamp};

use super::sums::{Spot, Sums};

/// Images between two marks.
pub(super) const MARKED: usize = 256;

/// The images of an hour, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hour {
    /// Hours since 1970 began.
    pub hour: i32,
    /// The shape of each image, as bytes.
    pub shapes: Vec<u8>,
    pub(super) sum: i64,
    /// Where every 256th image stands, without the first.
    pub(super) marks: Vec<(Timestamp, ImageId)>,
}

impl Hour {
    /// An hour of these images, which are in order.
    pub(super) fn of(hour: i32, spots: &[Spot]) -> Self {
        let sums: Sums = spots.iter().map(Spot::sums).sum();
        let marks = spots.iter().step_by(MARKED).skip(1).map(|spot| (spot.at, spot.image));
        Self {
            hour,
            shapes: spots.iter().map(|spot| spot.shape.byte()).collect(),
            sum: sums.sum,
            marks: marks.collect(),
        }
    }

    /// How many images there are.
    pub fn count(&self) -> usize {
        self.shapes.len()
    }

    pub(super) fn sums(&self) -> Sums {
        Sums { count: i64::try_from(self.shapes.len()).unwrap_or(i64::MAX), sum: self.sum }
    }
}

const HOUR_MILLIS: i64 = 60 * 60 * 1000;

/// The hour of a moment, since 1970 began.
pub(super) fn hour_of(at: Timestamp) -> i32 {
    i32::try_from(at.as_millis().div_euclid(HOUR_MILLIS)).unwrap_or_default()
}

/// The first moment of an hour.
pub(super) fn start_of(hour: i32) -> Timestamp {
    Timestamp::from_millis(i64::from(hour).saturating_mul(HOUR_MILLIS))
}

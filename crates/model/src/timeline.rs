//! All images of somebody in the order of time: where each stands, and what shape it has there.

use std::fmt;
use std::str::FromStr;

use crate::{Facts, Image, Timestamp};

/// What a timeline is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimelineOrder {
    /// When the images were uploaded.
    #[default]
    Uploaded,
    /// When they were taken, by the clock on the wall there; uploaded, if nobody said so.
    Taken,
}

impl TimelineOrder {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Uploaded, Self::Taken];
}

impl fmt::Display for TimelineOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uploaded => "uploaded",
            Self::Taken => "taken",
        })
    }
}

impl Image {
    /// Where it stands in its owner's timeline. What is in the trash does not, nor what will
    /// disappear by itself, of which nobody would be told.
    pub fn moment(&self, order: TimelineOrder) -> Option<Timestamp> {
        self.place_in_time(order).filter(|_| self.ttl.is_none())
    }

    /// The same, also of what will disappear by itself.
    pub fn place_in_time(&self, order: TimelineOrder) -> Option<Timestamp> {
        let uploaded_at = self.uploaded_at.filter(|_| self.is_visible())?;
        let taken = self.taken().filter(|_| order == TimelineOrder::Taken);
        Some(taken.map_or(uploaded_at, |taken| taken.at.wall_clock()))
    }

    /// What shape it has, as far as that is known.
    pub fn shape(&self) -> Shape {
        self.facts
            .as_ref()
            .map_or(Shape::UNKNOWN, |facts: &Facts| Shape::of(facts.width, facts.height))
    }
}

/// Width divided by height in one byte: 36 steps to double it, of which 21 are 3:2 and 15 are
/// 4:3, each within a thousandth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape(u8);

const SQUARE: u8 = 128;
const STEPS_PER_DOUBLING: f64 = 36.0;

impl Shape {
    /// Nobody has decoded it yet.
    pub const UNKNOWN: Self = Self(0);

    /// The shape of so many pixels.
    pub fn of(width: u32, height: u32) -> Self {
        let ratio = f64::from(width.max(1)) / f64::from(height.max(1));
        let steps = (ratio.log2() * STEPS_PER_DOUBLING).round();
        let byte = (f64::from(SQUARE) + steps).clamp(1.0, 255.0);
        // Whole, and from 1 to 255.
        Self(byte as u8)
    }

    /// The shape of a byte.
    pub fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The byte.
    pub fn byte(self) -> u8 {
        self.0
    }
}

/// A month of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    year: i16,
    month: i8,
}

/// A text that is no month.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a month such as 2026-05")]
pub struct BadMonth(String);

impl Month {
    /// The month of a moment.
    pub fn of(at: Timestamp) -> Self {
        let (year, month) = at.year_month();
        Self { year, month }
    }

    /// Its year.
    pub fn year(self) -> i16 {
        self.year
    }

    /// Its number, from 1 to 12.
    pub fn number(self) -> i8 {
        self.month
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

impl FromStr for Month {
    type Err = BadMonth;

    fn from_str(text: &str) -> Result<Self, BadMonth> {
        let parse = || {
            let (year, month) = text.split_once('-')?;
            let found = Self { year: year.parse().ok()?, month: month.parse().ok()? };
            let exists = (1..=12).contains(&found.month) && found.to_string() == text;
            exists.then_some(found)
        };
        parse().ok_or_else(|| BadMonth(text.chars().take(64).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exif, ImageId, ImageStatus, UserId};

    #[test]
    fn usual_shapes_are_nearly_exact() {
        for (width, height) in [(3, 2), (4, 3), (16, 9), (1, 1), (2, 3), (3, 4), (9, 16)] {
            let byte = f64::from(Shape::of(width, height).byte());
            let ratio = ((byte - 128.0) / 36.0).exp2();
            let error = ratio * f64::from(height) / f64::from(width) - 1.0;
            assert!(error.abs() < 0.003, "{width}:{height} is off by {error}");
        }
        assert_eq!(Shape::of(1, 1).byte(), 128);
        assert_eq!(Shape::of(1, u32::MAX).byte(), 1);
        assert_eq!(Shape::of(u32::MAX, 0).byte(), 255);
    }

    #[test]
    fn months_are_read_as_they_are_written() {
        for month in ["2026-05", "0000-01", "1999-12"] {
            assert_eq!(month.parse::<Month>().unwrap().to_string(), month);
        }
        for wrong in ["", "2026-13", "2026-5", "2026-00", "26-05", "-026-05", "2026-05-01"] {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_image_stands_where_the_clock_on_the_wall_was() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let uploaded = at("2026-05-02T10:00:00Z");
        let (id, owner) = (ImageId::from_bits(1), UserId::from_bits(2));
        let mut image = Image::pending(id, owner, uploaded);
        assert_eq!(image.moment(TimelineOrder::Uploaded), None);
        image.status = ImageStatus::Completed;
        image.uploaded_at = Some(uploaded);
        assert_eq!(image.moment(TimelineOrder::Taken), Some(uploaded));
        image.exif = Some(Exif {
            taken_at: Some(at("2026-04-30T23:30:00Z")),
            offset_minutes: Some(120),
            ..Exif::default()
        });
        assert_eq!(image.moment(TimelineOrder::Uploaded), Some(uploaded));
        assert_eq!(image.moment(TimelineOrder::Taken), Some(at("2026-05-01T01:30:00Z")));
        image.ttl = Some(1);
        assert_eq!(image.moment(TimelineOrder::Taken), None);
    }
}

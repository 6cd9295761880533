//! When an image was taken: who says so, and what counts.

use std::fmt;
use std::str::FromStr;

use jiff::fmt::temporal::Pieces;
use serde::{Deserialize, Serialize};

use crate::limits::TAKEN_OFFSET_MINUTES_MAX;
use crate::{Day, Image, Timestamp};

/// A date and time where an image was taken, with the zone if it is known.
///
/// Written as RFC 3339, without an offset if the zone is not known (`2024-05-01T10:00:00.000`).
/// What is written is read again as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenAt {
    /// The moment. Where the zone is not known, the clock is taken to have shown UTC.
    pub at: Timestamp,
    /// Minutes east of UTC, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset_minutes: Option<i32>,
}

/// When an image was taken, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// When.
    pub at: TakenAt,
    /// Who says so.
    pub source: TakenSource,
}

/// Who says when an image was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TakenSource {
    /// Its owner.
    Owner,
    /// What the camera, or a program, wrote into the file.
    Camera,
    /// The time at which the file was last changed, where the file itself says nothing.
    File,
}

impl TakenSource {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Camera => "camera",
            Self::File => "file",
        }
    }
}

/// A text that is no date an image can have been taken at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no date and time such as 2024-05-01T10:00:00+02:00, or 2024-05-01T10:00:00 if the \
     time zone is not known"
)]
pub struct BadTakenAt(String);

/// 1826-01-01, the year of the oldest photo there is.
const FIRST_PHOTO_MILLIS: i64 = -4_544_208_000_000;
/// 0001-01-01, for pictures that are older than photos.
const FIRST_MILLIS: i64 = -62_135_596_800_000;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
const MINUTE_MILLIS: i64 = 60_000;

impl TakenAt {
    /// What the clock on the wall showed there, as if it had been at UTC.
    pub fn wall_clock(self) -> Timestamp {
        moved(self.at, i64::from(self.offset_minutes.unwrap_or(0)), MINUTE_MILLIS)
    }

    /// The day on which it was there.
    pub fn day(self) -> Day {
        Day::of(self.at, self.offset_minutes.unwrap_or(0))
    }

    /// So many seconds later, in the same zone.
    #[must_use]
    pub fn shifted(self, seconds: i64) -> Self {
        Self { at: moved(self.at, seconds, 1000), ..self }
    }

    /// The same reading of a clock that showed the time of one zone, where it was that of another.
    #[must_use]
    pub fn in_zone(self, offset_minutes: i32, clock_offset_minutes: i32) -> Self {
        let at = moved(self.wall_clock(), -i64::from(clock_offset_minutes), MINUTE_MILLIS);
        Self { at, offset_minutes: Some(offset_minutes) }
    }

    /// Whether an owner can mean it who says so now.
    pub fn can_be_said(self, now: Timestamp) -> bool {
        self.at.as_millis() >= FIRST_MILLIS && !self.is_after(now)
    }

    /// Whether a camera can have taken a photo then of which this is known now. Clocks that were
    /// never set, or set wrongly, are often ahead.
    pub fn can_be_of_camera(self, now: Timestamp) -> bool {
        self.at.as_millis() >= FIRST_PHOTO_MILLIS && !self.is_after(now)
    }

    /// Whether it can be the time of a file with an image. 1970 is what file systems and archives
    /// say that have no time.
    pub fn can_be_of_file(self, now: Timestamp) -> bool {
        self.at.as_millis() >= DAY_MILLIS && !self.is_after(now)
    }

    /// A day is left for clocks that show the time of another zone.
    fn is_after(self, now: Timestamp) -> bool {
        self.at.as_millis() > now.as_millis().saturating_add(DAY_MILLIS)
    }
}

fn moved(at: Timestamp, by: i64, unit_millis: i64) -> Timestamp {
    Timestamp::from_millis(at.as_millis().saturating_add(by.saturating_mul(unit_millis)))
}

impl Image {
    /// When it was taken: as its owner says, else as the file says unless that cannot be, else when
    /// the file was last changed.
    pub fn taken(&self) -> Option<Taken> {
        let taken = |at: Option<TakenAt>, source| at.map(|at| Taken { at, source });
        taken(self.taken_set, TakenSource::Owner)
            .or_else(|| {
                let believed = self.camera_clock().filter(|_| !self.is_clock_wrong);
                taken(believed, TakenSource::Camera)
            })
            .or_else(|| taken(self.file_time, TakenSource::File))
    }

    /// What a correction starts from: the same, but for a date of the camera that cannot be, which
    /// tells by how much its clock was wrong.
    pub fn taken_by_clock(&self) -> Option<TakenAt> {
        self.taken_set.or_else(|| self.camera_clock()).or(self.file_time)
    }

    /// What the file says.
    fn camera_clock(&self) -> Option<TakenAt> {
        let exif = self.exif.as_ref()?;
        Some(TakenAt { at: exif.taken_at?, offset_minutes: exif.offset_minutes })
    }

    /// Says whether the date in the file cannot be. To be asked whenever the file was read.
    pub fn judge_clock(&mut self) {
        let known_since = self.uploaded_at.unwrap_or(self.created_at);
        self.is_clock_wrong =
            self.camera_clock().is_some_and(|clock| !clock.can_be_of_camera(known_since));
    }

    /// Takes away all that tells when it was taken, but for what the file says.
    pub fn hide_taken(&mut self) {
        (self.taken_set, self.file_time, self.is_clock_wrong) = (None, None, false);
    }
}

impl fmt::Display for TakenAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = self.wall_clock().to_string();
        f.write_str(clock.trim_end_matches('Z'))?;
        let Some(minutes) = self.offset_minutes else { return Ok(()) };
        let sign = if minutes < 0 { '-' } else { '+' };
        let minutes = minutes.unsigned_abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl FromStr for TakenAt {
    type Err = BadTakenAt;

    fn from_str(text: &str) -> Result<Self, BadTakenAt> {
        parse(text).ok_or_else(|| BadTakenAt(text.chars().take(64).collect()))
    }
}

/// A date alone is the beginning of that day.
fn parse(text: &str) -> Option<TakenAt> {
    let pieces = Pieces::parse(text).ok()?;
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let time = pieces.time().unwrap_or_else(jiff::civil::Time::midnight);
    let clock = pieces.date().to_datetime(time);
    let clock = jiff::tz::Offset::UTC.to_timestamp(clock).ok()?;
    let clock =
        TakenAt { at: Timestamp::from_millis(clock.as_millisecond()), offset_minutes: None };
    let is_in_calendar = clock.at.as_millis() >= FIRST_MILLIS - DAY_MILLIS;
    let taken_at = match pieces.to_numeric_offset() {
        None => clock,
        Some(offset) if offset.seconds() % 60 == 0 => {
            let minutes = offset.seconds() / 60;
            clock.in_zone(minutes, minutes)
        }
        Some(_) => return None,
    };
    let minutes = taken_at.offset_minutes.unwrap_or(0);
    (is_in_calendar && minutes.abs() <= TAKEN_OFFSET_MINUTES_MAX).then_some(taken_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exif, ImageId, UserId};

    fn at(text: &str) -> TakenAt {
        text.parse().unwrap()
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        for text in [
            "2024-05-01T10:00:00.000",
            "2024-05-01T10:00:00.123+02:00",
            "2024-05-01T10:00:00.000-09:30",
            "2024-05-01T10:00:00.000+00:00",
            "0800-12-25T00:00:00.000",
        ] {
            assert_eq!(at(text).to_string(), text);
        }
        assert_eq!(at("2024-05-01T10:00:00Z"), at("2024-05-01T10:00:00+00:00"));
        assert_eq!(at("2024-05-01 10:00"), at("2024-05-01T10:00:00"));
        assert_eq!(at("2024-05-01"), at("2024-05-01T00:00:00"));
        for wrong in [
            "",
            "yesterday",
            "2024-02-30",
            "2024-05-01T25:00:00",
            "10:00:00",
            "2024-05-01T10:00:00+02:00[Europe/Berlin]",
            "2024-05-01T10:00:00+02:00:30",
            "2024-05-01T10:00:00+19:00",
            "-000001-01-01T00:00:00",
        ] {
            assert!(wrong.parse::<TakenAt>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_is_shifted_or_was_in_another_zone() {
        let berlin = at("2024-05-01T10:00:00+02:00");
        assert_eq!(berlin.shifted(-90), at("2024-05-01T09:58:30+02:00"));
        // The clock of the camera was right, only nobody knew where.
        assert_eq!(at("2024-05-01T10:00:00").in_zone(540, 540), at("2024-05-01T10:00:00+09:00"));
        // It still showed the time at home.
        assert_eq!(at("2024-05-01T10:00:00").in_zone(540, 120), at("2024-05-01T17:00:00+09:00"));
        assert_eq!(berlin.in_zone(540, 120), at("2024-05-01T17:00:00+09:00"));
        assert_eq!(berlin.in_zone(540, 120).at, berlin.at);
        assert_eq!(berlin.wall_clock(), "2024-05-01T10:00:00Z".parse().unwrap());
    }

    #[test]
    fn the_owner_is_believed_before_the_camera_and_the_camera_before_the_file() {
        let uploaded: Timestamp = "2026-05-02T10:00:00Z".parse().unwrap();
        let mut image = Image::pending(ImageId::from_bits(1), UserId::from_bits(2), uploaded);
        let source = |image: &Image| image.taken().map(|taken| (taken.at, taken.source));
        assert_eq!(source(&image), None);
        let (file, camera) = (at("2020-01-01T00:00:00Z"), at("2019-06-01T10:00:00"));
        image.file_time = Some(file);
        assert_eq!(source(&image), Some((file, TakenSource::File)));
        let exif = |at: TakenAt| Some(Exif { taken_at: Some(at.at), ..Exif::default() });
        image.exif = exif(camera);
        image.judge_clock();
        assert_eq!(source(&image), Some((camera, TakenSource::Camera)));
        let owner = at("1950-06-01T10:00:00");
        let corrected = Image { taken_set: Some(owner), ..image.clone() };
        assert_eq!(source(&corrected), Some((owner, TakenSource::Owner)));
        // A camera that is ahead is known to be wrong, but tells what to correct.
        for impossible in ["2038-01-01T00:00:00", "1825-12-31T23:59:59", "2026-05-03T10:00:01"] {
            image.exif = exif(at(impossible));
            image.judge_clock();
            assert_eq!(source(&image), Some((file, TakenSource::File)), "{impossible}");
            assert_eq!(image.taken_by_clock(), Some(at(impossible)));
        }
        image.exif = exif(at("2026-05-03T09:59:59"));
        image.judge_clock();
        assert!(!image.is_clock_wrong);
        // What is from before anybody judged clocks stays where it was.
        let old = Image { exif: exif(at("2038-01-01T00:00:00")), ..image };
        assert_eq!(source(&old).unwrap().1, TakenSource::Camera);
    }
}

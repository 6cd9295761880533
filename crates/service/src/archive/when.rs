//! Which time a file in an archive has: when the photo was taken, else when it was uploaded. The one
//! place that decides it.

use model::{Day, Image, TakenAt, Timestamp};

/// A moment as the clock showed it where the photo was taken, and as one in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// What the clock showed, written as if it were UTC.
    pub(super) clock: Timestamp,
    /// The same in UTC. Cameras without a time zone tell only what their clock showed.
    pub(super) utc: Option<Timestamp>,
}

impl Moment {
    /// When a photo was taken, as far as whoever is given this image may know, else when it was
    /// uploaded.
    pub(super) fn of(image: &Image) -> Self {
        match image.taken().map(|taken| taken.at) {
            Some(TakenAt { at, offset_minutes: Some(minutes) }) => Self::at(at, minutes),
            Some(TakenAt { at, offset_minutes: None }) => Self { clock: at, utc: None },
            None => Self::at(image.uploaded_at.unwrap_or(image.created_at), 0),
        }
    }

    /// A moment for somebody so many minutes east of UTC.
    pub(super) fn at(utc: Timestamp, offset_minutes: i32) -> Self {
        let millis = i64::from(offset_minutes).saturating_mul(60_000);
        let clock = Timestamp::from_millis(utc.as_millis().saturating_add(millis));
        Self { clock, utc: Some(utc) }
    }

    /// The folder of its month: `2026/2026-11`.
    pub(super) fn folder(self) -> String {
        let month = Day::of(self.clock, 0).month_text();
        format!("{}/{month}", month.get(..4).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use model::{Exif, ImageId, UserId};

    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn image(taken_at: Option<&str>, offset_minutes: Option<i32>) -> Image {
        let now = time("2026-11-19T12:00:00.000Z");
        let mut image = Image::pending(ImageId::new(now, 1), UserId::new(now, 1), now);
        image.uploaded_at = Some(now);
        let taken_at = taken_at.map(time);
        image.exif = Some(Exif { taken_at, offset_minutes, ..Exif::default() });
        image
    }

    #[test]
    fn a_photo_is_of_the_day_where_it_was_taken() {
        let moment = Moment::of(&image(Some("2024-12-31T20:30:00.000Z"), Some(540)));
        assert_eq!(moment.clock, time("2025-01-01T05:30:00.000Z"));
        assert_eq!(moment.utc, Some(time("2024-12-31T20:30:00.000Z")));
        assert_eq!(moment.folder(), "2025/2025-01");
    }

    #[test]
    fn a_clock_without_a_zone_tells_no_moment_in_utc() {
        let moment = Moment::of(&image(Some("1969-07-20T20:17:40.000Z"), None));
        assert_eq!((moment.clock, moment.utc), (time("1969-07-20T20:17:40.000Z"), None));
        assert_eq!(moment.folder(), "1969/1969-07");
    }

    #[test]
    fn what_has_no_date_has_that_of_its_upload() {
        let moment = Moment::of(&image(None, None));
        assert_eq!(moment.utc, Some(time("2026-11-19T12:00:00.000Z")));
        assert_eq!(moment.folder(), "2026/2026-11");
    }
}

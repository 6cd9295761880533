use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::parse_text;

/// A moment in UTC with millisecond precision, written as RFC 3339
/// (`2026-05-01T09:24:22.159Z`).
///
/// The written form always has exactly three fractional digits, so that timestamps
/// inside row keys sort by time as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A text that is not an RFC 3339 timestamp between the years 0000 and 9999.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an RFC 3339 timestamp such as 2026-05-01T09:24:22.159Z")]
pub struct BadTimestamp(String);

/// 0000-01-01T00:00:00Z: earlier moments need a sign and would not sort as text.
const MILLIS_MIN: i64 = -62_167_219_200_000;
/// 9999-12-30T22:00:00.999Z, the last moment the calendar library can print.
const MILLIS_MAX: i64 = 253_402_207_200_999;

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);

    /// The moment `millis` milliseconds after 1970-01-01T00:00:00Z; moments outside the
    /// years 0000 to 9999 are moved to the nearest one inside.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(MILLIS_MIN, MILLIS_MAX))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, the unit of a row's `ttl`.
    pub fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// This moment moved into the future by `duration`.
    pub fn after(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// This moment moved into the past by `duration`.
    pub fn before(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_sub(millis))
    }

    /// Calendar year and month in UTC, for partitioning by month.
    pub fn year_month(self) -> (i16, i8) {
        let date = self.zoned();
        (date.year(), date.month())
    }

    /// Calendar year, month and day in UTC.
    pub(crate) fn year_month_day(self) -> (i16, i8, i8) {
        let date = self.zoned();
        (date.year(), date.month(), date.day())
    }

    fn zoned(self) -> jiff::civil::DateTime {
        let timestamp = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MAX);
        jiff::tz::Offset::UTC.to_datetime(timestamp)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = self.zoned();
        // Row keys and answers are full of these, so the digits are put down one by one.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut put = |end: usize, digits: usize, value: i16| {
            let mut rest = value.unsigned_abs();
            for byte in text.iter_mut().take(end).rev().take(digits) {
                *byte = b'0' + u8::try_from(rest % 10).unwrap_or(0);
                rest /= 10;
            }
        };
        put(4, 4, t.year());
        put(7, 2, t.month().into());
        put(10, 2, t.day().into());
        put(13, 2, t.hour().into());
        put(16, 2, t.minute().into());
        put(19, 2, t.second().into());
        put(23, 3, t.millisecond());
        f.pad(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl FromStr for Timestamp {
    type Err = BadTimestamp;

    fn from_str(text: &str) -> Result<Self, BadTimestamp> {
        let bad = || BadTimestamp(text.chars().take(64).collect());
        let parsed: jiff::Timestamp = text.parse().map_err(|_| bad())?;
        let millis = parsed.as_millisecond();
        if !(MILLIS_MIN..=MILLIS_MAX).contains(&millis) {
            return Err(bad());
        }
        Ok(Self(millis))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse_text(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_with_three_fractional_digits() {
        let t = Timestamp::from_millis(1_754_040_262_150);
        assert_eq!(t.to_string(), "2025-08-01T09:24:22.150Z");
    }

    #[test]
    fn every_part_has_its_place() {
        let t: Timestamp = "0987-06-05T04:03:02.001Z".parse().unwrap();
        assert_eq!(t.to_string(), "0987-06-05T04:03:02.001Z");
    }

    #[test]
    fn reads_what_it_writes_at_both_ends_of_time() {
        for millis in [MILLIS_MIN, -1, 0, 1, 1_754_040_262_159, MILLIS_MAX] {
            let t = Timestamp::from_millis(millis);
            assert_eq!(t.to_string().parse(), Ok(t), "{millis}");
        }
    }

    #[test]
    fn text_order_is_time_order() {
        let moments = [MILLIS_MIN, -86_400_000, -1, 0, 999, 1000, 1_754_040_262_159, MILLIS_MAX];
        let texts: Vec<String> =
            moments.iter().map(|m| Timestamp::from_millis(*m).to_string()).collect();
        assert!(texts.is_sorted(), "{texts:?}");
    }

    #[test]
    fn accepts_other_offsets_and_refuses_nonsense() {
        assert_eq!(
            "2025-08-01T11:24:22.159+02:00".parse(),
            Ok(Timestamp::from_millis(1_754_040_262_159))
        );
        for bad in
            ["", "yesterday", "2025-13-01T00:00:00Z", "2025-08-01", "-000001-01-01T00:00:00Z"]
        {
            assert!(bad.parse::<Timestamp>().is_err(), "{bad}");
        }
    }
}

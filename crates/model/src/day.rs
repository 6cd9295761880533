use std::fmt;

use crate::Timestamp;

/// A day of the calendar, where somebody stands; it has no time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: i16,
    month: i8,
    day: i8,
}

impl Day {
    /// The day of these numbers, if there is one between the years 0000 and 9999.
    pub fn new(year: i16, month: i8, day: i8) -> Option<Self> {
        let exists = jiff::civil::Date::new(year, month, day).is_ok() && year >= 0;
        exists.then_some(Self { year, month, day })
    }

    /// The last day of a month.
    pub fn last_of_month(year: i16, month: i8) -> Option<Self> {
        let first = jiff::civil::Date::new(year, month, 1).ok()?;
        Self::new(year, month, first.days_in_month())
    }

    /// The day of a moment for somebody so many minutes east of UTC.
    pub fn of(moment: Timestamp, offset_minutes: i32) -> Self {
        let millis = i64::from(offset_minutes).saturating_mul(60_000);
        let there = Timestamp::from_millis(moment.as_millis().saturating_add(millis));
        let (year, month, day) = there.year_month_day();
        Self { year, month, day }
    }

    /// `2024-05`.
    pub fn month_text(self) -> String {
        format!("{:04}-{:02}", self.year, self.month)
    }

    /// The first day of the month after this one, unless the calendar ends before.
    pub fn next_month(self) -> Option<Self> {
        match self.month {
            12 => Self::new(self.year.checked_add(1).filter(|year| *year <= 9999)?, 1, 1),
            month => Self::new(self.year, month + 1, 1),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}", self.month_text(), self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_on_the_day_of_the_place() {
        let eve: Timestamp = "2024-12-31T23:30:00.000Z".parse().unwrap();
        assert_eq!(Day::of(eve, 0).to_string(), "2024-12-31");
        assert_eq!(Day::of(eve, 60).to_string(), "2025-01-01");
        assert_eq!(Day::of(eve, i32::MIN).month_text().len(), 7);
    }

    #[test]
    fn months_end_and_follow_each_other() {
        assert_eq!(Day::last_of_month(2024, 2), Day::new(2024, 2, 29));
        assert_eq!(Day::new(2024, 12, 5).and_then(Day::next_month), Day::new(2025, 1, 1));
        assert_eq!(Day::new(9999, 12, 5).and_then(Day::next_month), None);
        assert_eq!(Day::new(2023, 2, 29), None);
        assert_eq!(Day::new(-1, 2, 2), None);
    }
}

use std::fmt;

use crate::Day;

/// From one day to another, both included; open where none is given, but not on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TakenRange {
    /// The first day.
    pub from: Option<Day>,
    /// The last day.
    pub to: Option<Day>,
}

/// Months that are gone through one by one.
const MONTHS_MAX: usize = 12;

impl TakenRange {
    /// Whether a day lies in it.
    pub fn contains(&self, day: Day) -> bool {
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }

    /// The months that it touches, such as `2024-05`; `None` if they are many.
    pub fn months(&self) -> Option<Vec<String>> {
        let (from, to) = (self.from?, self.to?);
        let mut months = vec![from.month_text()];
        let mut next = from.next_month();
        while let Some(month) = next.filter(|month| *month <= to) {
            if months.len() == MONTHS_MAX {
                return None;
            }
            months.push(month.month_text());
            next = month.next_month();
        }
        Some(months)
    }

    /// A year, a month, a day, or two of these with `..` between, of which one may be missing.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let Some((from, to)) = text.split_once("..") else {
            let (first, last) = span(text)?;
            return Some(Self { from: Some(first), to: Some(last) });
        };
        let bound = |text: &str| if text.is_empty() { Some(None) } else { span(text).map(Some) };
        let (from, to) = (bound(from)?, bound(to)?);
        let range = Self { from: from.map(|(first, _)| first), to: to.map(|(_, last)| last) };
        let is_ordered = !matches!((range.from, range.to), (Some(from), Some(to)) if from > to);
        (is_ordered && range != Self { from: None, to: None }).then_some(range)
    }
}

/// The first and the last day of a year, a month or a day.
fn span(text: &str) -> Option<(Day, Day)> {
    let mut parts = text.split('-');
    let year: i16 = digits(parts.next()?, 4)?;
    let month = parts.next().map(|part| digits(part, 2));
    let day = parts.next().map(|part| digits(part, 2));
    if parts.next().is_some() {
        return None;
    }
    match (month, day) {
        (None, _) => Some((Day::new(year, 1, 1)?, Day::new(year, 12, 31)?)),
        (Some(month), None) => {
            let month = i8::try_from(month?).ok()?;
            Some((Day::new(year, month, 1)?, Day::last_of_month(year, month)?))
        }
        (Some(month), Some(day)) => {
            let day = Day::new(year, i8::try_from(month?).ok()?, i8::try_from(day?).ok()?)?;
            Some((day, day))
        }
    }
}

fn digits(text: &str, count: usize) -> Option<i16> {
    let fits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for TakenRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |day: Option<Day>| day.map(|day| day.to_string()).unwrap_or_default();
        write!(f, "{}..{}", text(self.from), text(self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_months_days_and_ranges_are_understood() {
        for (text, shown) in [
            ("2024", "2024-01-01..2024-12-31"),
            ("2024-02", "2024-02-01..2024-02-29"),
            ("2024-05-03", "2024-05-03..2024-05-03"),
            ("2024-05..2024-06", "2024-05-01..2024-06-30"),
            ("2023..2024-06-02", "2023-01-01..2024-06-02"),
            ("..2023", "..2023-12-31"),
            ("2023-11..", "2023-11-01.."),
        ] {
            let range = TakenRange::parse(text).unwrap();
            assert_eq!(range.to_string(), shown);
            assert_eq!(TakenRange::parse(shown), Some(range));
        }
        let bad =
            ["", "..", "24", "2024-5", "2024-13", "2024-02-30", "2024-05-01-01", "2025..2024"];
        for bad in bad.into_iter().chain(["1..2..3", "x", "+024", "2024-"]) {
            assert_eq!(TakenRange::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_range_has_its_months() {
        let months = |text| TakenRange::parse(text).unwrap().months();
        assert_eq!(months("2024-12-31..2025-01-01").unwrap(), ["2024-12", "2025-01"]);
        assert_eq!(months("2024").unwrap().len(), 12);
        assert_eq!(months("2024..2025-01"), None);
        assert_eq!(months("2024.."), None);
    }
}

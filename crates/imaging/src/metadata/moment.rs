//! When something was, as EXIF, IPTC, XMP and PNG write it.

use model::Timestamp;

/// A moment. Without an offset the clock is taken to be at UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub(crate) at: Timestamp,
    pub(crate) offset_minutes: Option<i32>,
    /// Whether more than the day is known.
    has_time: bool,
}

impl Moment {
    /// `2024:05:01 10:20:30` of EXIF, with the offset and the fraction from tags of their own.
    pub(crate) fn of_exif(
        text: &str,
        offset: Option<&str>,
        subsecond: Option<&str>,
    ) -> Option<Self> {
        let mut written = Written::read(text)?;
        // A date alone is what is left of a cleared tag.
        written.hour?;
        if let Some(subsecond) = subsecond {
            written.millis = millis(subsecond.trim());
        }
        written.offset = written.offset.or(offset.and_then(offset_minutes));
        written.moment()
    }

    /// `2024-05-01T10:20:30.123+02:00` of XMP, or a part of it: `2024-05-01`, `2024`.
    pub(crate) fn of_xmp(text: &str) -> Option<Self> {
        Written::read(text)?.moment()
    }

    /// `20240501` and `102030+0200` of IPTC; day, month and year may be unknown.
    pub(crate) fn of_iptc(date: &str, time: Option<&str>) -> Option<Self> {
        let date = date.trim();
        if date.len() != 8 || !date.bytes().all(|byte| byte.is_ascii_digit()) {
            return Written::read(date)?.moment();
        }
        let (year, rest) = date.split_at_checked(4)?;
        let (month, day) = rest.split_at_checked(2)?;
        let mut text = format!("{year}-{month}-{day}");
        if let Some((hour, rest)) = time.and_then(|time| time.trim().split_at_checked(2)) {
            let rest = rest.trim_start_matches(':');
            let (minute, rest) = rest.split_at_checked(2).unwrap_or(("00", ""));
            text.push_str(&format!("T{hour}:{minute}:{}", rest.trim_start_matches(':')));
        }
        Written::read(&text).and_then(Written::moment).or_else(|| Self::of_xmp(&date_of(&text)))
    }

    /// The "Creation Time" of PNG: that of an e-mail by the standard, anything in practice.
    pub(crate) fn of_png(text: &str) -> Option<Self> {
        Self::of_mail(text).or_else(|| Self::of_xmp(text))
    }

    /// `Thu, 1 May 2024 10:20:30 +0200`.
    fn of_mail(text: &str) -> Option<Self> {
        const MONTHS: [&str; 12] =
            ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        let text = text.trim();
        let text = text.split_once(',').map_or(text, |(_, rest)| rest);
        let mut words = text.split_whitespace();
        let day: u8 = words.next()?.parse().ok()?;
        let name = words.next()?.get(..3)?.to_lowercase();
        let month = MONTHS.iter().position(|month| **month == name)? + 1;
        let year = words.next()?;
        let time = words.next().unwrap_or_default();
        let zone = match words.next() {
            Some("GMT" | "UT" | "UTC" | "Z") => "Z",
            Some(zone) if zone.starts_with(['+', '-']) => zone,
            _ => "",
        };
        Written::read(&format!("{year}-{month:02}-{day:02}T{time}{zone}"))?.moment()
    }

    /// What a clock beside the camera showed, in milliseconds.
    pub(crate) fn on_the_clock(self) -> i64 {
        self.at.as_millis() + i64::from(self.offset_minutes.unwrap_or(0)) * 60_000
    }

    /// The same with what another writing of it knows more: the time of the day, or the zone.
    #[must_use]
    pub(super) fn refined_by(self, other: Option<Self>) -> Self {
        const DAY: i64 = 86_400_000;
        let Some(other) = other else { return self };
        let (ours, theirs) = (self.on_the_clock(), other.on_the_clock());
        if !self.has_time && other.has_time && ours.div_euclid(DAY) == theirs.div_euclid(DAY) {
            return other;
        }
        let same = self.has_time && ours.div_euclid(1000) == theirs.div_euclid(1000);
        match other.offset_minutes {
            Some(offset) if same && self.offset_minutes.is_none() => Self {
                at: Timestamp::from_millis(ours - i64::from(offset) * 60_000),
                offset_minutes: Some(offset),
                has_time: true,
            },
            _ => self,
        }
    }
}

/// The parts of a moment as they were written.
#[derive(Default)]
struct Written {
    year: u16,
    month: u16,
    day: u16,
    hour: Option<u16>,
    minute: u16,
    second: u16,
    millis: u16,
    offset: Option<i32>,
}

impl Written {
    fn read(text: &str) -> Option<Self> {
        const BETWEEN: &[char] = &['-', ':', '/', '.'];
        let (year, mut rest) = number(text.trim(), 4)?;
        let mut written = Self { year, month: 1, day: 1, ..Self::default() };
        let part = |rest: &mut &str| -> Option<u16> {
            let (number, after) = number(rest.strip_prefix(BETWEEN)?, 2)?;
            *rest = after;
            Some(number)
        };
        let Some(month) = part(&mut rest) else { return Some(written) };
        written.month = month;
        written.day = part(&mut rest).unwrap_or(1);
        let Some(time) = rest.strip_prefix([' ', 'T', 't', ':']).map(str::trim_start) else {
            return Some(written);
        };
        let Some((hour, mut rest)) = number(time, 2) else { return Some(written) };
        written.hour = Some(hour);
        written.minute = part(&mut rest)?;
        written.second = part(&mut rest).unwrap_or(0).min(59);
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            written.millis = millis(fraction);
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        written.offset = offset_minutes(rest.trim());
        Some(written)
    }

    fn moment(self) -> Option<Moment> {
        // Zeros stand for what is not known; a month or day of zero is refused with the rest.
        let year = Some(self.year).filter(|&year| year > 0)?;
        let at: Timestamp = format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            year,
            self.month,
            self.day,
            self.hour.unwrap_or(0),
            self.minute,
            self.second,
            self.millis
        )
        .parse()
        .ok()?;
        let east = i64::from(self.offset.unwrap_or(0)) * 60_000;
        Some(Moment {
            at: Timestamp::from_millis(at.as_millis() - east),
            offset_minutes: self.offset,
            has_time: self.hour.is_some(),
        })
    }
}

/// Up to so many digits at the beginning; some cameras have spaces in place of leading zeros.
fn number(text: &str, digits: usize) -> Option<(u16, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let digits_only = number.trim_start();
    let is_number = !digits_only.is_empty() && digits_only.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| Some((digits_only.parse().ok()?, rest)))?
}

/// `5` after the point as 500.
fn millis(fraction: &str) -> u16 {
    let digits = fraction.chars().take_while(char::is_ascii_digit).take(3);
    format!("{:0<3}", digits.collect::<String>()).parse().unwrap_or(0)
}

/// `2024-05-01` of `2024-05-01T…`, up to what is known.
fn date_of(text: &str) -> String {
    let date = text.get(..10).unwrap_or(text);
    date.trim_end_matches("-00").to_owned()
}

/// `+02:00`, `+0200` and `Z` as minutes.
fn offset_minutes(text: &str) -> Option<i32> {
    let text = text.trim();
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) =
        rest.split_once(':').or_else(|| rest.split_at_checked(2)).unwrap_or((rest, ""));
    let two = |text: &str| {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u8>().ok())?
    };
    let hours = two(hours)?;
    let minutes = if minutes.is_empty() { 0 } else { two(minutes)? };
    (hours <= 14 && minutes < 60).then(|| sign * (i32::from(hours) * 60 + i32::from(minutes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(moment: Option<Moment>) -> Option<(String, Option<i32>)> {
        moment.map(|moment| (moment.at.to_string(), moment.offset_minutes))
    }

    fn at(text: &str, offset: Option<i32>) -> Option<(String, Option<i32>)> {
        Some((text.to_owned(), offset))
    }

    #[test]
    fn exif_has_zone_and_fraction_apart() {
        let read = |text, offset, subsecond| shown(Moment::of_exif(text, offset, subsecond));
        let local = at("2024-05-01T10:20:30.000Z", None);
        assert_eq!(read("2024:05:01 10:20:30", None, None), local);
        assert_eq!(read("2024/05/01 10:20:30", None, None), local);
        assert_eq!(read("2024: 5: 1 10:20:30", None, None), local);
        assert_eq!(read("2024:05:01:10:20:30", None, None), local);
        let zoned = at("2024-05-01T08:20:30.120Z", Some(120));
        assert_eq!(read("2024:05:01 10:20:30", Some("+02:00"), Some("12")), zoned);
        for none in ["0000:00:00 00:00:00", "    :  :     :  :  ", "2024:05:01", "yesterday", ""] {
            assert_eq!(read(none, None, None), None, "{none}");
        }
    }

    #[test]
    fn xmp_may_know_the_year_only() {
        let read = |text| shown(Moment::of_xmp(text));
        assert_eq!(read("1975"), at("1975-01-01T00:00:00.000Z", None));
        assert_eq!(read("1975-06"), at("1975-06-01T00:00:00.000Z", None));
        assert_eq!(read("1975-06-30"), at("1975-06-30T00:00:00.000Z", None));
        assert_eq!(read("1975-06-30T10:11"), at("1975-06-30T10:11:00.000Z", None));
        let zoned = at("1975-06-30T12:41:12.500Z", Some(-150));
        assert_eq!(read("1975-06-30T10:11:12.5-02:30"), zoned);
        assert_eq!(read("1975-06-30T10:11:12Z"), at("1975-06-30T10:11:12.000Z", Some(0)));
    }

    #[test]
    fn iptc_has_date_and_time_apart() {
        let read = |date, time| shown(Moment::of_iptc(date, time));
        let zoned = at("2004-05-01T08:20:30.000Z", Some(120));
        assert_eq!(read("20040501", Some("102030+0200")), zoned);
        assert_eq!(read("20040501", Some("102030")), at("2004-05-01T10:20:30.000Z", None));
        assert_eq!(read("20040501", None), at("2004-05-01T00:00:00.000Z", None));
        assert_eq!(read("20040500", None), at("2004-05-01T00:00:00.000Z", None));
        assert_eq!(read("20040000", Some("102030")), at("2004-01-01T00:00:00.000Z", None));
        assert_eq!(read("00000000", None), None);
    }

    #[test]
    fn png_is_written_as_mail_or_otherwise() {
        let read = |text| shown(Moment::of_png(text));
        let zoned = at("2024-05-02T08:20:30.000Z", Some(120));
        assert_eq!(read("Thu, 2 May 2024 10:20:30 +0200"), zoned);
        assert_eq!(read("2 May 2024 10:20:30 GMT"), at("2024-05-02T10:20:30.000Z", Some(0)));
        assert_eq!(read("2024-05-02T10:20:30+02:00"), zoned);
        assert_eq!(read("2024:05:02 10:20:30"), at("2024-05-02T10:20:30.000Z", None));
    }

    #[test]
    fn another_writing_adds_what_it_knows_more() {
        let of = |text| Moment::of_xmp(text);
        let refined = |ours, theirs| shown(Some(of(ours).unwrap().refined_by(of(theirs))));
        let zoned = at("2024-05-01T08:20:30.000Z", Some(120));
        assert_eq!(refined("2024-05-01T10:20:30", "2024-05-01T10:20:30+02:00"), zoned);
        assert_eq!(refined("2024-05-01", "2024-05-01T10:20:30+02:00"), zoned);
        let ours = at("2024-05-01T10:20:30.000Z", None);
        assert_eq!(refined("2024-05-01T10:20:30", "2024-05-01T10:20:31+02:00"), ours);
        assert_eq!(refined("2024-05-01T10:20:30", "2024-05-01"), ours);
    }
}

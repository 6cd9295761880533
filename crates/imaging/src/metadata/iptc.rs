//! IPTC-IIM: a list of numbered data sets, the way of news agencies since 1991.

use std::collections::BTreeMap;

use model::Place;

use super::charset::{TEXT_BYTES_MAX, clean, guessed};
use super::moment::Moment;
use super::says::Says;
use crate::read::{be16, slice_at};

/// Data sets of one file that are looked at.
const SETS_MAX: usize = 4096;

/// What the data sets say.
pub(super) fn read(bytes: &[u8]) -> Says {
    let sets = Sets::read(bytes);
    let date = |date, time| {
        let date = sets.first(date)?;
        Moment::of_iptc(&date, sets.first(time).as_deref())
    };
    Says {
        title: sets.first(5),
        description: sets.first(120),
        keywords: sets.all(25),
        artists: sets.all(80),
        copyright: sets.first(116),
        place: Place {
            location: sets.first(92),
            city: sets.first(90),
            state: sets.first(95),
            country: sets.first(101),
            country_code: sets.first(100),
        },
        created: date(55, 60),
        digitized: date(62, 63),
        ..Says::default()
    }
}

/// The data sets of the second record, which describes the picture.
struct Sets<'a> {
    values: BTreeMap<u8, Vec<&'a [u8]>>,
    is_utf8: bool,
}

impl<'a> Sets<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        let mut sets = Self { values: BTreeMap::new(), is_utf8: false };
        let mut at = 0;
        for _ in 0..SETS_MAX {
            let Some((record, number, value)) = set_at(bytes, at) else { break };
            at = value.as_ptr().addr() - bytes.as_ptr().addr() + value.len();
            match (record, number) {
                // ISO 2022's way to say UTF-8.
                (1, 90) => sets.is_utf8 = matches!(value, [0x1b, b'%', b'G' | b'/', ..]),
                (2, _) => sets.values.entry(number).or_default().push(value),
                _ => {}
            }
        }
        sets
    }

    fn first(&self, number: u8) -> Option<String> {
        self.values.get(&number)?.iter().find_map(|value| self.text(value))
    }

    fn all(&self, number: u8) -> Vec<String> {
        let values = self.values.get(&number).into_iter().flatten();
        values.filter_map(|value| self.text(value)).collect()
    }

    fn text(&self, value: &[u8]) -> Option<String> {
        let value = value.split(|&byte| byte == 0).next().unwrap_or_default();
        // Texts are cut off by bytes, within a sign at worst.
        let text = if self.is_utf8 {
            let value = value.get(..TEXT_BYTES_MAX).unwrap_or(value);
            String::from_utf8_lossy(value).trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned()
        } else {
            guessed(value)
        };
        clean(&text)
    }
}

/// Record, number and value of a data set.
fn set_at(bytes: &[u8], at: usize) -> Option<(u8, u8, &[u8])> {
    let [0x1c, record, number] = *slice_at(bytes, at, 3)? else { return None };
    let length = be16(bytes, at + 3)?;
    let (start, length) = if length & 0x8000 == 0 {
        (at + 5, usize::from(length))
    } else {
        // So many bytes hold the length of a long one.
        let width = usize::from(length & 0x7fff);
        let digits = slice_at(bytes, at + 5, width).filter(|digits| digits.len() <= 4)?;
        let length = digits.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        (at + 5 + width, length)
    };
    Some((record, number, slice_at(bytes, start, length)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(record: u8, number: u8, value: &[u8]) -> Vec<u8> {
        let length = u16::try_from(value.len()).unwrap().to_be_bytes();
        [&[0x1c, record, number], &length[..], value].concat()
    }

    #[test]
    fn texts_are_in_the_charset_that_is_said_or_guessed() {
        let latin =
            [set(2, 5, b"Z\xfcrich"), set(2, 25, b"a"), set(2, 25, "ä".as_bytes())].concat();
        let says = read(&latin);
        assert_eq!(says.title.as_deref(), Some("Zürich"));
        assert_eq!(says.keywords, ["a", "ä"]);
        let utf8 = [set(1, 90, b"\x1b%G"), set(2, 120, b"Z\xc3\xbcrich\xc3")].concat();
        assert_eq!(read(&utf8).description.as_deref(), Some("Zürich"));
    }

    #[test]
    fn long_and_damaged_data_sets_harm_nothing() {
        let long = [&[0x1c, 2, 120, 0x80, 2, 0, 3][..], b"abc", &set(2, 5, b"t")].concat();
        let says = read(&long);
        assert_eq!((says.description.as_deref(), says.title.as_deref()), (Some("abc"), Some("t")));
        for damaged in [&[0x1c, 2, 120, 0xff, 0xff, 1][..], &[0x1c, 2, 5, 0, 9, 1], &[0x1c]] {
            assert_eq!(read(damaged), Says::default());
        }
    }
}

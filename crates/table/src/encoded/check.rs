//! Whether bytes are attributes, without building any.
//!
//! Every item that is read passes here, so this reads CBOR's few forms by itself, which is
//! faster than asking a decoder for each value: most texts are short and plain ASCII.

use super::{DEPTH_MAX, EncodedError};
use crate::Number;

/// The entries of a map that has been checked.
pub(super) struct Entries<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) count: usize,
}

/// The entries of the map that is all of `map`.
pub(super) fn entries_of(
    map: &[u8],
    is_taken: impl FnMut(&[u8]) -> bool,
) -> std::result::Result<Entries<'_>, EncodedError> {
    check(map, is_taken).map_err(EncodedError::Unexpected)
}

/// Where the value of this name begins, in entries that have been checked.
pub(super) fn find<'b>(entries: &'b [u8], count: usize, name: &str) -> Option<&'b [u8]> {
    let mut unread = Unread(entries);
    for _ in 0..count {
        let head = unread.head().ok()?;
        if unread.take(head.length().ok()?).ok()? == name.as_bytes() {
            return Some(unread.0);
        }
        unread.skip().ok()?;
    }
    None
}

/// An attribute in entries that have been checked.
pub(super) struct Entry<'b> {
    pub(super) name: &'b [u8],
    /// All of it, the name included.
    pub(super) bytes: &'b [u8],
}

/// The entries one by one, if they have been checked.
pub(super) fn each(entries: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    let mut unread = Unread(entries);
    std::iter::from_fn(move || {
        let start = unread.0;
        let head = unread.head().ok()?;
        let name = unread.take(head.length().ok()?).ok()?;
        unread.skip().ok()?;
        let bytes = start.get(..start.len() - unread.0.len())?;
        Some(Entry { name, bytes })
    })
}

/// What is wrong with bytes. Nothing to clean up, so that making one costs nothing.
type Flaw = &'static str;
type Result<T> = std::result::Result<T, Flaw>;

const CUT_OFF: Flaw = "it ends before its end";
const UNKNOWN_KIND: Flaw = "a value is of an unknown kind";
const TOO_DEEP: Flaw = "values are nested too deeply";
const OUT_OF_RANGE: Flaw = "a number is out of range";

fn check(map: &[u8], is_taken: impl FnMut(&[u8]) -> bool) -> Result<Entries<'_>> {
    let mut unread = Unread(map);
    let head = unread.head()?;
    if head.kind != MAP {
        return Err("it is no map");
    }
    let bytes = unread.0;
    let count = head.length()?;
    match check_entries(unread, count, DEPTH_MAX, is_taken)?.0 {
        [] => Ok(Entries { bytes, count }),
        _ => Err("bytes follow the last attribute"),
    }
}

/// The kinds of values: the three highest bits of their first byte.
const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const LIST: u8 = 4;
const MAP: u8 = 5;
const SIMPLE: u8 = 7;
/// The other bits of the first byte of simple values.
const FALSE: u8 = 20;
const TRUE: u8 = 21;
const NULL: u8 = 22;
const FLOAT: u8 = 27;

/// How a value begins: its kind, and a number that is a length or the value itself.
struct Head {
    kind: u8,
    /// The bits of the first byte beside the kind.
    bits: u8,
    number: u64,
}

impl Head {
    fn length(&self) -> Result<usize> {
        usize::try_from(self.number).map_err(|_| CUT_OFF)
    }
}

/// What is still to be read.
struct Unread<'b>(&'b [u8]);

impl<'b> Unread<'b> {
    #[inline(always)]
    fn take(&mut self, length: usize) -> Result<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(CUT_OFF)?;
        self.0 = rest;
        Ok(taken)
    }

    #[inline(always)]
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(CUT_OFF)?;
        self.0 = rest;
        Ok(*taken)
    }

    #[inline(always)]
    fn head(&mut self) -> Result<Head> {
        let (first, rest) = self.0.split_first().ok_or(CUT_OFF)?;
        self.0 = rest;
        let (kind, bits) = (first >> 5, first & 31);
        let number = match bits {
            0..24 => u64::from(bits),
            24 => u64::from(u8::from_be_bytes(self.take_array()?)),
            25 => u64::from(u16::from_be_bytes(self.take_array()?)),
            26 => u64::from(u32::from_be_bytes(self.take_array()?)),
            27 => u64::from_be_bytes(self.take_array()?),
            _ => return Err(UNKNOWN_KIND),
        };
        Ok(Head { kind, bits, number })
    }

    #[inline(always)]
    fn text(&mut self, head: &Head) -> Result<&'b [u8]> {
        let text = self.take(head.length()?)?;
        if !is_ascii(text) && std::str::from_utf8(text).is_err() {
            return Err("a text is not UTF-8");
        }
        Ok(text)
    }

    #[inline(always)]
    fn name(&mut self) -> Result<&'b [u8]> {
        let head = self.head()?;
        match head.kind {
            TEXT => self.text(&head),
            _ => Err("a name is no text"),
        }
    }

    /// Passes over a value that has been checked, with all that is in it.
    #[inline(always)]
    fn skip(&mut self) -> Result<()> {
        let mut values = 1_usize;
        while let Some(rest) = values.checked_sub(1) {
            let head = self.head()?;
            values = match head.kind {
                TEXT | BYTES => self.take(head.length()?).map(|_| rest)?,
                LIST => rest.saturating_add(head.length()?),
                MAP => rest.saturating_add(head.length()?).saturating_add(head.length()?),
                _ => rest,
            };
        }
        Ok(())
    }

    #[inline(always)]
    fn check_value(&mut self, depth: usize) -> Result<()> {
        let head = self.head()?;
        match (head.kind, head.bits) {
            (TEXT, _) => self.text(&head).map(drop),
            (UNSIGNED | NEGATIVE, _) => i64::try_from(head.number).map(drop).or(Err(OUT_OF_RANGE)),
            (BYTES, _) => self.take(head.length()?).map(drop),
            (LIST, _) => {
                *self = check_values(Self(self.0), head.length()?, deeper(depth)?)?;
                Ok(())
            }
            (MAP, _) => {
                *self = check_entries(Self(self.0), head.length()?, deeper(depth)?, |_| false)?;
                Ok(())
            }
            (SIMPLE, FALSE | TRUE | NULL) => Ok(()),
            (SIMPLE, FLOAT) => {
                Number::from_f64(f64::from_bits(head.number)).map(drop).or(Err(OUT_OF_RANGE))
            }
            _ => Err(UNKNOWN_KIND),
        }
    }
}

fn deeper(depth: usize) -> Result<usize> {
    depth.checked_sub(1).ok_or(TOO_DEEP)
}

/// Checks the entries of a map and returns what follows them. What is unread is handed on by
/// value, so that it stays in registers from one value to the next.
fn check_entries<'b>(
    mut unread: Unread<'b>,
    count: usize,
    depth: usize,
    mut is_taken: impl FnMut(&[u8]) -> bool,
) -> Result<Unread<'b>> {
    let mut last: Option<&[u8]> = None;
    for _ in 0..count {
        let name = unread.name()?;
        if last.is_some_and(|last| !is_before(last, name)) {
            return Err("attributes are not in order");
        }
        if is_taken(name) {
            return Err("an attribute stands twice");
        }
        last = Some(name);
        unread.check_value(depth)?;
    }
    Ok(unread)
}

/// Checks the values of a list and returns what follows them.
fn check_values(mut unread: Unread<'_>, count: usize, depth: usize) -> Result<Unread<'_>> {
    for _ in 0..count {
        unread.check_value(depth)?;
    }
    Ok(unread)
}

/// Whether a name comes before another. The order of UTF-8 bytes is that of the texts. Most
/// names differ in their first byte, which spares a call for each value of every item read.
#[inline(always)]
fn is_before(name: &[u8], other: &[u8]) -> bool {
    match (name.first(), other.first()) {
        (Some(first), Some(other_first)) if first != other_first => first < other_first,
        _ => name < other,
    }
}

/// Whether a text is plain ASCII. The library looks at texts of less than 32 bytes byte by byte,
/// and most are shorter. Looking at some bytes twice is quicker than at the last ones by one.
#[inline(always)]
fn is_ascii(text: &[u8]) -> bool {
    let bits = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let mut bits = u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last);
        if text.len() > 16 {
            let (words, _) = text.as_chunks();
            bits = words.iter().fold(bits, |bits, word| bits | u64::from_ne_bytes(*word));
        }
        bits
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last))
    } else {
        text.iter().fold(0, |bits, byte| bits | u64::from(*byte))
    };
    bits & 0x8080_8080_8080_8080 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_ascii_unless_any_byte_is_not() {
        for length in 0..70 {
            let mut text = vec![b'a'; length];
            assert!(is_ascii(&text));
            for at in 0..length {
                text[at] = 0x80;
                assert!(!is_ascii(&text), "{length} {at}");
                text[at] = 0x7F;
            }
            assert!(is_ascii(&text));
        }
    }

    #[test]
    fn names_are_in_the_order_of_their_bytes() {
        let names: [&[u8]; 6] = [b"", b"a", b"aa", b"ab", b"b", "ä".as_bytes()];
        for (at, name) in names.iter().enumerate() {
            for (other_at, other) in names.iter().enumerate() {
                assert_eq!(is_before(name, other), at < other_at);
            }
        }
    }
}

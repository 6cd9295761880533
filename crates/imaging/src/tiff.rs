//! The directories of TIFF, of which EXIF and most RAW formats are made.
//!
//! Values are borrowed from the file. Nothing here follows a pointer by itself, so there is no
//! loop to fall into: whoever walks counts.

use crate::metadata::guessed;
use crate::read::{array_at, be16, be32, be64, le16, le32, le64, slice_at};

/// Entries of one directory beyond these are not looked at; real ones have less than 200.
const ENTRIES_MAX: usize = 1024;

/// A file (or EXIF block) of TIFF's structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiff<'a> {
    bytes: &'a [u8],
    little_endian: bool,
    big: bool,
    /// Where the first directory is.
    pub(crate) first: usize,
}

/// One directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directory<'a> {
    tiff: Tiff<'a>,
    entries: usize,
    count: usize,
    /// Where the next directory is, if there is one.
    pub(crate) next: Option<usize>,
}

/// One entry of a directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) tag: u16,
    kind: u16,
    count: usize,
    /// Its value's bytes.
    pub(crate) data: &'a [u8],
    /// Where in the file they are.
    pub(crate) offset: usize,
    little_endian: bool,
}

impl<'a> Tiff<'a> {
    /// Reads the header. RAW files of Olympus and Panasonic have their own magic numbers.
    pub(crate) fn open(bytes: &'a [u8]) -> Option<Self> {
        let little_endian = match bytes.get(..2)? {
            b"II" => true,
            b"MM" => false,
            _ => return None,
        };
        let mut tiff = Self { bytes, little_endian, big: false, first: 0 };
        match tiff.u16(2)? {
            42 | 0x4f52 | 0x5352 | 0x55 => tiff.first = tiff.u32(4)? as usize,
            43 => {
                tiff.big = true;
                tiff.first = usize::try_from(tiff.u64(8)?).ok()?;
            }
            _ => return None,
        }
        Some(tiff)
    }

    /// A little-endian block within the file whose offsets count from its beginning.
    pub(crate) fn block_at(self, offset: usize) -> Option<Self> {
        Some(Self { bytes: self.bytes.get(offset..)?, little_endian: true, ..self })
    }

    /// The directory at an offset.
    pub(crate) fn directory(self, offset: usize) -> Option<Directory<'a>> {
        let (count, head) = if self.big {
            (usize::try_from(self.u64(offset)?).ok()?, 8)
        } else {
            (usize::from(self.u16(offset)?), 2)
        };
        let entries = offset.checked_add(head)?;
        let end = count.checked_mul(self.entry_bytes()).and_then(|n| entries.checked_add(n))?;
        let next = if self.big { self.u64(end) } else { self.u32(end).map(u64::from) };
        let next = next.and_then(|next| usize::try_from(next).ok()).filter(|&next| next != 0);
        Some(Directory { tiff: self, entries, count: count.min(ENTRIES_MAX), next })
    }

    fn entry(self, at: usize) -> Option<Entry<'a>> {
        let (tag, kind) = (self.u16(at)?, self.u16(at + 2)?);
        let (count, value, room) = if self.big {
            (usize::try_from(self.u64(at + 4)?).ok()?, at + 12, 8)
        } else {
            (self.u32(at + 4)? as usize, at + 8, 4)
        };
        let length = count.checked_mul(bytes_of_kind(kind)?)?;
        let offset = if length <= room {
            value
        } else if self.big {
            usize::try_from(self.u64(value)?).ok()?
        } else {
            self.u32(value)? as usize
        };
        let data = slice_at(self.bytes, offset, length)?;
        Some(Entry { tag, kind, count, data, offset, little_endian: self.little_endian })
    }

    fn entry_bytes(self) -> usize {
        if self.big { 20 } else { 12 }
    }

    fn u16(self, at: usize) -> Option<u16> {
        if self.little_endian { le16(self.bytes, at) } else { be16(self.bytes, at) }
    }

    fn u32(self, at: usize) -> Option<u32> {
        if self.little_endian { le32(self.bytes, at) } else { be32(self.bytes, at) }
    }

    fn u64(self, at: usize) -> Option<u64> {
        if self.little_endian { le64(self.bytes, at) } else { be64(self.bytes, at) }
    }
}

impl<'a> Directory<'a> {
    /// Its entries, without those whose value is not in the file.
    pub(crate) fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        let step = self.tiff.entry_bytes();
        (0..self.count).filter_map(move |i| self.tiff.entry(self.entries.checked_add(i * step)?))
    }

    /// Whether all its entries are in the file, and the value of the entry with this tag if it
    /// has one.
    pub(crate) fn is_whole_with(self, tag: u16) -> bool {
        let step = self.tiff.entry_bytes();
        (0..self.count).all(|i| {
            let at = self.entries.saturating_add(i * step);
            match self.tiff.u16(at).zip(self.tiff.u16(at.saturating_add(step - 2))) {
                Some((found, _)) if found == tag => self.tiff.entry(at).is_some(),
                found => found.is_some(),
            }
        })
    }

    /// The entry with a tag.
    pub(crate) fn find(self, tag: u16) -> Option<Entry<'a>> {
        self.entries().find(|entry| entry.tag == tag)
    }

    /// The number with a tag.
    pub(crate) fn number(self, tag: u16) -> Option<u64> {
        self.find(tag)?.number(0)
    }
}

impl<'a> Entry<'a> {
    /// How many values it has.
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// A value as a whole number that is not negative.
    pub(crate) fn number(self, index: usize) -> Option<u64> {
        let at = index.checked_mul(bytes_of_kind(self.kind)?)?;
        Some(match self.kind {
            1 | 7 => u64::from(*self.data.get(at)?),
            3 => u64::from(self.u16(at)?),
            4 | 13 => u64::from(self.u32(at)?),
            8 => u64::try_from(self.u16(at)?.cast_signed()).ok()?,
            9 => u64::try_from(self.u32(at)?.cast_signed()).ok()?,
            16..=18 => {
                let bytes = array_at(self.data, at)?;
                if self.little_endian {
                    u64::from_le_bytes(bytes)
                } else {
                    u64::from_be_bytes(bytes)
                }
            }
            _ => return None,
        })
    }

    /// Whether it is bytes, or a text.
    pub(crate) fn is_bytes(self) -> bool {
        matches!(self.kind, 1 | 2 | 7 | 129)
    }

    pub(crate) fn is_little_endian(self) -> bool {
        self.little_endian
    }

    /// A value as an offset into the file.
    pub(crate) fn pointer(self, index: usize) -> Option<usize> {
        usize::try_from(self.number(index)?).ok()
    }

    /// A value as numerator and denominator.
    pub(crate) fn fraction(self, index: usize) -> Option<(f64, f64)> {
        let at = index.checked_mul(8)?;
        let (above, below) = (self.u32(at)?, self.u32(at.checked_add(4)?)?);
        match self.kind {
            5 => Some((above.into(), below.into())),
            10 => Some((above.cast_signed().into(), below.cast_signed().into())),
            _ => None,
        }
    }

    /// A value as a number with a fraction; `None` where it is none.
    pub(crate) fn real(self, index: usize) -> Option<f64> {
        let value = match self.kind {
            5 | 10 => self.fraction(index).map(|(above, below)| above / below),
            _ => self.number(index).map(|n| n as f64),
        };
        value.filter(|value| value.is_finite())
    }

    /// Its text up to the first zero, at most 200 bytes of it.
    pub(crate) fn text(self) -> Option<String> {
        if !self.is_bytes() {
            return None;
        }
        let bytes = self.data.split(|&b| b == 0).next()?;
        let text = guessed(bytes.get(..200).unwrap_or(bytes));
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn u16(self, at: usize) -> Option<u16> {
        if self.little_endian { le16(self.data, at) } else { be16(self.data, at) }
    }

    fn u32(self, at: usize) -> Option<u32> {
        if self.little_endian { le32(self.data, at) } else { be32(self.data, at) }
    }
}

/// Bytes of one value of a type.
fn bytes_of_kind(kind: u16) -> Option<usize> {
    Some(match kind {
        1 | 2 | 6 | 7 | 129 => 1,
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => return None,
    })
}

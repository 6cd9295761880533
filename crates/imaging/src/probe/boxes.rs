//! The boxes that HEIC, AVIF, CR3 and JPEG XL files are made of.
//!
//! A box always ends after it began, so lists end; who goes down into one says into which.

use crate::read::{array_at, be32, be64};

/// Boxes of one list beyond these are not looked at.
const BOXES_MAX: usize = 1 << 16;

/// The name of boxes `uuid` that hold XMP, in all formats of boxes.
pub(super) const XMP_BOX: &[u8] =
    b"\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac";

/// A box and what is in it, cut off where the file is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub(super) kind: [u8; 4],
    pub(super) data: &'a [u8],
    /// Where the data begin, counted from the beginning of the list.
    pub(super) offset: usize,
    /// Whether the file ends within it.
    pub(super) cut_off: bool,
}

/// A list of boxes.
#[derive(Clone, Debug)]
pub(super) struct Boxes<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
}

impl<'a> Boxes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, left: BOXES_MAX }
    }
}

impl<'a> Iterator for Boxes<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        self.left = self.left.checked_sub(1)?;
        let kind = array_at(self.bytes, self.at.checked_add(4)?)?;
        let (head, length) = match be32(self.bytes, self.at)? {
            0 => (8, self.bytes.len() - self.at),
            1 => (16, usize::try_from(be64(self.bytes, self.at + 8)?).ok()?),
            length => (8, length as usize),
        };
        if length < head {
            self.left = 0;
            return None;
        }
        let (offset, end) = (self.at + head, self.at.checked_add(length)?);
        let data = self.bytes.get(offset..end.min(self.bytes.len()))?;
        self.at = end;
        Some(Found { kind, data, offset, cut_off: end > self.bytes.len() })
    }
}

/// The first box of a kind in a list.
pub(super) fn child<'a>(list: &'a [u8], kind: &[u8; 4]) -> Option<Found<'a>> {
    Boxes::new(list).find(|found| &found.kind == kind)
}

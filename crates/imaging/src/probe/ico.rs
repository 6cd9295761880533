//! ICO and CUR: several pictures of one thing, of which the best is shown.

use std::ops::Range;

use model::MediaType;

use super::{Probe, bmp, png};
use crate::Error;
use crate::read::{le16, le32};

/// Pictures in one file that are looked at.
const ENTRIES_MAX: usize = 256;
const ENTRY_BYTES: usize = 16;
const HEAD_BYTES: usize = 6;

/// Whether the first bytes are those of such a file: a head of six bytes, and an entry that makes
/// sense behind it.
pub(crate) fn is_ico(bytes: &[u8]) -> bool {
    let named = bytes.starts_with(&[0, 0, 1, 0]) || bytes.starts_with(&[0, 0, 2, 0]);
    let Some(count) = le16(bytes, 4).map(usize::from).filter(|_| named) else { return false };
    let first = le32(bytes, HEAD_BYTES + 8).zip(le32(bytes, HEAD_BYTES + 12));
    let makes_sense = |(length, start): (u32, u32)| {
        length >= 40 && start as usize >= HEAD_BYTES + count * ENTRY_BYTES
    };
    (1..=ENTRIES_MAX).contains(&count)
        && matches!(bytes.get(HEAD_BYTES + 3), Some(0 | 255))
        && first.is_some_and(makes_sense)
}

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let (mut probe, _) = best(bytes)?;
    probe.media_type = MediaType::Ico;
    Ok(probe)
}

/// One of the pictures.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// A PNG file.
    Png(Range<usize>),
    /// A bitmap without its file's header, and above it a mask of one bit a pixel.
    Bitmap(bmp::Header),
}

/// The largest picture, and of those of one size that of most colours.
pub(crate) fn best(bytes: &[u8]) -> Result<(Probe, Entry), Error> {
    let count = le16(bytes, 4).map_or(0, usize::from).min(ENTRIES_MAX);
    let entry = |index: usize| {
        let at = HEAD_BYTES + index * ENTRY_BYTES;
        let length = le32(bytes, at + 8)? as usize;
        let start = le32(bytes, at + 12)? as usize;
        picture(bytes, start..start.checked_add(length)?)
    };
    let worth = |(probe, entry): &(Probe, Entry)| {
        let bits = match entry {
            Entry::Png(_) => 32,
            Entry::Bitmap(header) => header.bits,
        };
        (u64::from(probe.width) * u64::from(probe.height), bits)
    };
    let pictures = (0..count).filter_map(entry);
    pictures.max_by_key(worth).ok_or_else(|| Error::truncated("an icon without a picture"))
}

fn picture(bytes: &[u8], range: Range<usize>) -> Option<(Probe, Entry)> {
    let stored = bytes.get(range.start..range.end.min(bytes.len()))?;
    if stored.starts_with(b"\x89PNG") {
        let probe = png::probe(stored).ok()?;
        return Some((probe, Entry::Png(range)));
    }
    let mut header = bmp::Header::read_at(bytes, range.start).ok()?;
    // The mask counts as so many rows again.
    header.height /= 2;
    let mut probe = Probe::new(MediaType::Ico, header.width, header.height);
    probe.has_alpha = true;
    Some((probe, Entry::Bitmap(header)))
}

//! ORF: the preview is named only in the maker's own directories.

use std::ops::Range;

use super::range;
use crate::tiff::{Directory, Tiff};

const PHOTO: u16 = 0x8769;
const MAKER_NOTE: u16 = 0x927c;
const CAMERA_SETTINGS: u16 = 0x2020;
const PREVIEW_OFFSET: u16 = 0x0101;
const PREVIEW_BYTES: u16 = 0x0102;

/// The preview of an Olympus (or OM System) file, if it is one.
pub(super) fn preview(tiff: Tiff<'_>, main: Directory<'_>) -> Option<Range<usize>> {
    let photo = tiff.directory(main.find(PHOTO)?.pointer(0)?)?;
    let note = photo.find(MAKER_NOTE)?;
    // The newer notes are a block with a byte order and offsets of its own.
    let head = note_head(note.data)?;
    let block = tiff.block_at(note.offset)?;
    let settings = block.directory(head)?.find(CAMERA_SETTINGS)?;
    // Older models have the directory itself as the value.
    let at = if settings.count() == 1 { settings.pointer(0)? } else { settings.offset };
    let settings = block.directory(at)?;
    let (start, length) = settings.number(PREVIEW_OFFSET).zip(settings.number(PREVIEW_BYTES))?;
    range(start.checked_add(note.offset as u64)?, length)
}

/// Where the note's first directory begins.
fn note_head(note: &[u8]) -> Option<usize> {
    if note.starts_with(b"OLYMPUS\0II\x03\0") {
        return Some(12);
    }
    note.starts_with(b"OM SYSTEM\0\0\0II\x04\0").then_some(16)
}

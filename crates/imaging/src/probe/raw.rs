//! RAW files: found to be such, and the best JPEG preview in them.
//!
//! The sensor's data are never decoded. Every camera of the last two decades stores a JPEG of
//! the finished picture beside them, most in full size; that is what is shown.

mod cr3;
mod olympus;

use std::ops::Range;

use model::{MediaType, Shown};

use super::Probe;
use super::jpeg::{self, Segments};
use crate::Error;
use crate::metadata::Carriers;
use crate::read::be32;
use crate::tiff::{Directory, Tiff};

/// Directories that are looked at in one file; real ones have up to about ten.
const DIRECTORIES_MAX: usize = 32;

const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const STRIP_OFFSETS: u16 = 273;
const STRIP_BYTES: u16 = 279;
const SUB_DIRECTORIES: u16 = 330;
const JPEG_OFFSET: u16 = 513;
const JPEG_BYTES: u16 = 514;
const PANASONIC_JPEG: u16 = 46;
const DNG_VERSION: u16 = 0xc612;

/// Whether a file that begins like TIFF is a RAW file (DNG, NEF, ARW and their like).
pub(super) fn is_raw(tiff: Tiff<'_>, main: Directory<'_>) -> bool {
    main.find(DNG_VERSION).is_some() || directories(tiff).into_iter().any(holds_sensor_data)
}

/// Whether a directory or one below it is not wholly in the file.
pub(super) fn is_cut_off(tiff: Tiff<'_>, main: Directory<'_>) -> bool {
    let whole = |directory: Directory<'_>| directory.is_whole_with(SUB_DIRECTORIES);
    !whole(main) || below(main).any(|at| !tiff.directory(at).is_some_and(whole))
}

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    if bytes.starts_with(b"FUJIFILMCCD-RAW ") {
        return fujifilm(bytes);
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return cr3::probe(bytes);
    }
    if !bytes.starts_with(b"II") && !bytes.starts_with(b"MM") || bytes.starts_with(b"II\x1a") {
        return Err(Error::unsupported("a RAW file whose preview is not looked for"));
    }
    let tiff = Tiff::open(bytes).ok_or_else(cut_off)?;
    let main = tiff.directory(tiff.first).ok_or_else(cut_off)?;
    let mut previews: Vec<_> = directories(tiff).into_iter().flat_map(previews_of).collect();
    previews.extend(olympus::preview(tiff, main));
    let mut probe = from_preview(bytes, previews).map_err(|error| match error {
        Error::Unsupported { .. } if is_cut_off(tiff, main) => cut_off(),
        error => error,
    })?;
    take_facts(&mut probe, &super::tiff::carriers(tiff, main));
    Ok(probe)
}

/// A fixed header names the preview, which has the camera's EXIF data.
fn fujifilm(bytes: &[u8]) -> Result<Probe, Error> {
    let preview = be32(bytes, 84).zip(be32(bytes, 88)).ok_or_else(cut_off)?;
    from_preview(bytes, [range(preview.0.into(), preview.1.into())].into_iter().flatten())
}

/// The largest of the previews that is a JPEG file a decoder can show.
pub(super) fn from_preview(
    bytes: &[u8],
    previews: impl IntoIterator<Item = Range<usize>>,
) -> Result<Probe, Error> {
    let mut best: Option<(u64, Range<usize>)> = None;
    let mut missing = false;
    for preview in previews.into_iter().take(2 * DIRECTORIES_MAX) {
        missing |= preview.end > bytes.len();
        let Some(pixels) = bytes.get(preview.clone()).and_then(shown_pixels) else { continue };
        if pixels == 0 {
            continue;
        }
        if best.as_ref().is_none_or(|(most, _)| pixels > *most) {
            best = Some((pixels, preview));
        }
    }
    let none =
        || if missing { cut_off() } else { Error::unsupported("a RAW file without a preview") };
    let (_, preview) = best.ok_or_else(none)?;
    let mut probe = jpeg::probe(bytes.get(preview.clone()).unwrap_or_default())?;
    probe.media_type = MediaType::Raw;
    probe.preview = Some(preview);
    probe.shown = Shown::Preview;
    Ok(probe)
}

/// What the RAW file says wins over what its preview says.
fn take_facts(probe: &mut Probe, carriers: &Carriers<'_>) {
    if carriers.exif.as_ref().is_some_and(|found| found.orientation.is_some()) {
        probe.orientation = carriers.orientation();
    }
    carriers.describe(probe);
}

fn shown_pixels(preview: &[u8]) -> Option<u64> {
    if !preview.starts_with(b"\xff\xd8\xff") {
        return None;
    }
    let frame = Segments::read(preview).ok()?.frame.filter(|frame| !frame.is_lossless())?;
    Some(u64::from(frame.width) * u64::from(frame.height))
}

/// The chain of directories and those below them, each once.
pub(super) fn directories(tiff: Tiff<'_>) -> Vec<Directory<'_>> {
    let mut waiting = vec![tiff.first];
    let mut seen = Vec::new();
    let mut found = Vec::new();
    while let Some(at) = waiting.pop() {
        if seen.len() >= DIRECTORIES_MAX {
            break;
        }
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let Some(directory) = tiff.directory(at) else { continue };
        found.push(directory);
        waiting.extend(directory.next);
        waiting.extend(below(directory));
    }
    found
}

/// Where the directories below a directory are.
fn below(directory: Directory<'_>) -> impl Iterator<Item = usize> {
    let entry = directory.find(SUB_DIRECTORIES);
    entry
        .into_iter()
        .flat_map(|entry| (0..entry.count().min(8)).filter_map(move |index| entry.pointer(index)))
}

/// Whether it describes a colour filter array, linear sensor data or a maker's compression.
fn holds_sensor_data(directory: Directory<'_>) -> bool {
    matches!(directory.number(PHOTOMETRIC), Some(32_803 | 34_892))
        || matches!(directory.number(COMPRESSION), Some(32_767 | 34_713 | 65_535))
}

/// Where a directory says that a JPEG file may be.
pub(super) fn previews_of(directory: Directory<'_>) -> impl Iterator<Item = Range<usize>> {
    let pair = |offset, bytes| range(directory.number(offset)?, directory.number(bytes)?);
    let strip = || {
        let single = directory.find(STRIP_OFFSETS)?.count() == 1;
        let jpeg = matches!(directory.number(COMPRESSION), Some(6 | 7));
        (single && jpeg).then(|| pair(STRIP_OFFSETS, STRIP_BYTES)).flatten()
    };
    let panasonic = directory.find(PANASONIC_JPEG);
    let panasonic = panasonic.map(|entry| entry.offset..entry.offset + entry.data.len());
    [pair(JPEG_OFFSET, JPEG_BYTES), strip(), panasonic].into_iter().flatten()
}

fn range(start: u64, length: u64) -> Option<Range<usize>> {
    let start = usize::try_from(start).ok()?;
    Some(start..start.checked_add(usize::try_from(length).ok()?)?)
}

fn cut_off() -> Error {
    Error::truncated("a RAW file that ends before its preview")
}

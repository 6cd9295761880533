//! The smaller JPEG that many files bring along, for when nothing else of them can be shown.

use std::ops::Range;

use model::MediaType;

use super::jpeg::Segments;
use super::raw::{directories, from_preview, previews_of};
use super::{Probe, heif, psd, tiff};
use crate::metadata::Carriers;
use crate::read::be32;
use crate::tiff::Tiff;

/// What the largest preview in a file shows; `None` if there is none.
pub(super) fn find(bytes: &[u8], media_type: MediaType) -> Option<Probe> {
    let mut probe = from_preview(bytes, places(bytes, media_type)).ok()?;
    probe.media_type = media_type;
    let carriers = carriers(bytes, media_type);
    if carriers.exif.is_some() {
        probe.orientation = carriers.orientation();
    }
    carriers.describe(&mut probe);
    Some(probe)
}

/// What may say something about the picture.
fn carriers(bytes: &[u8], media_type: MediaType) -> Carriers<'_> {
    let found = match media_type {
        MediaType::Jpeg => Segments::read(bytes).ok().map(|segments| segments.carriers()),
        MediaType::Tiff | MediaType::Raw => Tiff::open(bytes)
            .and_then(|tiff| Some(tiff::carriers(tiff, tiff.directory(tiff.first)?))),
        MediaType::Heic | MediaType::Avif => Some(heif::carriers(bytes)),
        MediaType::Psd => Some(psd::carriers(bytes)),
        _ => None,
    };
    found.unwrap_or_default()
}

/// Where previews may be.
fn places(bytes: &[u8], media_type: MediaType) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    if let Some(block) = exif_block(bytes, media_type) {
        let start = block.as_ptr().addr() - bytes.as_ptr().addr();
        let tiff = Tiff::open(block);
        let within = tiff.into_iter().flat_map(directories).flat_map(previews_of);
        places.extend(within.filter_map(|place| {
            Some(place.start.checked_add(start)?..place.end.checked_add(start)?)
        }));
    }
    match media_type {
        MediaType::Jpeg => places.extend(further_pictures(bytes)),
        MediaType::Psd => places.extend(psd::thumbnail(bytes)),
        _ => {}
    }
    places
}

/// The block of EXIF's structure, which may be the whole file.
fn exif_block(bytes: &[u8], media_type: MediaType) -> Option<&[u8]> {
    let block = match media_type {
        MediaType::Jpeg => Segments::read(bytes).ok()?.exif?,
        MediaType::Tiff | MediaType::Raw => bytes,
        MediaType::Heic | MediaType::Avif => heif::exif_of(bytes)?,
        _ => return None,
    };
    Some(block.strip_prefix(b"Exif\0\0").unwrap_or(block))
}

/// The pictures that cameras put behind a JPEG file, listed in its index (MPF).
fn further_pictures(bytes: &[u8]) -> Vec<Range<usize>> {
    const INDEX: &[u8] = b"MPF\0";
    const LIST: u16 = 0xb002;
    let listed = || {
        let head = bytes.get(..bytes.len().min(1 << 18))?;
        let at = head.windows(INDEX.len()).position(|window| window == INDEX)? + INDEX.len();
        let tiff = Tiff::open(bytes.get(at..)?)?;
        let list = tiff.directory(tiff.first)?.find(LIST)?.data;
        let number = |entry: &[u8], offset| {
            let little = bytes.get(at) == Some(&b'I');
            be32(entry, offset).map(|n| if little { n.swap_bytes() } else { n } as usize)
        };
        let place = |entry: &[u8]| {
            let (length, offset) = number(entry, 4).zip(number(entry, 8))?;
            let start = at.checked_add(offset).filter(|_| offset > 0)?;
            Some(start..start.checked_add(length)?)
        };
        Some(list.chunks_exact(16).take(16).filter_map(place).collect::<Vec<_>>())
    };
    listed().unwrap_or_default()
}

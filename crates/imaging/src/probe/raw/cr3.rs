//! CR3: Canon's boxes, with EXIF directories apart and JPEG previews in a track and a box.

use std::borrow::Cow;
use std::ops::Range;

use super::{cut_off, from_preview, take_facts};
use crate::metadata::Carriers;
use crate::probe::Probe;
use crate::probe::boxes::{Boxes, XMP_BOX, child};
use crate::read::{be32, be64};
use crate::{Error, exif};

const CANON: &[u8] = b"\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48";
const PREVIEW: &[u8] = b"\xea\xf4\x2b\x5e\x1c\x98\x4b\x88\xb9\xfb\xb7\xdc\x40\x6e\x4d\x16";

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let movie = child(bytes, b"moov").filter(|found| !found.cut_off).ok_or_else(cut_off)?;
    let tracks = Boxes::new(movie.data).filter(|found| &found.kind == b"trak");
    let tracks = tracks.filter_map(|track| track_sample(track.data));
    let boxed = Boxes::new(bytes).filter(|found| &found.kind == b"uuid").filter_map(|found| {
        // Eight bytes of version stand between the name and what is in it.
        let list = found.data.strip_prefix(PREVIEW)?.get(8..)?;
        boxed_preview(list, found.offset + PREVIEW.len() + 8)
    });
    let mut probe = from_preview(bytes, tracks.chain(boxed))?;
    let canon = Boxes::new(movie.data).find_map(|found| found.data.strip_prefix(CANON));
    let found = canon.map(|canon| {
        let block = |name| child(canon, name).map(|found| found.data);
        let main = block(b"CMT1").unwrap_or_default();
        exif::read_separate(main, block(b"CMT2"), block(b"CMT4"))
    });
    let mut named = Boxes::new(bytes).filter(|found| &found.kind == b"uuid");
    let xmp = named.find_map(|found| found.data.strip_prefix(XMP_BOX));
    take_facts(&mut probe, &Carriers::new(found, xmp.map(Cow::Borrowed)));
    Ok(probe)
}

/// The first sample of a track: the full-size JPEG in the first one, sensor data in others.
fn track_sample(track: &[u8]) -> Option<Range<usize>> {
    let table = child(child(child(track, b"mdia")?.data, b"minf")?.data, b"stbl")?.data;
    let sizes = child(table, b"stsz")?.data;
    let length = match be32(sizes, 4)? {
        0 => be32(sizes, 12)?,
        length => length,
    };
    let start = match child(table, b"co64") {
        Some(offsets) => be64(offsets.data, 8)?,
        None => be32(child(table, b"stco")?.data, 8)?.into(),
    };
    super::range(start, length.into())
}

/// The preview of 1,620 pixels, in a list that begins at an offset of the file.
fn boxed_preview(list: &[u8], offset: usize) -> Option<Range<usize>> {
    let found = child(list, b"PRVW")?;
    let length = be32(found.data, 12)?;
    super::range((offset + found.offset + 16) as u64, length.into())
}

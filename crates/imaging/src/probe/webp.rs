//! WebP: one bitstream, or a RIFF list of chunks around one or more.

use std::borrow::Cow;

use model::MediaType;

use super::icc::ColorProfile;
use super::{FRAMES_COUNTED_MAX, Probe};
use crate::metadata::Carriers;
use crate::read::{array_at, le16, le24, le32, slice_at};
use crate::{Error, exif};

/// Every frame is a chunk; a few more stand around them.
const CHUNKS_MAX: u32 = FRAMES_COUNTED_MAX + 1_000;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let kind: [u8; 4] = array_at(bytes, 12).ok_or_else(cut_off)?;
    let data = bytes.get(20..).ok_or_else(cut_off)?;
    match &kind {
        b"VP8 " => lossy(data),
        b"VP8L" => lossless(data),
        b"VP8X" => extended(bytes, data),
        _ => Err(Error::damaged("a WebP file without an image")),
    }
}

/// A key frame's start code and its size in 14 bits each.
fn lossy(data: &[u8]) -> Result<Probe, Error> {
    let (width, height) = le16(data, 6).zip(le16(data, 8)).ok_or_else(cut_off)?;
    if slice_at(data, 3, 3) != Some(b"\x9d\x01\x2a") {
        return Err(Error::damaged("a WebP file that does not begin with a key frame"));
    }
    Ok(Probe::new(MediaType::Webp, u32::from(width & 0x3fff), u32::from(height & 0x3fff)))
}

/// A signature, and the size less one in 14 bits each.
fn lossless(data: &[u8]) -> Result<Probe, Error> {
    let bits = le32(data, 1).ok_or_else(cut_off)?;
    if data.first() != Some(&0x2f) {
        return Err(Error::damaged("a WebP file with a bad lossless header"));
    }
    let (width, height) = ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1);
    let mut probe = Probe::new(MediaType::Webp, width, height);
    probe.has_alpha = bits >> 28 & 1 == 1;
    probe.whole_only = true;
    Ok(probe)
}

fn extended(bytes: &[u8], data: &[u8]) -> Result<Probe, Error> {
    let flags = data.first().copied().ok_or_else(cut_off)?;
    let (width, height) = le24(data, 4).zip(le24(data, 7)).ok_or_else(cut_off)?;
    let mut probe = Probe::new(MediaType::Webp, width + 1, height + 1);
    probe.has_alpha = flags & 0x10 != 0;
    let mut frames = 0;
    let mut carriers = Carriers::default();
    let mut at = 12;
    for _ in 0..CHUNKS_MAX {
        let Some((kind, length)) = array_at(bytes, at).zip(le32(bytes, at + 4)) else { break };
        let start = at + 8;
        // A frame counts even if its bytes are cut off.
        if &kind == b"ANMF" {
            frames += 1;
        }
        let Some(chunk) = slice_at(bytes, start, length as usize) else { break };
        match &kind {
            b"EXIF" if carriers.exif.is_none() => carriers.exif = exif::read(chunk),
            b"XMP " if carriers.xmp.is_none() => carriers.xmp = Some(Cow::Borrowed(chunk)),
            _ => take_chunk(&mut probe, kind, chunk),
        }
        at = start + chunk.len() + chunk.len() % 2;
    }
    let animated = flags & 0x02 != 0;
    probe.frames = if animated { frames.clamp(1, FRAMES_COUNTED_MAX) } else { 1 };
    probe.orientation = carriers.orientation();
    carriers.describe(&mut probe);
    Ok(probe)
}

fn take_chunk(probe: &mut Probe, kind: [u8; 4], chunk: &[u8]) {
    match &kind {
        b"ICCP" if probe.color_profile.icc.is_none() => {
            if let Some(profile) = ColorProfile::from_icc(chunk) {
                probe.color_profile = profile;
            }
        }
        b"VP8 " | b"VP8L" => {
            let inner = if &kind == b"VP8 " { lossy(chunk) } else { lossless(chunk) };
            if let Ok(inner) = inner {
                probe.whole_only |= inner.whole_only;
                probe.include_surface(inner.width, inner.height);
            }
        }
        b"ANMF" => {
            if let Some((width, height)) = le24(chunk, 6).zip(le24(chunk, 9)) {
                probe.include_surface(width + 1, height + 1);
            }
        }
        _ => {}
    }
}

fn cut_off() -> Error {
    Error::truncated("a WebP file that ends in its header")
}

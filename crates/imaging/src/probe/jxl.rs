//! JPEG XL: a codestream, bare or in boxes. Its header packs everything into bits.

mod header;

use std::borrow::Cow;
use std::io::Read;

use model::MediaType;

use super::boxes::Boxes;
use super::{ColorModel, Probe};
use crate::read::be32;
use crate::{Error, exif};
use header::Header;

/// The header is within these, unless channels have very long names.
const HEADER_BYTES_MAX: usize = 4096;
/// Compressed EXIF data larger than these are ignored.
const EXIF_BYTES_MAX: u64 = 1 << 20;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let (codestream, exif) =
        if bytes.starts_with(b"\xff\x0a") { (Cow::Borrowed(bytes), None) } else { unpack(bytes) };
    let header = codestream.strip_prefix(b"\xff\x0a").and_then(Header::read);
    let header = header.ok_or_else(|| match codestream.len() < 64 {
        true => Error::truncated("a JPEG XL file that ends in its header"),
        false => Error::damaged("a JPEG XL file with a bad header"),
    })?;
    let mut probe = Probe::new(MediaType::Jxl, header.width, header.height);
    probe.orientation = header.orientation;
    probe.bit_depth = header.bit_depth;
    probe.has_alpha = header.has_alpha;
    probe.color_model = if header.is_gray { ColorModel::Gray } else { ColorModel::Rgb };
    probe.frames = if header.is_animated { 2 } else { 1 };
    probe.color_profile = header.color_profile;
    probe.tiled = header.in_groups;
    // Its orientation does not count: the codestream has its own.
    probe.exif = exif.as_deref().and_then(exif::read).and_then(|found| found.exif);
    Ok(probe)
}

/// The beginning of the codestream and the EXIF block, out of their boxes.
fn unpack(bytes: &[u8]) -> (Cow<'_, [u8]>, Option<Cow<'_, [u8]>>) {
    let (mut codestream, mut exif) = (Cow::Borrowed(&[][..]), None);
    for found in Boxes::new(bytes) {
        match &found.kind {
            b"jxlc" => codestream = Cow::Borrowed(found.data),
            // A piece of it, after the piece's number.
            b"jxlp" if codestream.len() < HEADER_BYTES_MAX => {
                let piece = found.data.get(4..).unwrap_or_default();
                let wanted = piece.len().min(HEADER_BYTES_MAX);
                codestream.to_mut().extend(piece.iter().take(wanted));
            }
            b"Exif" => exif = block(found.data).map(Cow::Borrowed),
            b"brob" => {
                let compressed = found.data.strip_prefix(b"Exif").and_then(decompress);
                let inner = compressed.as_deref().and_then(block).map(<[u8]>::to_vec);
                exif = exif.or(inner.map(Cow::Owned));
            }
            _ => {}
        }
    }
    (codestream, exif)
}

/// The box begins with the distance to the block in it.
fn block(data: &[u8]) -> Option<&[u8]> {
    data.get(4..)?.get(be32(data, 0)? as usize..)
}

fn decompress(data: &[u8]) -> Option<Vec<u8>> {
    let mut decompressed = Vec::new();
    let mut reader = brotli_decompressor::Decompressor::new(data, 4096).take(EXIF_BYTES_MAX);
    reader.read_to_end(&mut decompressed).ok()?;
    Some(decompressed)
}

//! JPEG XL: a codestream, bare or in boxes. Its header packs everything into bits.

mod header;

use std::borrow::Cow;
use std::io::Read;

use model::MediaType;

use super::boxes::Boxes;
use super::{ColorModel, Probe};
use crate::metadata::Carriers;
use crate::metadata::xmp::COPIED_BYTES_MAX;
use crate::read::be32;
use crate::{Error, exif};
use header::Header;

/// The header is within these, unless channels have very long names.
const HEADER_BYTES_MAX: usize = 4096;
/// Compressed EXIF data larger than these are ignored.
const EXIF_BYTES_MAX: u64 = 1 << 20;
/// Compressed boxes beyond these are not looked at.
const COMPRESSED_MAX: usize = 4;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let Parts { codestream, exif, xmp } = match bytes.starts_with(b"\xff\x0a") {
        true => Parts { codestream: Cow::Borrowed(bytes), ..Parts::default() },
        false => Parts::read(bytes),
    };
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
    Carriers::new(exif.as_deref().and_then(exif::read), xmp).describe(&mut probe);
    Ok(probe)
}

/// The beginning of the codestream and what describes it, out of their boxes.
#[derive(Default)]
struct Parts<'a> {
    codestream: Cow<'a, [u8]>,
    exif: Option<Cow<'a, [u8]>>,
    xmp: Option<Cow<'a, [u8]>>,
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        let mut parts = Self::default();
        let mut compressed_left = COMPRESSED_MAX;
        for found in Boxes::new(bytes) {
            match &found.kind {
                b"jxlc" => parts.codestream = Cow::Borrowed(found.data),
                // A piece of it, after the piece's number.
                b"jxlp" if parts.codestream.len() < HEADER_BYTES_MAX => {
                    let piece = found.data.get(4..).unwrap_or_default();
                    let wanted = piece.len().min(HEADER_BYTES_MAX);
                    parts.codestream.to_mut().extend(piece.iter().take(wanted));
                }
                b"Exif" => parts.exif = block(found.data).map(Cow::Borrowed),
                b"xml " => parts.xmp = Some(Cow::Borrowed(found.data)),
                b"brob" if compressed_left > 0 => {
                    compressed_left -= 1;
                    parts.take_compressed(found.data);
                }
                _ => {}
            }
        }
        parts
    }

    /// A box whose kind stands before its compressed data.
    fn take_compressed(&mut self, data: &[u8]) {
        if let (None, Some(data)) = (&self.exif, data.strip_prefix(b"Exif")) {
            let inner = decompress(data, EXIF_BYTES_MAX);
            self.exif = inner.as_deref().and_then(block).map(|block| Cow::Owned(block.to_vec()));
        } else if let (None, Some(data)) = (&self.xmp, data.strip_prefix(b"xml ")) {
            self.xmp = decompress(data, COPIED_BYTES_MAX as u64).map(Cow::Owned);
        }
    }
}

/// The box begins with the distance to the block in it.
fn block(data: &[u8]) -> Option<&[u8]> {
    data.get(4..)?.get(be32(data, 0)? as usize..)
}

fn decompress(data: &[u8], bytes_max: u64) -> Option<Vec<u8>> {
    let mut decompressed = Vec::new();
    let mut reader = brotli_decompressor::Decompressor::new(data, 4096).take(bytes_max);
    reader.read_to_end(&mut decompressed).ok()?;
    Some(decompressed)
}

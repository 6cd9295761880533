//! PNG and APNG: a list of chunks.

use std::io::Read;

use flate2::read::ZlibDecoder;
use model::MediaType;

use super::icc::{ColorProfile, PROFILE_BYTES_MAX};
use super::{ColorModel, Probe};
use crate::metadata::Carriers;
use crate::read::{array_at, be32, slice_at};
use crate::{Error, exif};

/// A file of 256 MB in the usual chunks of 8 KB has 32,768 of them.
const CHUNKS_MAX: usize = 1 << 18;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let mut chunks = Chunks { bytes, at: 8, left: CHUNKS_MAX };
    let header = match chunks.next() {
        Some((name, header)) if &name == b"IHDR" => header,
        None if bytes.len() < 33 => return Err(cut_off()),
        _ => return Err(no_header()),
    };
    let mut probe = read_header(header)?;
    let mut carriers = Carriers::default();
    for (name, data) in chunks {
        match &name {
            b"IEND" => break,
            b"eXIf" if carriers.exif.is_none() => carriers.exif = exif::read(data),
            b"tEXt" | b"zTXt" | b"iTXt" => carriers.take_png_text(name, data),
            _ => take_chunk(&mut probe, name, data),
        }
    }
    probe.orientation = carriers.orientation();
    carriers.describe(&mut probe);
    Ok(probe)
}

fn read_header(header: &[u8]) -> Result<Probe, Error> {
    let fields = || Some((be32(header, 0)?, be32(header, 4)?, array_at::<5>(header, 8)?));
    let (width, height, [depth, color_type, _, _, interlace]) = fields().ok_or_else(no_header)?;
    if width > i32::MAX as u32 || height > i32::MAX as u32 {
        return Err(Error::damaged("a PNG file of an impossible size"));
    }
    let mut probe = Probe::new(MediaType::Png, width, height);
    probe.whole_only = interlace != 0;
    (probe.color_model, probe.has_alpha) = match color_type {
        0 => (ColorModel::Gray, false),
        2 | 3 => (ColorModel::Rgb, false),
        4 => (ColorModel::Gray, true),
        6 => (ColorModel::Rgb, true),
        _ => return Err(Error::damaged("a PNG file of an unknown colour type")),
    };
    probe.bit_depth = match (color_type, depth) {
        (3, 1 | 2 | 4 | 8) => 8,
        (0, 1 | 2 | 4) | (0 | 2 | 4 | 6, 8 | 16) => depth,
        _ => return Err(Error::damaged("a PNG file of an impossible bit depth")),
    };
    Ok(probe)
}

fn take_chunk(probe: &mut Probe, name: [u8; 4], data: &[u8]) {
    match &name {
        b"tRNS" => probe.has_alpha = true,
        b"acTL" => probe.frames = be32(data, 0).unwrap_or(1).max(1),
        b"iCCP" if probe.color_profile.icc.is_none() => {
            if let Some(profile) = profile(data) {
                probe.color_profile = profile;
            }
        }
        b"cICP" => {
            // Wins over a profile, by the third edition of the standard.
            if let Some([primaries, transfer]) = array_at(data, 0) {
                probe.color_profile =
                    ColorProfile::from_code_points(u16::from(primaries), u16::from(transfer));
            }
        }
        _ => {}
    }
}

/// A name, a zero, the compression method and the deflated profile.
fn profile(data: &[u8]) -> Option<ColorProfile> {
    let name = data.iter().take(80).position(|&b| b == 0)?;
    let deflated = data.get(name + 2..)?;
    let mut icc = Vec::new();
    let mut inflated = ZlibDecoder::new(deflated).take(PROFILE_BYTES_MAX as u64 + 1);
    inflated.read_to_end(&mut icc).ok()?;
    ColorProfile::from_icc(&icc)
}

/// The chunks, up to the first that is not whole.
struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = ([u8; 4], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let length = be32(self.bytes, self.at)? as usize;
        let name = array_at(self.bytes, self.at + 4)?;
        let data = slice_at(self.bytes, self.at + 8, length)?;
        self.at = self.at.checked_add(length)?.checked_add(12)?;
        Some((name, data))
    }
}

fn no_header() -> Error {
    Error::damaged("a PNG file without a header")
}

fn cut_off() -> Error {
    Error::truncated("a PNG file that ends in its header")
}

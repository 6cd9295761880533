//! JPEG 2000: boxes around a stream of code, or the stream alone.

use std::borrow::Cow;

use model::MediaType;

use super::boxes::{Boxes, XMP_BOX, child};
use super::icc::{ColorProfile, ProfileKind};
use super::{ColorModel, Probe};
use crate::metadata::Carriers;
use crate::read::{be16, be32};
use crate::{Error, exif};

/// Marks of a stream that are walked over before the first tile.
const SEGMENTS_MAX: usize = 1000;
const CHANNELS_MAX: u16 = 5;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let code = match bytes.starts_with(b"\xff\x4f") {
        true => bytes,
        false => child(bytes, b"jp2c").ok_or_else(cut_off)?.data,
    };
    let stream = Stream::read(code)?;
    let mut probe = Probe::new(MediaType::Jp2, stream.width, stream.height);
    probe.bit_depth = stream.bits;
    probe.include_surface(stream.tile.0, stream.tile.1);
    probe.levels = stream.levels;
    let boxes = child(bytes, b"jp2h").map(|found| found.data).unwrap_or_default();
    // A palette turns one channel into several.
    let palette = child(boxes, b"pclr").and_then(|found| found.data.get(2).copied());
    let channels = palette.map_or(stream.channels, u16::from);
    let colors = Boxes::new(boxes).find(|found| &found.kind == b"colr").map(|found| found.data);
    let inks = colors.and_then(|colors| be32(colors, 3)) == Some(12);
    probe.color_model = match channels {
        1 | 2 => ColorModel::Gray,
        4 if inks => ColorModel::Cmyk,
        _ => ColorModel::Rgb,
    };
    probe.has_alpha = matches!(channels, 2 | 4) && !inks;
    let icc = colors.filter(|colors| matches!(colors.first(), Some(2 | 3)));
    if let Some(profile) = icc.and_then(|icc| ColorProfile::from_icc(icc.get(3..)?)) {
        if profile.kind == ProfileKind::Cmyk {
            probe.color_model = ColorModel::Cmyk;
            probe.has_alpha = false;
        }
        probe.color_profile = profile;
    } else if inks {
        probe.color_profile = ColorProfile::named(ProfileKind::Cmyk);
    }
    carriers(bytes).describe(&mut probe);
    Ok(probe)
}

/// What may say something about the picture. Orientation does not count here.
fn carriers(bytes: &[u8]) -> Carriers<'_> {
    const EXIF: &[u8] = b"JpgTiffExif->JP2";
    const IPTC: &[u8] = b"\x33\xc7\xa4\xd2\xb8\x1d\x47\x23\xa0\xba\xf1\xa3\xe0\x97\xad\x38";
    let mut carriers = Carriers::default();
    for found in Boxes::new(bytes).filter(|found| &found.kind == b"uuid") {
        let Some((name, data)) = found.data.split_at_checked(16) else { continue };
        match name {
            EXIF => carriers.exif = carriers.exif.or_else(|| exif::read(data)),
            IPTC => carriers.iptc = carriers.iptc.or(Some(Cow::Borrowed(data))),
            XMP_BOX => carriers.xmp = carriers.xmp.or(Some(Cow::Borrowed(data))),
            _ => {}
        }
    }
    carriers
}

/// What the head of a stream says.
struct Stream {
    width: u32,
    height: u32,
    tile: (u32, u32),
    channels: u16,
    bits: u8,
    /// How often it can be halved.
    levels: u8,
}

impl Stream {
    fn read(code: &[u8]) -> Result<Self, Error> {
        let field = |at| be32(code, at).ok_or_else(cut_off);
        if code.get(..4).ok_or_else(cut_off)? != b"\xff\x4f\xff\x51" {
            return Err(Error::damaged("a JPEG 2000 file without a size"));
        }
        let side = |end: u32, start: u32| end.checked_sub(start);
        let size = side(field(8)?, field(16)?).zip(side(field(12)?, field(20)?));
        let (width, height) = size.ok_or_else(|| Error::damaged("JPEG 2000 of negative size"))?;
        let tile = (field(24)?.min(width), field(28)?.min(height));
        let channels = be16(code, 40).ok_or_else(cut_off)?;
        if !(1..=CHANNELS_MAX).contains(&channels) {
            return Err(Error::unsupported(format!("JPEG 2000 of {channels} channels")));
        }
        let bits = (code.get(42).ok_or_else(cut_off)? & 0x7f) + 1;
        let levels = levels(code).unwrap_or(0);
        Ok(Self { width, height, tile, channels, bits: bits.min(38), levels })
    }
}

/// From the segment that says how the code is made.
fn levels(code: &[u8]) -> Option<u8> {
    let mut at = 2;
    for _ in 0..SEGMENTS_MAX {
        let (mark, length) = (be16(code, at)?, be16(code, at + 2)?);
        match mark {
            0xff52 => return code.get(at + 9).copied().map(|levels| levels.min(32)),
            0xff90 | 0xffd9 => return None,
            _ => at += 2 + usize::from(length),
        }
    }
    None
}

fn cut_off() -> Error {
    Error::truncated("a JPEG 2000 file that ends in its header")
}

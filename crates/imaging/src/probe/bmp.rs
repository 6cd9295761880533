//! BMP: one header of a few lengths.

use model::MediaType;

use super::Probe;
use crate::Error;
use crate::read::{le16, le32};

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let header_bytes = le32(bytes, 14).ok_or_else(cut_off)?;
    let (width, height, bits) = if header_bytes == 12 {
        let fields = le16(bytes, 18).zip(le16(bytes, 20)).zip(le16(bytes, 24));
        let ((width, height), bits) = fields.ok_or_else(cut_off)?;
        (i32::from(width), i32::from(height), bits)
    } else {
        let fields = le32(bytes, 18).zip(le32(bytes, 22)).zip(le16(bytes, 28));
        let ((width, height), bits) = fields.ok_or_else(cut_off)?;
        (width.cast_signed(), height.cast_signed(), bits)
    };
    // A negative height means that rows go from top to bottom.
    let width = u32::try_from(width).map_err(|_| Error::damaged("a BMP file of negative width"))?;
    if !matches!(bits, 1 | 2 | 4 | 8 | 16 | 24 | 32) {
        return Err(Error::damaged("a BMP file of an impossible bit depth"));
    }
    if header_bytes >= 40 && matches!(le32(bytes, 30), Some(JPEG_INSIDE | PNG_INSIDE)) {
        return Err(Error::unsupported("a BMP file with a JPEG or PNG file in it"));
    }
    let mut probe = Probe::new(MediaType::Bmp, width, height.unsigned_abs());
    let alpha_mask = if header_bytes >= 56 { le32(bytes, 66).unwrap_or(0) } else { 0 };
    probe.has_alpha = alpha_mask != 0 && matches!(bits, 16 | 32);
    Ok(probe)
}

/// Values of the field "compression".
const JPEG_INSIDE: u32 = 4;
const PNG_INSIDE: u32 = 5;

fn cut_off() -> Error {
    Error::truncated("a BMP file that ends in its header")
}

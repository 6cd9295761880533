//! Photoshop's resources: a list of numbered blocks, of which JPEG and TIFF files carry some too.

use crate::read::{array_at, be16, be32, slice_at};

/// IPTC data.
pub(crate) const IPTC: u16 = 0x0404;
/// XMP data.
pub(crate) const XMP: u16 = 0x0424;
/// The MD5 of the IPTC data when they were last made equal to the XMP data.
pub(crate) const IPTC_DIGEST: u16 = 0x0425;

/// Resources of one list that are looked at; real ones have some dozens.
const RESOURCES_MAX: usize = 4096;

/// The data of the first resource of a number.
pub(crate) fn find(resources: &[u8], wanted: u16) -> Option<&[u8]> {
    let mut at = 0;
    for _ in 0..RESOURCES_MAX {
        // Others than Adobe have signs of their own (`PHUT`, `AgHg`, `DCSR`, `MeSa`).
        let sign: [u8; 4] = array_at(resources, at)?;
        if !sign.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        // The name has a length and is filled up to an even number of bytes with it.
        let name = usize::from(*resources.get(at + 6)?);
        let length_at = at + 6 + (name + 2) / 2 * 2;
        let length = be32(resources, length_at)? as usize;
        let data = slice_at(resources, length_at + 4, length)?;
        if be16(resources, at + 4)? == wanted {
            return Some(data);
        }
        at = length_at + 4 + length + length % 2;
    }
    None
}

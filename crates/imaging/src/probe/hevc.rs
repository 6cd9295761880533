//! The size that an HEVC bitstream really has: decoders allocate by it, whatever the file claims.

use super::bits::{Bits, Order};
use crate::read::{be16, slice_at};

/// Type of the unit that holds the size.
const SEQUENCE_PARAMETERS: u8 = 33;
/// Sizes stand within the first bytes of their unit.
const UNIT_BYTES_MAX: usize = 256;

/// The largest coded size in a decoder configuration (`hvcC`).
pub(super) fn coded_size(configuration: &[u8]) -> Option<(u32, u32)> {
    let arrays = *configuration.get(22)?;
    let mut at = 23;
    let mut largest: Option<(u32, u32)> = None;
    for _ in 0..arrays {
        let kind = configuration.get(at)? & 0x3f;
        let units = be16(configuration, at + 1)?;
        at += 3;
        for _ in 0..units {
            let length = usize::from(be16(configuration, at)?);
            let unit = slice_at(configuration, at + 2, length)?;
            at += 2 + length;
            if kind == SEQUENCE_PARAMETERS {
                let area = |(width, height): &(u32, u32)| u64::from(*width) * u64::from(*height);
                largest = largest.into_iter().chain(size_of(unit)).max_by_key(area);
            }
        }
    }
    largest
}

/// The size in a unit of sequence parameters.
fn size_of(unit: &[u8]) -> Option<(u32, u32)> {
    let payload = unescape(unit.get(2..)?);
    let mut bits = Bits::new(&payload, Order::HighFirst);
    bits.skip(4);
    let sub_layers = bits.number(3)?;
    bits.skip(1);
    skip_profile(&mut bits, sub_layers)?;
    bits.exp_golomb()?;
    // Three colour planes apart have a flag more.
    if bits.exp_golomb()? == 3 {
        bits.skip(1);
    }
    Some((bits.exp_golomb()?, bits.exp_golomb()?))
}

/// Profile and level, of the whole and of each layer.
fn skip_profile(bits: &mut Bits<'_>, sub_layers: u32) -> Option<()> {
    bits.skip(96);
    let present: Option<Vec<_>> = (0..sub_layers).map(|_| bits.flag().zip(bits.flag())).collect();
    if sub_layers > 0 {
        bits.skip(2 * (8 - sub_layers as usize));
    }
    for (profile, level) in present? {
        bits.skip(if profile { 88 } else { 0 } + if level { 8 } else { 0 });
    }
    Some(())
}

/// Without the bytes that keep start codes from appearing.
fn unescape(unit: &[u8]) -> Vec<u8> {
    let unit = unit.get(..UNIT_BYTES_MAX).unwrap_or(unit);
    let mut payload = Vec::with_capacity(unit.len());
    let mut zeros = 0;
    for &byte in unit {
        if zeros >= 2 && byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        payload.push(byte);
    }
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What x265 wrote for 64×48 pixels, the least HEVC can code being 64×64 here.
    #[test]
    fn the_size_is_that_of_the_bitstream() {
        let file = include_bytes!("../../tests/fixtures/plain.heic");
        let at = file.windows(4).position(|kind| kind == b"hvcC").unwrap();
        assert_eq!(coded_size(&file[at + 4..]), Some((64, 64)));
    }

    #[test]
    fn escapes_are_taken_out() {
        assert_eq!(unescape(&[0, 0, 3, 1, 0, 3, 0, 0, 3, 0, 0, 3]), [0, 0, 1, 0, 3, 0, 0, 0, 0]);
    }
}

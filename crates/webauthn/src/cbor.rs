//! Reading CBOR as authenticators write it: lengths are told beforehand, and nothing is nested
//! deep. What it is of no use to understand is stepped over.

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;

/// Authenticators nest four levels at most (CTAP 2.1, section 8); statements of attestation may
/// hold a little more.
const DEPTH_MAX: u8 = 8;

/// How many entries a map has.
pub(crate) fn map_len(decoder: &mut Decoder<'_>) -> Result<u64, Error> {
    decoder.map()?.ok_or_else(|| Error::message("a map does not tell its length"))
}

/// Steps over one value.
pub(crate) fn skip(decoder: &mut Decoder<'_>) -> Result<(), Error> {
    skip_within(decoder, DEPTH_MAX)
}

fn skip_within(decoder: &mut Decoder<'_>, depth: u8) -> Result<(), Error> {
    let inner = depth.checked_sub(1).ok_or_else(|| Error::message("it is nested too deep"))?;
    match decoder.datatype()? {
        Type::Map => {
            // However many it claims to have, each takes a byte at least.
            for _ in 0..map_len(decoder)? {
                skip_within(decoder, inner)?;
                skip_within(decoder, inner)?;
            }
            Ok(())
        }
        Type::Array => {
            let len = decoder.array()?;
            for _ in 0..len.ok_or_else(|| Error::message("an array does not tell its length"))? {
                skip_within(decoder, inner)?;
            }
            Ok(())
        }
        Type::Tag => {
            decoder.tag()?;
            skip_within(decoder, inner)
        }
        Type::ArrayIndef
        | Type::MapIndef
        | Type::BytesIndef
        | Type::StringIndef
        | Type::Break
        | Type::Unknown(_) => Err(Error::message("no authenticator writes this")),
        _ => decoder.skip(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(bytes: &[u8]) -> Option<usize> {
        let mut decoder = Decoder::new(bytes);
        skip(&mut decoder).ok().map(|()| decoder.position())
    }

    #[test]
    fn one_value_is_stepped_over_and_nothing_behind_it() {
        for (value, len) in [
            (&[0x00, 0xFF][..], 1),
            (&[0x43, 1, 2, 3, 9], 4),
            (&[0x82, 0x01, 0x61, b'a', 9], 4),
            (&[0xA1, 0x01, 0x81, 0xF5, 9], 4),
            (&[0xC1, 0x18, 0x64, 9], 3),
            (&[0xFB, 0, 0, 0, 0, 0, 0, 0, 0, 9], 9),
        ] {
            assert_eq!(skipped(value), Some(len), "{value:x?}");
        }
    }

    #[test]
    fn what_no_authenticator_writes_is_refused() {
        let deep = [vec![0x81; 9], vec![0x00]].concat();
        let bearable = [vec![0x81; 7], vec![0x00]].concat();
        assert_eq!(skipped(&bearable), Some(8));
        for wrong in [
            &[][..],
            &[0x43, 1, 2],
            &[0x9F, 0xFF],
            &[0xBF, 0xFF],
            &[0x5F, 0x41, 1, 0xFF],
            &[0xFF],
            &[0x1C],
            &[0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0],
            &[0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0],
            &deep,
            &vec![0xC1; 60_000],
        ] {
            assert_eq!(skipped(wrong), None, "{:x?}", wrong.get(..10));
        }
    }
}

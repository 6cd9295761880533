//! Whether bytes are attributes, without building any.

use minicbor::Decoder;
use minicbor::data::Type;

use super::{DEPTH_MAX, EncodedError, UNKNOWN_KIND, deeper, definite, number};

/// The entries of a map that has been checked.
pub(super) struct Entries<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) count: usize,
}

/// The entries of the map that is all of `map`.
pub(super) fn entries_of(
    map: &[u8],
    is_taken: impl FnMut(&str) -> bool,
) -> Result<Entries<'_>, EncodedError> {
    let mut decoder = Decoder::new(map);
    let count = definite(decoder.map()?)?;
    let bytes = map.get(decoder.position()..).unwrap_or_default();
    check_entries(&mut decoder, count, DEPTH_MAX, is_taken)?;
    match decoder.position() == map.len() {
        true => Ok(Entries { bytes, count }),
        false => Err(EncodedError::Unexpected("bytes follow the last attribute")),
    }
}

fn check_entries(
    decoder: &mut Decoder<'_>,
    count: usize,
    depth: usize,
    mut is_taken: impl FnMut(&str) -> bool,
) -> Result<(), EncodedError> {
    let mut last: Option<&str> = None;
    for _ in 0..count {
        let name = decoder.str()?;
        if last.is_some_and(|last| last >= name) {
            return Err(EncodedError::Unexpected("attributes are not in order"));
        }
        if is_taken(name) {
            return Err(EncodedError::Unexpected("an attribute stands twice"));
        }
        last = Some(name);
        check_value(decoder, depth)?;
    }
    Ok(())
}

fn check_value(decoder: &mut Decoder<'_>, depth: usize) -> Result<(), EncodedError> {
    match decoder.datatype()? {
        Type::String => decoder.str().map(drop)?,
        Type::U8
        | Type::U16
        | Type::U32
        | Type::U64
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64 => decoder.i64().map(drop)?,
        Type::F64 => number(decoder.f64()?).map(drop)?,
        Type::Bool => decoder.bool().map(drop)?,
        Type::Bytes => decoder.bytes().map(drop)?,
        Type::Null => decoder.null()?,
        Type::Array => {
            let depth = deeper(depth)?;
            for _ in 0..definite(decoder.array()?)? {
                check_value(decoder, depth)?;
            }
        }
        Type::Map => {
            let depth = deeper(depth)?;
            let count = definite(decoder.map()?)?;
            check_entries(decoder, count, depth, |_| false)?;
        }
        _ => return Err(UNKNOWN_KIND),
    }
    Ok(())
}

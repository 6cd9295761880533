//! How the attributes that have no column of their own are kept: one format byte, then a CBOR
//! map from attribute name to value.

use std::convert::Infallible;

use table::{AttributeName, Change, EncodedAttributes, EncodedError, Value, encode_attributes};

/// The only format so far. A later one gets another byte and both stay readable.
const FORMAT: u8 = 1;

/// Why a body cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("format byte {0:?} is unknown")]
    Format(Option<u8>),
    #[error("{0}")]
    Attributes(#[from] EncodedError),
}

/// Adds the body of `count` attributes, which come in the order of their names, to `bytes`.
pub(crate) fn encode<'a>(
    mut bytes: Vec<u8>,
    count: usize,
    attributes: impl Iterator<Item = (&'a AttributeName, &'a Value)>,
) -> Result<Vec<u8>, minicbor::encode::Error<Infallible>> {
    bytes.push(FORMAT);
    encode_attributes(bytes, count, attributes)
}

/// Adds the body that was [read](read) last, after some changes of its attributes, to `bytes`. `None`
/// if that takes knowing more of them; see [`EncodedAttributes::encode_changed_map`].
pub(crate) fn encode_changed(
    mut bytes: Vec<u8>,
    attributes: &EncodedAttributes,
    changes: &[Change],
    is_elsewhere: impl FnMut(&[u8]) -> bool,
) -> Option<Vec<u8>> {
    bytes.push(FORMAT);
    attributes.encode_changed_map(bytes, changes, is_elsewhere)
}

/// Adds the attributes of a body to those that are there. `is_taken` knows their names, and is
/// asked for names in their order.
pub(crate) fn read(
    body: &[u8],
    attributes: &mut EncodedAttributes,
    is_taken: impl FnMut(&[u8]) -> bool,
) -> Result<(), BodyError> {
    match body.split_first() {
        Some((&FORMAT, map)) => Ok(attributes.push_map(map, is_taken)?),
        other => Err(BodyError::Format(other.map(|(format, _)| *format))),
    }
}

#[cfg(test)]
mod tests {
    use table::Attributes;

    use super::*;

    #[test]
    fn bytes_written_by_the_first_version_stay_readable() {
        let body = b"\x01\xa2\x61a\x18\x2a\x61b\x64text";
        let expected =
            Attributes::from([("a".into(), Value::int(42)), ("b".into(), "text".into())]);
        let mut attributes = EncodedAttributes::default();
        read(body, &mut attributes, |_| false).unwrap();
        assert_eq!(attributes.decode(), expected);
        assert_eq!(encode(Vec::new(), expected.len(), expected.iter()).unwrap(), body);
    }

    #[test]
    fn a_body_of_a_later_format_is_refused() {
        let mut attributes = EncodedAttributes::default();
        let mut refused = |body: &[u8]| read(body, &mut attributes, |_| false).unwrap_err();
        assert!(matches!(refused(b"\x02\xa0"), BodyError::Format(Some(2))));
        assert!(matches!(refused(b""), BodyError::Format(None)));
    }
}

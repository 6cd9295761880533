//! How the attributes that have no column of their own are kept: one format byte, then a CBOR
//! map from attribute name to value. Names are written out, so that an item carries
//! attributes that this version does not know, and any CBOR tool can show them.
//!
//! Decoding must never panic or exhaust memory or stack, whatever the bytes.

use std::convert::Infallible;

use minicbor::data::Type;
use minicbor::{Decoder, Encoder};
use table::{AttributeName, Attributes, Number, Value};

/// The only format so far. A later one gets another byte and both stay readable.
const FORMAT: u8 = 1;
/// One more level than a value may have, for the map of attributes itself.
const DEPTH_MAX: usize = 33;

/// Why a body cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("format byte {0:?} is unknown")]
    Format(Option<u8>),
    #[error("{0}")]
    Cbor(#[from] minicbor::decode::Error),
    #[error("{0}")]
    Unexpected(&'static str),
}

type EncodeResult = Result<(), minicbor::encode::Error<Infallible>>;

/// Appends the attributes, `count` of them, to `bytes`.
pub(crate) fn encode<'a>(
    bytes: Vec<u8>,
    count: usize,
    attributes: impl Iterator<Item = (&'a AttributeName, &'a Value)>,
) -> Result<Vec<u8>, minicbor::encode::Error<Infallible>> {
    let mut encoder = Encoder::new(bytes);
    encoder.writer_mut().push(FORMAT);
    encoder.map(length(count))?;
    for (name, value) in attributes {
        encoder.str(name)?;
        encode_value(&mut encoder, value)?;
    }
    Ok(encoder.into_writer())
}

fn encode_value(encoder: &mut Encoder<Vec<u8>>, value: &Value) -> EncodeResult {
    match value {
        Value::S(text) => encoder.str(text)?,
        Value::N(number) => match number.as_i64() {
            Some(int) => encoder.i64(int)?,
            None => encoder.f64(number.as_f64())?,
        },
        Value::Bool(flag) => encoder.bool(*flag)?,
        Value::B(bytes) => encoder.bytes(bytes)?,
        Value::Null => encoder.null()?,
        Value::L(list) => {
            encoder.array(length(list.len()))?;
            for value in list {
                encode_value(encoder, value)?;
            }
            encoder
        }
        Value::M(map) => {
            encoder.map(length(map.len()))?;
            for (name, value) in map {
                encoder.str(name)?;
                encode_value(encoder, value)?;
            }
            encoder
        }
    };
    Ok(())
}

fn length(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Reads the attributes of a body one by one, as they stand there. Those written here are in
/// the order of their names.
pub(crate) struct Reader<'b> {
    decoder: Decoder<'b>,
    left: u64,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Self, BodyError> {
        let cbor = match bytes.split_first() {
            Some((&FORMAT, cbor)) => cbor,
            other => return Err(BodyError::Format(other.map(|(format, _)| *format))),
        };
        let mut decoder = Decoder::new(cbor);
        let left = decoder.map()?.ok_or(BodyError::Unexpected("a map has no length"))?;
        Ok(Self { decoder, left })
    }

    /// Room to make for the attributes that are left.
    pub(crate) fn size_hint(&self) -> usize {
        believable(self.left)
    }

    /// The next attribute, or nothing after the last.
    pub(crate) fn read(&mut self) -> Result<Option<(&'b str, Value)>, BodyError> {
        let Some(left) = self.left.checked_sub(1) else {
            return match self.decoder.position() == self.decoder.input().len() {
                true => Ok(None),
                false => Err(BodyError::Unexpected("bytes follow the last attribute")),
            };
        };
        self.left = left;
        let name = self.decoder.str()?;
        Ok(Some((name, decode_value(&mut self.decoder, DEPTH_MAX)?)))
    }
}

fn decode_value(decoder: &mut Decoder<'_>, depth: usize) -> Result<Value, BodyError> {
    Ok(match decoder.datatype()? {
        Type::String => Value::S(decoder.str()?.to_owned()),
        Type::U8
        | Type::U16
        | Type::U32
        | Type::U64
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64 => Value::int(decoder.i64()?),
        Type::F64 => Value::N(
            Number::from_f64(decoder.f64()?)
                .map_err(|_| BodyError::Unexpected("a number is out of range"))?,
        ),
        Type::Bool => Value::Bool(decoder.bool()?),
        Type::Bytes => Value::B(decoder.bytes()?.to_vec()),
        Type::Null => {
            decoder.null()?;
            Value::Null
        }
        Type::Array => Value::L(decode_list(decoder, deeper(depth)?)?),
        Type::Map => Value::M(decode_map(decoder, deeper(depth)?)?),
        _ => return Err(BodyError::Unexpected("a value is of an unknown kind")),
    })
}

fn decode_list(decoder: &mut Decoder<'_>, depth: usize) -> Result<Vec<Value>, BodyError> {
    let length = decoder.array()?.ok_or(BodyError::Unexpected("a list has no length"))?;
    let mut list = Vec::with_capacity(believable(length));
    for _ in 0..length {
        list.push(decode_value(decoder, depth)?);
    }
    Ok(list)
}

fn decode_map(decoder: &mut Decoder<'_>, depth: usize) -> Result<Attributes, BodyError> {
    let length = decoder.map()?.ok_or(BodyError::Unexpected("a map has no length"))?;
    let mut entries = Vec::with_capacity(believable(length));
    for _ in 0..length {
        let name = AttributeName::from(decoder.str()?);
        entries.push((name, decode_value(decoder, depth)?));
    }
    // They are in order, which makes the map cheap to build.
    let count = entries.len();
    let map = Attributes::from_iter(entries);
    if map.len() != count {
        return Err(BodyError::Unexpected("an attribute stands twice"));
    }
    Ok(map)
}

/// Room to make for what claims this length. More than that must really be there first.
fn believable(length: u64) -> usize {
    usize::try_from(length.min(64)).unwrap_or(0)
}

fn deeper(depth: usize) -> Result<usize, BodyError> {
    depth.checked_sub(1).ok_or(BodyError::Unexpected("values are nested too deeply"))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use testkit::seed::seed_from_env_or_random;

    use super::*;

    fn encoded(attributes: &Attributes) -> Vec<u8> {
        encode(Vec::new(), attributes.len(), attributes.iter()).unwrap()
    }

    fn of_every_kind() -> Attributes {
        let nested = Attributes::from([("ä".into(), Value::Null)]);
        Attributes::from([
            ("text".into(), "naïve \0 𝄞".into()),
            ("small".into(), Value::int(7)),
            ("least".into(), Value::int(i64::MIN)),
            ("greatest".into(), Value::int(i64::MAX)),
            ("float".into(), Value::N(Number::from_f64(0.1).unwrap())),
            ("yes".into(), true.into()),
            ("bytes".into(), vec![0u8, 255].into()),
            ("list".into(), vec![Value::int(1), "x".into(), Value::M(nested)].into()),
            ("null".into(), Value::Null),
        ])
    }

    fn decode(bytes: &[u8]) -> Result<Attributes, BodyError> {
        let mut reader = Reader::new(bytes)?;
        let mut attributes = Attributes::new();
        while let Some((name, value)) = reader.read()? {
            attributes.insert(name.into(), value);
        }
        Ok(attributes)
    }

    fn decoded(bytes: &[u8]) -> Attributes {
        decode(bytes).unwrap()
    }

    fn nested(levels: usize) -> Attributes {
        let value = (1..levels).fold(Value::int(1), |inner, _| Value::L(vec![inner]));
        Attributes::from([("nested".into(), value)])
    }

    #[test]
    fn every_kind_of_value_reads_back() {
        let attributes = of_every_kind();
        assert_eq!(decoded(&encoded(&attributes)), attributes);
        assert_eq!(decoded(&encoded(&Attributes::new())), Attributes::new());
    }

    #[test]
    fn every_integer_reads_back() {
        let borders = (0..64).flat_map(|bit| {
            let power = (1u64 << bit).cast_signed();
            [power.wrapping_sub(1), power, power.wrapping_add(1)]
        });
        for int in borders.flat_map(|int| [int, int.wrapping_neg()]).chain([23, 24, -24, -25]) {
            let attributes = Attributes::from([("n".into(), Value::int(int))]);
            assert_eq!(decoded(&encoded(&attributes)), attributes, "{int}");
        }
    }

    #[test]
    fn random_bytes_never_panic_and_what_reads_is_kept() {
        let mut rng = StdRng::seed_from_u64(seed_from_env_or_random("body"));
        let whole = encoded(&of_every_kind());
        for _ in 0..20_000 {
            let mut bytes = whole.clone();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..bytes.len());
                bytes[at] = rng.random();
            }
            if let Ok(attributes) = decode(&bytes) {
                assert_eq!(decoded(&encoded(&attributes)), attributes);
            }
        }
    }

    #[test]
    fn bytes_written_by_the_first_version_stay_readable() {
        let bytes = b"\x01\xa3\x61a\x18\x2a\x61b\x64text\x61c\x82\xf5\xf6";
        let attributes = Attributes::from([
            ("a".into(), Value::int(42)),
            ("b".into(), "text".into()),
            ("c".into(), vec![Value::Bool(true), Value::Null].into()),
        ]);
        assert_eq!(decoded(bytes), attributes);
        assert_eq!(encoded(&attributes), bytes);
    }

    #[test]
    fn the_deepest_value_allowed_reads_back_and_a_deeper_one_does_not() {
        assert_eq!(decoded(&encoded(&nested(32))), nested(32));
        let mut bomb = vec![FORMAT, 0xa1, 0x61, b'x'];
        bomb.extend(std::iter::repeat_n(0x81, 1_000_000));
        assert!(decode(&bomb).is_err());
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_panic() {
        let whole = encoded(&of_every_kind());
        for end in 0..whole.len() {
            assert!(decode(&whole[..end]).is_err());
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let _ = decode(&bytes);
            }
        }
        assert!(decode(&[whole.as_slice(), &[0]].concat()).is_err());
        assert!(decode(b"\x01\xbb\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
        assert!(decode(b"\x01\x9b\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
        assert!(decode(b"\x01\xa1\x61x\xa2\x61a\x01\x61a\x02").is_err());
        assert!(matches!(decode(b"\x02\xa0"), Err(BodyError::Format(Some(2)))));
        assert!(matches!(decode(b""), Err(BodyError::Format(None))));
    }
}

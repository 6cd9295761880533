//! Attributes as CBOR, the form in which an engine may keep them and hand them out again
//! without building a tree of values that nobody may look at.
//!
//! A map is written with its length, its names in order. Names are written out, so that an
//! item carries attributes that this version does not know, and any CBOR tool can show them.
//!
//! Checking and decoding must never panic or exhaust memory or stack, whatever the bytes.

mod check;
mod deserialize;
mod merge;

use std::convert::Infallible;

use minicbor::data::Type;
use minicbor::{Decoder, Encoder};

use crate::{AttributeName, Attributes, Change, Number, Value};

pub(crate) use deserialize::DeserializeError;

/// One more level than a value may have, for the map of attributes itself.
const DEPTH_MAX: usize = 33;

/// Why bytes are no attributes.
#[derive(Debug, thiserror::Error)]
pub enum EncodedError {
    /// It is no CBOR.
    #[error("{0}")]
    Cbor(#[from] minicbor::decode::Error),
    /// It is CBOR that is never written here.
    #[error("{0}")]
    Unexpected(&'static str),
}

type EncodeResult = Result<(), minicbor::encode::Error<Infallible>>;

/// Appends attributes, `count` of them in the order of their names, to `bytes` as a map.
///
/// # Errors
/// None that can happen; the encoder's type has one.
pub fn encode_attributes<'a>(
    bytes: Vec<u8>,
    count: usize,
    attributes: impl Iterator<Item = (&'a AttributeName, &'a Value)>,
) -> Result<Vec<u8>, minicbor::encode::Error<Infallible>> {
    let mut encoder = Encoder::new(bytes);
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

/// The attributes of an item as they were stored: checked, but not decoded.
#[derive(Clone, Debug, Default)]
pub struct EncodedAttributes {
    /// Names and values by turns, all of which have been checked, none of them twice.
    entries: Vec<u8>,
    count: usize,
    /// Where those of the map begin that was added last, unless others were added since.
    map_at: Option<usize>,
}

impl EncodedAttributes {
    /// No attributes, with room for entries of this many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { entries: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Adds a text. The caller knows that the name is not there yet.
    pub fn push_text(&mut self, name: &str, text: &str) {
        push_text(&mut self.entries, name);
        push_text(&mut self.entries, text);
        self.count += 1;
        self.map_at = None;
    }

    /// Adds a number. The caller knows that the name is not there yet.
    pub fn push_number(&mut self, name: &str, number: Number) {
        push_text(&mut self.entries, name);
        let mut encoder = Encoder::new(std::mem::take(&mut self.entries));
        let written = encode_value(&mut encoder, &Value::N(number));
        // Writing to memory does not fail.
        debug_assert!(written.is_ok());
        self.entries = encoder.into_writer();
        self.count += 1;
        self.map_at = None;
    }

    /// Adds all attributes of a map that [`encode_attributes`] has written, after checking
    /// every byte of it.
    ///
    /// # Errors
    /// [`EncodedError`] when it is no such map, or has a name of which `is_taken` says that it
    /// is there already. Names are asked for in their order, as bytes.
    pub fn push_map(
        &mut self,
        map: &[u8],
        is_taken: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), EncodedError> {
        let entries = check::entries_of(map, is_taken)?;
        self.map_at = Some(self.entries.len());
        self.entries.extend_from_slice(entries.bytes);
        self.count += entries.count;
        Ok(())
    }

    /// Appends the map that was [added](Self::push_map) last to `bytes`, after some changes of its
    /// attributes; those that stay are not decoded.
    ///
    /// `None` if something else was added since, if a change must know the value that is there, or
    /// if the map has a name of which `is_elsewhere` says that it belongs elsewhere. Names are
    /// asked for in their order, as bytes.
    pub fn encode_changed_map(
        &self,
        bytes: Vec<u8>,
        changes: &[Change],
        mut is_elsewhere: impl FnMut(&[u8]) -> bool,
    ) -> Option<Vec<u8>> {
        let map = self.entries.get(self.map_at?..)?;
        if check::each(map).any(|entry| is_elsewhere(entry.name)) {
            return None;
        }
        merge::encode_changed(bytes, check::each(map), changes)
    }

    /// Bytes that the attributes take.
    pub fn len_bytes(&self) -> usize {
        self.entries.len()
    }

    /// One attribute, without decoding the others.
    pub fn get(&self, name: &str) -> Option<Value> {
        let value = check::find(&self.entries, self.count, name)?;
        decode_value(&mut Decoder::new(value), DEPTH_MAX).ok()
    }

    /// All attributes, as a map.
    pub fn decode(&self) -> Attributes {
        let decoded = decode_entries(&mut Decoder::new(&self.entries), self.count, DEPTH_MAX);
        // What passed the check can be decoded, as a test makes sure.
        debug_assert!(decoded.is_ok(), "{decoded:?}");
        decoded.unwrap_or_default()
    }
}

/// The first byte of texts of up to 23 bytes, to which their length is added, and the one before
/// a length of one byte.
const TEXT_SHORT: u8 = 0x60;
const TEXT_LENGTH_FOLLOWS: u8 = 0x78;

/// Appends a text as the encoder would. Every item that is read has a dozen that come from
/// columns, and nearly all are short.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    match u8::try_from(text.len()) {
        Ok(length @ 0..24) => bytes.push(TEXT_SHORT + length),
        Ok(length) => bytes.extend_from_slice(&[TEXT_LENGTH_FOLLOWS, length]),
        Err(_) => {
            let mut encoder = Encoder::new(std::mem::take(bytes));
            let written = encoder.str(text).map(drop);
            debug_assert!(written.is_ok());
            *bytes = encoder.into_writer();
            return;
        }
    }
    bytes.extend_from_slice(text.as_bytes());
}

fn decode_value(decoder: &mut Decoder<'_>, depth: usize) -> Result<Value, EncodedError> {
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
        Type::F64 => Value::N(number(decoder.f64()?)?),
        Type::Bool => Value::Bool(decoder.bool()?),
        Type::Bytes => Value::B(decoder.bytes()?.to_vec()),
        Type::Null => {
            decoder.null()?;
            Value::Null
        }
        Type::Array => {
            let depth = deeper(depth)?;
            let length = definite(decoder.array()?)?;
            let mut list = Vec::with_capacity(length.min(LENGTH_BELIEVED));
            for _ in 0..length {
                list.push(decode_value(decoder, depth)?);
            }
            Value::L(list)
        }
        Type::Map => {
            let depth = deeper(depth)?;
            let length = definite(decoder.map()?)?;
            Value::M(decode_entries(decoder, length, depth)?)
        }
        _ => return Err(UNKNOWN_KIND),
    })
}

fn decode_entries(
    decoder: &mut Decoder<'_>,
    count: usize,
    depth: usize,
) -> Result<Attributes, EncodedError> {
    let mut entries = Vec::with_capacity(count.min(LENGTH_BELIEVED));
    for _ in 0..count {
        let name = AttributeName::from(decoder.str()?);
        entries.push((name, decode_value(decoder, depth)?));
    }
    Ok(Attributes::from_iter(entries))
}

/// Room to make for what claims to be longer. More than that must really be there first.
const LENGTH_BELIEVED: usize = 64;
const UNKNOWN_KIND: EncodedError = EncodedError::Unexpected("a value is of an unknown kind");

fn number(float: f64) -> Result<Number, EncodedError> {
    Number::from_f64(float).map_err(|_| EncodedError::Unexpected("a number is out of range"))
}

fn definite(length: Option<u64>) -> Result<usize, EncodedError> {
    length
        .and_then(|length| usize::try_from(length).ok())
        .ok_or(EncodedError::Unexpected("a list or map has no length"))
}

fn deeper(depth: usize) -> Result<usize, EncodedError> {
    depth.checked_sub(1).ok_or(EncodedError::Unexpected("values are nested too deeply"))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use testkit::seed::seed_from_env_or_random;

    use super::*;
    use crate::{Item, Key};

    fn encoded(attributes: &Attributes) -> Vec<u8> {
        encode_attributes(Vec::new(), attributes.len(), attributes.iter()).unwrap()
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

    fn decode(bytes: &[u8]) -> Result<Attributes, EncodedError> {
        let mut encoded = EncodedAttributes::default();
        encoded.push_map(bytes, |_| false)?;
        // What passes the check must decode, whole.
        let entries = decode_entries(&mut Decoder::new(&encoded.entries), encoded.count, DEPTH_MAX);
        let attributes = entries.unwrap();
        assert_eq!(attributes.len(), encoded.count);
        for (name, value) in &attributes {
            assert_eq!(encoded.get(name).as_ref(), Some(value));
        }
        assert_eq!(encoded.get("absent"), None);
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
        let bytes = b"\xa3\x61a\x18\x2a\x61b\x64text\x61c\x82\xf5\xf6";
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
        let mut bomb = vec![0xa1, 0x61, b'x'];
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
        assert!(decode(b"\xbb\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
        assert!(decode(b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
        assert!(decode(b"\xa1\x61x\xa2\x61a\x01\x61a\x02").is_err());
        assert!(decode(b"").is_err());
    }

    #[test]
    fn texts_of_every_length_are_pushed_as_the_encoder_writes_them() {
        for length in [0, 1, 23, 24, 255, 256, 70_000] {
            let text = "x".repeat(length);
            let mut pushed = EncodedAttributes::default();
            pushed.push_text("name", &text);
            pushed.push_text(&text, "");
            let mut encoder = Encoder::new(Vec::new());
            encoder.str("name").unwrap().str(&text).unwrap().str(&text).unwrap().str("").unwrap();
            assert!(pushed.entries == encoder.into_writer(), "{length}");
        }
    }

    #[test]
    fn names_that_stand_twice_or_are_taken_are_refused() {
        assert!(decode(b"\xa2\x61a\x01\x61a\x02").is_err());
        assert!(decode(b"\xa2\x61b\x01\x61a\x02").is_err());
        let mut encoded = EncodedAttributes::default();
        encoded.push_text("a", "text");
        encoded.push_number("c", 7.into());
        encoded.push_map(b"\xa1\x61b\x01", |name| name == b"a" || name == b"c").unwrap();
        assert!(encoded.push_map(b"\xa1\x61c\x01", |name| name == b"c").is_err());
        let expected = Attributes::from([
            ("a".into(), "text".into()),
            ("b".into(), Value::int(1)),
            ("c".into(), Value::int(7)),
        ]);
        assert_eq!(encoded.decode(), expected);
    }

    /// What a map becomes by changes, without being decoded and with.
    fn change(attributes: &Attributes, changes: &[Change]) -> Option<[Attributes; 2]> {
        let mut stored = EncodedAttributes::default();
        stored.push_text("column", "elsewhere");
        stored.push_map(&encoded(attributes), |_| false).unwrap();
        let changed = stored.encode_changed_map(Vec::new(), changes, |_| false)?;
        let mut item = Item::of(Key::new("p", "s"), attributes.clone());
        changes.iter().for_each(|change| change.apply(&mut item).unwrap());
        Some([decoded(&changed), item.attributes.into()])
    }

    #[test]
    fn a_map_is_changed_as_its_attributes_are() {
        let mut rng = StdRng::seed_from_u64(seed_from_env_or_random("merge"));
        let names = ["", "a", "bytes", "float", "list", "m", "null", "text", "yes", "zz"];
        for _ in 0..2_000 {
            let mut attributes = of_every_kind();
            attributes.retain(|_, _| rng.random_ratio(2, 3));
            let mut changes = Vec::new();
            for name in names {
                match rng.random_range(0..4) {
                    0 => changes.push(Change::Set(name.to_owned(), rng.random::<i64>().into())),
                    1 => changes.push(Change::Remove(name.to_owned())),
                    2 => changes.push(Change::Set(name.to_owned(), "x".repeat(300).into())),
                    _ => {}
                }
            }
            changes.shuffle(&mut rng);
            let [changed, expected] = change(&attributes, &changes).unwrap();
            assert_eq!(changed, expected, "{attributes:?} {changes:?}");
        }
    }

    #[test]
    fn a_map_is_not_changed_by_what_must_be_decoded() {
        let set = |name: &str| Change::Set(name.to_owned(), Value::Null);
        let attributes = of_every_kind();
        assert!(change(&attributes, &[set("a"), Change::Remove("a".to_owned())]).is_none());
        assert!(change(&attributes, &[Change::Add("small".to_owned(), 1)]).is_none());
        let mut stored = EncodedAttributes::default();
        assert!(stored.encode_changed_map(Vec::new(), &[set("a")], |_| false).is_none());
        stored.push_map(&encoded(&attributes), |_| false).unwrap();
        let elsewhere = |name: &[u8]| name == b"yes";
        assert!(stored.encode_changed_map(Vec::new(), &[set("a")], elsewhere).is_none());
        assert!(stored.encode_changed_map(Vec::new(), &[set("a")], |_| false).is_some());
        stored.push_number("more", 1.into());
        assert!(stored.encode_changed_map(Vec::new(), &[set("a")], |_| false).is_none());
    }
}

//! Attributes as bytes for PostgreSQL's rows: CBOR, as the embedded engine keeps them, so that
//! both sides store and read back the same amount of data with the same effort.

use minicbor::data::Type;
use minicbor::{Decoder, Encoder};
use table::{AttributeName, Attributes, Number, Value};

use crate::Outcome;

/// The attributes, `count` of them, as bytes.
pub fn encode<'a>(
    count: usize,
    attributes: impl Iterator<Item = (&'a AttributeName, &'a Value)>,
) -> Outcome<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::with_capacity(1024));
    encoder.map(u64::try_from(count)?)?;
    for (name, value) in attributes {
        encoder.str(name)?;
        encode_value(&mut encoder, value)?;
    }
    Ok(encoder.into_writer())
}

fn encode_value(encoder: &mut Encoder<Vec<u8>>, value: &Value) -> Outcome {
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
            encoder.array(u64::try_from(list.len())?)?;
            for value in list {
                encode_value(encoder, value)?;
            }
            encoder
        }
        Value::M(map) => {
            encoder.map(u64::try_from(map.len())?)?;
            for (name, value) in map {
                encoder.str(name)?;
                encode_value(encoder, value)?;
            }
            encoder
        }
    };
    Ok(())
}

/// The attributes in a row's bytes.
pub fn decode(bytes: &[u8]) -> Outcome<Attributes> {
    decode_map(&mut Decoder::new(bytes))
}

fn decode_map(decoder: &mut Decoder<'_>) -> Outcome<Attributes> {
    let count = decoder.map()?.ok_or("a map without a length")?;
    (0..count).map(|_| Ok((decoder.str()?.into(), decode_value(decoder)?))).collect()
}

fn decode_value(decoder: &mut Decoder<'_>) -> Outcome<Value> {
    Ok(match decoder.datatype()? {
        Type::String => Value::S(decoder.str()?.to_owned()),
        Type::F64 => Value::N(Number::from_f64(decoder.f64()?)?),
        Type::Bool => Value::Bool(decoder.bool()?),
        Type::Bytes => Value::B(decoder.bytes()?.to_vec()),
        Type::Null => {
            decoder.null()?;
            Value::Null
        }
        Type::Array => {
            let count = decoder.array()?.ok_or("a list without a length")?;
            Value::L((0..count).map(|_| decode_value(decoder)).collect::<Outcome<_>>()?)
        }
        Type::Map => Value::M(decode_map(decoder)?),
        _ => Value::int(decoder.i64()?),
    })
}

//! Values and items as DynamoDB spells them, both ways.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use table::{Attributes, Error, Item, Key, Number, PK, Result, SK, Value};

/// An item, or the key of one, as the SDK takes it.
pub(crate) type AttributeMap = HashMap<String, AttributeValue>;

pub(crate) fn text(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn number(number: impl Into<Number>) -> AttributeValue {
    AttributeValue::N(number.into().to_string())
}

pub(crate) fn from_value(value: &Value) -> AttributeValue {
    match value {
        Value::S(value) => text(value),
        Value::N(value) => number(*value),
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::B(bytes) => AttributeValue::B(Blob::new(bytes.clone())),
        Value::L(list) => AttributeValue::L(list.iter().map(from_value).collect()),
        Value::M(map) => AttributeValue::M(from_attributes(map)),
        Value::Null => AttributeValue::Null(true),
    }
}

pub(crate) fn from_key(key: &Key) -> AttributeMap {
    HashMap::from([(PK.to_owned(), text(&key.pk)), (SK.to_owned(), text(&key.sk))])
}

pub(crate) fn from_item(item: &Item) -> AttributeMap {
    let mut map = from_attributes(&item.attributes);
    map.extend(from_key(&item.key));
    map
}

fn from_attributes(attributes: &Attributes) -> AttributeMap {
    attributes.iter().map(|(name, value)| (name.to_string(), from_value(value))).collect()
}

/// Reads an item that a server sent.
///
/// # Errors
/// [`Error::Corrupt`], naming item and attribute, when it holds what no engine of ours writes.
pub(crate) fn to_item(mut map: AttributeMap) -> Result<Item> {
    let mut part = |name: &str| match map.remove(name) {
        Some(AttributeValue::S(text)) => Ok(text),
        _ => Err(Error::Corrupt(format!("an item has no text in its key attribute {name:?}"))),
    };
    let key = Key::new(part(PK)?, part(SK)?);
    let mut attributes = Attributes::new();
    for (name, value) in map {
        let value = to_value(value).map_err(|reason| {
            Error::Corrupt(format!("attribute {name:?} of item {key:?} holds {reason}"))
        })?;
        attributes.insert(name.into(), value);
    }
    Ok(Item::of(key, attributes))
}

fn to_value(value: AttributeValue) -> std::result::Result<Value, String> {
    match value {
        AttributeValue::S(text) => Ok(Value::S(text)),
        AttributeValue::N(digits) => {
            digits.parse().map(Value::N).map_err(|_| format!("the unreadable number {digits:?}"))
        }
        AttributeValue::Bool(flag) => Ok(Value::Bool(flag)),
        AttributeValue::B(blob) => Ok(Value::B(blob.into_inner())),
        AttributeValue::L(list) => {
            list.into_iter().map(to_value).collect::<std::result::Result<_, _>>().map(Value::L)
        }
        AttributeValue::M(map) => map
            .into_iter()
            .map(|(name, value)| Ok((name.into(), to_value(value)?)))
            .collect::<std::result::Result<_, String>>()
            .map(Value::M),
        AttributeValue::Null(_) => Ok(Value::Null),
        AttributeValue::Ss(_) => Err("a set of texts, which no table of ours has".to_owned()),
        AttributeValue::Ns(_) => Err("a set of numbers, which no table of ours has".to_owned()),
        AttributeValue::Bs(_) => Err("a set of bytes, which no table of ours has".to_owned()),
        _ => Err("a kind of value this version does not know".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_survives_the_way_there_and_back() {
        let item = Item::new(Key::new("p", "s"))
            .with("text", "")
            .with("int", i64::MIN)
            .with("float", Number::from_f64(1.0 / 3.0).unwrap())
            .with("flag", true)
            .with("bytes", vec![0, 255])
            .with("null", Value::Null)
            .with("list", vec![Value::int(1), Value::L(vec![]), Value::M(Attributes::new())])
            .with("map", Attributes::from([("PK".into(), Value::from("not a key"))]));
        assert_eq!(to_item(from_item(&item)).unwrap(), item);
    }

    #[test]
    fn a_set_is_refused_by_item_and_attribute() {
        let mut map = from_key(&Key::new("p", "s"));
        map.insert("tags".to_owned(), AttributeValue::Ss(vec!["a".to_owned()]));
        let error = to_item(map).unwrap_err().to_string();
        assert!(error.contains("\"tags\"") && error.contains("\"p\"/\"s\""), "{error}");
    }

    #[test]
    fn a_key_that_is_no_text_is_refused() {
        let mut map = from_key(&Key::new("p", "s"));
        map.insert(SK.to_owned(), number(1));
        assert!(matches!(to_item(map), Err(Error::Corrupt(_))));
    }
}

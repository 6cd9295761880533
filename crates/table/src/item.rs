use std::collections::BTreeMap;
use std::fmt;

use crate::limit::{ATTRIBUTE_NAME_BYTES_MAX, PK_BYTES_MAX, SK_BYTES_MAX};
use crate::schema::SortKind;
use crate::value::attributes_size_bytes;
use crate::{Error, ITEM_BYTES_MAX, ItemAttributes, Limit, Result, Schema, SortValue, Value};

/// Name of the partition-key attribute.
pub const PK: &str = "PK";
/// Name of the sort-key attribute.
pub const SK: &str = "SK";
/// Name of the attribute that holds when the item expires, in seconds since 1970.
pub const TTL: &str = "ttl";
/// Name of the attribute that counts an item's changes, for optimistic locking.
pub const VERSION: &str = "version";

/// The name of an attribute. Names of up to 24 bytes need no allocation, and an item has
/// dozens of them.
pub type AttributeName = compact_str::CompactString;

/// Attributes by name.
pub type Attributes = BTreeMap<AttributeName, Value>;

/// The primary key of an item. Keys are ordered by the bytes of their UTF-8 form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Partition key.
    pub pk: String,
    /// Sort key within the partition.
    pub sk: String,
}

impl Key {
    /// A key; its limits are checked when it is used.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }

    /// Checks the key's limits.
    ///
    /// # Errors
    /// [`Error::Limit`] when it is too long, [`Error::Invalid`] when a part is empty.
    pub fn validate(&self) -> Result<()> {
        validate_key_text(&self.pk, PK, PK_BYTES_MAX, Limit::PartitionKeyBytes)?;
        validate_key_text(&self.sk, SK, SK_BYTES_MAX, Limit::SortKeyBytes)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}/{:?}", self.pk, self.sk)
    }
}

/// A row: its key and everything else it carries.
#[derive(Clone, PartialEq, Eq)]
pub struct Item {
    /// The primary key.
    pub key: Key,
    /// All attributes but the key's.
    pub attributes: ItemAttributes,
}

impl Item {
    /// An item with these attributes, decoded or as an engine has stored them.
    pub fn of(key: Key, attributes: impl Into<ItemAttributes>) -> Self {
        Self { key, attributes: attributes.into() }
    }

    /// An item with nothing but its key.
    pub fn new(key: Key) -> Self {
        Self { key, attributes: ItemAttributes::default() }
    }

    /// This item with one more attribute.
    #[must_use]
    pub fn with(mut self, name: impl Into<AttributeName>, value: impl Into<Value>) -> Self {
        self.attributes.insert(name.into(), value.into());
        self
    }

    /// The attribute of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.attributes.get(name)
    }

    /// The attribute of this name, if it is a text.
    pub fn str(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    /// The attribute of this name, if it is an integer.
    pub fn i64(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(Value::as_i64)
    }

    /// The item's version; items that were never given one have version 0.
    pub fn version(&self) -> i64 {
        self.i64(VERSION).unwrap_or(0)
    }

    /// Whether the item is past its `ttl` and therefore absent in every respect.
    pub fn is_expired(&self, now_seconds: i64) -> bool {
        self.i64(TTL).is_some_and(|ttl| ttl < now_seconds)
    }

    /// Bytes this item counts for, by DynamoDB's rule.
    pub fn size_bytes(&self) -> usize {
        PK.len()
            + self.key.pk.len()
            + SK.len()
            + self.key.sk.len()
            + attributes_size_bytes(&self.attributes)
    }

    /// Where the item stands in an index: the index's partition and sort value, or nothing
    /// when the item lacks one of the two attributes.
    pub fn index_position(&self, index: &crate::Index) -> Option<(&str, SortValue)> {
        let partition = self.str(index.partition)?;
        let sort = self.get(index.sort)?;
        Some((partition, SortValue::of(sort)?))
    }

    /// Checks everything that can be wrong with an item before it is stored.
    ///
    /// # Errors
    /// [`Error::Limit`] or [`Error::Invalid`], naming the attribute.
    pub fn validate(&self, schema: &Schema) -> Result<()> {
        self.key.validate()?;
        for (name, value) in &self.attributes {
            validate_attribute(name, value)?;
        }
        self.validate_index_attributes(schema)?;
        if self.size_bytes() > ITEM_BYTES_MAX {
            return Err(Error::limit(Limit::ItemBytes, format_args!("item {:?}", self.key)));
        }
        Ok(())
    }

    fn validate_index_attributes(&self, schema: &Schema) -> Result<()> {
        for index in schema.indexes() {
            if let Some(value) = self.get(index.partition) {
                validate_index_text(
                    value,
                    index.partition,
                    PK_BYTES_MAX,
                    Limit::PartitionKeyBytes,
                )?;
            }
            match (index.sort_kind, self.get(index.sort)) {
                (_, None) => {}
                (SortKind::Text, Some(value)) => {
                    validate_index_text(value, index.sort, SK_BYTES_MAX, Limit::SortKeyBytes)?;
                }
                (SortKind::Number, Some(Value::N(_))) => {}
                (SortKind::Number, Some(value)) => {
                    return Err(Error::invalid(format_args!(
                        "attribute {:?} sorts the index {:?} and must be a number, not {}",
                        index.sort,
                        index.name,
                        value.kind()
                    )));
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.key, self.attributes)
    }
}

pub(crate) fn validate_attribute(name: &str, value: &Value) -> Result<()> {
    if name == PK || name == SK {
        return Err(Error::invalid(format_args!("attribute {name:?} belongs to the key")));
    }
    if name.is_empty() {
        return Err(Error::invalid("an attribute has an empty name"));
    }
    if name.len() > ATTRIBUTE_NAME_BYTES_MAX {
        let shown: String = name.chars().take(32).collect();
        return Err(Error::limit(
            Limit::AttributeNameBytes,
            format_args!("the attribute name {shown:?}…"),
        ));
    }
    if name == TTL && value.as_i64().is_none() {
        return Err(Error::invalid("attribute \"ttl\" must be whole seconds since 1970"));
    }
    value.validate_depth(name)
}

fn validate_index_text(value: &Value, name: &str, bytes_max: usize, limit: Limit) -> Result<()> {
    let Some(text) = value.as_str() else {
        return Err(Error::invalid(format_args!(
            "attribute {name:?} is part of an index and must be text, not {}",
            value.kind()
        )));
    };
    validate_key_text(text, name, bytes_max, limit)
}

pub(crate) fn validate_key_text(
    text: &str,
    name: &str,
    bytes_max: usize,
    limit: Limit,
) -> Result<()> {
    if text.is_empty() {
        return Err(Error::invalid(format_args!("the key attribute {name:?} is empty")));
    }
    if text.len() > bytes_max {
        let shown: String = text.chars().take(32).collect();
        return Err(Error::limit(limit, format_args!("the key attribute {name:?} ({shown:?}…)")));
    }
    Ok(())
}

use crate::{Attributes, Error, Limit, Number, Result};

/// The value of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    S(String),
    /// A number.
    N(Number),
    /// Yes or no.
    Bool(bool),
    /// Bytes.
    B(Vec<u8>),
    /// Values in order, of any kinds.
    L(Vec<Value>),
    /// Values by name.
    M(Attributes),
    /// Explicitly nothing, which is not the same as an absent attribute.
    Null,
}

/// How deep lists and maps may be nested.
const DEPTH_MAX: usize = 32;

impl Value {
    /// A number from an integer.
    pub fn int(int: i64) -> Self {
        Self::N(int.into())
    }

    /// The text, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Self::N(number) => Some(*number),
            _ => None,
        }
    }

    /// The integer, if this is one.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::as_i64)
    }

    /// The boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The bytes, if these are some.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::B(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The list, if this is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::L(list) => Some(list),
            _ => None,
        }
    }

    /// The map, if this is one.
    pub fn as_map(&self) -> Option<&Attributes> {
        match self {
            Self::M(map) => Some(map),
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::S(_) => "text",
            Self::N(_) => "a number",
            Self::Bool(_) => "a boolean",
            Self::B(_) => "bytes",
            Self::L(_) => "a list",
            Self::M(_) => "a map",
            Self::Null => "null",
        }
    }

    /// Bytes this value counts for in an item, by DynamoDB's rule.
    pub fn size_bytes(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number.size_bytes(),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::L(list) => 3 + list.iter().map(|value| 1 + value.size_bytes()).sum::<usize>(),
            Self::M(map) => 3 + map.len() + attributes_size_bytes(map),
        }
    }

    /// Refuses values nested deeper than DynamoDB stores.
    pub(crate) fn validate_depth(&self, attribute: &str) -> Result<()> {
        if self.is_deeper_than(DEPTH_MAX) {
            let what = format_args!("attribute {attribute:?}");
            return Err(Error::limit(Limit::NestingDepth, what));
        }
        Ok(())
    }

    fn is_deeper_than(&self, levels: usize) -> bool {
        let Some(rest) = levels.checked_sub(1) else { return true };
        match self {
            Self::L(list) => list.iter().any(|value| value.is_deeper_than(rest)),
            Self::M(map) => map.values().any(|value| value.is_deeper_than(rest)),
            _ => false,
        }
    }
}

/// Bytes of names and values together.
pub(crate) fn attributes_size_bytes(attributes: &Attributes) -> usize {
    attributes.iter().map(|(name, value)| name.len() + value.size_bytes()).sum()
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::S(text)
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Self {
        Self::int(int)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::N(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::B(bytes)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Self {
        Self::L(list)
    }
}

impl From<Attributes> for Value {
    fn from(map: Attributes) -> Self {
        Self::M(map)
    }
}

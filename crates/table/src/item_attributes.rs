use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

use crate::encoded::DeserializeError;
use crate::{AttributeName, Attributes, EncodedAttributes, Value, encode_attributes};

/// The attributes of an item, used like the [`Attributes`] they are.
///
/// An engine may hand them out as it has stored them; they are then decoded when somebody
/// first looks at them, or never, because an entity can be read without.
#[derive(Clone, Default)]
pub struct ItemAttributes {
    /// As they were read, until somebody wants to change them.
    stored: Option<Stored>,
    /// As they are when nothing stored stands for them.
    own: Attributes,
}

#[derive(Clone)]
struct Stored {
    encoded: EncodedAttributes,
    decoded: OnceLock<Attributes>,
}

impl Stored {
    fn decoded(&self) -> &Attributes {
        self.decoded.get_or_init(|| self.encoded.decode())
    }

    fn into_decoded(self) -> Attributes {
        self.decoded.into_inner().unwrap_or_else(|| self.encoded.decode())
    }
}

impl ItemAttributes {
    /// The value of one attribute, without decoding the others.
    pub fn value(&self, name: &str) -> Option<Value> {
        match &self.stored {
            Some(stored) if stored.decoded.get().is_none() => stored.encoded.get(name),
            _ => self.get(name).cloned(),
        }
    }

    /// The attributes as an engine has stored them, if nobody has changed them since.
    pub fn stored(&self) -> Option<&EncodedAttributes> {
        self.stored.as_ref().map(|stored| &stored.encoded)
    }

    /// The entity whose serde form these attributes are, by the rules of JSON.
    ///
    /// # Errors
    /// When they are not its attributes; the error says which is missing or wrong.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, impl fmt::Display + use<T>> {
        match &self.stored {
            Some(stored) => T::deserialize(&stored.encoded),
            None => T::deserialize(&encode(&self.own)?),
        }
    }
}

fn encode(attributes: &Attributes) -> Result<EncodedAttributes, DeserializeError> {
    let broken = |error: &dyn fmt::Display| serde::de::Error::custom(error);
    let map = encode_attributes(Vec::with_capacity(1024), attributes.len(), attributes.iter())
        .map_err(|error| broken(&error))?;
    let mut encoded = EncodedAttributes::default();
    encoded.push_map(&map, |_| false).map_err(|error| broken(&error))?;
    Ok(encoded)
}

impl From<Attributes> for ItemAttributes {
    fn from(own: Attributes) -> Self {
        Self { stored: None, own }
    }
}

impl From<EncodedAttributes> for ItemAttributes {
    fn from(encoded: EncodedAttributes) -> Self {
        let stored = Stored { encoded, decoded: OnceLock::new() };
        Self { stored: Some(stored), own: Attributes::new() }
    }
}

impl From<ItemAttributes> for Attributes {
    fn from(attributes: ItemAttributes) -> Self {
        attributes.stored.map_or(attributes.own, Stored::into_decoded)
    }
}

impl Deref for ItemAttributes {
    type Target = Attributes;

    fn deref(&self) -> &Attributes {
        self.stored.as_ref().map_or(&self.own, Stored::decoded)
    }
}

impl DerefMut for ItemAttributes {
    fn deref_mut(&mut self) -> &mut Attributes {
        if let Some(stored) = self.stored.take() {
            self.own = stored.into_decoded();
        }
        &mut self.own
    }
}

impl<'a> IntoIterator for &'a ItemAttributes {
    type Item = (&'a AttributeName, &'a Value);
    type IntoIter = std::collections::btree_map::Iter<'a, AttributeName, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for ItemAttributes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for ItemAttributes {}

impl fmt::Debug for ItemAttributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

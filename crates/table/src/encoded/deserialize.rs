//! Entities straight from encoded attributes, without anything in between.
//!
//! The form is that of JSON: structs are maps, variants are texts or maps of one entry, and
//! numbers are read into whatever the entity has, if they fit.

use minicbor::Decoder;
use minicbor::data::Type;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::{EncodedAttributes, definite};

/// Why attributes are not those of an entity.
pub(crate) type DeserializeError = serde::de::value::Error;
type Result<T> = std::result::Result<T, DeserializeError>;

fn broken(error: impl std::fmt::Display) -> DeserializeError {
    DeserializeError::custom(error)
}

impl<'de> Deserializer<'de> for &'de EncodedAttributes {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_map(Parts { decoder: &mut Decoder::new(&self.entries), left: self.count })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// The next value of a decoder whose bytes have been checked.
struct Next<'d, 'b>(&'d mut Decoder<'b>);

impl<'de> Deserializer<'de> for Next<'_, 'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let decoder = self.0;
        match decoder.datatype().map_err(broken)? {
            Type::String => visitor.visit_borrowed_str(decoder.str().map_err(broken)?),
            Type::F64 => visitor.visit_f64(decoder.f64().map_err(broken)?),
            Type::Bool => visitor.visit_bool(decoder.bool().map_err(broken)?),
            Type::Bytes => visitor.visit_borrowed_bytes(decoder.bytes().map_err(broken)?),
            Type::Null => {
                decoder.null().map_err(broken)?;
                visitor.visit_unit()
            }
            Type::Array => {
                let left = definite(decoder.array().map_err(broken)?).map_err(broken)?;
                visitor.visit_seq(Parts { decoder, left })
            }
            Type::Map => {
                let left = definite(decoder.map().map_err(broken)?).map_err(broken)?;
                visitor.visit_map(Parts { decoder, left })
            }
            _ => visitor.visit_i64(decoder.i64().map_err(broken)?),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.datatype().map_err(broken)? {
            Type::Null => self.deserialize_any(visitor),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.0.datatype().map_err(broken)? == Type::String {
            let name: StrDeserializer<'_, DeserializeError> =
                self.0.str().map_err(broken)?.into_deserializer();
            return visitor.visit_enum(name);
        }
        match self.0.map().map_err(broken)? {
            Some(1) => visitor.visit_enum(Variant { decoder: self.0 }),
            _ => Err(broken("a variant is a map of one entry")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The parts of a list or map that are left.
struct Parts<'d, 'b> {
    decoder: &'d mut Decoder<'b>,
    left: usize,
}

impl Parts<'_, '_> {
    fn has_next(&mut self) -> bool {
        let has_next = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_next
    }
}

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = DeserializeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.has_next() {
            true => seed.deserialize(Next(self.decoder)).map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.has_next() {
            true => seed.deserialize(Next(self.decoder)).map(Some),
            false => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(Next(self.decoder))
    }
}

/// A variant with something in it: its name and its content follow.
struct Variant<'d, 'b> {
    decoder: &'d mut Decoder<'b>,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = DeserializeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name = seed.deserialize(Next(self.decoder))?;
        Ok((name, self))
    }
}

/// The content of a variant is a value like any other.
impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = DeserializeError;

    fn unit_variant(self) -> Result<()> {
        Err(broken("a variant without content is a text"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(Next(self.decoder))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        Next(self.decoder).deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        Next(self.decoder).deserialize_any(visitor)
    }
}

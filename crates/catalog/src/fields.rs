//! The fields of an entity one by one, as serde sees them: what differs between two states of an
//! entity is found without a tree of values for either.

use std::fmt::{self, Display};
use std::ops::Range;

use serde::ser::{self, Impossible, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// The fields that an entity has, each as JSON text.
#[derive(Default)]
pub(crate) struct Fields {
    text: Vec<u8>,
    fields: Vec<(&'static str, Range<usize>)>,
}

/// What an entity has that another state of it has not, or not the same.
pub(crate) struct Difference {
    /// Fields with new values.
    pub(crate) changed: Vec<(&'static str, Json)>,
    /// Fields that are there no more.
    pub(crate) gone: Vec<&'static str>,
}

/// Why something cannot be written field by field.
#[derive(Debug)]
pub(crate) struct FieldsError(String);

impl Fields {
    pub(crate) fn of(entity: &impl Serialize) -> Result<Self, FieldsError> {
        let mut fields = Self::default();
        entity.serialize(EachField(|name, value: &dyn ToJson| {
            let start = fields.text.len();
            value.write(&mut fields.text)?;
            fields.fields.push((name, start..fields.text.len()));
            Ok(())
        }))?;
        Ok(fields)
    }

    /// What becomes different in another state of the entity.
    pub(crate) fn until(&self, after: &impl Serialize) -> Result<Difference, FieldsError> {
        let mut text = Vec::new();
        let mut changed = Vec::new();
        let mut stays = vec![false; self.fields.len()];
        let mut next = 0;
        after.serialize(EachField(|name, value: &dyn ToJson| {
            text.clear();
            value.write(&mut text)?;
            // Both have their fields in the same order, but for those that one of them lacks.
            let rest = self.fields.iter().enumerate().skip(next);
            let found = rest.clone().find(|(_, (before, _))| *before == name);
            let Some((at, (_, range))) = found else {
                changed.push((name, value.to_json()?));
                return Ok(());
            };
            next = at + 1;
            if let Some(stays) = stays.get_mut(at) {
                *stays = true;
            }
            if self.text.get(range.clone()) != Some(&text) {
                changed.push((name, value.to_json()?));
            }
            Ok(())
        }))?;
        let gone = self.fields.iter().zip(stays).filter(|(_, stays)| !stays);
        Ok(Difference { changed, gone: gone.map(|((name, _), _)| *name).collect() })
    }
}

/// A value of any type.
trait ToJson {
    fn write(&self, text: &mut Vec<u8>) -> Result<(), FieldsError>;
    fn to_json(&self) -> Result<Json, FieldsError>;
}

impl<T: Serialize + ?Sized> ToJson for &T {
    fn write(&self, text: &mut Vec<u8>) -> Result<(), FieldsError> {
        serde_json::to_writer(text, self).map_err(ser::Error::custom)
    }

    fn to_json(&self) -> Result<Json, FieldsError> {
        serde_json::to_value(self).map_err(ser::Error::custom)
    }
}

/// Calls a function for each field of a struct, and refuses everything else.
struct EachField<F>(F);

impl<F> SerializeStruct for EachField<F>
where
    F: FnMut(&'static str, &dyn ToJson) -> Result<(), FieldsError>,
{
    type Ok = ();
    type Error = FieldsError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), FieldsError> {
        (self.0)(name, &value)
    }

    fn end(self) -> Result<(), FieldsError> {
        Ok(())
    }
}

/// Methods that refuse what is no struct.
macro_rules! refuse {
    ($($method:ident($($kind:ty),*) -> $made:ty;)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<$made, FieldsError> {
            Err(FieldsError::no_entity())
        })*
    };
}

type Never = Impossible<(), FieldsError>;

impl<F> Serializer for EachField<F>
where
    F: FnMut(&'static str, &dyn ToJson) -> Result<(), FieldsError>,
{
    type Ok = ();
    type Error = FieldsError;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Self;
    type SerializeStructVariant = Never;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, FieldsError> {
        Ok(self)
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), FieldsError> {
        Err(FieldsError::no_entity())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), FieldsError> {
        Err(FieldsError::no_entity())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), FieldsError> {
        Err(FieldsError::no_entity())
    }
}

impl FieldsError {
    fn no_entity() -> Self {
        Self("it is no struct, and has no fields".to_owned())
    }
}

impl Display for FieldsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FieldsError {}

impl ser::Error for FieldsError {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Clone, Default, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Thing {
        #[serde(skip_serializing_if = "Option::is_none")]
        first_of_all: Option<u8>,
        part: f64,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        list: Vec<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        last: Option<&'static str>,
    }

    fn difference(before: &Thing, after: &Thing) -> (Vec<(&'static str, Json)>, Vec<&'static str>) {
        let Difference { changed, gone } = Fields::of(before).unwrap().until(after).unwrap();
        (changed, gone)
    }

    #[test]
    fn nothing_differs_from_itself() {
        let thing = Thing { part: 0.1, list: vec![1], last: Some("\"x\""), ..Thing::default() };
        assert_eq!(difference(&thing, &thing), (vec![], vec![]));
    }

    #[test]
    fn fields_change_come_and_go() {
        let before = Thing { first_of_all: Some(1), list: vec![1, 2], ..Thing::default() };
        let after =
            Thing { part: 1.0 / 3.0, list: vec![1, 3], last: Some("x"), ..Thing::default() };
        let changed =
            vec![("part", json!(1.0 / 3.0)), ("list", json!([1, 3])), ("last", json!("x"))];
        assert_eq!(difference(&before, &after), (changed, vec!["firstOfAll"]));
        let changed = vec![("firstOfAll", json!(1)), ("part", json!(0.0)), ("list", json!([1, 2]))];
        assert_eq!(difference(&after, &before), (changed, vec!["last"]));
    }

    #[test]
    fn only_structs_have_fields() {
        assert!(Fields::of(&7).is_err());
        assert!(Fields::of(&Some(Thing::default())).is_err());
        assert!(Fields::of(&vec![1]).is_err());
        assert!(Fields::of(&json!({"a": 1})).is_err());
    }
}

//! Entities as rows and back.
//!
//! An entity is written by its serde form, attribute by attribute. A change of an entity
//! becomes an update of just the attributes that differ, so that attributes a newer
//! version has written survive an older one.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use table::{Action, Attributes, Item, Key, Number, Value};

use crate::fields::{Difference, Fields};
use crate::{Error, Result};

/// The attributes of an entity.
pub(crate) fn attributes_of(key: &Key, entity: &impl Serialize) -> Result<Attributes> {
    match serde_json::to_value(entity).map_err(|error| Error::bad_row(key, error))? {
        Json::Object(fields) => {
            let fields = fields.into_iter();
            fields.map(|(name, value)| Ok((name.into(), from_json(key, value)?))).collect()
        }
        other => Err(Error::bad_row(key, format_args!("{other} is no entity"))),
    }
}

/// The entity of a row.
pub(crate) fn entity_of<T: DeserializeOwned>(item: &Item) -> Result<T> {
    item.attributes.deserialize().map_err(|error| Error::bad_row(&item.key, error))
}

/// The update that turns the row of an entity into that of another. What is the same in both,
/// most of it as a rule, never becomes an attribute.
pub(crate) fn change(key: &Key, before: &impl Serialize, after: &impl Serialize) -> Result<Action> {
    let difference = Fields::of(before).and_then(|fields| fields.until(after));
    let Difference { mut changed, gone } =
        difference.map_err(|error| Error::bad_row(key, error))?;
    let mut action = Action::update(key.clone());
    // In the order in which they are stored.
    changed.sort_unstable_by_key(|(name, _)| *name);
    for (name, value) in changed {
        action = action.set(name, from_json(key, value)?);
    }
    Ok(gone.into_iter().fold(action, Action::remove))
}

/// The update that turns a row with the attributes `before` into one with those `after`.
pub(crate) fn update(key: Key, before: &Attributes, after: &Attributes) -> Action {
    exchange(Action::update(key), before, after)
}

/// Adds the exchange of attributes for others to an update.
pub(crate) fn exchange(mut action: Action, before: &Attributes, after: &Attributes) -> Action {
    for (name, value) in after {
        if before.get(name) != Some(value) {
            action = action.set(name.clone(), value.clone());
        }
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        action = action.remove(name.clone());
    }
    action
}

fn from_json(key: &Key, json: Json) -> Result<Value> {
    Ok(match json {
        // Entities leave out what they do not have; only a number that is none becomes this,
        // and it could not be read back.
        Json::Null => return Err(Error::bad_row(key, "a number in it is not finite")),
        Json::Bool(flag) => Value::Bool(flag),
        Json::String(text) => Value::S(text),
        Json::Number(number) => Value::N(match number.as_i64() {
            Some(int) => int.into(),
            None => Number::from_f64(number.as_f64().unwrap_or(f64::NAN))?,
        }),
        Json::Array(list) => {
            let values = list.into_iter().map(|value| from_json(key, value));
            Value::L(values.collect::<Result<_>>()?)
        }
        Json::Object(map) => {
            let values =
                map.into_iter().map(|(name, value)| Ok((name.into(), from_json(key, value)?)));
            Value::M(values.collect::<Result<Attributes>>()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Thing {
        whole: i64,
        part: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        maybe: Option<String>,
        list: Vec<u8>,
    }

    fn thing() -> Thing {
        Thing { whole: i64::MAX, part: 1.0 / 3.0, maybe: Some("x".into()), list: vec![1, 2] }
    }

    #[test]
    fn an_entity_reads_back_and_ignores_what_it_does_not_know() {
        let key = Key::new("p", "s");
        let attributes = attributes_of(&key, &thing()).unwrap();
        let item = Item::of(key, attributes).with("future", "attribute");
        assert_eq!(entity_of::<Thing>(&item).unwrap(), thing());
    }

    #[test]
    fn an_integral_float_reads_back_as_a_float() {
        let key = Key::new("p", "s");
        let whole = Thing { part: 3.0, ..thing() };
        let attributes = attributes_of(&key, &whole).unwrap();
        assert_eq!(entity_of::<Thing>(&Item::of(key, attributes)).unwrap(), whole);
    }

    #[test]
    fn a_number_that_is_none_is_refused_before_it_is_written() {
        let key = Key::new("p", "s");
        assert!(attributes_of(&key, &Thing { part: f64::NAN, ..thing() }).is_err());
    }

    #[test]
    fn an_update_names_only_what_differs() {
        let key = Key::new("p", "s");
        let before = attributes_of(&key, &thing()).unwrap();
        let after = attributes_of(&key, &Thing { whole: 1, maybe: None, ..thing() }).unwrap();
        let expected = Action::update(key.clone()).set("whole", 1).remove("maybe");
        assert_eq!(update(key, &before, &after), expected);
    }

    #[test]
    fn a_change_is_the_update_of_the_attributes() {
        let key = Key::new("p", "s");
        let after = Thing { whole: 1, maybe: None, list: vec![3], ..thing() };
        let attributes = |thing| attributes_of(&key, thing).unwrap();
        let expected = update(key.clone(), &attributes(&thing()), &attributes(&after));
        assert_eq!(change(&key, &thing(), &after).unwrap(), expected);
        assert!(change(&key, &thing(), &Thing { part: f64::NAN, ..thing() }).is_err());
    }

    #[test]
    fn a_row_that_is_no_entity_names_itself() {
        let item = Item::new(Key::new("IMAGE#1", "METADATA")).with("whole", "text");
        let error = entity_of::<Thing>(&item).unwrap_err().to_string();
        assert!(error.contains("IMAGE#1"), "{error}");
    }
}

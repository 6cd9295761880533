//! Going through the document as JSON.

use serde_json::{Map, Value};

/// An object of JSON.
pub(super) type Object = Map<String, Value>;

/// Which route an operation describes.
#[derive(Debug)]
pub(super) struct Route<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// Its `operationId`.
    pub(super) name: String,
}

/// Does something with every operation.
pub(super) fn each_operation(document: &mut Value, mut act: impl FnMut(&Route<'_>, &mut Object)) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let Some(operation) = operation.as_object_mut() else { continue };
            let name = text(operation.get("operationId")).to_owned();
            act(&Route { method, path, name }, operation);
        }
    }
}

/// Does something with every schema that has a name.
pub(super) fn each_schema(document: &mut Value, mut act: impl FnMut(&str, &mut Value)) {
    for (name, schema) in components(document, "schemas") {
        act(name, schema);
    }
}

/// Does something with every property of every schema that has a name.
pub(super) fn each_property(document: &mut Value, mut act: impl FnMut(&str, &str, &mut Object)) {
    each_schema(document, |name, schema| properties_of(schema, &mut |key, it| act(name, key, it)));
}

fn properties_of(schema: &mut Value, act: &mut impl FnMut(&str, &mut Object)) {
    for part in array(schema.get_mut("allOf")) {
        properties_of(part, act);
    }
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (key, property) in properties.into_iter().flatten() {
        if let Some(property) = property.as_object_mut() {
            act(key, property);
        }
    }
}

/// Components of a kind, such as `schemas`.
pub(super) fn components<'a>(document: &'a mut Value, kind: &str) -> &'a mut Object {
    object(object(object_of(document), "components"), kind)
}

/// The object at a key, made if there is none.
pub(super) fn object<'a>(of: &'a mut Object, key: &str) -> &'a mut Object {
    object_of(of.entry(key).or_insert_with(|| Value::Object(Object::new())))
}

fn object_of(value: &mut Value) -> &mut Object {
    match value {
        Value::Object(object) => object,
        other => {
            *other = Value::Object(Object::new());
            object_of(other)
        }
    }
}

/// The answers of an operation, by their status.
pub(super) fn answers(operation: &mut Object) -> impl Iterator<Item = (u16, &mut Object)> {
    object(operation, "responses")
        .iter_mut()
        .filter_map(|(status, answer)| Some((status.parse().ok()?, answer.as_object_mut()?)))
}

/// The entries of an array, or nothing.
pub(super) fn array(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// A text, or nothing.
pub(super) fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

/// The name of the schema that this refers to.
pub(super) fn referred(schema: &Value) -> Option<&str> {
    text(schema.get("$ref")).strip_prefix("#/components/schemas/")
}

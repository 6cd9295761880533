//! Schemas as generators of clients can take them: what lists hold has a name, parts of an object
//! stand in it, and a form names its fields.

use serde_json::{Value, json};

use super::walk::{Object, answers, array, components, each_schema, object, referred, text};

/// What the generic `Page<T>` becomes.
const PAGE: &str = "Page_";
const SCHEMAS: &str = "#/components/schemas/";

/// `Page_Image`, which holds a copy of `Image`, becomes `ImagePage`, which refers to it.
pub(super) fn name_what_lists_hold(document: &mut Value) {
    let schemas = components(document, "schemas");
    let pages: Vec<String> =
        schemas.keys().filter(|name| name.starts_with(PAGE)).cloned().collect();
    for page in &pages {
        let (Some(mut schema), Some(held)) = (schemas.remove(page), page.strip_prefix(PAGE)) else {
            continue;
        };
        if let Some(items) = schema.pointer_mut("/properties/items/items") {
            let copy = std::mem::replace(items, reference(held));
            schemas.entry(held).or_insert(copy);
        }
        schemas.insert(page_name(held), schema);
    }
    rename_references(document);
}

fn page_name(held: &str) -> String {
    format!("{held}Page")
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{SCHEMAS}{name}") })
}

fn rename_references(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let to = text(object.get("$ref")).strip_prefix(SCHEMAS);
            if let Some(renamed) = to.and_then(|to| to.strip_prefix(PAGE)).map(page_name) {
                object.insert("$ref".to_owned(), format!("{SCHEMAS}{renamed}").into());
            }
            object.values_mut().for_each(rename_references);
        }
        Value::Array(values) => values.iter_mut().for_each(rename_references),
        _ => {}
    }
}

/// A part that may be absent as a whole (`allOf` with something or null) is nothing that another
/// object could be. Its fields are fields that may be absent.
pub(super) fn merge_optional_parts(document: &mut Value) {
    let known = components(document, "schemas").clone();
    each_schema(document, |_, schema| {
        let has_optional = array(schema.get_mut("allOf")).any(|part| optional(part).is_some());
        if has_optional && let Some(object) = schema.as_object_mut() {
            merge(object, &known);
        }
    });
}

fn optional(part: &Value) -> Option<&str> {
    let choices = part.get("oneOf")?.as_array()?;
    let is_null = |choice: &Value| text(choice.get("type")) == "null";
    choices.iter().any(is_null).then(|| choices.iter().find_map(referred)).flatten()
}

fn merge(schema: &mut Object, known: &Object) {
    let mut properties = Object::new();
    let mut required = Vec::new();
    for part in array(schema.remove("allOf").as_mut()) {
        let whole = optional(part).or(referred(part)).and_then(|name| known.get(name));
        let from = whole.unwrap_or(part);
        let fields = from.get("properties").and_then(Value::as_object).cloned();
        properties.extend(fields.into_iter().flatten());
        if optional(part).is_none() {
            required.extend(
                from.get("required").and_then(Value::as_array).cloned().into_iter().flatten(),
            );
        }
    }
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    schema.insert("required".to_owned(), required.into());
}

/// The form of an upload has the fields that the other ways to upload take as JSON.
pub(super) fn fill_the_form(document: &mut Value) {
    let schemas = components(document, "schemas");
    let fields = schemas.get("NewImage").and_then(|new| new.get("properties")).cloned();
    let form = schemas.get_mut("UploadForm").and_then(Value::as_object_mut);
    if let (Some(form), Some(Value::Object(fields))) = (form, fields) {
        let properties = object(form, "properties");
        for (name, field) in fields {
            properties.insert(name, as_text(field));
        }
    }
}

/// A form says everything by texts, and nothing by leaving it out.
fn as_text(mut field: Value) -> Value {
    let some = array(field.get_mut("oneOf")).find_map(|choice| referred(choice).map(reference));
    let Some(object) = field.as_object_mut() else { return field };
    if let Some(Value::Object(some)) = some {
        object.remove("oneOf");
        object.extend(some);
    }
    let kind = array(object.get_mut("type")).find(|kind| *kind != "null").cloned();
    object.extend(kind.map(|kind| ("type".to_owned(), kind)));
    object.remove("default");
    if text(object.get("type")) == "boolean" {
        object.insert("type".to_owned(), "string".into());
        object.insert("enum".to_owned(), json!(["true", "false"]));
    }
    field
}

/// A file is text of bytes, not a list of numbers, and never nothing.
pub(super) fn say_what_is_bytes(operation: &mut Object) {
    let bytes = || json!({ "type": "string", "format": "binary" });
    let fill = |content: &mut Object| {
        for (kind, media) in content {
            let is_bytes = !["json", "text/", "form"].iter().any(|part| kind.contains(part));
            if let Some(media) = media.as_object_mut().filter(|_| is_bytes) {
                media.insert("schema".to_owned(), bytes());
            }
        }
    };
    if let Some(body) = operation.get_mut("requestBody").and_then(Value::as_object_mut) {
        fill(object(body, "content"));
    }
    for (_, answer) in answers(operation) {
        if answer.contains_key("content") {
            fill(object(answer, "content"));
        }
    }
}

/// That nothing is what stands there if nothing is said, need not be said; some generators take
/// what has a default for what is always there.
pub(super) fn drop_empty_defaults(document: &mut Value) {
    match document {
        Value::Object(object) => {
            let default = object.get("default");
            if default
                .is_some_and(|it| *it == Value::Null || *it == json!(false) || *it == json!([]))
            {
                object.remove("default");
            }
            object.values_mut().for_each(drop_empty_defaults);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_empty_defaults),
        _ => {}
    }
}

/// Takes away schemas that nothing refers to any more.
pub(super) fn drop_unused(document: &mut Value) {
    loop {
        let mut used = Vec::new();
        collect_references(document, &mut used);
        let schemas = components(document, "schemas");
        let before = schemas.len();
        schemas.retain(|name, _| used.contains(name));
        if schemas.len() == before {
            return;
        }
    }
}

fn collect_references(value: &Value, used: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            used.extend(referred(value).map(str::to_owned));
            object.values().for_each(|value| collect_references(value, used));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, used)),
        _ => {}
    }
}

//! Examples of bodies, made from the schemas themselves, so that they have every field there is.
//! What a reader would take for nonsense is said here.

use serde_json::{Value, json};

use super::walk::{Object, answers, components, each_operation, object, referred, text};
use crate::ErrorCode;

/// What stands at a property of this name, wherever it is.
const SAMPLES: [(&str, &str); 44] = [
    ("agent", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"),
    ("altText", "A red sky above a calm sea"),
    ("challenge", "2rA9sYw0bZ1kq5m8Vx3tN7cJdUe4HgPiLo6fQyRzXwE"),
    ("color", "#c4552d"),
    ("cursor", "djE6MDFLOVo1VzhSM0U2VDdZMlE0TTFOMFBDVkI"),
    ("description", "From the pier, an hour before the rain"),
    ("displayName", "Ada"),
    ("email", "ada@example.org"),
    ("error", "the file ends too early"),
    ("filename", "sunset.jpg"),
    ("fileId", "AgACAgIAAxkBAAIB"),
    ("invitation", "fti_5Qm2vX8bT1yR7kN4"),
    ("label", "Sign in with Example"),
    ("login", "/auth/oidc/login"),
    ("message", "the file ends too early"),
    ("mimeType", "image/jpeg"),
    ("model", "yunet-2023mar+sface-2021dec"),
    ("month", "2026-05"),
    ("name", "Ada"),
    ("new", "correct horse battery"),
    ("nextCursor", "djE6MDFLOVo1VzhSM0U2VDdZMlE0TTFOMFBDVkI"),
    ("ownerName", "Ada"),
    ("password", "correct horse battery"),
    ("current", "wrong horse battery"),
    ("path", "/signup?invitation=fti_5Qm2vX8bT1yR7kN4"),
    ("perceptualHash", "c3d0e1f0a5b49687"),
    ("proof", "1778788800.5Qm2vX8bT1yR7kN4"),
    ("query", "sunset tag:\"red car\""),
    ("requestId", "8f14e45fceea167a5a36dedd4bea2543"),
    ("rpId", "photos.example.org"),
    ("search", "sunset taken:2026-05"),
    ("setName", "Animals"),
    ("sha256", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
    ("source", "telegram"),
    ("tag", "sea"),
    ("text", "sea"),
    ("thumbhash", "1QcSHQRnh493V4dIh4eXh1h4kJUI"),
    ("title", "Evening"),
    ("token", "ftk_5Qm2vX8bT1yR7kN4cJdUe4HgPiLo6fQy"),
    ("uniqueId", "AQADQQAD"),
    ("from", "see"),
    ("to", "sea"),
    ("version", "0.1.0"),
    ("url", "/i/01K9Z5W8R3E6T7Y2Q4M1N0PCVB/large?e=1778788800&s=5Qm2vX8bT1yR7kN4"),
];

const ULID: &str = "01K9Z5W8R3E6T7Y2Q4M1N0PCVB";
const TIME: &str = "2026-05-14T18:04:31.000Z";
/// Schemas refer to others only so deep.
const DEEP: usize = 16;

/// Fields that exclude each other, or make sense only sometimes: what is left out of an example.
const LEFT_OUT: [(&str, &[&str]); 11] = [
    ("AlbumChanges", &["parent", "cover"]),
    ("AssignFace", &["name"]),
    ("Image", &["error", "failure", "external", "shown", "ttl", "trashedAt"]),
    ("Link", &["image", "search"]),
    ("NewAlbum", &["parent"]),
    ("NewImage", &["sha256", "expiresAt"]),
    ("NewLink", &["image", "search", "password"]),
    ("PeopleInfo", &["message"]),
    ("RetryWork", &["user"]),
    ("TimelineChunk", &["tag"]),
    ("UploadForm", &["sha256", "sizeBytes", "expiresAt"]),
];

/// Gives an example of every body that is described by a schema with a name.
pub(super) fn add_examples(document: &mut Value) {
    let schemas = components(document, "schemas").clone();
    let mut used = Object::new();
    each_operation(document, |_, operation| {
        if let Some(body) = operation.get_mut("requestBody").and_then(Value::as_object_mut) {
            show(object(body, "content"), &schemas, &mut used);
        }
        for (_, answer) in answers(operation) {
            match answer.get("x-error-codes").cloned() {
                Some(codes) => show_errors(object(answer, "content"), &codes, &mut used),
                None if answer.contains_key("content") => {
                    show(object(answer, "content"), &schemas, &mut used);
                }
                None => {}
            }
        }
    });
    components(document, "examples").extend(used);
}

fn show(content: &mut Object, schemas: &Object, used: &mut Object) {
    for (kind, media) in content {
        // Forms are shown by their fields.
        let name = media.get("schema").and_then(referred).map(str::to_owned);
        let Some(name) = name.filter(|_| kind == "application/json") else { continue };
        let Some(schema) = schemas.get(&name) else { continue };
        let value = example_of(schema, &name, "", schemas, DEEP);
        used.entry(&name).or_insert_with(|| json!({ "value": value }));
        refer(media, "example", &name);
    }
}

fn show_errors(content: &mut Object, codes: &Value, used: &mut Object) {
    let Some(media) = content.get_mut("application/json") else { return };
    for code in codes.as_array().into_iter().flatten().map(|code| text(Some(code))) {
        let example = format!("error_{code}");
        used.entry(&example).or_insert_with(|| error(code));
        refer(media, code, &example);
    }
}

fn refer(media: &mut Value, label: &str, example: &str) {
    if let Some(media) = media.as_object_mut() {
        let reference = json!({ "$ref": format!("#/components/examples/{example}") });
        object(media, "examples").insert(label.to_owned(), reference);
    }
}

fn error(name: &str) -> Value {
    let code = ErrorCode::ALL.iter().find(|code| code.name() == name);
    let about = code.map_or("", |code| code.about());
    let id = sample("requestId");
    json!({
        "summary": about,
        "value": { "error": { "code": name, "message": about, "requestId": id } },
    })
}

fn sample(name: &str) -> Option<&'static str> {
    SAMPLES.iter().find(|(of, _)| *of == name).map(|(_, sample)| *sample)
}

/// A value that a schema allows; `name` is that of the property it stands at.
fn example_of(schema: &Value, of: &str, name: &str, known: &Object, deep: usize) -> Value {
    let Some(deep) = deep.checked_sub(1) else { return Value::Null };
    if let Some(given) = schema.get("example") {
        return given.clone();
    }
    if let Some(to) = referred(schema) {
        return known
            .get(to)
            .map_or(Value::Null, |schema| example_of(schema, to, name, known, deep));
    }
    let choices = schema.get("oneOf").or(schema.get("anyOf")).and_then(Value::as_array);
    if let Some(first) =
        choices.into_iter().flatten().find(|choice| text(choice.get("type")) != "null")
    {
        return example_of(first, of, name, known, deep);
    }
    if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|all| all.first()) {
        return first.clone();
    }
    match kind_of(schema) {
        "object" => object_of(schema, of, known, deep),
        "array" => array_of(schema, of, name, known, deep),
        "integer" => number_of(schema, name),
        "number" => number_with_fraction(name),
        "boolean" => Value::from(!matches!(
            name,
            "permanent" | "keepDuplicate" | "onlyShown" | "animated" | "trashed" | "hidden"
        )),
        _ => text_of(schema, name),
    }
}

fn kind_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("null")
        }
        Some(kind) => text(Some(kind)),
        None => "object",
    }
}

fn object_of(schema: &Value, of: &str, known: &Object, deep: usize) -> Value {
    let mut object = Object::new();
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        if let Value::Object(fields) = example_of(part, of, "", known, deep) {
            object.extend(fields);
        }
    }
    let left_out =
        LEFT_OUT.iter().find(|(named, _)| *named == of).map_or(&[][..], |(_, names)| *names);
    for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if !left_out.contains(&name.as_str()) {
            object.insert(name.clone(), example_of(field, of, name, known, deep));
        }
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        let key = if of == "DirectUpload" { "content-type" } else { "thumb" };
        object.insert(key.to_owned(), example_of(values, of, "url", known, deep));
    }
    object.into()
}

fn array_of(schema: &Value, of: &str, name: &str, known: &Object, deep: usize) -> Value {
    let Some(items) = schema.get("items") else { return json!([]) };
    if name == "tags" || name == "public" {
        return json!(["sun", "sea"]);
    }
    let one = example_of(items, of, name, known, deep);
    let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
    (0..least.max(1)).map(|_| one.clone()).collect::<Vec<_>>().into()
}

fn number_of(schema: &Value, name: &str) -> Value {
    let number = match name {
        "width" => 4032,
        "height" => 3024,
        "sizeBytes" => 2_481_152,
        "quality" => 80,
        "version" => 3,
        "uploadedAtMillis" => 1_778_781_871_000_i64,
        "bytesMax" | "bytesLeft" | "bytes" => 10_737_418_240,
        "alg" => -7,
        "timeout" => 300_000,
        _ => schema
            .get("default")
            .or(schema.get("minimum"))
            .and_then(Value::as_i64)
            .unwrap_or(1)
            .max(1),
    };
    number.into()
}

fn number_with_fraction(name: &str) -> Value {
    json!(if name == "aspectRatio" { 1.3333 } else { 0.5 })
}

fn text_of(schema: &Value, name: &str) -> Value {
    let pattern = text(schema.get("pattern"));
    if pattern.starts_with("^[0-7]") {
        return ULID.into();
    }
    if pattern.starts_with("^person") {
        return "person17".into();
    }
    match text(schema.get("format")) {
        "date-time" => TIME.into(),
        "uri-reference" => sample(name).or(sample("url")).unwrap_or_default().into(),
        _ => sample(name).unwrap_or("text").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_what_its_schema_names() {
        let schemas = json!({
            "Dog": {
                "type": "object",
                "properties": {
                    "title": { "type": ["string", "null"] },
                    "friend": { "oneOf": [{ "$ref": "#/components/schemas/Cat" }, { "type": "null" }] },
                },
            },
            "Cat": { "type": "string", "enum": ["black", "white"] },
        });
        let known = schemas.as_object().unwrap();
        let dog = example_of(&schemas["Dog"], "Dog", "", known, DEEP);
        assert_eq!(dog, json!({ "title": "Evening", "friend": "black" }));
    }
}

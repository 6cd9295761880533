//! What a text or a number can be: one of a few words, a time, an address, an id.

use serde_json::{Value, json};

use super::walk::{Object, components, each_operation, each_property, text};

/// Sets of words that never grow in silence, as clients know them.
const WORDS: [(&str, &[&str]); 22] = [
    ("AlbumAccess", &["owner", "contributor", "viewer"]),
    ("ChangeKind", &["created", "updated", "deleted"]),
    ("ChangedEntity", &["image", "album", "person", "user"]),
    ("ChangeOutcome", &["added", "alreadyThere", "tooManyAlbums", "removed", "notFound"]),
    (
        "FailureCode",
        &[
            "unsupported_image",
            "truncated_image",
            "damaged_image",
            "file_too_large",
            "too_many_pixels",
            "side_too_long",
            "too_many_frames",
            "too_much_memory",
            "original_missing",
            "processing_failed",
        ],
    ),
    ("Fit", &["inside", "cover"]),
    ("HealthState", &["ok", "degraded", "failed"]),
    ("ImageStatus", &["pending", "processing", "completed", "failed"]),
    ("LinkKind", &["image", "album", "search"]),
    ("Liveness", &["alive"]),
    ("PeopleState", &["on", "off"]),
    (
        "PersonEditKind",
        &[
            "rename",
            "hide",
            "cover",
            "link",
            "merge",
            "split",
            "assign",
            "reject",
            "different",
            "delete",
        ],
    ),
    ("PublicKey", &["public-key"]),
    ("Readiness", &["ready", "unavailable"]),
    ("RegionKind", &["face", "pet", "other"]),
    ("RenditionFormat", &["webp", "avif", "jpeg", "png"]),
    ("RetryOutcome", &["retried", "notFailed", "notFound"]),
    ("Scope", &["read", "write", "delete", "account", "admin"]),
    ("Shown", &["incomplete", "preview"]),
    ("SignUpPolicy", &["open", "invitation", "closed"]),
    ("SuggestionKind", &["key", "tag", "album", "person", "word", "value"]),
    ("TagOutcome", &["set", "notFound", "tooMany"]),
];

/// Which properties are such words, by schema.
const WORDS_OF: [(&str, &str, &str); 34] = [
    ("AccountInfo", "signUp", "SignUpPolicy"),
    ("Album", "role", "AlbumAccess"),
    ("ApiKey", "scopes", "Scope"),
    ("AuthenticationResponseJSON", "type", "PublicKey"),
    ("Change", "entity", "ChangedEntity"),
    ("Change", "kind", "ChangeKind"),
    ("ChangedImage", "outcome", "ChangeOutcome"),
    ("CredentialDescriptor", "type", "PublicKey"),
    ("CredentialParameter", "type", "PublicKey"),
    ("DeadWork", "kind", "WorkKind"),
    ("Failure", "code", "FailureCode"),
    ("Image", "shown", "Shown"),
    ("Image", "status", "ImageStatus"),
    ("Image", "visibility", "Visibility"),
    ("Live", "status", "Liveness"),
    ("MeAnswer", "scopes", "Scope"),
    ("NewKey", "scopes", "Scope"),
    ("OneSet", "outcome", "TagOutcome"),
    ("PartStatus", "status", "HealthState"),
    ("PeopleInfo", "state", "PeopleState"),
    ("PersonEdit", "kind", "PersonEditKind"),
    ("QueueInfo", "kind", "WorkKind"),
    ("Ready", "status", "Readiness"),
    ("Region", "kind", "RegionKind"),
    ("RegistrationResponseJSON", "type", "PublicKey"),
    ("RetriedImage", "outcome", "RetryOutcome"),
    ("Shared", "kind", "LinkKind"),
    ("SizeInfo", "fit", "Fit"),
    ("SizeInfo", "format", "RenditionFormat"),
    ("SizeUrl", "format", "RenditionFormat"),
    ("Suggestion", "kind", "SuggestionKind"),
    ("TimelineImage", "status", "ImageStatus"),
    ("TimelineImage", "visibility", "Visibility"),
    ("TransformInfo", "formats", "RenditionFormat"),
];

/// What a property of this name is, wherever it stands.
const TEXTS: [(&str, &str, &str); 11] = [
    ("at", "format", "date-time"),
    ("deadSince", "format", "date-time"),
    ("erasingSince", "format", "date-time"),
    ("firstDue", "format", "date-time"),
    ("login", "format", "uri-reference"),
    ("path", "format", "uri-reference"),
    ("url", "format", "uri-reference"),
    ("email", "format", "email"),
    ("color", "pattern", "^#[0-9a-f]{6}$"),
    ("month", "pattern", "^[0-9]{4}-(0[1-9]|1[0-2])$"),
    ("sha256", "pattern", "^[0-9a-fA-F]{64}$"),
];

const ULID: &str = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$";
const PERSON: &str = "^person[1-9][0-9]*$";
/// Properties that are ids of something other than a person, wherever they stand.
const ULIDS: [&str; 10] = [
    "album",
    "behind",
    "by",
    "createdBy",
    "face",
    "image",
    "owner",
    "parent",
    "picture",
    "undoneBy",
];
/// The same, where the name alone does not tell.
const ULIDS_OF: [(&str, &str); 27] = [
    ("Album", "cover"),
    ("Album", "id"),
    ("AlbumChanges", "cover"),
    ("AlbumImageChanges", "add"),
    ("AlbumImageChanges", "remove"),
    ("AlbumMember", "user"),
    ("ChangedImage", "id"),
    ("ChosenImages", "ids"),
    ("DeadWork", "user"),
    ("DirectUpload", "id"),
    ("Face", "id"),
    ("Image", "id"),
    ("ImageIds", "ids"),
    ("Link", "id"),
    ("MoveImages", "ids"),
    ("Person", "user"),
    ("PersonChanges", "cover"),
    ("PersonChanges", "user"),
    ("PersonEdit", "id"),
    ("RetriedImage", "id"),
    ("RetryImages", "ids"),
    ("RetryWork", "user"),
    ("SharedImage", "id"),
    ("SplitPerson", "faces"),
    ("TimelineImage", "id"),
    ("User", "id"),
    ("UserIds", "ids"),
];
const PERSONS_OF: [(&str, &str); 7] = [
    ("AssignFace", "person"),
    ("EditUser", "person"),
    ("FacePerson", "id"),
    ("MergePersons", "with"),
    ("Person", "id"),
    ("PersonEdit", "person"),
    ("SameAnswer", "persons"),
];
/// Parts of paths, and parameters: what stands before them, if that matters.
const IDS_OF_PATHS: [(&str, &str, &str); 11] = [
    ("/albums/", "id", ULID),
    ("/faces/", "id", ULID),
    ("/images/", "id", ULID),
    ("/links", "id", ULID),
    ("/persons/edits/", "id", ULID),
    ("/persons/{", "id", PERSON),
    ("/uploads/", "id", ULID),
    ("/users/", "id", ULID),
    ("/", "album", ULID),
    ("/", "image", ULID),
    ("/members/", "user", ULID),
];

/// Says of every property what it can be.
pub(super) fn say_what_values_can_be(document: &mut Value) {
    let schemas = components(document, "schemas");
    for (name, words) in WORDS {
        schemas.entry(name).or_insert_with(|| json!({ "type": "string", "enum": words }));
    }
    each_property(document, |schema, name, property| {
        refer_to_words(schema, name, property);
        if let Some(items) = property.get_mut("items").and_then(Value::as_object_mut) {
            refer_to_words(schema, name, items);
            narrow(schema, name, items);
        }
        if let Some(values) =
            property.get_mut("additionalProperties").and_then(Value::as_object_mut)
            && name == "urls"
        {
            narrow(schema, "url", values);
        }
        narrow(schema, name, property);
    });
    each_operation(document, |route, operation| {
        for parameter in super::walk::array(operation.get_mut("parameters")) {
            let name = text(parameter.get("name")).to_owned();
            let schema = parameter.get_mut("schema").and_then(Value::as_object_mut);
            let Some(schema) = schema else { continue };
            let id = IDS_OF_PATHS.iter().find(|(at, id, _)| *id == name && route.path.contains(at));
            if let Some((_, _, pattern)) = id.filter(|_| is_text(schema)) {
                schema.entry("pattern").or_insert_with(|| (*pattern).into());
            }
            narrow("", &name, schema);
        }
    });
}

fn refer_to_words(schema: &str, name: &str, property: &mut Object) {
    let words = WORDS_OF.iter().find(|(of, named, _)| *of == schema && *named == name);
    let Some((_, _, words)) = words.filter(|_| is_text(property)) else { return };
    let reference = format!("#/components/schemas/{words}");
    let may_be_null = property.get("type").is_some_and(Value::is_array);
    property.remove("type");
    match may_be_null {
        true => {
            property.insert("oneOf".to_owned(), json!([{ "$ref": reference }, { "type": "null" }]))
        }
        false => property.insert("$ref".to_owned(), reference.into()),
    };
}

fn narrow(schema: &str, name: &str, value: &mut Object) {
    if is_of_type(value, "integer") {
        value.entry("format").or_insert_with(|| "int64".into());
    }
    if !is_text(value) || ["format", "pattern", "enum"].iter().any(|key| value.contains_key(*key)) {
        return;
    }
    let is = |of: &[(&str, &str)]| of.contains(&(schema, name));
    let said = TEXTS.iter().find(|(of, _, _)| *of == name);
    let (key, what) = if let Some((_, key, what)) = said {
        (*key, *what)
    } else if name.ends_with("At") {
        ("format", "date-time")
    } else if name.ends_with("Url") {
        ("format", "uri-reference")
    } else if is(&PERSONS_OF) {
        ("pattern", PERSON)
    } else if is(&ULIDS_OF) || (ULIDS.contains(&name) && !schema.is_empty()) {
        ("pattern", ULID)
    } else {
        return;
    };
    value.insert(key.to_owned(), what.into());
}

fn is_text(schema: &Object) -> bool {
    is_of_type(schema, "string")
}

fn is_of_type(schema: &Object, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|kind| kind == wanted),
        Some(kind) => kind == wanted,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        serde_json::from_str(&crate::openapi_json()).unwrap()
    }

    #[test]
    fn what_is_said_of_a_property_is_said_of_one_that_there_is() {
        let schemas = &document()["components"]["schemas"];
        let of = |schema: &str, name: &str| {
            let all = serde_json::to_string(&schemas[schema]).unwrap();
            assert!(all.contains(&format!("\"{name}\":")), "{schema} has no {name}");
        };
        WORDS_OF.iter().for_each(|(schema, name, _)| of(schema, name));
        ULIDS_OF.iter().chain(&PERSONS_OF).for_each(|(schema, name)| of(schema, name));
    }

    /// A description that begins with words in backticks lists all there are.
    #[test]
    fn descriptions_that_list_words_list_those_of_the_enum() {
        let mut document = document();
        let sets = document["components"]["schemas"].clone();
        let mut wrong = Vec::new();
        each_property(&mut document, |schema, name, property| {
            let about = text(property.get("description")).to_owned();
            let listed: Vec<_> = about.split('`').skip(1).step_by(2).collect();
            let lists = about.starts_with('`') && about.contains("` or `");
            let written = serde_json::to_string(property).unwrap();
            let referred = written.split("#/components/schemas/").nth(1);
            let set = referred.map(|rest| rest.split('"').next().unwrap());
            let words = set.map(|set| sets[set]["enum"].clone()).unwrap_or_default();
            let missing = |word: &&str| {
                !words.as_array().is_some_and(|all| all.iter().any(|one| one == word))
            };
            if lists && listed.iter().any(missing) {
                wrong.push(format!("{schema}.{name}: {about} but {words}"));
            }
        });
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

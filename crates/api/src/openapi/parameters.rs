//! Parameters that many routes have alike, by what the routes answer or do.

use serde_json::{Value, json};

use super::walk::{Object, Route, answers, each_operation, text};

/// Routes that change or delete what has a version.
const BY_VERSION: [&str; 9] = [
    "deleteAlbum",
    "deleteImage",
    "deletePerson",
    "editAlbum",
    "editImage",
    "editLink",
    "editMe",
    "editPerson",
    "editUser",
];

/// Adds the parameters that follow from each route, and what is not said of those it names itself.
pub(super) fn add_common_parameters(document: &mut Value) {
    each_operation(document, |route, operation| {
        for parameter in common(route, operation) {
            add(operation, parameter);
        }
        for parameter in super::walk::array(operation.get_mut("parameters")) {
            if let Some(parameter) = parameter.as_object_mut() {
                explain(parameter);
            }
        }
    });
}

fn common(route: &Route<'_>, operation: &mut Object) -> Vec<Value> {
    let statuses: Vec<u16> = answers(operation).map(|(status, _)| status).collect();
    let mut all = Vec::new();
    if BY_VERSION.contains(&route.name.as_str()) {
        all.push(header(
            "If-Match",
            "The `ETag` of the version that is to be changed or deleted. If there is another one \
             meanwhile, the answer is 412 `precondition_failed` and nothing happens.",
        ));
    }
    if statuses.contains(&304) {
        all.push(header(
            "If-None-Match",
            "The `ETag` of what the client has; if that is current, the answer is 304.",
        ));
    }
    if statuses.contains(&206) {
        all.push(header("Range", "The part that is wanted, such as `bytes=0-1023`."));
    }
    if route.path.starts_with("/api/v1/shared/") && !route.path.ends_with("/unlock") {
        all.push(header(
            "X-Link-Unlocked",
            "The `proof` that unlocking the link has answered, if the link has a password.",
        ));
    }
    all
}

fn header(name: &str, about: &str) -> Value {
    json!({
        "name": name, "in": "header", "required": false, "description": about,
        "schema": { "type": "string" },
    })
}

fn add(operation: &mut Object, parameter: Value) {
    let all = operation.entry("parameters").or_insert_with(|| Value::Array(Vec::new()));
    let Some(all) = all.as_array_mut() else { return };
    let is_same =
        |known: &Value| ["name", "in"].iter().all(|key| known.get(key) == parameter.get(key));
    if !all.iter().any(is_same) {
        all.push(parameter);
    }
}

/// Only one version of tus is spoken; and parameters that are everywhere are explained once, here.
fn explain(parameter: &mut Object) {
    let name = text(parameter.get("name")).to_owned();
    if name == "Tus-Resumable" {
        parameter.insert("schema".to_owned(), json!({ "type": "string", "enum": ["1.0.0"] }));
    }
    let about = match name.as_str() {
        "id" => "Its id.",
        "image" => "The image's id.",
        "token" => "The last part of the link's `url`.",
        "user" => "The user's id.",
        _ => return,
    };
    if text(parameter.get("description")).is_empty() {
        parameter.insert("description".to_owned(), about.into());
    }
}

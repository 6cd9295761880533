//! Headers of answers.

use axum::http::Method;
use serde_json::{Value, json};

use super::walk::{Object, Route, answers, array, components, each_operation, object};
use crate::rate_limit::Traffic;

/// What a header is called, the type of its value, whether it is always there, what it says.
type Header = (&'static str, &'static str, bool, &'static str);

const HEADERS: [Header; 23] = [
    ("X-Request-Id", "string", true, "What to quote when you ask the operator; also in the log."),
    ("RateLimit-Limit", "integer", false, "Requests that are allowed in a minute."),
    ("RateLimit-Remaining", "integer", false, "How many of them are left."),
    ("RateLimit-Reset", "integer", false, "Seconds until all are allowed again."),
    ("Retry-After", "integer", false, "Seconds after which to try again."),
    ("WWW-Authenticate", "string", false, "How to prove who one is."),
    ("ETag", "string", true, "The version, for `If-Match` and `If-None-Match`."),
    ("Location", "string", true, "Where it is."),
    ("Cache-Control", "string", true, "Who may keep it, and for how long."),
    ("Content-Disposition", "string", false, "Under which name to save it."),
    ("Content-Range", "string", true, "Which part it is, and of how many bytes."),
    ("Set-Cookie", "string", false, "The session, for browsers."),
    (
        "Idempotency-Replayed",
        "string",
        false,
        "`true` if it is the answer to an earlier request with the same `Idempotency-Key`.",
    ),
    (
        "Upload-Outcome",
        "string",
        false,
        "`created`; `duplicate`, the owner has had this file; or \
      `repeated`, the answer to an earlier request with the same `Idempotency-Key`.",
    ),
    ("Tus-Resumable", "string", true, "The version of tus that is spoken: 1.0.0."),
    ("Tus-Version", "string", true, "The versions of tus that are spoken."),
    ("Tus-Extension", "string", true, "The extensions of tus that are offered."),
    ("Tus-Max-Size", "integer", true, "Bytes that a file may have."),
    ("Tus-Checksum-Algorithm", "string", true, "What `Upload-Checksum` may be made with."),
    ("Upload-Offset", "integer", true, "How many bytes have come; go on from there."),
    ("Upload-Length", "integer", false, "Bytes of the file."),
    ("Upload-Expires", "string", false, "When the upload is given up unless more comes."),
    (
        "Upload-Image",
        "string",
        false,
        "The id of the image that the upload has become, once it is \
      complete.",
    ),
];

/// Routes that answer with something that has a version.
const VERSIONED: [&str; 24] = [
    "beginDirectUpload",
    "completeUpload",
    "createAlbum",
    "createLink",
    "createUser",
    "editAlbum",
    "editImage",
    "editLink",
    "editMe",
    "editPerson",
    "editUser",
    "getAlbum",
    "getExternalImage",
    "getImage",
    "getLink",
    "getPerson",
    "getPicture",
    "recordExternalImage",
    "restoreImage",
    "retryImage",
    "uploadImage",
    "getTimeline",
    "getTimelineMonth",
    "listTimelineMonths",
];
const IMAGE_ANSWERS: [&str; 2] = ["uploadImage", "completeUpload"];
const MADE_ELSEWHERE: [&str; 4] = ["createAlbum", "createLink", "uploadImage", "completeUpload"];
const SESSIONS: [&str; 4] =
    ["createSession", "createPasskeySession", "createAccount", "createAdministrator"];

/// Says which headers each answer has.
pub(super) fn add_headers(document: &mut Value) {
    each_operation(document, |route, operation| {
        let has_key = array(operation.get_mut("parameters"))
            .any(|parameter| parameter["name"] == "Idempotency-Key");
        for (status, answer) in answers(operation) {
            let all = object(answer, "headers");
            let replayed = (has_key && status < 300).then_some("Idempotency-Replayed");
            for name in of_answer(route, status).into_iter().chain(replayed) {
                all.entry(name).or_insert_with(|| reference(name));
            }
        }
    });
    let all = components(document, "headers");
    for header in HEADERS {
        all.insert(header.0.to_owned(), describe(header));
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

fn describe((_, kind, required, about): Header) -> Value {
    let mut schema = Object::from_iter([("type".to_owned(), kind.into())]);
    if kind == "integer" {
        schema.insert("format".to_owned(), "int64".into());
        schema.insert("minimum".to_owned(), 0.into());
    }
    json!({ "description": about, "required": required, "schema": schema })
}

fn of_answer(route: &Route<'_>, status: u16) -> Vec<&'static str> {
    let mut all = vec!["X-Request-Id"];
    let method: Option<Method> = route.method.to_uppercase().parse().ok();
    let traffic = method.map(|method| Traffic::of(&method, route.path));
    if matches!(traffic, Some(Traffic::Api | Traffic::Pixels | Traffic::SignIn)) {
        all.extend(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);
    }
    match status {
        200..=399 => all.extend(of_success(&route.name, status)),
        401 => all.push("WWW-Authenticate"),
        429 | 503 | 507 => all.push("Retry-After"),
        _ => {}
    }
    all
}

fn of_success(name: &str, status: u16) -> Vec<&'static str> {
    let mut all = Vec::new();
    let is_whole = matches!(status, 200 | 201 | 206 | 304);
    // Beginning an upload answers with an image only if that is there already.
    let is_address = name == "beginDirectUpload" && status == 201;
    if is_whole && !is_address && VERSIONED.contains(&name) {
        all.push("ETag");
    }
    if IMAGE_ANSWERS.contains(&name) || name == "beginDirectUpload" && status == 200 {
        all.extend(["Location", "Upload-Outcome"]);
    } else if MADE_ELSEWHERE.contains(&name) && status == 201 || status == 302 {
        all.push("Location");
    }
    if SESSIONS.contains(&name) {
        all.push("Set-Cookie");
    }
    all.extend(of_uploads(name));
    if name == "getPicture" {
        all.extend(["Cache-Control", "Content-Disposition"]);
    }
    if status == 206 {
        all.push("Content-Range");
    }
    all
}

/// What tus says in headers.
fn of_uploads(name: &str) -> &'static [&'static str] {
    match name {
        "describeUploads" => &[
            "Tus-Resumable",
            "Tus-Version",
            "Tus-Extension",
            "Tus-Max-Size",
            "Tus-Checksum-Algorithm",
        ],
        "createUpload" => {
            &["Tus-Resumable", "Location", "Upload-Expires", "Upload-Image", "Upload-Outcome"]
        }
        "getUploadOffset" => &[
            "Tus-Resumable",
            "Upload-Offset",
            "Upload-Length",
            "Upload-Expires",
            "Upload-Image",
            "Upload-Outcome",
        ],
        "appendUpload" => {
            &["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Image", "Upload-Outcome"]
        }
        "cancelUpload" => &["Tus-Resumable"],
        _ => &[],
    }
}

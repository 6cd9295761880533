//! What is written about the API is what the code says. `UPDATE=1 cargo test -p api --test
//! documents` rewrites it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_openapi_document_is_current() {
    let path = docs().join("openapi.json");
    compare(&path, &fs::read_to_string(&path).unwrap_or_default(), &api::openapi_json());
}

#[test]
fn the_table_of_errors_is_current() {
    let path = docs().join("api.md");
    let document = fs::read_to_string(&path).unwrap();
    let (before, rest) = split_after(&document, "<!-- errors:", "-->\n");
    let end = rest.find("<!-- end of errors -->").unwrap();
    let current = format!("{before}\n{}\n{}", api::error_table(), &rest[end..]);
    compare(&path, &document, &current);
}

fn split_after<'a>(text: &'a str, start: &str, end: &str) -> (&'a str, &'a str) {
    let start = text.find(start).unwrap();
    let end = start + text[start..].find(end).unwrap() + end.len();
    text.split_at(end)
}

fn compare(path: &Path, kept: &str, current: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, current).unwrap();
    } else if kept != current {
        let hint = "UPDATE=1 cargo test -p api --test documents";
        panic!("{} is not what the code says; `{hint}` rewrites it", path.display());
    }
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

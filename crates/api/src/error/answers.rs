//! Errors in the OpenAPI document: which codes a route may answer with, by status.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{
    ContentBuilder, OpenApi, PathItem, Ref, RefOr, Response, ResponseBuilder, Schema,
};

use super::ErrorCode;
use crate::idempotency;

/// Names the errors of a route, to stand among its `responses(…)`:
///
/// ```ignore
/// error_answers!(GetImageErrors: NotFound, ScopeMissing);
/// #[utoipa::path(get, path = "/…", responses((status = 200, body = Image), GetImageErrors))]
/// ```
///
/// Those that every route has need not be named; see [`add_common_answers`].
macro_rules! error_answers {
    ($name:ident: $($code:ident),+ $(,)?) => {
        struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<
                String,
                utoipa::openapi::RefOr<utoipa::openapi::Response>,
            > {
                $crate::error::by_status([$($crate::ErrorCode::$code),+])
            }
        }
    };
}
pub(crate) use error_answers;

/// The codes that stand at an answer, for programs that read the document.
const CODES: &str = "x-error-codes";

/// Answers of these codes, one for each status.
pub(crate) fn by_status(
    codes: impl IntoIterator<Item = ErrorCode>,
) -> BTreeMap<String, RefOr<Response>> {
    let mut sorted: BTreeMap<String, BTreeSet<ErrorCode>> = BTreeMap::new();
    for code in codes {
        sorted.entry(code.status().as_str().to_owned()).or_default().insert(code);
    }
    sorted.into_iter().map(|(status, codes)| (status, answer(&codes).into())).collect()
}

/// Adds to every route the errors that follow from its shape.
pub(crate) fn add_common_answers(document: &mut OpenApi) {
    let paths = document.paths.paths.iter_mut();
    let all = paths.flat_map(|(path, item)| operations(item).map(move |one| (path, one)));
    for (path, operation) in all {
        let own = std::mem::take(&mut operation.responses.responses);
        let mut codes = common_codes(operation);
        codes.extend(idempotency::codes(path, operation));
        if path.starts_with("/api/v1/") {
            codes.insert(ErrorCode::BadQuery);
        }
        // An id that cannot be one names nothing, on any route.
        if path.contains('{') {
            codes.insert(ErrorCode::NotFound);
        }
        for (status, response) in own {
            match &response {
                RefOr::T(response) if response.extensions.as_ref().is_some_and(has_codes) => {
                    codes.extend(codes_of(response));
                }
                _ => drop(operation.responses.responses.insert(status, response)),
            }
        }
        operation.responses.responses.extend(by_status(codes));
    }
}

fn common_codes(operation: &Operation) -> BTreeSet<ErrorCode> {
    let mut codes = BTreeSet::from([
        ErrorCode::BadRequest,
        ErrorCode::RateLimited,
        ErrorCode::HeadTooLarge,
        ErrorCode::Internal,
        ErrorCode::Timeout,
        ErrorCode::Unavailable,
    ]);
    let changes = operation.request_body.is_some();
    if changes {
        codes.insert(ErrorCode::StorageFull);
    }
    if operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty()) {
        codes.insert(ErrorCode::BadQuery);
    }
    if let Some(body) = &operation.request_body {
        codes.extend([
            ErrorCode::BodyTooLarge,
            ErrorCode::RequestTimeout,
            ErrorCode::UnsupportedMediaType,
        ]);
        if matches!(body, RefOr::T(body) if body.content.contains_key("application/json")) {
            codes.insert(ErrorCode::BadJson);
        }
    }
    if operation.security.as_ref().is_some_and(|security| !security.is_empty()) {
        codes.extend([ErrorCode::Unauthenticated, ErrorCode::ScopeMissing, ErrorCode::Csrf]);
    }
    codes
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, options, head, patch, .. } = item;
    [get, put, post, delete, options, head, patch].into_iter().flatten()
}

fn answer(codes: &BTreeSet<ErrorCode>) -> Response {
    let lines: Vec<_> =
        codes.iter().map(|code| format!("`{}`: {}", code.name(), code.about())).collect();
    let names: Vec<_> = codes.iter().map(|code| Value::from(code.name())).collect();
    let schema = Ref::from_schema_name("Error");
    let mut response = ResponseBuilder::new()
        .description(lines.join("\n\n"))
        .content("application/json", ContentBuilder::new().schema(Some(schema)).build())
        .build();
    response.extensions = Some(Extensions::from_iter([(CODES, Value::from(names))]));
    response
}

fn has_codes(extensions: &Extensions) -> bool {
    extensions.contains_key(CODES)
}

fn codes_of(response: &Response) -> impl Iterator<Item = ErrorCode> {
    let names = response.extensions.as_ref().and_then(|extensions| extensions.get(CODES));
    let names = names.and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| {
        ErrorCode::ALL.iter().copied().find(|code| Some(code.name()) == name.as_str())
    })
}

/// All codes, for generated clients.
pub(super) fn code_schema() -> RefOr<Schema> {
    let names = ErrorCode::ALL.iter().map(|code| code.name());
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

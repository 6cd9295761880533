//! `Idempotency-Key` where something is made or changed by JSON: whoever has lost an answer sends
//! the request again and gets the same one, marked by `Idempotency-Replayed`. Uploads have a key of
//! the same kind, which `service` looks at, since their bodies are not kept.

use std::panic::resume_unwind;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{Caller, Claimed, Once, RequestClaim};
use tracing::Instrument;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{OpenApi, RefOr, Required};

use crate::app::App;
use crate::{ApiError, ErrorCode, extract};

pub(crate) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The same as people write it.
const NAME: &str = "Idempotency-Key";
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Where a `POST` takes a key. Not where the answer is a secret that is shown once.
const COVERED: [&str; 5] =
    ["/api/v1/albums", "/api/v1/links", "/api/v1/tags", "/api/v1/persons", "/api/v1/faces"];
/// What of an answer is kept beside its body.
const KEPT_HEADERS: [HeaderName; 4] =
    [header::CONTENT_TYPE, header::LOCATION, header::ETAG, header::CACHE_CONTROL];
/// No answer of a covered route comes near it, and a row takes no more.
const KEPT_BYTES_MAX: usize = 256 << 10;

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// Whether a path takes a key with `POST`.
pub(crate) fn covers(path: &str) -> bool {
    COVERED.iter().any(|covered| path.starts_with(covered))
}

/// The key of a request, if it has one.
pub(crate) fn key_of(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let key = headers.get(KEY).map(|value| value.to_str().map(str::to_owned));
    key.transpose().map_err(|_| {
        ApiError::new(ErrorCode::BadRequest, "Idempotency-Key: only plain characters are taken")
    })
}

/// Says that an answer is that of an earlier request.
pub(crate) fn mark_replayed(headers: &mut HeaderMap) {
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
}

/// Answers a request, unless it comes with a key and was answered before.
pub(crate) async fn answer_once(app: &App, request: Request, next: Next) -> Response {
    let is_covered = request.method() == Method::POST && covers(request.uri().path());
    let caller = request.extensions().get::<Caller>().filter(|_| is_covered).cloned();
    let key = caller.map(|caller| (key_of(request.headers()), caller));
    let answered = match key {
        None | Some((Ok(None), _)) => return next.run(request).await,
        Some((Err(error), _)) => Err(error),
        Some((Ok(Some(key)), caller)) => claim(app, &caller, &key, request, next).await,
    };
    answered.unwrap_or_else(IntoResponse::into_response)
}

async fn claim(
    app: &App,
    caller: &Caller,
    key: &str,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = extract::read_body(body, app.settings.limits.body_bytes).await?;
    match app.service.claim_request(caller, key, &said(&parts, &body)).await? {
        Claimed::Answered(kept) => replay(&kept),
        Claimed::Claimed(claim) => {
            let mut request = Request::from_parts(parts, Body::from(body));
            request.extensions_mut().insert(claim.once());
            work(app.clone(), claim, request, next).await
        }
    }
}

/// Goes on when nobody waits any more: a lost connection is what keys are for.
async fn work(
    app: App,
    claim: RequestClaim,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let work = async move { keep(&app, &claim, next.run(request).await).await };
    match tokio::spawn(work.in_current_span()).await {
        Ok(response) => Ok(response),
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(ApiError::plain(ErrorCode::Unavailable)),
        },
    }
}

/// Keeps what succeeded. What was refused has changed nothing, and what failed by our fault may
/// have: then the next attempt goes on with it.
async fn keep(app: &App, claim: &RequestClaim, response: Response) -> Response {
    let service = &app.service;
    let (response, noted) = match response.status() {
        status if status.is_success() => {
            let (response, kept) = read(response).await;
            match kept {
                Some(kept) => (response, service.answer_request(claim, kept).await),
                None => (response, service.leave_request(claim).await),
            }
        }
        status if status.is_server_error() => (response, service.leave_request(claim).await),
        _ => (response, service.forget_request(claim).await),
    };
    if let Err(error) = noted {
        tracing::warn!(%error, "a repeated request will not get the same answer");
    }
    response
}

/// An answer, and what is kept of it.
async fn read(response: Response) -> (Response, Option<Vec<u8>>) {
    let (head, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return (ApiError::plain(ErrorCode::Internal).into_response(), None);
    };
    let text = |name: &HeaderName| Some(head.headers.get(name)?.to_str().ok()?.to_owned());
    let kept = KeptAnswer {
        status: head.status.as_u16(),
        headers: KEPT_HEADERS
            .iter()
            .filter_map(|name| Some((name.to_string(), text(name)?)))
            .collect(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let kept = serde_json::to_vec(&kept).ok().filter(|kept| kept.len() <= KEPT_BYTES_MAX);
    (Response::from_parts(head, Body::from(body)), kept)
}

fn replay(kept: &[u8]) -> Result<Response, ApiError> {
    let damaged = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "the answer kept for a repeated request is damaged");
        ApiError::plain(ErrorCode::Internal)
    };
    let kept: KeptAnswer = serde_json::from_slice(kept).map_err(|error| damaged(&error))?;
    let status = StatusCode::from_u16(kept.status).map_err(|error| damaged(&error))?;
    let mut response = (status, kept.body).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    for (name, value) in kept.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.insert(name, value);
        }
    }
    mark_replayed(headers);
    Ok(response)
}

/// What a request says. Passwords are left out: nothing that is quick to compute from them may be
/// kept.
fn said(parts: &Parts, body: &Bytes) -> Vec<u8> {
    let mut said = format!("{} {}\n", parts.method, parts.uri).into_bytes();
    match serde_json::from_slice::<Value>(body) {
        Ok(mut json) => {
            if let Some(password) = json.get_mut("password") {
                *password = Value::Bool(true);
            }
            said.extend(json.to_string().into_bytes());
        }
        Err(_) => said.extend_from_slice(body),
    }
    said
}

/// What the ids of something new are made of.
pub(crate) fn once(app: &App, found: Option<axum::Extension<Once>>) -> Once {
    found.map_or_else(|| app.service.once(), |axum::Extension(once)| once)
}

/// Adds the key to the routes that take one.
pub(crate) fn describe(document: &mut OpenApi) {
    let paths = document.paths.paths.iter_mut().filter(|(path, _)| covers(path));
    for operation in paths.filter_map(|(_, item)| item.post.as_mut()) {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(255)).build();
        let parameter = ParameterBuilder::new()
            .name(NAME)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some("What tells a repeated request from a new one, for a day"))
            .schema(Some(text));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}

/// The errors that come with a key.
pub(crate) fn codes(path: &str, operation: &Operation) -> &'static [ErrorCode] {
    let is_key = |one: &RefOr<Parameter>| matches!(one, RefOr::T(one) if one.name == NAME);
    let has_key = operation.parameters.iter().flatten().any(is_key);
    match (has_key, covers(path)) {
        (false, _) => &[],
        (true, true) => {
            &[ErrorCode::IdempotencyMismatch, ErrorCode::RequestRunning, ErrorCode::InvalidValue]
        }
        (true, false) => &[ErrorCode::IdempotencyMismatch, ErrorCode::ResultDeleted],
    }
}

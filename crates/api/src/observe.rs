//! What happens round every request: its id, one log line, metrics, and the last resort
//! when a handler panics.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use futures::FutureExt;
use tracing::Instrument;

use crate::request_id::{HEADER, RequestId};
use crate::{ApiError, ErrorCode};

const REQUESTS: &str = "ferrotype_http_requests_total";
const SECONDS: &str = "ferrotype_http_request_duration_seconds";

/// Says what our metrics mean, once a recorder is installed.
pub fn describe_metrics() {
    metrics::describe_counter!(REQUESTS, "HTTP requests answered, by method, route and status.");
    metrics::describe_histogram!(
        SECONDS,
        metrics::Unit::Seconds,
        "Time from the head of a request to the head of its answer, by method and route."
    );
    metrics::describe_gauge!("ferrotype_ready", "1 if the last readiness check succeeded.");
}

/// The outermost layer.
pub(crate) async fn observe(mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId::from_headers(request.headers());
    request.extensions_mut().insert(id.clone());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("(none)", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", request_id = %id, %method, path);

    let answer = AssertUnwindSafe(next.run(request)).catch_unwind().instrument(span.clone()).await;
    let mut response =
        span.in_scope(|| answer.unwrap_or_else(|panic| internal_error(&*panic, &id)));
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        response = with_headers_of(error.respond(&id), &response);
    }
    if let Some(value) = id.to_header() {
        response.headers_mut().insert(HEADER, value);
    }

    let status = response.status();
    let method = method_label(method.as_str());
    let labels = [("method", method.to_owned()), ("route", route.clone())];
    metrics::histogram!(SECONDS, &labels).record(started.elapsed());
    let [method, route_label] = labels;
    let status_label = ("status", status.as_str().to_owned());
    metrics::counter!(REQUESTS, &[method, route_label, status_label]).increment(1);
    span.in_scope(|| log(&route, status, started));
    response
}

/// Only methods of the standard become a label: a client may invent any number.
fn method_label(method: &str) -> &str {
    match method {
        "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" => method,
        _ => "other",
    }
}

/// An error keeps what its handler or the router said in headers, such as `Allow`.
fn with_headers_of(mut response: Response, before: &Response) -> Response {
    for (name, value) in before.headers() {
        if !response.headers().contains_key(name) && name != axum::http::header::CONTENT_LENGTH {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

fn internal_error(panic: &(dyn Any + Send), id: &RequestId) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    tracing::error!(panic = text, "a handler panicked");
    let message = "something went wrong on our side; the log has more under this request id";
    ApiError::new(ErrorCode::Internal, message).respond(id)
}

/// What monitoring asks all day long is logged quietly.
fn log(route: &str, status: StatusCode, started: Instant) {
    let status = status.as_u16();
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    if route.starts_with("/health/") || route == "/metrics" {
        tracing::debug!(status, ms, "answered");
    } else {
        tracing::info!(status, ms, "answered");
    }
}

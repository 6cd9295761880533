//! What happens round every request: its id, where it comes from, one log line, metrics, the
//! headers that every answer has, and the last resort when a handler panics.

use std::any::Any;
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use tracing::{Instrument, Span};

use crate::app::App;
use crate::client::Client;
use crate::cors::Cors;
use crate::rate_limit::Traffic;
use crate::request_id::{HEADER, RequestId};
use crate::{ApiError, ErrorCode, idempotency, identity, limits, rate_limit, security};

mod meters;

pub(crate) use meters::Meters;
use meters::{IN_FLIGHT, REQUESTS, SECONDS};

pub(crate) const CONNECTIONS: &str = "ferrotype_http_connections";
pub(crate) const RECEIVED: &str = "ferrotype_http_received_bytes_total";
pub(crate) const SENT: &str = "ferrotype_http_sent_bytes_total";

/// Says what our metrics mean, once a recorder is installed.
pub fn describe_metrics() {
    metrics::describe_counter!(REQUESTS, "HTTP requests answered, by method, route and status.");
    metrics::describe_histogram!(
        SECONDS,
        metrics::Unit::Seconds,
        "Time from the head of a request to the head of its answer, by method and route."
    );
    metrics::describe_gauge!(IN_FLIGHT, "Requests whose answer has not begun.");
    metrics::describe_gauge!(CONNECTIONS, "Open connections.");
    metrics::describe_counter!(RECEIVED, metrics::Unit::Bytes, "Bytes that clients have sent.");
    metrics::describe_counter!(SENT, metrics::Unit::Bytes, "Bytes that were sent to clients.");
    metrics::describe_counter!(
        "ferrotype_http_rate_limited_total",
        "Requests refused because too many were sent."
    );
    metrics::describe_gauge!("ferrotype_ready", "1 if the last readiness check succeeded.");
}

/// The outermost layer.
pub(crate) async fn observe(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let _in_flight = app.meters.begin();
    let id = RequestId::from_headers(request.headers());
    let client = Client::of(&request, &app.settings);
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(client);
    let method = method_label(request.method().as_str());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("(none)", MatchedPath::as_str);
    let span = span_of(&request, &id, client);

    let may_change = !request.method().is_safe();
    let cors = Cors::of(&request, &app.settings.cors);
    let answer = answer(&app, client, cors.as_ref(), request, next);
    let mut response = answer.instrument(span.clone()).await;
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        response = with_headers_of(error.respond(&id), &response);
    }
    let headers = response.headers_mut();
    if let Some(value) = id.to_header() {
        headers.insert(HEADER, value);
    }
    security::add_headers(headers, client);
    if let Some(cors) = cors {
        cors.add_headers(headers);
    }

    let status = response.status();
    if may_change && status.is_success() {
        app.service.hint_change();
    }
    app.meters.count(method, route, status, started.elapsed());
    span.in_scope(|| log(route, status, started));
    response
}

fn span_of(request: &Request, id: &RequestId, client: Client) -> Span {
    let path = shown_path(request.uri().path());
    tracing::info_span!(
        "request",
        request_id = %id,
        method = %request.method(),
        path = &*path,
        client = %client.address,
        // Known once the request is identified.
        user = tracing::field::Empty,
    )
}

/// A path as the log may have it: what proves a link stands in the path, and is for nobody else.
fn shown_path(path: &str) -> Cow<'_, str> {
    for before in ["/s/", "/api/v1/shared/"] {
        if let Some(rest) = path.strip_prefix(before) {
            let behind = rest.find('/').and_then(|slash| rest.get(slash..)).unwrap_or_default();
            return Cow::Owned(format!("{before}…{behind}"));
        }
    }
    Cow::Borrowed(path)
}

/// Everything that may be slow or go wrong.
async fn answer(
    app: &App,
    client: Client,
    cors: Option<&Cors>,
    request: Request,
    next: Next,
) -> Response {
    if let Some(preflight) = cors.and_then(Cors::preflight) {
        return preflight;
    }
    let traffic = Traffic::of(request.method(), request.uri().path());
    let counted = rate_limit::count_address(app, client, traffic);
    let mut response = match counted.and_then(|decision| decision.refusal()) {
        Some(refusal) => refusal.into_response(),
        None => {
            let request = limits::watch_body(request, &app.settings.limits);
            let answer = answer_caller(app, client, traffic, request, next);
            let answer = AssertUnwindSafe(answer).catch_unwind().await;
            answer.unwrap_or_else(|panic| internal_error(&*panic).into_response())
        }
    };
    if let Some(decision) = counted {
        decision.add_headers(response.headers_mut());
    }
    response
}

/// Finds out who asks, and whether they have not asked too often, before anything is answered.
async fn answer_caller(
    app: &App,
    client: Client,
    traffic: Traffic,
    mut request: Request,
    next: Next,
) -> Response {
    identity::identify(app, &mut request).await;
    let counted = rate_limit::count_user(app, client, &request, traffic);
    let mut response = match counted.and_then(|decision| decision.refusal()) {
        Some(refusal) => refusal.into_response(),
        None => {
            let entering = rate_limit::enter(app, client, &request, traffic);
            match entering.await {
                Ok(None) => answer_known(app, request, next).await,
                Ok(Some(place)) => place.keep_for(answer_known(app, request, next).await),
                Err(refusal) => refusal.into_response(),
            }
        }
    };
    if let Some(decision) = counted {
        decision.add_headers(response.headers_mut());
    }
    response
}

/// Answers what a request asks for and nothing else, and a repeated one as before.
async fn answer_known(app: &App, request: Request, next: Next) -> Response {
    match app.queries.check(&request) {
        Ok(()) => idempotency::answer_once(app, request, next).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Only methods of the standard become a label: a client may invent any number.
fn method_label(method: &str) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    METHODS.into_iter().find(|known| *known == method).unwrap_or("other")
}

/// An error keeps what its handler or the router said in headers, such as `Allow`.
fn with_headers_of(mut response: Response, before: &Response) -> Response {
    for (name, value) in before.headers() {
        if !response.headers().contains_key(name) && name != header::CONTENT_LENGTH {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

fn internal_error(panic: &(dyn Any + Send)) -> ApiError {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    tracing::error!(panic = text, "a handler panicked");
    ApiError::plain(ErrorCode::Internal)
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

//! What one request may take: the progress of its body, and the time for all of it. Sizes and
//! times of its head are the connection's; see `serve`.

mod progress;

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::Body as _;

use progress::ProgressBody;
pub(crate) use progress::SlowBody;

use crate::{ApiError, ErrorCode, RequestLimits};

/// The same request with a body that fails when it stops coming.
pub(crate) fn watch_body(request: Request, limits: &RequestLimits) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    let (time, bytes) = (limits.stall_time, limits.body_bytes_min);
    request.map(|body| Body::new(ProgressBody::new(body, time, bytes)))
}

/// Gives up a request that takes too long. Not for those that stream.
pub(crate) async fn watch_time(
    State(limit): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            tracing::error!(?limit, "a request took too long");
            ApiError::plain(ErrorCode::Timeout).with_retry_after(PAUSE).into_response()
        }
    }
}

/// When to try again what took too long.
const PAUSE: Duration = Duration::from_secs(5);

//! Who sent a request.
//!
//! [`identify`] runs before every handler and puts a [`Caller`] into the request's extensions if
//! the request proves who sent it. Handlers take it by [`SignedIn`].

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use service::Caller;

use crate::app::App;
use crate::{ApiError, ErrorCode};

/// Somebody who is signed in; everybody else is answered `unauthenticated`.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn(pub(crate) Caller);

impl<S: Send + Sync> FromRequestParts<S> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.map(Self).ok_or_else(|| ApiError::plain(ErrorCode::Unauthenticated))
    }
}

/// Finds out who sent a request. Nobody can sign in yet.
pub(crate) async fn identify(State(_app): State<App>, request: Request, next: Next) -> Response {
    next.run(request).await
}

//! Who sent a request.
//!
//! [`identify`] runs before every handler and puts what it found into the request's extensions.
//! Handlers take the [`Caller`] by [`SignedIn`], or more by [`Account`] and [`Browser`]. A session, an API key and
//! a token of the identity provider come in the `Authorization` header; the session of a browser
//! comes in a cookie, and then a request that changes something must come from our own pages.

pub(crate) mod cookie;
pub(crate) mod origin;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use service::{Authenticated, Caller};

use self::cookie::SessionCookie;
use crate::app::App;
use crate::client::Client;
use crate::oidc::Oidc;
use crate::{ApiError, ErrorCode};

/// Somebody who is signed in; everybody else is answered `unauthenticated`.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn(pub(crate) Caller);

/// The same, with their account and how they proved who they are.
#[derive(Clone, Debug)]
pub(crate) struct Account(pub(crate) Authenticated);

/// The same for what only somebody at a browser may do: whose session came in a cookie. Keys and
/// tokens, which programs hold, are answered `browser_only`.
#[derive(Clone, Debug)]
pub(crate) struct Browser(pub(crate) Authenticated);

/// The same for pages that are also for others. Whatever is wrong with a session, it is none.
#[derive(Clone, Debug)]
pub(crate) struct Visitor(pub(crate) Option<Authenticated>);

/// Why a request that shows something does not prove who sent it.
#[derive(Clone, Debug)]
struct Refused(ApiError);

impl<S: Send + Sync> FromRequestParts<S> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Ok(Self(caller.clone()));
        }
        Account::from_request_parts(parts, state).await.map(|account| Self(account.0.caller))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Account {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if let Some(found) = parts.extensions.get::<Authenticated>() {
            return Ok(Self(found.clone()));
        }
        match parts.extensions.get::<Refused>() {
            Some(Refused(error)) => Err(error.clone()),
            None => Err(unauthenticated(false)),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Browser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Account(found) = Account::from_request_parts(parts, state).await?;
        // What comes in this header is looked at first, and the cookie then not at all.
        let has_token = parts.headers.contains_key(header::AUTHORIZATION);
        match has_token || found.proof.session().is_none() {
            true => Err(service::Error::BrowserOnly.into()),
            false => Ok(Self(found)),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.extensions.get::<Authenticated>().cloned()))
    }
}

/// Finds out who sent a request. What is wrong is told by the handlers that need to know: the
/// others answer everybody.
pub(crate) async fn identify(app: &App, request: &mut Request) {
    if !needs_caller(request) {
        return;
    }
    let found = authenticate(app, Asked::of(request)).await;
    let extensions = request.extensions_mut();
    match found {
        Ok(None) => {}
        Ok(Some(found)) => {
            extensions.insert(found.caller.clone());
            extensions.insert(found);
        }
        Err(error) => drop(extensions.insert(Refused(error))),
    }
}

/// A signed URL proves what it is for, and monitoring asks all day long: neither shall cost a
/// look at the table.
fn needs_caller(request: &Request) -> bool {
    let path = request.uri().path();
    let query = request.uri().query().unwrap_or_default();
    // A picture may also be asked for with other parameters and a session.
    let is_signed = match path.starts_with("/i/") {
        true => query.split('&').any(|pair| pair.starts_with("s=")),
        false => path.starts_with("/storage/") && !query.is_empty(),
    };
    let has_bearer = request.headers().contains_key(header::AUTHORIZATION);
    !path.starts_with("/health/") && path != "/metrics" && (has_bearer || !is_signed)
}

/// What tells who sent a request. Not the request itself, whose body others must not wait for.
struct Asked<'r> {
    headers: &'r HeaderMap,
    is_safe: bool,
    is_https: bool,
}

impl<'r> Asked<'r> {
    fn of(request: &'r Request) -> Self {
        let client = request.extensions().get::<Client>();
        Self {
            headers: request.headers(),
            is_safe: request.method().is_safe(),
            is_https: client.is_some_and(|client| client.https),
        }
    }
}

async fn authenticate(app: &App, asked: Asked<'_>) -> Result<Option<Authenticated>, ApiError> {
    let headers = asked.headers;
    if let Some(token) = bearer(headers)? {
        return authenticate_bearer(app, token).await.map(Some);
    }
    let cookie = SessionCookie::of(app.settings.path(), asked.is_https);
    let Some(token) = cookie.find(headers) else { return Ok(None) };
    if !asked.is_safe && !origin::is_ours(headers, &app.settings) {
        return Err(ApiError::plain(ErrorCode::Csrf));
    }
    app.service.authenticate(token).await.map(Some).map_err(refusal)
}

async fn authenticate_bearer(app: &App, token: &str) -> Result<Authenticated, ApiError> {
    if let Some(oidc) = &app.oidc
        && Oidc::may_be_token(token)
    {
        let verified = oidc.verify(token, app.service.now()).await;
        let identity = verified.map_err(|error| match ApiError::from(error) {
            refused if refused.code() == ErrorCode::Unauthenticated => unauthenticated(true),
            other => other,
        })?;
        return app.service.authenticate_identity(&identity).await.map_err(refusal);
    }
    app.service.authenticate(token).await.map_err(refusal)
}

fn bearer(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| unauthenticated(true))?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(Some(token.trim())),
        _ => Err(unauthenticated(true)),
    }
}

fn refusal(error: service::Error) -> ApiError {
    match error {
        service::Error::Unauthenticated => unauthenticated(true),
        other => other.into(),
    }
}

/// Says how to prove who one is, as RFC 6750 has it.
pub(crate) fn unauthenticated(has_token: bool) -> ApiError {
    let challenge = match has_token {
        true => r#"Bearer realm="ferrotype", error="invalid_token""#,
        false => r#"Bearer realm="ferrotype""#,
    };
    ApiError::plain(ErrorCode::Unauthenticated)
        .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
}

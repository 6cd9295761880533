//! Which other sites' pages may use the API.
//!
//! Only a real preflight is answered here: `OPTIONS` alone belongs to the routes, since tus
//! clients ask with it what an upload may be.

use axum::extract::Request;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::CorsOrigins;
use crate::security::{ANY_SITE, RESOURCE_POLICY};

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const REQUEST_HEADERS: &str = "authorization, content-type, if-match, if-none-match, if-range, \
     range, idempotency-key, last-event-id, x-link-unlocked, x-request-id, x-csrf-token, \
     tus-resumable, upload-length, upload-offset, upload-metadata, upload-checksum, \
     upload-defer-length, x-http-method-override";
const ANSWER_HEADERS: &str = "etag, location, allow, accept-ranges, content-range, \
     content-disposition, retry-after, www-authenticate, idempotency-replayed, ratelimit-limit, \
     ratelimit-remaining, ratelimit-reset, x-request-id, tus-resumable, tus-version, \
     tus-extension, tus-max-size, tus-checksum-algorithm, upload-offset, upload-length, \
     upload-expires, upload-metadata, upload-image, upload-outcome";
/// Browsers ask again after this many seconds.
const KEPT_SECONDS: &str = "3600";

/// What browsers are told about one request.
#[derive(Debug)]
pub(crate) struct Cors {
    allowed: Option<Allowed>,
    preflight: bool,
    /// Whether the page may show the answer, as far as can be told.
    shows: bool,
}

impl Cors {
    /// What they are told, if other sites may use the API at all.
    pub(crate) fn of(request: &Request, origins: &CorsOrigins) -> Option<Self> {
        if *origins == CorsOrigins::None {
            return None;
        }
        let origin = request.headers().get(header::ORIGIN);
        let allowed = origin.and_then(|origin| allow(origins, origin));
        let shows = allowed.is_some() || *origins == CorsOrigins::Any || is_shown(request, origins);
        Some(Self { allowed, preflight: is_preflight(request), shows })
    }

    /// The answer, if the browser only asks whether it may ask.
    pub(crate) fn preflight(&self) -> Option<Response> {
        self.preflight.then(|| StatusCode::NO_CONTENT.into_response())
    }

    /// Adds who may read the answer.
    pub(crate) fn add_headers(self, headers: &mut HeaderMap) {
        // Caches must keep answers for different sites apart.
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        if self.shows {
            headers.insert(RESOURCE_POLICY, ANY_SITE);
        }
        if let Some(allowed) = self.allowed {
            allowed.add_to(headers, self.preflight);
        }
    }
}

/// Whether a page shows something that says nothing of its origin, but where it stands: `<img>`
/// sends a `Referer`, unless the page forbids it.
fn is_shown(request: &Request, origins: &CorsOrigins) -> bool {
    let CorsOrigins::These(origins) = origins else { return false };
    let referrer = request.headers().get(header::REFERER).and_then(|value| value.to_str().ok());
    let is_below = |origin: &String| {
        let rest = referrer.and_then(|referrer| referrer.strip_prefix(origin.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !request.headers().contains_key(header::ORIGIN) && origins.iter().any(is_below)
}

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Who may read the answer.
#[derive(Debug)]
struct Allowed {
    origin: HeaderValue,
    with_cookies: bool,
}

fn allow(origins: &CorsOrigins, origin: &HeaderValue) -> Option<Allowed> {
    match origins {
        CorsOrigins::None => None,
        CorsOrigins::Any => {
            Some(Allowed { origin: HeaderValue::from_static("*"), with_cookies: false })
        }
        CorsOrigins::These(origins) => origins
            .iter()
            .any(|allowed| allowed.as_bytes() == origin.as_bytes())
            .then(|| Allowed { origin: origin.clone(), with_cookies: true }),
    }
}

impl Allowed {
    fn add_to(self, headers: &mut HeaderMap, preflight: bool) {
        let mut set = |name: HeaderName, value: &'static str| {
            headers.insert(name, HeaderValue::from_static(value));
        };
        if self.with_cookies {
            set(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        if preflight {
            set(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            set(header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
            set(header::ACCESS_CONTROL_MAX_AGE, KEPT_SECONDS);
        } else {
            set(header::ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS);
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.origin);
    }
}

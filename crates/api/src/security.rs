//! Headers that tell browsers what not to do, on every answer.

use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue};

use crate::client::Client;

/// What may be loaded by an answer that is no page of ours: nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// What our pages may load: what comes from here. Styles may stand in the page, since the
/// components of a page set their own.
pub(crate) const PAGE_POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; \
     style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, NOTHING),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // URLs of images are signed; other sites shall not learn them.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (RESOURCE_POLICY, "same-origin"),
];

/// Whose pages may show what is answered. Browsers ask for `<img>` without saying whose page it is
/// on, so CORS alone cannot tell.
pub(crate) const RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");
/// Everybody's.
pub(crate) const ANY_SITE: HeaderValue = HeaderValue::from_static("cross-origin");

/// Adds the headers that an answer does not have.
pub(crate) fn add_headers(headers: &mut HeaderMap, client: Client) {
    for (name, value) in HEADERS {
        set_default(headers, name, value);
    }
    if client.https {
        set_default(headers, header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
}

fn set_default(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}

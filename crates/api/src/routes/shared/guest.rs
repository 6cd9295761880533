//! Who holds a link, and what their browser remembers of it.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use service::{Authenticated, Guest, Unlocked};

use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::identity::cookie;

/// By which programs prove that they know the password of a link.
const UNLOCKED: HeaderName = HeaderName::from_static("x-link-unlocked");

/// By which browsers do, and by which they are known to have opened the link already.
const COOKIE: &str = "ferrotype_link";
/// What it says of a link without a password.
const SEEN: &str = "seen";

/// Whoever opens a link again within this time has not opened another one.
const VISIT_TIME: Duration = Duration::from_secs(4 * 60 * 60);

/// Whoever holds this link.
pub(super) async fn admit(app: &App, token: &str, headers: &HeaderMap) -> Result<Guest, ApiError> {
    let by_header = headers.get(UNLOCKED).and_then(|value| value.to_str().ok());
    let unlocked = by_header.or_else(|| cookie::find(headers, COOKIE));
    Ok(app.service.admit_guest(token, unlocked).await?)
}

/// A link is being opened by somebody.
pub(super) struct Opening<'r> {
    pub(super) token: &'r str,
    pub(super) method: &'r Method,
    pub(super) headers: &'r HeaderMap,
    pub(super) client: Client,
    pub(super) visitor: Option<&'r Authenticated>,
}

impl Opening<'_> {
    /// Counts it, unless the same browser has opened the link lately. Who knows its password was
    /// counted when they proved it.
    pub(super) async fn count(&self, app: &App, guest: &Guest) -> Result<HeaderMap, ApiError> {
        let is_known = cookie::find(self.headers, COOKIE).is_some();
        let is_proven = guest.link().password.is_some();
        if is_known || is_proven || self.method != Method::GET {
            return Ok(HeaderMap::new());
        }
        let user = self.visitor.map(|visitor| visitor.caller.user);
        app.service.count_view(guest, user).await?;
        Ok(remember(self.token, SEEN, self.client, VISIT_TIME))
    }
}

/// Has a browser remember that somebody knew the password.
pub(super) fn remember_unlocked(
    app: &App,
    token: &str,
    unlocked: &Unlocked,
    client: Client,
) -> HeaderMap {
    let left = unlocked.until.as_seconds().saturating_sub(app.service.now().as_seconds());
    let time = Duration::from_secs(u64::try_from(left).unwrap_or(0));
    let value = if unlocked.proof.is_empty() { SEEN } else { &unlocked.proof };
    remember(token, value, client, time)
}

/// For this link alone, on its pages and in the API.
fn remember(token: &str, value: &str, client: Client, time: Duration) -> HeaderMap {
    let paths = [format!("/s/{token}"), format!("/api/v1/shared/{token}")];
    let cookies =
        paths.iter().filter_map(|path| cookie::set(COOKIE, value, path, client.https, time));
    let mut headers = HeaderMap::new();
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie);
    }
    headers
}

/// What every answer about a link says to caches, to search engines and to other sites.
pub(super) fn discreet() -> [(HeaderName, HeaderValue); 3] {
    [
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ]
}

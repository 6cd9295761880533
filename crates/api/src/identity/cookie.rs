//! Cookies. Scripts cannot read them, other sites' requests do not carry them, and with TLS they
//! are bound to this host and never sent without.

use std::borrow::Cow;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

const SESSION: &str = "ferrotype_session";
const SECURE_SESSION: &str = "__Host-ferrotype_session";

/// The cookie of a session.
#[derive(Clone, Debug)]
pub(crate) struct SessionCookie {
    name: Cow<'static, str>,
    https: bool,
}

impl SessionCookie {
    /// As it is named for whoever is reached below `path`. With TLS it is one of the whole host,
    /// so that each of several installations there has a name of its own.
    pub(crate) fn of(path: &str, https: bool) -> Self {
        let name = match (https, path) {
            (false, _) => SESSION.into(),
            (true, "") => SECURE_SESSION.into(),
            (true, path) => [SECURE_SESSION, &path.replace('/', "-")].concat().into(),
        };
        Self { name, https }
    }

    /// The session's token, if the browser sent one.
    pub(crate) fn find<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        find(headers, &self.name)
    }

    /// Has the browser keep a session.
    pub(crate) fn keep(&self, token: &str, time: Duration) -> Option<HeaderValue> {
        set(&self.name, token, "/", self.https, time)
    }

    /// Has the browser forget the session.
    pub(crate) fn forget(&self) -> Option<HeaderValue> {
        self.keep("", Duration::ZERO)
    }
}

/// The value of a cookie.
pub(crate) fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter();
    let pairs = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(n, _)| *n == name).map(|(_, v)| v)
}

/// A cookie for one path and everything below.
pub(crate) fn set(
    name: &str,
    value: &str,
    path: &str,
    https: bool,
    time: Duration,
) -> Option<HeaderValue> {
    let secure = if https { "; Secure" } else { "" };
    let seconds = time.as_secs();
    let text =
        format!("{name}={value}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    HeaderValue::try_from(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_among_other_cookies_and_only_by_its_own_name() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; ferrotype_session=one"));
        headers.append(header::COOKIE, HeaderValue::from_static("__Host-ferrotype_session=two"));
        headers.append(header::COOKIE, HeaderValue::from_static("__Host-ferrotype_session-a-b=3"));
        let session = |path, https| SessionCookie::of(path, https).find(&headers);
        assert_eq!(session("", false), Some("one"));
        assert_eq!(session("", true), Some("two"));
        assert_eq!(session("/a/b", true), Some("3"));
        assert_eq!(session("/other", true), None);
    }

    #[test]
    fn cookies_are_for_us_alone() {
        let hour = Duration::from_secs(3600);
        let plain = SessionCookie::of("", false).keep("t", hour).unwrap();
        assert_eq!(plain, "ferrotype_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600");
        let secure = SessionCookie::of("", true).keep("t", hour).unwrap();
        assert_eq!(
            secure,
            "__Host-ferrotype_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure"
        );
        let gone = SessionCookie::of("", true).forget().unwrap();
        assert!(gone.to_str().unwrap().contains("Max-Age=0"));
    }
}

//! Cookies. Scripts cannot read them, other sites' requests do not carry them, and with TLS they
//! are bound to this host and never sent without.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

const SESSION: &str = "ferrotype_session";
const SECURE_SESSION: &str = "__Host-ferrotype_session";

/// The session's token, if the browser sent one.
pub(crate) fn session(headers: &HeaderMap, https: bool) -> Option<&str> {
    find(headers, session_name(https))
}

/// Has the browser keep a session.
pub(crate) fn keep_session(token: &str, https: bool, time: Duration) -> Option<HeaderValue> {
    set(session_name(https), token, "/", https, time)
}

/// Has the browser forget the session.
pub(crate) fn forget_session(https: bool) -> Option<HeaderValue> {
    set(session_name(https), "", "/", https, Duration::ZERO)
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

fn session_name(https: bool) -> &'static str {
    if https { SECURE_SESSION } else { SESSION }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_among_other_cookies_and_only_by_its_own_name() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; ferrotype_session=one"));
        headers.append(header::COOKIE, HeaderValue::from_static("__Host-ferrotype_session=two"));
        assert_eq!(session(&headers, false), Some("one"));
        assert_eq!(session(&headers, true), Some("two"));
        assert_eq!(session(&HeaderMap::new(), true), None);
    }

    #[test]
    fn cookies_are_for_us_alone() {
        let hour = Duration::from_secs(3600);
        let plain = keep_session("t", false, hour).unwrap();
        assert_eq!(plain, "ferrotype_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600");
        let secure = keep_session("t", true, hour).unwrap();
        assert_eq!(
            secure,
            "__Host-ferrotype_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure"
        );
        assert!(forget_session(true).unwrap().to_str().unwrap().contains("Max-Age=0"));
    }
}

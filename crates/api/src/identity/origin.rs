//! Whether a browser's request comes from a page of ours. Other sites can have a browser send
//! requests, but cannot make it lie about where they come from.

use axum::http::{HeaderMap, HeaderName, header};

use serde_json::json;

use crate::public_url::is_local_host;
use crate::{ApiError, CorsOrigins, ErrorCode, Settings};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a request that changes something may do so by cookie alone. What does not say where
/// it comes from is no browser of these days, and may not.
pub(crate) fn is_ours(headers: &HeaderMap, settings: &Settings) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(header::ORIGIN);
    if let (Some(origin), CorsOrigins::These(friends)) = (origin, &settings.cors)
        && friends.iter().any(|friend| friend == origin)
    {
        return true;
    }
    match (text(SEC_FETCH_SITE), origin) {
        (Some(site), _) => site == "same-origin" || site == "none",
        (None, Some(origin)) => {
            let public = settings.public_url.as_ref().map(|url| url.origin());
            public == Some(origin) || host_of(origin).is_some_and(|h| Some(h) == text(header::HOST))
        }
        (None, None) => false,
    }
}

/// Fails where a browser would not keep a session: its page came without TLS, and the cookies of an
/// installation that has TLS need it. Only the page itself tells, since proxies may forget to.
pub(crate) fn expect_kept_session(
    headers: &HeaderMap,
    settings: &Settings,
) -> Result<(), ApiError> {
    let Some(public) = settings.public_url.as_ref().filter(|url| url.is_https()) else {
        return Ok(());
    };
    let origin = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
    let in_the_clear = origin.and_then(|origin| origin.strip_prefix("http://"));
    // Browsers take this machine for as safe as TLS.
    if in_the_clear.is_none_or(is_local_host) {
        return Ok(());
    }
    let public = public.as_str();
    let message = format!(
        "a session needs https here, and a browser forgets it on a page without: open {public} \
         instead (or, if there is no https, the operator sets public_url to the http address)"
    );
    Err(ApiError::new(ErrorCode::HttpsNeeded, message).with_details(json!({ "url": public })))
}

/// A page whose host is the one asked is ours: cookies go to no other.
fn host_of(origin: &str) -> Option<&str> {
    origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(sent: &[(&str, &str)], settings: &Settings) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.insert(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        }
        is_ours(&headers, settings)
    }

    #[test]
    fn a_page_without_tls_is_told_where_sessions_are_kept() {
        let at = |public: &str, origin: &'static str| {
            let public_url = Some(public.parse().unwrap());
            let settings = Settings { public_url, ..Settings::default() };
            let origin = header::HeaderValue::from_static(origin);
            let headers = HeaderMap::from_iter([(header::ORIGIN, origin)]);
            expect_kept_session(&headers, &settings).map_err(|error| error.code())
        };
        let https = "https://photos.example.org";
        assert_eq!(at(https, "http://192.168.0.7:8080"), Err(ErrorCode::HttpsNeeded));
        assert_eq!(at(https, "http://photos.example.org"), Err(ErrorCode::HttpsNeeded));
        for kept in [https, "http://localhost:8080", "http://127.0.0.1:8080", "null"] {
            assert_eq!(at(https, kept), Ok(()), "{kept}");
        }
        assert_eq!(at("http://photos.example.org", "http://photos.example.org"), Ok(()));
    }

    #[test]
    fn only_our_own_pages_and_their_friends_may() {
        let public_url = Some("https://photos.example.org".parse().unwrap());
        let settings = Settings { public_url, ..Settings::default() };
        let host = ("host", "10.0.0.7:8080");
        for right in [
            [host, ("sec-fetch-site", "same-origin")],
            [host, ("sec-fetch-site", "none")],
            [host, ("origin", "https://photos.example.org")],
            [host, ("origin", "http://10.0.0.7:8080")],
        ] {
            assert!(ours(&right, &settings), "{right:?}");
        }
        for wrong in [
            [host, ("sec-fetch-site", "cross-site")],
            [host, ("sec-fetch-site", "same-site")],
            [host, ("origin", "https://evil.example.org")],
            [host, ("origin", "https://photos.example.org.evil.org")],
            [host, ("origin", "null")],
            [host, ("accept", "*/*")],
        ] {
            assert!(!ours(&wrong, &settings), "{wrong:?}");
        }
        let both = [("sec-fetch-site", "cross-site"), ("origin", "https://photos.example.org")];
        assert!(!ours(&both, &settings), "the browser knows better");
        let friend = [("sec-fetch-site", "same-site"), ("origin", "https://app.example.org")];
        assert!(!ours(&friend, &settings));
        let cors = CorsOrigins::These(vec!["https://app.example.org".to_owned()]);
        assert!(ours(&friend, &Settings { cors, ..settings }));
    }
}

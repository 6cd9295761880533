//! Whether a browser's request comes from a page of ours. Other sites can have a browser send
//! requests, but cannot make it lie about where they come from.

use axum::http::{HeaderMap, HeaderName, header};

use crate::{CorsOrigins, Settings};

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
            let public = settings.public_url.as_ref().map(|url| url.as_str());
            public == Some(origin) || host_of(origin).is_some_and(|h| Some(h) == text(header::HOST))
        }
        (None, None) => false,
    }
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

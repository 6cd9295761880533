use std::fmt;
use std::str::FromStr;

/// Where users reach us: scheme and host, such as `https://photos.example.org`. The base of
/// links, and what decides whether cookies need TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The URL without a slash at its end, so that a path can follow.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it has TLS.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

/// A text that is no such URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPublicUrl;

impl std::error::Error for BadPublicUrl {}

impl fmt::Display for BadPublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URL with scheme and host only, such as https://photos.example.org")
    }
}

impl FromStr for PublicUrl {
    type Err = BadPublicUrl;

    fn from_str(text: &str) -> Result<Self, BadPublicUrl> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let uri: axum::http::Uri = text.parse().map_err(|_| BadPublicUrl)?;
        let host = uri.authority().map(|authority| authority.as_str()).ok_or(BadPublicUrl)?;
        let whole = ["http", "https"].iter().any(|scheme| text == format!("{scheme}://{host}"));
        let plain = !host.contains('@') && !host.is_empty();
        if whole && plain { Ok(Self(text.to_owned())) } else { Err(BadPublicUrl) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_a_scheme_and_a_host_only() {
        for right in ["https://photos.example.org", "http://[::1]:8080", "https://a/"] {
            let url: PublicUrl = right.parse().unwrap();
            assert_eq!(url.as_str(), right.trim_end_matches('/'));
        }
        for wrong in
            ["", "example.org", "ftp://a", "https://", "https://a/b", "https://a?b", "http://u:p@a"]
        {
            assert_eq!(wrong.parse::<PublicUrl>(), Err(BadPublicUrl), "{wrong}");
        }
    }
}

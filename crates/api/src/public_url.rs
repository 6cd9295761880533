use std::fmt;
use std::str::FromStr;

/// Where users reach us: scheme and host, and perhaps a path, such as
/// `https://home.example.org/photos`. The base of links, and what decides whether cookies need
/// TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    text: String,
    /// How much of it is scheme and host.
    origin_bytes: usize,
}

/// First parts of our own paths: one that a proxy takes away could not be told from them.
const OURS: [&str; 8] = ["api", "assets", "auth", "health", "i", "metrics", "s", "storage"];

impl PublicUrl {
    /// The URL without a slash at its end, so that a path can follow.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme and host alone, as browsers say where a page is from.
    pub fn origin(&self) -> &str {
        self.text.get(..self.origin_bytes).unwrap_or(&self.text)
    }

    /// The path below which we are, without a slash at its end: nothing, or such as `/photos`.
    pub fn path(&self) -> &str {
        self.text.get(self.origin_bytes..).unwrap_or_default()
    }

    /// Whether it has TLS.
    pub fn is_https(&self) -> bool {
        self.text.starts_with("https://")
    }
}

/// Whether a host, perhaps with a port, is this machine.
pub(crate) fn is_local_host(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || name == "localhost" || name.ends_with(".localhost")
}

/// A text that is no such URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPublicUrl {
    /// It has no scheme and host, or more than those and a path.
    Form,
    /// Its path begins like one of ours.
    TakenPath,
}

impl std::error::Error for BadPublicUrl {}

impl fmt::Display for BadPublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str(
                "a URL with scheme and host, and perhaps a path of letters, digits, `-`, `_`, `.` \
                 and `~`, such as https://photos.example.org or https://example.org/photos",
            ),
            Self::TakenPath => {
                write!(f, "a path that does not begin with one of ours: {}", OURS.join(", "))
            }
        }
    }
}

impl FromStr for PublicUrl {
    type Err = BadPublicUrl;

    fn from_str(text: &str) -> Result<Self, BadPublicUrl> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let uri: axum::http::Uri = text.parse().map_err(|_| BadPublicUrl::Form)?;
        let host = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
        let origins = ["http", "https"].map(|scheme| format!("{scheme}://{host}"));
        let origin = origins.iter().find(|origin| text.starts_with(origin.as_str()));
        let origin_bytes = origin.map(String::len).ok_or(BadPublicUrl::Form)?;
        let path = text.get(origin_bytes..).unwrap_or_default();
        if host.contains('@') || host.is_empty() || !is_plain_path(path) {
            return Err(BadPublicUrl::Form);
        }
        if path.split('/').nth(1).is_some_and(|first| OURS.contains(&first)) {
            return Err(BadPublicUrl::TakenPath);
        }
        Ok(Self { text: text.to_owned(), origin_bytes })
    }
}

/// Nothing, or parts that nobody writes in two ways.
fn is_plain_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(is_plain) && part.bytes().any(|byte| byte != b'.')
    };
    match path.strip_prefix('/') {
        Some(parts) => parts.split('/').all(is_part),
        None => path.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_a_scheme_a_host_and_perhaps_a_path() {
        for (right, origin, path) in [
            ("https://photos.example.org", "https://photos.example.org", ""),
            ("http://[::1]:8080", "http://[::1]:8080", ""),
            ("https://a/", "https://a", ""),
            ("https://a:8443/photos/", "https://a:8443", "/photos"),
            ("https://a/family/photos_2.x", "https://a", "/family/photos_2.x"),
        ] {
            let url: PublicUrl = right.parse().unwrap();
            assert_eq!(url.as_str(), right.trim_end_matches('/'));
            assert_eq!((url.origin(), url.path()), (origin, path));
        }
        for wrong in [
            "",
            "example.org",
            "ftp://a",
            "https://",
            "https://a//b",
            "https://a/b/../c",
            "https://a/ä",
            "https://a/b%20c",
            "https://a?b",
            "https://a/b?c",
            "http://u:p@a",
        ] {
            assert_eq!(wrong.parse::<PublicUrl>(), Err(BadPublicUrl::Form), "{wrong}");
        }
        for taken in ["https://a/api", "https://a/s/photos", "https://a/i/"] {
            assert_eq!(taken.parse::<PublicUrl>(), Err(BadPublicUrl::TakenPath), "{taken}");
        }
    }

    #[test]
    fn this_machine_is_local_by_any_of_its_names() {
        for local in ["localhost", "localhost:8080", "127.0.0.1", "127.3.4.5:1", "[::1]:80"] {
            assert!(is_local_host(local), "{local}");
        }
        for other in ["example.org", "127.0.0.1.example.org", "localhost.example.org", "[::2]"] {
            assert!(!is_local_host(other), "{other}");
        }
    }
}

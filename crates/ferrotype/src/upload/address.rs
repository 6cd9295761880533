//! Where the server is.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

use crate::http_client::is_loopback;

/// The address of a server, such as `https://photos.example.org` or
/// `https://example.org/photos`, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    text: String,
    is_loopback: bool,
}

impl ServerAddress {
    /// To put paths behind.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether everybody on the way can read what is sent.
    pub fn is_in_the_clear(&self) -> bool {
        self.text.starts_with("http://") && !self.is_loopback
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "the address of a server is scheme, host and perhaps a path, such as \
             https://photos.example.org or http://127.0.0.1:8080"
                .to_owned()
        };
        let url = Url::parse(text).map_err(|_| wrong())?;
        let whole = matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        url.host_str().filter(|_| whole).ok_or_else(wrong)?;
        let is_loopback = is_loopback(&url);
        let path = url.path().trim_end_matches('/');
        Ok(Self { text: url.origin().ascii_serialization() + path, is_loopback })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_scheme_host_and_perhaps_a_path() {
        let parse = |text: &str| text.parse::<ServerAddress>();
        let local = parse("http://127.0.0.1:8080/").unwrap();
        assert_eq!(local.as_str(), "http://127.0.0.1:8080");
        assert!(!local.is_in_the_clear());
        assert!(!parse("http://[::1]:1").unwrap().is_in_the_clear());
        assert!(parse("http://photos.example.org").unwrap().is_in_the_clear());
        assert!(!parse("https://photos.example.org").unwrap().is_in_the_clear());
        assert_eq!(parse("https://a/family/photos/").unwrap().as_str(), "https://a/family/photos");
        for wrong in ["", "photos", "ftp://a", "https://a?b", "http://u:p@a"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

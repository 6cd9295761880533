//! An id for every request, in its answer, in its errors and in all its log lines.

use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries the id in both directions.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// No proxy makes longer ids, and a client shall not fill our log.
const CHARS_MAX: usize = 128;

/// The id of one request: the caller's, if it sent a sensible one, or our own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// Takes the id from a request's headers or makes one.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let sent = headers.get(HEADER).and_then(|value| value.to_str().ok());
        sent.and_then(Self::parse).unwrap_or_else(Self::random)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as a header's value.
    pub(crate) fn to_header(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.0).ok()
    }

    fn parse(text: &str) -> Option<Self> {
        let sensible = (1..=CHARS_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:+/=".contains(&byte));
        sensible.then(|| Self(text.into()))
    }

    fn random() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()).into())
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(sent: &str) -> RequestId {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, HeaderValue::from_bytes(sent.as_bytes()).unwrap());
        RequestId::from_headers(&headers)
    }

    #[test]
    fn a_sensible_id_of_the_caller_is_kept() {
        assert_eq!(from("Root=1-67891233-abcdef").as_str(), "Root=1-67891233-abcdef");
    }

    #[test]
    fn other_ids_are_replaced() {
        for sent in ["", "two words", "ü", "<b>", &"x".repeat(129)] {
            let id = from(sent);
            assert_ne!(id.as_str(), sent);
            assert_eq!(id.as_str().len(), 32);
        }
    }

    #[test]
    fn our_own_ids_differ() {
        assert_ne!(RequestId::random(), RequestId::random());
    }
}

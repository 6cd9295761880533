//! Answers to what never became a request, in the shape of all errors.

use axum::http::HeaderMap;

use crate::{ErrorCode, RequestId};

/// Why there is no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Its head did not arrive in time.
    SlowHead,
    /// It is no HTTP.
    BadHead,
    /// Its head has too many or too long headers.
    LargeHead,
    /// Its path and query are too long.
    LongUri,
}

impl Refusal {
    /// What an answer means that was made without us, in the first bytes of it; ours have an id.
    pub(super) fn of_bytes(answer: &[u8]) -> Option<Self> {
        let refusal = match answer.get(..13)? {
            b"HTTP/1.1 400 " => Self::BadHead,
            b"HTTP/1.1 414 " => Self::LongUri,
            b"HTTP/1.1 431 " => Self::LargeHead,
            _ => return None,
        };
        let id = b"x-request-id:";
        (!answer.windows(id.len()).any(|window| window == id)).then_some(refusal)
    }

    /// The whole answer, as bytes of HTTP/1.1.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let code = match self {
            Self::SlowHead => ErrorCode::RequestTimeout,
            Self::BadHead => ErrorCode::BadRequest,
            Self::LargeHead => ErrorCode::HeadTooLarge,
            Self::LongUri => ErrorCode::UriTooLong,
        };
        let id = RequestId::from_headers(&HeaderMap::new());
        let body = serde_json::json!({
            "error": { "code": code.name(), "message": code.about(), "requestId": id.as_str() }
        });
        let (body, status) = (body.to_string(), code.status());
        tracing::info!(request_id = %id, status = status.as_u16(), "refused a request's head");
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             cache-control: no-store\r\nx-content-type-options: nosniff\r\n\
             x-request-id: {id}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

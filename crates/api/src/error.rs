//! The one shape of errors and the one table of their codes.

use axum::Json;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::RequestId;

/// What can be wrong with a request, as a client's program sees it. Codes never change
/// their meaning once released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// There is nothing at this path.
    NotFound,
    /// There is something at this path, but not for this method.
    MethodNotAllowed,
    /// We made a mistake; the log has it under the request's id.
    Internal,
}

impl ErrorCode {
    /// All codes, for tests and documents.
    pub const ALL: [Self; 3] = [Self::NotFound, Self::MethodNotAllowed, Self::Internal];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Internal => "internal",
        }
    }

    /// The HTTP status it goes with.
    pub fn status(self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// An error as a handler returns it. The request's id is added on the way out, so that no
/// handler has to carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    code: ErrorCode,
    message: String,
}

impl ApiError {
    /// An error with a message for the client.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The final answer.
    pub(crate) fn respond(&self, id: &RequestId) -> Response {
        let code = self.code.name();
        let error = ErrorBody { code, message: &self.message, request_id: id.as_str() };
        (self.code.status(), Json(Body { error })).into_response()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[derive(Serialize)]
struct Body<'a> {
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorBody<'a> {
    code: &'static str,
    message: &'a str,
    request_id: &'a str,
}

/// Answers for paths that nobody else answers.
pub(crate) async fn not_found(uri: Uri) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("there is nothing at {}", uri.path()))
}

/// Answers for methods that a path does not have.
pub(crate) async fn method_not_allowed(uri: Uri) -> ApiError {
    let message = format!("{} does not answer this method; see the Allow header", uri.path());
    ApiError::new(ErrorCode::MethodNotAllowed, message)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_code_has_a_name_of_its_own_and_an_error_status() {
        let names: BTreeSet<_> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            assert!(code.status().is_client_error() || code.status().is_server_error());
        }
    }
}

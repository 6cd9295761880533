//! The one shape of errors: `{error:{code,message,details?,requestId}}`.

mod answers;
mod code;
mod of_service;

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

pub(crate) use answers::{add_common_answers, by_status, error_answers};
pub use code::{ErrorCode, error_table};
pub(crate) use of_service::{field, field_by};

use crate::RequestId;

/// An error as a handler returns it. The request's id is added on the way out, so that no
/// handler has to carry it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    code: ErrorCode,
    message: String,
    details: Option<Box<Value>>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ApiError {
    /// An error with a message for the client.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None, headers: Vec::new() }
    }

    /// An error that says nothing but what its code says.
    pub fn plain(code: ErrorCode) -> Self {
        Self::new(code, code.about())
    }

    /// The same with facts for the client's program.
    #[must_use]
    pub fn with_details(self, details: Value) -> Self {
        Self { details: Some(Box::new(details)), ..self }
    }

    /// The same with a header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same with the time after which to try again, in whole seconds rounded up.
    #[must_use]
    pub fn with_retry_after(self, wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.with_header(header::RETRY_AFTER, seconds.max(1).into())
    }

    /// What is wrong, for people.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What it adds to the answer's headers.
    pub(crate) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.headers
    }

    /// What kind of error it is.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The final answer.
    pub(crate) fn respond(self, id: &RequestId) -> Response {
        let error = ErrorBody {
            code: self.code.name(),
            message: self.message,
            details: self.details.map(|details| *details),
            request_id: id.as_str().to_owned(),
        };
        let no_store = [(header::CACHE_CONTROL, "no-store")];
        let headers = HeaderMap::from_iter(self.headers);
        (self.code.status(), no_store, headers, Json(ErrorAnswer { error })).into_response()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Every answer that is neither a success nor a redirection.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorAnswer {
    error: ErrorBody,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ErrorBody)]
struct ErrorBody {
    /// Which error it is; codes never change their meaning.
    #[schema(schema_with = answers::code_schema)]
    code: &'static str,
    /// For people: what is wrong, and what to do.
    message: String,
    /// For programs: facts that belong to the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    details: Option<Value>,
    /// What to quote when you ask the operator.
    request_id: String,
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

/// The version that somebody else has made meanwhile.
pub(crate) fn current_version(version: i64) -> Value {
    json!({ "currentVersion": version })
}

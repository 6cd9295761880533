//! What can be wrong with a body.

use std::error::Error;

use axum::body::Body;
use axum::extract::multipart::MultipartError;
use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use futures::StreamExt;

use crate::limits::SlowBody;
use crate::{ApiError, ErrorCode};

/// What is wrong with a body that should be JSON.
pub(super) fn json_error(rejection: JsonRejection) -> ApiError {
    match rejection {
        JsonRejection::MissingJsonContentType(_) => {
            ApiError::new(ErrorCode::UnsupportedMediaType, "the body must be application/json")
        }
        JsonRejection::JsonDataError(error) => ApiError::new(ErrorCode::BadJson, text_of(&error)),
        JsonRejection::JsonSyntaxError(error) => ApiError::new(ErrorCode::BadJson, text_of(&error)),
        other => body_failure(&other, other.status()),
    }
}

/// What is wrong with a body that should be the fields of a form.
pub(super) fn form_error(rejection: FormRejection) -> ApiError {
    match rejection {
        FormRejection::InvalidFormContentType(_) => {
            ApiError::plain(ErrorCode::UnsupportedMediaType)
        }
        FormRejection::BytesRejection(error) => body_failure(&error, error.status()),
        other => ApiError::new(ErrorCode::BadRequest, other.body_text()),
    }
}

/// What is wrong with a body in several parts.
pub(crate) fn multipart_error(error: &MultipartError) -> ApiError {
    match error.status() {
        StatusCode::BAD_REQUEST if !is_slow(error) => {
            ApiError::new(ErrorCode::BadRequest, error.body_text())
        }
        status => body_failure(error, status),
    }
}

/// All of a body, as it is.
pub(crate) async fn read_body(body: Body, bytes_max: usize) -> Result<Bytes, ApiError> {
    let mut whole = BytesMut::new();
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| body_failure(&error, StatusCode::BAD_REQUEST))?;
        if whole.len().saturating_add(piece.len()) > bytes_max {
            return Err(ApiError::plain(ErrorCode::BodyTooLarge));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

fn body_failure(error: &(dyn Error + 'static), status: StatusCode) -> ApiError {
    if is_slow(error) {
        return ApiError::plain(ErrorCode::RequestTimeout);
    }
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::plain(ErrorCode::BodyTooLarge);
    }
    ApiError::new(ErrorCode::BadRequest, "the body broke off; send the request again")
}

fn is_slow(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.is::<SlowBody>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Serde's own words, which name the place, without axum's before them.
fn text_of(error: &(dyn Error + 'static)) -> String {
    let mut deepest = error;
    while let Some(cause) = deepest.source() {
        deepest = cause;
    }
    deepest.to_string()
}

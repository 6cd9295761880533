//! The file of XMP beside an image.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use model::ImageId;
use model::limits::SIDECAR_BYTES_MAX;

use super::ImageInfo;
use super::body::tagged;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Path;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::{ApiError, ErrorCode};

/// A little more, so that somebody who sends more is told how much is allowed.
pub(super) const BODY_BYTES_MAX: usize = 2 * SIDECAR_BYTES_MAX as usize;

error_answers!(
    PutErrors: Unauthenticated, ScopeMissing, NotFound, BadSidecar, BodyTooLarge,
    UnsupportedMediaType,
);
error_answers!(GetErrors: Unauthenticated, ScopeMissing, NotFound);

const XMP: &str = "application/rdf+xml";
/// Other names for the same, and what programs say that know none.
const TAKEN: [&str; 6] = [
    XMP,
    "application/xml",
    "text/xml",
    "application/x-xmp",
    "application/octet-stream",
    "text/plain",
];

/// Send a sidecar
///
/// The file of XMP (`.xmp`) beside a photo, 1 MiB at most, in the place of one that was sent before.
/// What it says is taken over, but for what the owner has said since; where it and the photo differ,
/// the sidecar counts.
#[utoipa::path(
    put,
    path = "/api/v1/images/{id}/sidecar",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id")),
    request_body(content = String, content_type = "application/rdf+xml"),
    responses((status = 200, description = "The image as it is now.", body = ImageInfo), PutErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn put_sidecar(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    headers: HeaderMap,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Result<Response, ApiError> {
    require_xmp(&headers)?;
    let body = body.map_err(|rejection| {
        let message = format!("a sidecar has at most {SIDECAR_BYTES_MAX} bytes");
        match rejection.status() {
            status if status == ErrorCode::BodyTooLarge.status() => {
                ApiError::new(ErrorCode::BodyTooLarge, message)
            }
            _ => ApiError::new(ErrorCode::UploadInterrupted, rejection.body_text()),
        }
    })?;
    let image = app.service.put_sidecar(&caller, id, body).await?;
    Ok(tagged(&app, &caller, image))
}

fn require_xmp(headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(named) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let named = named.to_str().unwrap_or_default();
    let kind = named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if TAKEN.contains(&kind.as_str()) {
        return Ok(());
    }
    let message = format!("a sidecar is sent as {XMP}, not as {kind:?}");
    Err(ApiError::new(ErrorCode::UnsupportedMediaType, message))
}

/// Get a sidecar
///
/// The file of XMP beside a photo, as its owner has sent it.
#[utoipa::path(
    get,
    path = "/api/v1/images/{id}/sidecar",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id")),
    responses(
        (status = 200, description = "The file.", body = String, content_type = "application/rdf+xml"),
        GetErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_sidecar(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Response, ApiError> {
    let bytes = app.service.load_sidecar(&caller, id).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(XMP)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    Ok((headers, bytes).into_response())
}

//! Files to be kept: all that a link shows, and single images.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::TryStreamExt;
use futures::stream::BoxStream;
use model::ImageId;
use service::Archive;

use super::guest::{admit, discreet};
use crate::ApiError;
use crate::app::App;
use crate::disposition::disposition;
use crate::error::error_answers;
use crate::extract::Path;
use crate::openapi::tag;

error_answers!(
    ArchiveErrors: NotFound, LinkExpired, LinkLocked, DownloadOff,
);
error_answers!(FileErrors: NotFound, LinkExpired, LinkLocked, DownloadOff);

/// All that a link shows, as a ZIP file
///
/// The largest renditions, or originals where the link gives them away; these have the dates of the
/// photos. Up to some thousand images its length is told beforehand. What is deleted meanwhile is
/// named in a text file at its end. If anything else goes wrong on the way, the connection is broken
/// off, so that nobody takes a part for the whole.
#[utoipa::path(
    get,
    path = "/api/v1/shared/{token}/archive.zip",
    tag = tag::LINKS,
    params(("token" = String, Path, description = "What proves the link")),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        ArchiveErrors
    )
)]
pub(super) async fn get_shared_archive(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let guest = admit(&app, &token, &headers).await?;
    Ok(archive_answer(app.service.archive_for_guest(&guest).await?))
}

/// One of the images that a link shows, to be kept
///
/// Its original where the link gives it away, otherwise its largest rendition.
#[utoipa::path(
    get,
    path = "/api/v1/shared/{token}/images/{image}/file",
    tag = tag::LINKS,
    params(
        ("token" = String, Path, description = "What proves the link"),
        ("image" = String, Path, description = "The image's id")
    ),
    responses((status = 200, description = "The file.", content_type = "image/*"), FileErrors)
)]
pub(super) async fn get_shared_file(
    State(app): State<App>,
    Path((token, image)): Path<(String, ImageId)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let guest = admit(&app, &token, &headers).await?;
    let file = app.service.open_guest_file(&guest, image).await?;
    Ok(attachment(&file.filename, file.content_type, Some(file.size_bytes), file.body))
}

/// An archive to be saved.
pub(in crate::routes) fn archive_answer(archive: Archive) -> Response {
    let Archive { filename, size_bytes, body } = archive;
    attachment(&filename, "application/zip", size_bytes, body)
}

fn attachment(
    filename: &str,
    content_type: &'static str,
    size_bytes: Option<u64>,
    body: BoxStream<'static, service::Result<Bytes>>,
) -> Response {
    // The head has been sent by then: all that can be done is to break the connection off.
    let body = body.inspect_err(|error| tracing::warn!(%error, "a download broke off"));
    let mut response = (discreet(), Body::from_stream(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.extend(size_bytes.map(|bytes| (header::CONTENT_LENGTH, HeaderValue::from(bytes))));
    let disposition = HeaderValue::try_from(disposition("attachment", filename)).ok();
    headers.extend(disposition.map(|value| (header::CONTENT_DISPOSITION, value)));
    response
}

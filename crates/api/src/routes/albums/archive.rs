//! All images of an album in one file, and those nested in it.

use axum::extract::State;
use axum::response::Response;
use model::AlbumId;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Path;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::routes::shared::archive_answer;

error_answers!(ArchiveErrors: NotFound);

/// An album as a ZIP file
///
/// Originals of the caller's own images, and the largest renditions of what others have put into the
/// album; what is nested in it stands in folders. Each file has the date of its photo. The archive is
/// made while it is sent; up to some thousand images its length is told beforehand. What is deleted
/// meanwhile is named in a text file at its end. If anything else goes wrong on the way, the
/// connection is broken off, so that nobody takes a part for the whole.
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}/archive.zip",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id")),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        ArchiveErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_album_archive(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
) -> Result<Response, ApiError> {
    Ok(archive_answer(app.service.archive_album(&caller, id).await?))
}

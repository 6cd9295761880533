//! Images that were chosen, in one file.

use axum::extract::{FromRequest, Request, State};
use axum::http::header;
use axum::response::Response;
use model::ImageId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Form, Json};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::routes::shared::archive_answer;

error_answers!(ArchiveErrors: NotFound, InvalidValue, ArchiveTooLarge);

/// Bytes of a body: room for more ids than there may be, so that too many are told as such.
pub(super) const BODY_BYTES_MAX: usize = 256 << 10;

/// Which images.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChosenImages {
    /// Ids, 1,000 at most.
    ids: Vec<String>,
}

/// The same from the form of a page, which browsers save without keeping it in memory.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChosenImagesForm {
    /// Ids, 1,000 at most, with spaces between them.
    ids: String,
}

/// Images as a ZIP file
///
/// In the order of the ids, each once: originals of the caller's own images, and the largest
/// renditions of those of others. If one of them may not be seen there is no archive; what has no
/// file yet is left out. Its length is told beforehand. If anything goes wrong on the way, the
/// connection is broken off, so that nobody takes a part for the whole.
#[utoipa::path(
    post,
    path = "/api/v1/images/archive.zip",
    tag = tag::IMAGES,
    request_body(content(
        (ChosenImages = "application/json"),
        (ChosenImagesForm = "application/x-www-form-urlencoded"),
    )),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        ArchiveErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn archive_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    request: Request,
) -> Result<Response, ApiError> {
    let ids = ids_of(request).await?.into_iter().map(|id| id.parse::<ImageId>());
    let ids: Vec<ImageId> =
        ids.collect::<Result<_, _>>().map_err(|bad| service::Error::invalid("ids", bad))?;
    Ok(archive_answer(app.service.archive_images(&caller, &ids).await?))
}

async fn ids_of(request: Request) -> Result<Vec<String>, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
        let Form(ChosenImagesForm { ids }) = Form::from_request(request, &()).await?;
        return Ok(ids.split_whitespace().map(str::to_owned).collect());
    }
    let Json(ChosenImages { ids }) = Json::from_request(request, &()).await?;
    Ok(ids)
}

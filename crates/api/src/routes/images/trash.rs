//! Throwing images away, and bringing them back.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use model::ImageId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::body::tagged;
use super::read::page_of;
use super::shape::ImageInfo;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::etag::Expected;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

error_answers!(DeleteErrors: Unauthenticated, ScopeMissing, NotFound, PreconditionFailed, Conflict);
error_answers!(RestoreErrors: Unauthenticated, ScopeMissing, NotFound);
error_answers!(TrashErrors: Unauthenticated, ScopeMissing, BadCursor);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DeleteParams {
    /// Whether it is to be removed for good, without a stay in the trash.
    #[serde(default)]
    permanent: bool,
    /// The version that is to be deleted, unless `If-Match` says so.
    version: Option<i64>,
}

/// Delete an image
///
/// It goes into the trash, from which it can be restored until the grace period ends; or, with
/// `permanent=true`, for good: it cannot be seen any more, and its files are gone shortly after.
#[utoipa::path(
    delete,
    path = "/api/v1/images/{id}",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id"), DeleteParams),
    responses((status = 204, description = "It is in the trash, or being removed."), DeleteErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn delete_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    Query(DeleteParams { permanent, version }): Query<DeleteParams>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let expected = Expected::of(&headers, id, version)?;
    let deleted = if permanent {
        app.service.purge_image(&caller, id, expected.version()).await
    } else {
        app.service.trash_image(&caller, id, expected.version()).await
    };
    deleted.map_err(|error| expected.error(error))?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Restore an image from the trash
#[utoipa::path(
    post,
    path = "/api/v1/images/{id}/restore",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 200, description = "The image.", body = ImageInfo), RestoreErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn restore_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Response, ApiError> {
    let image = app.service.restore_image(&caller, id).await?;
    Ok(tagged(&app, &caller, image))
}

const TRASH: &str = "trash";

/// My trash
///
/// Last thrown away first.
#[utoipa::path(
    get,
    path = "/api/v1/trash",
    tag = tag::IMAGES,
    params(PageParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), TrashErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_trash(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let request = page.request(&app, &caller, TRASH)?;
    let listed = app.service.list_trash(&caller, &request).await?;
    Ok(page_of(&app, &caller, TRASH, listed))
}

//! Favourites.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use model::ImageId;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::routes::images::ImageInfo;

error_answers!(ListErrors: BadCursor);
error_answers!(PutErrors: NotFound);

const LIST: &str = "favourites";

/// My favourites
///
/// Last marked first, of all images that I may still see. A page may be short although more
/// follows.
#[utoipa::path(
    get,
    path = "/api/v1/favourites",
    tag = tag::TAGS,
    params(PageParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_favourites(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let request = page.request(&app, &caller, LIST)?;
    let listed = app.service.list_favourites(&caller, &request).await?;
    Ok(Json(Page::of(&app, &caller, LIST, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    })))
}

/// Mark an image as a favourite
///
/// Nobody else sees it.
#[utoipa::path(
    put,
    path = "/api/v1/images/{id}/favourite",
    tag = tag::TAGS,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 204, description = "It is one."), PutErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn put_favourite(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<StatusCode, ApiError> {
    app.service.set_favourite(&caller, id, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take the mark of a favourite away
///
/// Also from an image that can no longer be seen; if there was none, nothing happens.
#[utoipa::path(
    delete,
    path = "/api/v1/images/{id}/favourite",
    tag = tag::TAGS,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 204, description = "It is none.")),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn delete_favourite(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<StatusCode, ApiError> {
    app.service.set_favourite(&caller, id, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

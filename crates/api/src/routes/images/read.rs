//! One image, some images, lists of images.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use model::{Image, ImageId, UserId};
use serde::{Deserialize, Serialize};
use service::{Caller, Listed, OwnedBy};
use utoipa::{IntoParams, ToSchema};

use super::ImageInfo;
use super::body::{self, ImageBody};
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{OrderParam, Page, PageParams};

error_answers!(ReadErrors: Unauthenticated, ScopeMissing, NotFound);
error_answers!(ListErrors: Unauthenticated, ScopeMissing, BadCursor);
error_answers!(FindErrors: Unauthenticated, ScopeMissing, BadJson, InvalidValue);

/// An image
///
/// Its owner sees all of it; others see shared images, without what the camera wrote. The answer
/// has an `ETag`; with `If-None-Match` it is 304 if nothing has changed.
#[utoipa::path(
    get,
    path = "/api/v1/images/{id}",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id")),
    responses(
        (status = 200, description = "The image.", body = ImageInfo),
        (status = 304, description = "The client has this version."),
        ReadErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let make = |image, is_owner| ImageBody::of(&app, image, is_owner);
    let kept = app.service.view_image(&caller, id, &app.answers, make).await?;
    Ok(kept.view.respond(Some(&headers)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Newest or oldest first, by when they were uploaded.
    #[serde(default)]
    #[param(inline)]
    order: OrderParam,
}

/// My images
#[utoipa::path(
    get,
    path = "/api/v1/images",
    tag = tag::IMAGES,
    params(PageParams, ListParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(ListParams { order }): Query<ListParams>,
) -> Result<Response, ApiError> {
    let list = match order {
        OrderParam::Newest => "images?order=newest",
        OrderParam::Oldest => "images?order=oldest",
    };
    let request = page.request(&app, &caller, list)?;
    let make = |image, is_owner| ImageBody::of(&app, image, is_owner);
    let views = &app.answers;
    let listed = app.service.view_images(&caller, order.into(), &request, views, make).await?;
    Ok(body::page_of(&app, &caller, list, &listed))
}

/// A user's images
///
/// One's own, or what another user shares.
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}/images",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The user's id"), PageParams, ListParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_user_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(user): Path<UserId>,
    Query(page): Query<PageParams>,
    Query(ListParams { order }): Query<ListParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let list = format!("users/{user}/images?order={}", order.name());
    let request = page.request(&app, &caller, &list)?;
    let owned_by = OwnedBy::User(user);
    let listed = app.service.list_images(&caller, owned_by, order.into(), &request).await?;
    Ok(page_of(&app, &caller, &list, listed))
}

/// The feed
///
/// Everybody's shared images, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/feed",
    tag = tag::IMAGES,
    params(PageParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_feed(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let request = page.request(&app, &caller, FEED)?;
    let listed = app.service.list_feed(&caller, &request).await?;
    Ok(page_of(&app, &caller, FEED, listed))
}

const FEED: &str = "feed";

/// Which images.
#[derive(Deserialize, ToSchema)]
pub(super) struct ImageIds {
    /// Ids, 100 at most.
    ids: Vec<String>,
}

/// Some images.
#[derive(Serialize, ToSchema)]
pub(super) struct FoundImages {
    /// In the order of the ids, without those that the caller may not see.
    items: Vec<ImageInfo>,
}

/// Images by their ids
#[utoipa::path(
    post,
    path = "/api/v1/images/batch-get",
    tag = tag::IMAGES,
    request_body = ImageIds,
    responses((status = 200, description = "Those that may be seen.", body = FoundImages), FindErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn find_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(ImageIds { ids }): crate::extract::Json<ImageIds>,
) -> Result<Json<FoundImages>, ApiError> {
    let ids = ids.iter().map(|id| id.parse::<ImageId>());
    let ids: Vec<ImageId> =
        ids.collect::<Result<_, _>>().map_err(|bad| service::Error::invalid("ids", bad))?;
    let found = app.service.find_images(&caller, &ids).await?;
    let info = |image: Image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    };
    Ok(Json(FoundImages { items: found.into_iter().map(info).collect() }))
}

pub(super) fn page_of(
    app: &App,
    caller: &Caller,
    list: &str,
    listed: Listed<Image>,
) -> Json<Page<ImageInfo>> {
    Json(Page::of(app, caller, list, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(app, image, is_owner)
    }))
}

//! What a link shows.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use model::ImageId;

use super::guest::{Opening, admit, discreet};
use super::shape::{SharedImage, SharedInfo};
use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::Visitor;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

error_answers!(ReadErrors: NotFound, LinkExpired, LinkLocked);
error_answers!(ListErrors: NotFound, LinkExpired, LinkLocked, BadCursor);

/// What a link shows
///
/// Opening a link is counted once for each browser and visit. A link with a password is answered
/// with `link_locked` until it is unlocked; one that has ended with `link_expired`, to those who have
/// it. One that was taken back is `not_found`, like one that never was.
#[utoipa::path(
    get,
    path = "/api/v1/shared/{token}",
    tag = tag::LINKS,
    params(("token" = String, Path, description = "What proves the link")),
    responses((status = 200, description = "What it shows.", body = SharedInfo), ReadErrors)
)]
pub(super) async fn get_shared(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Visitor(visitor): Visitor,
    Path(token): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let guest = admit(&app, &token, &headers).await?;
    let shown = app.service.show_guest(&guest).await?;
    let (token, visitor) = (token.as_str(), visitor.as_ref());
    let opening = Opening { token, method: &method, headers: &headers, client, visitor };
    let counted = opening.count(&app, &guest).await?;
    Ok((discreet(), counted, Json(SharedInfo::of(&app, &guest, shown))).into_response())
}

/// The images that a link shows
///
/// As they are now: in the order of the album, or the newest first.
#[utoipa::path(
    get,
    path = "/api/v1/shared/{token}/images",
    tag = tag::LINKS,
    params(("token" = String, Path, description = "What proves the link"), PageParams),
    responses(
        (status = 200, description = "A page of images.", body = Page<SharedImage>),
        ListErrors
    )
)]
pub(super) async fn list_shared_images(
    State(app): State<App>,
    Path(token): Path<String>,
    Query(page): Query<PageParams>,
    headers: HeaderMap,
) -> Result<Answer<Page<SharedImage>>, ApiError> {
    let guest = admit(&app, &token, &headers).await?;
    let (owner, list) = (guest.link().owner, super::page::list_of(&guest));
    let request = page.request_of(&app, owner, &list)?;
    let listed = app.service.list_guest_images(&guest, &request).await?;
    let shape = |image| SharedImage::of(&app, &guest, image);
    Ok((discreet(), Json(Page::of_user(&app, owner, &list, listed, shape))))
}

/// One of the images that a link shows
#[utoipa::path(
    get,
    path = "/api/v1/shared/{token}/images/{image}",
    tag = tag::LINKS,
    params(
        ("token" = String, Path, description = "What proves the link"),
        ("image" = String, Path, description = "The image's id")
    ),
    responses((status = 200, description = "The image.", body = SharedImage), ReadErrors)
)]
pub(super) async fn get_shared_image(
    State(app): State<App>,
    Path((token, image)): Path<(String, ImageId)>,
    headers: HeaderMap,
) -> Result<Answer<SharedImage>, ApiError> {
    let guest = admit(&app, &token, &headers).await?;
    let image = app.service.load_guest_image(&guest, image).await?;
    Ok((discreet(), Json(SharedImage::of(&app, &guest, image))))
}

/// JSON that nobody keeps.
type Answer<T> = ([(HeaderName, HeaderValue); 3], Json<T>);

//! One album, and lists of albums.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use model::{AlbumId, ImageId};
use serde::Serialize;
use service::{Caller, Listed, SeenAlbum};
use utoipa::ToSchema;

use super::shape::{AlbumInfo, tagged};
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

error_answers!(ListErrors: BadCursor);
error_answers!(ReadErrors: NotFound);
error_answers!(NestedErrors: NotFound, BadCursor);

const OWN: &str = "albums";
const SHARED: &str = "albums/shared";

/// My albums
///
/// Newest first, nested or not.
#[utoipa::path(
    get,
    path = "/api/v1/albums",
    tag = tag::ALBUMS,
    params(PageParams),
    responses((status = 200, description = "A page of albums.", body = Page<AlbumInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_albums(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<AlbumInfo>>, ApiError> {
    let request = page.request(&app, &caller, OWN)?;
    let listed = app.service.list_albums(&caller, &request).await?;
    page_of(&app, &caller, OWN, listed).await
}

/// Albums of others that I am a member of
///
/// Newest first. What is nested in them can be seen as well, and is listed there.
#[utoipa::path(
    get,
    path = "/api/v1/albums/shared",
    tag = tag::ALBUMS,
    params(PageParams),
    responses((status = 200, description = "A page of albums.", body = Page<AlbumInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_shared_albums(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<AlbumInfo>>, ApiError> {
    let request = page.request(&app, &caller, SHARED)?;
    let listed = app.service.list_shared_albums(&caller, &request).await?;
    page_of(&app, &caller, SHARED, listed).await
}

/// An album
///
/// For its owner and its members, and the members of the albums it is nested in.
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id")),
    responses((status = 200, description = "The album.", body = AlbumInfo), ReadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_album(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
) -> Result<Response, ApiError> {
    tagged(&app, app.service.load_album(&caller, id).await?).await
}

/// The albums nested in an album
///
/// Those directly in it, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}/albums",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id"), PageParams),
    responses(
        (status = 200, description = "A page of albums.", body = Page<AlbumInfo>),
        NestedErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_nested_albums(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<AlbumInfo>>, ApiError> {
    let list = format!("albums/{id}/albums");
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_nested_albums(&caller, id, &request).await?;
    page_of(&app, &caller, &list, listed).await
}

/// Some albums.
#[derive(Serialize, ToSchema)]
pub(super) struct FoundAlbums {
    /// Oldest first.
    items: Vec<AlbumInfo>,
}

/// The albums an image is in
///
/// Those that the caller may see.
#[utoipa::path(
    get,
    path = "/api/v1/images/{id}/albums",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 200, description = "All of them.", body = FoundAlbums), ReadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_image_albums(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Json<FoundAlbums>, ApiError> {
    let found = app.service.list_image_albums(&caller, id).await?;
    Ok(Json(FoundAlbums { items: AlbumInfo::all(&app, found).await? }))
}

async fn page_of(
    app: &App,
    caller: &Caller,
    list: &str,
    listed: Listed<SeenAlbum>,
) -> Result<Json<Page<AlbumInfo>>, ApiError> {
    let Listed { entries, next } = listed;
    let entries = AlbumInfo::all(app, entries).await?;
    Ok(Json(Page::of(app, caller, list, Listed { entries, next }, |album| album)))
}

//! Tags within one album.

use axum::Json;
use axum::extract::State;
use model::{AlbumId, ImageId, Tag};
use serde::Serialize;
use service::TagStatus;
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

error_answers!(TagsErrors: NotFound);
error_answers!(StatusErrors: NotFound, BadCursor);

/// Tags within an album.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AlbumTags {
    /// In the order of the alphabet.
    items: Vec<AlbumTag>,
    /// Whether all images of the album were looked at; the first 10,000 are.
    complete: bool,
}

/// A tag and how many images of the album have it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AlbumTag {
    /// The tag.
    #[schema(value_type = String)]
    tag: Tag,
    /// How many images have it.
    count: usize,
}

/// My tags within an album
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}/tags",
    tag = tag::TAGS,
    params(("id" = String, Path, description = "The album's id")),
    responses((status = 200, description = "All of them.", body = AlbumTags), TagsErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_album_tags(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
) -> Result<Json<AlbumTags>, ApiError> {
    let found = app.service.list_album_tags(&caller, id).await?;
    let items = found.tags.into_iter().map(|(tag, count)| AlbumTag { tag, count }).collect();
    Ok(Json(AlbumTags { items, complete: found.complete }))
}

/// How far an image is tagged.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TagStatus)]
pub(super) struct StatusInfo {
    /// The image's id.
    #[schema(value_type = String)]
    image: ImageId,
    /// How many tags the caller has set on it.
    mine: usize,
    /// How many different public tags it has, of everyone.
    everyone: usize,
}

/// Which images of an album are tagged
///
/// By me and by anyone, in the order in which they were uploaded: what is needed to tag a whole
/// album one image after the other.
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}/tag-status",
    tag = tag::TAGS,
    params(("id" = String, Path, description = "The album's id"), PageParams),
    responses((status = 200, description = "A page.", body = Page<StatusInfo>), StatusErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_tag_status(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<StatusInfo>>, ApiError> {
    let list = format!("albums/{id}/tag-status");
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_tag_status(&caller, id, &request).await?;
    let shape = |TagStatus { image, mine, everyone }| StatusInfo { image, mine, everyone };
    Ok(Json(Page::of(&app, &caller, &list, listed, shape)))
}

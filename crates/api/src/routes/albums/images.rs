//! The images of an album.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use model::{AlbumId, AlbumSort, ImageId};
use serde::{Deserialize, Deserializer, Serialize};
use service::{AddedImage, Place, RemovedImage};
use utoipa::{IntoParams, ToSchema};

use super::change::parse_id;
use super::shape::SortParam;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{OrderParam, Page, PageParams};
use crate::routes::images::ImageInfo;

error_answers!(ListErrors: NotFound, BadCursor);
error_answers!(ChangeErrors: NotFound, RoleMissing, InvalidValue);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// What they are ordered by; the album's own `sort`, unless given.
    #[param(inline)]
    sort: Option<SortParam>,
    /// Newest or oldest first. An order by hand is always from first to last.
    #[serde(default)]
    #[param(inline)]
    order: OrderParam,
}

/// The images of an album
///
/// Whoever may see the album sees them, also those that are private; but where and by what they
/// were taken is told only to their owners, unless the installation shows it to all. What is in
/// the trash is left out.
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}/images",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id"), PageParams, ListParams),
    responses((status = 200, description = "A page of images.", body = Page<ImageInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_album_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    Query(page): Query<PageParams>,
    Query(ListParams { sort, order }): Query<ListParams>,
) -> Result<Json<Page<ImageInfo>>, ApiError> {
    let by = sort.map_or("own", SortParam::name);
    let list = format!("albums/{id}/images?sort={by}&order={}", order.name());
    let request = page.request(&app, &caller, &list)?;
    let sort = sort.map(AlbumSort::from);
    let listed = app.service.list_album_images(&caller, id, sort, order.into(), &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, |image| {
        let is_owner = image.owner == caller.user;
        ImageInfo::of(&app, image, is_owner)
    })))
}

/// Images to be put into an album and to be taken out of it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = AlbumImageChanges)]
pub(super) struct ImageChanges {
    /// Ids of images of one's own, 100 at most.
    #[serde(default)]
    add: Vec<String>,
    /// Ids of images, 100 at most. They are taken out before others are put in.
    #[serde(default)]
    remove: Vec<String>,
}

/// What became of each image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangedImages {
    /// Those to be put in, in the order of the request.
    added: Vec<ChangedImage>,
    /// Those to be taken out.
    removed: Vec<ChangedImage>,
}

/// What became of an image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedImage {
    /// Its id.
    #[schema(value_type = String)]
    id: ImageId,
    /// `added`, `alreadyThere`, `tooManyAlbums`, `removed`, or `notFound`: the caller has no such
    /// image, or it was not in the album.
    outcome: &'static str,
}

/// Put images into an album and take others out
///
/// The answer says what became of each. Owner and contributors of an album put in images of their
/// own. The owner of the album takes out any image, and everybody their own.
#[utoipa::path(
    post,
    path = "/api/v1/albums/{id}/images",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id")),
    request_body = ImageChanges,
    responses((status = 200, description = "What became of each.", body = ChangedImages), ChangeErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn change_album_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    crate::extract::Json(changes): crate::extract::Json<ImageChanges>,
) -> Result<Json<ChangedImages>, ApiError> {
    let (add, remove) = (parse_ids("add", &changes.add)?, parse_ids("remove", &changes.remove)?);
    let changed = app.service.change_album_images(&caller, id, &add, &remove).await?;
    let added = changed.added.into_iter().map(|(id, end)| {
        let outcome = match end {
            AddedImage::Added => "added",
            AddedImage::AlreadyThere => "alreadyThere",
            AddedImage::NotFound => "notFound",
            AddedImage::TooManyAlbums => "tooManyAlbums",
        };
        ChangedImage { id, outcome }
    });
    let removed = changed.removed.into_iter().map(|(id, end)| {
        let outcome = match end {
            RemovedImage::Removed => "removed",
            RemovedImage::NotFound => "notFound",
        };
        ChangedImage { id, outcome }
    });
    Ok(Json(ChangedImages { added: added.collect(), removed: removed.collect() }))
}

/// Where images of an album are to be put.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MoveImages {
    /// Ids of images in the album, 100 at most, in the order they shall have.
    ids: Vec<String>,
    /// The id of the image they are put behind; `null` puts them first, and without it they are
    /// put last.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    behind: Option<Option<String>>,
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// Move images in the order by hand
#[utoipa::path(
    post,
    path = "/api/v1/albums/{id}/images/move",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id")),
    request_body = MoveImages,
    responses((status = 204, description = "They stand there now."), ChangeErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn move_album_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    crate::extract::Json(asked): crate::extract::Json<MoveImages>,
) -> Result<StatusCode, ApiError> {
    let ids = parse_ids("ids", &asked.ids)?;
    let place = match asked.behind {
        None => Place::Last,
        Some(None) => Place::First,
        Some(Some(image)) => Place::Behind(parse_id("behind", &image)?),
    };
    app.service.move_album_images(&caller, id, &ids, place).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn parse_ids(name: &'static str, ids: &[String]) -> Result<Vec<ImageId>, ApiError> {
    ids.iter().map(|id| parse_id(name, id)).collect()
}

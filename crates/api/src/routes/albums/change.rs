//! Making, changing and deleting albums.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::{AlbumId, AlbumSort};
use serde::Deserialize;
use service::{EditAlbum, NewAlbum, Once};
use utoipa::ToSchema;

use super::shape::{AlbumInfo, SortParam, tagged};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::etag::{DeleteParams, Expected};
use crate::extract::{Json, Path, Query};
use crate::idempotency;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::patch::Patch;

error_answers!(CreateErrors: TitleTooLong, DescriptionTooLong, InvalidValue, AlbumTooDeep);
error_answers!(
    EditErrors: NotFound, RoleMissing, Conflict, PreconditionFailed, TitleTooLong,
    DescriptionTooLong, InvalidValue, AlbumInsideItself, AlbumTooDeep,
);
error_answers!(DeleteErrors: NotFound, RoleMissing, Conflict, PreconditionFailed, AlbumHasAlbums);

/// A new album.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = NewAlbum)]
pub(super) struct CreateAlbum {
    /// The title.
    #[schema(max_length = 255)]
    title: String,
    /// The description.
    #[schema(max_length = 5000)]
    description: Option<String>,
    /// The id of the album of one's own that it is nested in.
    parent: Option<String>,
    /// What its images are ordered by; `uploaded`, unless given.
    sort: Option<SortParam>,
}

/// What to change. What is absent stays; `null` clears.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AlbumChanges {
    /// The version that is to be changed, unless `If-Match` says so.
    version: Option<i64>,
    /// The title.
    #[schema(max_length = 255)]
    title: Option<String>,
    /// The description.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 5000)]
    description: Patch<String>,
    /// The id of the image that stands for it, which must be in it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    cover: Patch<String>,
    /// The id of the album of one's own that it is nested in; `null` for none.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    parent: Patch<String>,
    /// What its images are ordered by.
    sort: Option<SortParam>,
}

/// Make an album
#[utoipa::path(
    post,
    path = "/api/v1/albums",
    tag = tag::ALBUMS,
    request_body = CreateAlbum,
    responses((status = 201, description = "The album.", body = AlbumInfo), CreateErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn create_album(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    once: Option<Extension<Once>>,
    Json(new): Json<CreateAlbum>,
) -> Result<Response, ApiError> {
    let new = NewAlbum {
        title: field("title", &new.title)?,
        description: new.description.map(|text| field("description", &text)).transpose()?,
        parent: new.parent.map(|id| parse_id("parent", &id)).transpose()?,
        sort: new.sort.map(AlbumSort::from).unwrap_or_default(),
    };
    let once = idempotency::once(&app, once);
    let made = app.service.create_album_once(&caller, new, once).await?;
    let path = format!("/api/v1/albums/{}", made.album.id);
    let location = HeaderValue::from_str(&path).ok().map(|path| (header::LOCATION, path));
    let mut response = (StatusCode::CREATED, tagged(&app, made).await?).into_response();
    response.headers_mut().extend(location);
    Ok(response)
}

/// Change an album
///
/// With `If-Match` or `version`, only if nobody else has changed it since. Moving it to another
/// `parent` takes everything with it that is nested in it.
#[utoipa::path(
    patch,
    path = "/api/v1/albums/{id}",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id")),
    request_body = AlbumChanges,
    responses((status = 200, description = "The album as it is now.", body = AlbumInfo), EditErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn edit_album(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    headers: HeaderMap,
    Json(changes): Json<AlbumChanges>,
) -> Result<Response, ApiError> {
    let expected = Expected::of(&headers, id, changes.version)?;
    let edit = changes.into_edit()?;
    let edited = app.service.edit_album(&caller, id, expected.version(), edit).await;
    tagged(&app, edited.map_err(|error| expected.error(error))?).await
}

/// Delete an album
///
/// Its images stay. Albums that are nested in it must be moved or deleted first.
#[utoipa::path(
    delete,
    path = "/api/v1/albums/{id}",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id"), DeleteParams),
    responses((status = 204, description = "It is gone."), DeleteErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn delete_album(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    Query(DeleteParams { version }): Query<DeleteParams>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let expected = Expected::of(&headers, id, version)?;
    let deleted = app.service.delete_album(&caller, id, expected.version()).await;
    deleted.map_err(|error| expected.error(error))?;
    Ok(StatusCode::NO_CONTENT)
}

impl AlbumChanges {
    fn into_edit(self) -> Result<EditAlbum, ApiError> {
        let description = self.description.try_map(|text| field("description", &text))?;
        Ok(EditAlbum {
            title: self.title.map(|text| field("title", &text)).transpose()?,
            description: description.into_option(),
            cover: self.cover.try_map(|id| parse_id("cover", &id))?.into_option(),
            parent: self.parent.try_map(|id| parse_id("parent", &id))?.into_option(),
            sort: self.sort.map(AlbumSort::from),
        })
    }
}

pub(super) fn parse_id<T: std::str::FromStr<Err = model::BadId>>(
    name: &'static str,
    id: &str,
) -> Result<T, ApiError> {
    Ok(id.parse().map_err(|bad| service::Error::invalid(name, bad))?)
}

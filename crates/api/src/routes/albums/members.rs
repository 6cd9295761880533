//! Who may see an album beside its owner.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use model::{AlbumId, UserId};
use serde::Deserialize;
use service::Listed;
use utoipa::ToSchema;

use super::shape::{MemberInfo, RoleParam};
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

error_answers!(ListErrors: NotFound, BadCursor);
error_answers!(PutErrors: NotFound, RoleMissing, TooManyMembers, InvalidValue);
error_answers!(DeleteErrors: NotFound, RoleMissing);

/// The members of an album
///
/// Without those of the albums it is nested in, who may see it, too.
#[utoipa::path(
    get,
    path = "/api/v1/albums/{id}/members",
    tag = tag::ALBUMS,
    params(("id" = String, Path, description = "The album's id"), PageParams),
    responses((status = 200, description = "A page of members.", body = Page<MemberInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_album_members(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<AlbumId>,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<MemberInfo>>, ApiError> {
    let list = format!("albums/{id}/members");
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_album_members(&caller, id, &request).await?;
    let Listed { entries, next } = listed;
    let entries = MemberInfo::all(&app, &caller, entries).await?;
    Ok(Json(Page::of(&app, &caller, &list, Listed { entries, next }, |member| member)))
}

/// What a member may do.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Membership {
    /// `viewer` or `contributor`.
    role: RoleParam,
}

/// Let somebody see an album
///
/// Or give a member another role. Everything nested in the album can be seen by them, too.
#[utoipa::path(
    put,
    path = "/api/v1/albums/{id}/members/{user}",
    tag = tag::ALBUMS,
    params(
        ("id" = String, Path, description = "The album's id"),
        ("user" = String, Path, description = "The user's id")
    ),
    request_body = Membership,
    responses((status = 200, description = "The member.", body = MemberInfo), PutErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn put_album_member(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((id, user)): Path<(AlbumId, UserId)>,
    crate::extract::Json(Membership { role }): crate::extract::Json<Membership>,
) -> Result<Json<Option<MemberInfo>>, ApiError> {
    let member = app.service.put_album_member(&caller, id, user, role.into()).await?;
    let members = MemberInfo::all(&app, &caller, vec![member]).await?;
    Ok(Json(members.into_iter().next()))
}

/// End a membership
///
/// The owner of the album ends anybody's, and members their own. Images that they have put into
/// it stay there until they or the owner take them out.
#[utoipa::path(
    delete,
    path = "/api/v1/albums/{id}/members/{user}",
    tag = tag::ALBUMS,
    params(
        ("id" = String, Path, description = "The album's id"),
        ("user" = String, Path, description = "The user's id")
    ),
    responses((status = 204, description = "It has ended."), DeleteErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn delete_album_member(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((id, user)): Path<(AlbumId, UserId)>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_album_member(&caller, id, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

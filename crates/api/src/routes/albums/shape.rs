//! An album as clients see it.

use std::collections::HashMap;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use model::{
    AlbumId, AlbumMember, AlbumRole, AlbumSort, Description, ImageId, Name, Timestamp, Title,
    UserId,
};
use serde::{Deserialize, Serialize};
use service::{AlbumFace, AlbumRight, Caller, Profile, SeenAlbum};
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::etag::ETag;

/// An album.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Album)]
pub(super) struct AlbumInfo {
    /// Its id, a ULID: sorted by creation.
    #[schema(value_type = String)]
    id: AlbumId,
    /// The id of the user whose it is.
    #[schema(value_type = String)]
    owner: UserId,
    /// What they are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    owner_name: Option<Name>,
    /// What the caller is in it: `owner`, `contributor` or `viewer`.
    role: &'static str,
    /// The title.
    #[schema(value_type = String)]
    title: Title,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    description: Option<Description>,
    /// The id of the image that stands for it, if one was chosen and is still in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    cover: Option<ImageId>,
    /// Where a picture of it is: of the cover, or else of the newest image; signed, and good for
    /// an hour at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover_url: Option<String>,
    /// The id of the album it is nested in, for those who may see that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    parent: Option<AlbumId>,
    /// What its images are ordered by, unless asked otherwise.
    sort: SortParam,
    /// How many images are in it, with those in the trash.
    image_count: i64,
    /// How many albums are nested directly in it.
    album_count: i64,
    /// How many members it has itself.
    member_count: i64,
    /// When it was made.
    #[schema(value_type = String)]
    created_at: Timestamp,
    /// When it, or what is in it, last changed.
    #[schema(value_type = String)]
    updated_at: Timestamp,
    /// Counts the changes of the album itself; send it back with an edit.
    version: i64,
}

/// What the images of an album are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AlbumSort)]
pub(super) enum SortParam {
    /// When they were uploaded.
    Uploaded,
    /// When they were taken, or uploaded if nobody said so.
    Taken,
    /// Where they were put by hand; as they were added until then.
    Hand,
}

/// What a member may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AlbumRole)]
pub(super) enum RoleParam {
    /// See the images.
    Viewer,
    /// Add images of their own, too.
    Contributor,
}

/// Somebody who may see an album.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AlbumMember)]
pub(super) struct MemberInfo {
    /// The id of the user.
    #[schema(value_type = String)]
    user: UserId,
    /// What they are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    name: Option<Name>,
    /// Where their picture is, small; signed, and good for an hour at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture_url: Option<String>,
    /// What they may do.
    role: RoleParam,
    /// Since when they are a member.
    #[schema(value_type = String)]
    added_at: Timestamp,
}

/// Pixels that a picture of an album has on a page.
const COVER_SIDE: u32 = 480;

impl AlbumInfo {
    /// Albums with what stands for them.
    pub(super) async fn all(app: &App, albums: Vec<SeenAlbum>) -> Result<Vec<Self>, ApiError> {
        let faces = app.service.find_album_faces(&albums).await?;
        Ok(albums.into_iter().zip(faces).map(|(seen, face)| Self::of(app, seen, face)).collect())
    }

    fn of(app: &App, seen: SeenAlbum, face: AlbumFace) -> Self {
        let SeenAlbum { album, right } = seen;
        Self {
            id: album.id,
            owner: album.owner,
            owner_name: face.owner_name,
            cover_url: face.image.map(|image| app.url_at_least(image, COVER_SIDE)),
            role: match right {
                AlbumRight::View => "viewer",
                AlbumRight::Contribute => "contributor",
                AlbumRight::Own => "owner",
            },
            title: album.title,
            description: album.description,
            cover: album.cover,
            parent: album.parent,
            sort: album.sort.into(),
            image_count: album.image_count,
            album_count: album.album_count,
            member_count: album.member_count,
            created_at: album.created_at,
            updated_at: album.updated_at,
            version: album.version,
        }
    }
}

/// An album with the tag of its version. What is in it may change while that stays the same, so
/// the answer is never spared.
pub(super) async fn tagged(app: &App, seen: SeenAlbum) -> Result<Response, ApiError> {
    let tag = ETag::of(seen.album.id, seen.album.version).header().into_iter();
    let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    let headers: HeaderMap = tag.chain([no_cache]).collect();
    let album = AlbumInfo::all(app, vec![seen]).await?.into_iter().next();
    Ok((headers, axum::Json(album)).into_response())
}

impl MemberInfo {
    /// Members with their names and pictures.
    pub(super) async fn all(
        app: &App,
        caller: &Caller,
        members: Vec<AlbumMember>,
    ) -> Result<Vec<Self>, ApiError> {
        let ids: Vec<UserId> = members.iter().map(|member| member.user).collect();
        let profiles = app.service.find_profiles(caller, &ids).await?;
        let mut profiles: HashMap<UserId, Profile> =
            profiles.into_iter().map(|profile| (profile.id, profile)).collect();
        let info = |member: AlbumMember| {
            let AlbumMember { user, role, added_at } = member;
            let profile = profiles.remove(&user);
            let picture = profile.as_ref().and_then(|profile| profile.picture);
            let picture_url = picture.map(|picture| app.small_url(picture));
            let name = profile.map(|profile| profile.name);
            Self { user, name, picture_url, role: role.into(), added_at }
        };
        Ok(members.into_iter().map(info).collect())
    }
}

impl SortParam {
    /// Its name, for the name of a list.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Uploaded => "uploaded",
            Self::Taken => "taken",
            Self::Hand => "hand",
        }
    }
}

impl From<AlbumSort> for SortParam {
    fn from(sort: AlbumSort) -> Self {
        match sort {
            AlbumSort::Uploaded => Self::Uploaded,
            AlbumSort::Taken => Self::Taken,
            AlbumSort::Hand => Self::Hand,
        }
    }
}

impl From<SortParam> for AlbumSort {
    fn from(sort: SortParam) -> Self {
        match sort {
            SortParam::Uploaded => Self::Uploaded,
            SortParam::Taken => Self::Taken,
            SortParam::Hand => Self::Hand,
        }
    }
}

impl From<AlbumRole> for RoleParam {
    fn from(role: AlbumRole) -> Self {
        match role {
            AlbumRole::Viewer => Self::Viewer,
            AlbumRole::Contributor => Self::Contributor,
        }
    }
}

impl From<RoleParam> for AlbumRole {
    fn from(role: RoleParam) -> Self {
        match role {
            RoleParam::Viewer => Self::Viewer,
            RoleParam::Contributor => Self::Contributor,
        }
    }
}

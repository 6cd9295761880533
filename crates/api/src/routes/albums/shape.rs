//! An album as clients see it.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use model::{
    AlbumId, AlbumMember, AlbumRole, AlbumSort, Description, ImageId, Timestamp, Title, UserId,
};
use serde::{Deserialize, Serialize};
use service::{AlbumRight, SeenAlbum};
use utoipa::ToSchema;

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
    /// When they were taken, or uploaded if no camera said so.
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
    /// What they may do.
    role: RoleParam,
    /// Since when they are a member.
    #[schema(value_type = String)]
    added_at: Timestamp,
}

impl AlbumInfo {
    pub(super) fn of(seen: SeenAlbum) -> Self {
        let SeenAlbum { album, right } = seen;
        Self {
            id: album.id,
            owner: album.owner,
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
pub(super) fn tagged(seen: SeenAlbum) -> Response {
    let tag = ETag::of(seen.album.id, seen.album.version).header().into_iter();
    let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    let headers: HeaderMap = tag.chain([no_cache]).collect();
    (headers, axum::Json(AlbumInfo::of(seen))).into_response()
}

impl MemberInfo {
    #[allow(clippy::needless_pass_by_value, reason = "pages give their entries away")]
    pub(super) fn of(member: AlbumMember) -> Self {
        let AlbumMember { user, role, added_at } = member;
        Self { user, role: role.into(), added_at }
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

use serde::{Deserialize, Serialize};

use crate::{AlbumId, Description, ImageId, Timestamp, Title, UserId};

/// An album. Which images are in it is told by rows of the images, and who may see it beside its
/// owner by rows of its members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Album {
    /// The album's id.
    pub id: AlbumId,
    /// Whose it is.
    pub owner: UserId,
    /// The title.
    pub title: Title,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Description>,
    /// The image that stands for it, if one was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cover: Option<ImageId>,
    /// The album of the same owner that it is nested in. Members of that one are members here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<AlbumId>,
    /// What its images are ordered by, unless asked otherwise.
    #[serde(default)]
    pub sort: AlbumSort,
    /// How many images are in it, exactly.
    pub image_count: i64,
    /// How many albums are nested in it, exactly, without those nested in these.
    #[serde(default)]
    pub album_count: i64,
    /// How many members it has, exactly, without those of the albums it is nested in.
    #[serde(default)]
    pub member_count: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Since when it is being removed. It takes no new images from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleting_since: Option<Timestamp>,
    /// Counts the changes of its own attributes, for optimistic locking.
    pub version: i64,
}

impl Album {
    /// A new album without images.
    pub fn new(id: AlbumId, owner: UserId, title: Title, now: Timestamp) -> Self {
        Self {
            id,
            owner,
            title,
            description: None,
            cover: None,
            parent: None,
            sort: AlbumSort::default(),
            image_count: 0,
            album_count: 0,
            member_count: 0,
            created_at: now,
            updated_at: now,
            deleting_since: None,
            version: 1,
        }
    }
}

/// What the images of an album are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AlbumSort {
    /// When they were uploaded.
    #[default]
    Uploaded,
    /// When they were taken; when they were uploaded if no camera said so.
    Taken,
    /// Where somebody put them; as they were added until then.
    Hand,
}

/// Somebody who may see an album that is not theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AlbumMember {
    /// Who.
    pub user: UserId,
    /// What they may do.
    pub role: AlbumRole,
    /// Since when they are a member.
    pub added_at: Timestamp,
}

/// What a member of an album may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AlbumRole {
    /// See its images.
    Viewer,
    /// Add images of their own, too.
    Contributor,
}

use serde::{Deserialize, Serialize};

use crate::{AlbumId, Description, ImageId, Timestamp, Title, UserId};

/// An album. Which images are in it is told by rows of the images.
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
    /// The image that stands for it; the newest one if none was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cover: Option<ImageId>,
    /// How many images are in it, exactly.
    pub image_count: i64,
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
            image_count: 0,
            created_at: now,
            updated_at: now,
            deleting_since: None,
            version: 1,
        }
    }
}

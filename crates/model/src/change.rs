use serde::{Deserialize, Serialize};

use crate::{AlbumId, ImageId, PersonId, Timestamp, UserId};

/// Something that happened, for those who follow along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub kind: ChangeKind,
    /// To what.
    #[serde(flatten)]
    pub entity: Entity,
    /// Whose it is.
    pub owner: UserId,
    /// The entity's version afterwards; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// What happened to an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// It is new.
    Created,
    /// It is different.
    Updated,
    /// It is gone.
    Deleted,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Entity {
    /// An image.
    Image(ImageId),
    /// An album.
    Album(AlbumId),
    /// A person.
    Person(PersonId),
    /// A user.
    User(UserId),
}

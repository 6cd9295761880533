use serde::{Deserialize, Serialize};

use crate::{Email, ImageId, Name, PersonId, Timestamp, UserId, limits};

/// Someone with an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The address they sign in with.
    pub email: Email,
    /// The name others see.
    pub name: Name,
    /// What they may do.
    pub role: Role,
    /// Their profile picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<ImageId>,
    /// The person they are in the photos.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts the changes, for optimistic locking.
    pub version: i64,
}

/// What a user may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// Keep and share photos.
    User,
    /// Also manage users, limits and the service.
    Administrator,
}

/// How much a user may keep, and how much of that is left.
///
/// What is left is taken when an upload is accepted and given back when the image is gone
/// for good; an administrator who lowers a limit may make it negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// Images allowed.
    pub images_max: i64,
    /// Images still allowed.
    pub images_left: i64,
    /// Bytes allowed.
    pub bytes_max: i64,
    /// Bytes still allowed.
    pub bytes_left: i64,
}

impl Quota {
    /// An untouched quota.
    pub fn new(images_max: i64, bytes_max: i64) -> Self {
        Self { images_max, images_left: images_max, bytes_max, bytes_left: bytes_max }
    }
}

impl Default for Quota {
    fn default() -> Self {
        Self::new(limits::IMAGES_PER_USER_DEFAULT, limits::BYTES_PER_USER_DEFAULT)
    }
}

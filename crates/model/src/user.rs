use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Email, ImageId, Name, PersonId, Timestamp, UserId};

/// Someone with an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The address they sign in with.
    pub email: Email,
    /// Whether somebody other than themselves vouches for the address: an administrator, the
    /// sender of an invitation, or an identity provider.
    #[serde(default)]
    pub email_verified: bool,
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
    /// Whether they do not want to be recognised: no faces are looked for in their images, and
    /// nothing is kept by which they could be found in those of others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrecognised: bool,
    /// Counts how often all sessions were ended at once.
    #[serde(default)]
    pub generation: i64,
    /// Since when the account is being erased; nobody can sign in any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erasing_since: Option<Timestamp>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts the changes, for optimistic locking.
    pub version: i64,
}

impl User {
    /// A new account, for whose address nobody vouches yet.
    pub fn new(id: UserId, email: Email, name: Name, role: Role, now: Timestamp) -> Self {
        Self {
            id,
            email,
            email_verified: false,
            name,
            role,
            picture: None,
            person: None,
            unrecognised: false,
            generation: 0,
            erasing_since: None,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }
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

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::User => "user",
            Self::Administrator => "administrator",
        })
    }
}

/// A text that names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a role (user, administrator)")]
pub struct BadRole(String);

impl FromStr for Role {
    type Err = BadRole;

    fn from_str(text: &str) -> Result<Self, BadRole> {
        match text {
            "user" => Ok(Self::User),
            "administrator" => Ok(Self::Administrator),
            _ => Err(BadRole(text.chars().take(64).collect())),
        }
    }
}

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{BadId, External, ImageId, Sha256Hex, Timestamp, UserId};

/// Something that waits to be done. The row that says so is the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// What is to be done.
    pub kind: WorkKind,
    /// To what.
    #[serde(flatten)]
    pub subject: Subject,
    /// Whose it is.
    pub owner: UserId,
    /// Not before this. Whoever works on it moves it into the future, so that nobody else
    /// takes it up unless they die.
    pub due: Timestamp,
    /// Who works on it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// How often it was begun.
    pub attempts: i64,
    /// How the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Since when it is given up, waiting for an administrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_since: Option<Timestamp>,
    /// What is given back to the owner once it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<Release>,
    /// Counts the changes; whoever claims it holds the version they wrote.
    pub version: i64,
}

/// What an image holds outside its own partition, kept with the work that removes the image,
/// so that it can be given back even when the image's own row has expired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// Images of the owner's quota; none for an image that lives elsewhere.
    pub images: i64,
    /// Bytes of the owner's quota.
    pub bytes: i64,
    /// The checksum that tells duplicates, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256Hex>,
    /// The external id it is found by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<External>,
    /// The key by which a repeated request is recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

impl Work {
    /// Work that nobody has begun.
    pub fn new(kind: WorkKind, subject: Subject, owner: UserId, due: Timestamp) -> Self {
        Self {
            kind,
            subject,
            owner,
            due,
            worker: None,
            attempts: 0,
            error: None,
            dead_since: None,
            release: None,
            version: 1,
        }
    }
}

/// What a piece of work is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// An image.
    Image(ImageId),
    /// A user.
    User(UserId),
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkKind {
    /// Make the renditions of an image.
    Process,
    /// Find the faces in an image.
    Faces,
    /// Say who is who in a library.
    Group,
    /// Give back what an upload had reserved, if it never arrives.
    Expire,
    /// Remove an image and everything that belongs to it.
    Purge,
    /// Remove a user and everything of theirs.
    Erase,
}

impl WorkKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Process, Self::Faces, Self::Group, Self::Expire, Self::Purge, Self::Erase];

    fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Faces => "faces",
            Self::Group => "group",
            Self::Expire => "expire",
            Self::Purge => "purge",
            Self::Erase => "erase",
        }
    }
}

impl fmt::Display for WorkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WorkKind {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            BadId::new(text, "a kind of work (process, faces, group, expire, purge, erase)")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_spelt_alike_everywhere() {
        for kind in WorkKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("nap".parse::<WorkKind>().is_err());
    }
}

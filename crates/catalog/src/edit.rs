//! What all edits have in common: whose it is, and whether somebody was faster.

use model::{Album, Image, Link, UserId};

/// How an edit ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Edited<T> {
    /// It is like this now.
    Edited(T),
    /// Somebody changed it first; it is like this now.
    Conflict(T),
    /// It is not this user's.
    NotOwner,
    /// There is no such thing.
    Missing,
}

/// What belongs to a user and counts its changes.
pub(crate) trait Owned: Sized {
    fn owner(&self) -> UserId;
    fn version(&self) -> i64;
    /// Whether it is being removed, and so is gone for everybody else.
    fn is_going(&self) -> bool;

    /// The thing to edit, if `owner` may and it still has the version they saw; otherwise
    /// how the edit ends. The write that follows checks the version once more.
    fn admit(
        found: Option<Self>,
        owner: UserId,
        version: Option<i64>,
    ) -> Result<Self, Edited<Self>> {
        let found = found.filter(|found| !found.is_going()).ok_or(Edited::Missing)?;
        if found.owner() != owner {
            return Err(Edited::NotOwner);
        }
        if version.is_some_and(|version| version != found.version()) {
            return Err(Edited::Conflict(found));
        }
        Ok(found)
    }
}

impl Owned for Image {
    fn owner(&self) -> UserId {
        self.owner
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_going(&self) -> bool {
        self.purging_since.is_some()
    }
}

impl Owned for Album {
    fn owner(&self) -> UserId {
        self.owner
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_going(&self) -> bool {
        self.deleting_since.is_some()
    }
}

impl Owned for Link {
    fn owner(&self) -> UserId {
        self.owner
    }

    fn version(&self) -> i64 {
        self.version
    }

    fn is_going(&self) -> bool {
        false
    }
}

//! Into the trash and out of it.

use model::{Image, ImageId, Release, Subject, Timestamp, UserId, Work, WorkKind};
use table::{Action, Condition, Transacted};

use super::{change, record_update};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Result, keys, work};

/// How throwing away ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Trashed {
    /// It is in the trash.
    Trashed(Image),
    /// Somebody changed it first; this is how it is now.
    Conflict(Image),
    /// It is not this user's.
    NotOwner,
    /// There is no such image.
    NoImage,
}

/// How taking out of the trash ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Restored {
    /// It is back.
    Restored(Image),
    /// It is not this user's.
    NotOwner,
    /// There is no such image, or its removal has begun.
    NoImage,
}

impl Catalog {
    /// Puts an image of `owner` into the trash, to be removed at `purge_at`. With a version,
    /// only if it still has that one.
    pub async fn trash_image(
        &self,
        image: ImageId,
        owner: UserId,
        version: Option<i64>,
        purge_at: Timestamp,
        now: Timestamp,
    ) -> Result<Trashed> {
        until_settled!(self.try_trash(image, owner, version, purge_at, now).await)
    }

    async fn try_trash(
        &self,
        image: ImageId,
        owner: UserId,
        version: Option<i64>,
        purge_at: Timestamp,
        now: Timestamp,
    ) -> Result<Attempt<Trashed>> {
        let before = match self.find_image(image).await? {
            Some(image) if image.uploaded_at.is_some() && image.purging_since.is_none() => image,
            _ => return Ok(Attempt::Settled(Trashed::NoImage)),
        };
        if before.owner != owner {
            return Ok(Attempt::Settled(Trashed::NotOwner));
        }
        if version.is_some_and(|version| version != before.version) {
            return Ok(Attempt::Settled(Trashed::Conflict(before)));
        }
        let mut after = before.clone();
        after.trashed_at = Some(before.trashed_at.unwrap_or(now));
        let purge = purge_work(&before, purge_at);
        let actions = vec![
            change(&before, &mut after, now)?.when(owned_by(owner)),
            Action::put(work::work_row(&purge)?),
            record_update(&after, now)?,
        ];
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Trashed::Trashed(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Takes an image of `owner` out of the trash, unless its removal has begun.
    pub async fn restore_image(
        &self,
        image: ImageId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Restored> {
        until_settled!(self.try_restore(image, owner, now).await)
    }

    async fn try_restore(
        &self,
        image: ImageId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Attempt<Restored>> {
        let before = match self.find_image(image).await? {
            Some(image) if image.purging_since.is_none() => image,
            _ => return Ok(Attempt::Settled(Restored::NoImage)),
        };
        if before.owner != owner {
            return Ok(Attempt::Settled(Restored::NotOwner));
        }
        if before.trashed_at.is_none() {
            return Ok(Attempt::Settled(Restored::Restored(before)));
        }
        let mut after = before.clone();
        after.trashed_at = None;
        let actions = vec![
            change(&before, &mut after, now)?.when(owned_by(owner)),
            Action::delete(keys::work(Subject::Image(image), WorkKind::Purge)),
            record_update(&after, now)?,
        ];
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Restored::Restored(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }
}

/// Ownership is checked in the write itself, too.
fn owned_by(owner: UserId) -> Condition {
    Condition::equals("owner", owner.to_string())
}

/// The work that removes an image, with what it gives back.
pub(super) fn purge_work(image: &Image, due: Timestamp) -> Work {
    let mut purge = Work::new(WorkKind::Purge, Subject::Image(image.id), image.owner, due);
    let sha256 = image.original.as_ref().map(|original| original.sha256.clone());
    purge.release = Some(Release { bytes: image.size_bytes(), sha256 });
    purge
}

//! Into the trash and out of it.

use model::{Image, ImageId, Release, Subject, Timestamp, UserId, Work, WorkKind};
use table::{Action, Condition, Transacted};

use super::{change, record_update};
use crate::edit::{Edited, Owned};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Result, keys, timeline, work};

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
    ) -> Result<Edited<Image>> {
        until_settled!(self.try_trash(image, owner, version, purge_at, now).await)
    }

    async fn try_trash(
        &self,
        image: ImageId,
        owner: UserId,
        version: Option<i64>,
        purge_at: Timestamp,
        now: Timestamp,
    ) -> Result<Attempt<Edited<Image>>> {
        // What has not arrived is given back, not thrown away.
        let found = self.find_image(image).await?.filter(|image| image.uploaded_at.is_some());
        let before = match Image::admit(found, owner, version) {
            Ok(image) => image,
            Err(end) => return Ok(Attempt::Settled(end)),
        };
        let mut after = before.clone();
        after.trashed_at = Some(before.trashed_at.unwrap_or(now));
        // A temporary image goes when it was to go, at the latest.
        let purge_at = temporary_until(&before).map_or(purge_at, |until| until.min(purge_at));
        let purge = purge_work(&before, purge_at);
        let mut actions = vec![
            change(&before, &mut after, now)?.when(owned_by(owner)),
            Action::put(work::work_row(&purge)?),
            record_update(&after, now)?,
        ];
        actions.extend(timeline::counted(Some(&before), &after));
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Edited::Edited(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Takes an image of `owner` out of the trash. Once its removal has begun it is missing.
    pub async fn restore_image(
        &self,
        image: ImageId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Edited<Image>> {
        until_settled!(self.try_restore(image, owner, now).await)
    }

    async fn try_restore(
        &self,
        image: ImageId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Attempt<Edited<Image>>> {
        let before = match Image::admit(self.find_image(image).await?, owner, None) {
            Ok(image) => image,
            Err(end) => return Ok(Attempt::Settled(end)),
        };
        if before.trashed_at.is_none() {
            return Ok(Attempt::Settled(Edited::Edited(before)));
        }
        let mut after = before.clone();
        after.trashed_at = None;
        let mut actions = vec![
            change(&before, &mut after, now)?.when(owned_by(owner)),
            match temporary_until(&before) {
                None => Action::delete(keys::work(Subject::Image(image), WorkKind::Purge)),
                Some(until) => Action::put(work::work_row(&purge_work(&before, until))?),
            },
            record_update(&after, now)?,
        ];
        actions.extend(timeline::counted(Some(&before), &after));
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Edited::Edited(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }
}

/// Ownership is checked in the write itself, too.
fn owned_by(owner: UserId) -> Condition {
    Condition::equals("owner", owner.to_string())
}

/// When a temporary image disappears by itself.
fn temporary_until(image: &Image) -> Option<Timestamp> {
    image.ttl.map(|seconds| Timestamp::from_millis(seconds.saturating_mul(1000)))
}

/// The work that removes an image, with what it gives back.
pub(super) fn purge_work(image: &Image, due: Timestamp) -> Work {
    let mut purge = Work::new(WorkKind::Purge, Subject::Image(image.id), image.owner, due);
    let sha256 = image.original.as_ref().map(|original| original.sha256.clone());
    purge.release = Some(Release {
        images: i64::from(image.external.is_none()),
        bytes: image.size_bytes(),
        sha256,
        external: image.external.clone(),
        idempotency_key: None,
    });
    purge
}

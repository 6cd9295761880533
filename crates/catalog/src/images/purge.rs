//! Removing an image for good, exactly once, resumable at every point.
//!
//! A worker that holds the purge work calls [`begin_purge`](Catalog::begin_purge), removes
//! the blobs, and calls [`finish_purge`](Catalog::finish_purge). If it dies in between,
//! the next holder does the same again: each step may be repeated. The quota is given back
//! in the transaction that ends the work, and only there.

use model::{AlbumId, ChangeKind, Image, ImageId, Sha256Hex, Timestamp, UserId, Work, WorkKind};
use table::{Action, Condition, Effect, Item, Key, Query, TableExt, Transacted};

use super::change;
use crate::keys::{ALBUM_ENTRIES, FACES, LINKS, METADATA};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Held, Result, albums, changes, keys, people, timeline, work};

/// How beginning a purge ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Begun {
    /// Nothing can be attached to the image any more. Its last state, if the row was still
    /// there, names its blobs.
    Begun(Option<Image>),
    /// The image was taken out of the trash, or somebody else holds the work.
    Lost,
}

impl Catalog {
    /// Hides an image for good, so that its blobs and rows can be removed.
    pub async fn begin_purge(&self, held: &Work, image: ImageId, now: Timestamp) -> Result<Begun> {
        until_settled!(self.try_begin_purge(held, image, now).await)
    }

    async fn try_begin_purge(
        &self,
        held: &Work,
        image: ImageId,
        now: Timestamp,
    ) -> Result<Attempt<Begun>> {
        let Some(before) = self.find_image(image).await? else {
            return Ok(Attempt::Settled(Begun::Begun(None)));
        };
        if before.purging_since.is_some() {
            return Ok(Attempt::Settled(Begun::Begun(Some(before))));
        }
        let mut after = before.clone();
        after.purging_since = Some(now);
        let mut actions = vec![work::check_held(held), change(&before, &mut after, now)?];
        actions.extend(timeline::counted(Some(&before), &after));
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Begun::Begun(Some(after))),
            refused if refused.refusal(0).is_some() => Attempt::Settled(Begun::Lost),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Removes every row of a purged image, gives its quota back and ends the work. Call it
    /// when the blobs are gone.
    pub async fn finish_purge(&self, held: &Work, image: ImageId, now: Timestamp) -> Result<Held> {
        self.remove_attached_rows(image, now).await?;
        until_settled!(self.try_end_purge(held, image, now).await)
    }

    async fn try_end_purge(
        &self,
        held: &Work,
        image: ImageId,
        now: Timestamp,
    ) -> Result<Attempt<Held>> {
        let entity = model::Entity::Image(image);
        let mut actions = vec![
            work::remove_held(held),
            Action::delete(keys::image(image)),
            changes::record(now, ChangeKind::Deleted, entity, held.owner, None)?,
        ];
        if let Some(release) = &held.release {
            actions.extend(self.give_back(held.owner, release.images, release.bytes).await?);
            if let Some(sha256) = &release.sha256 {
                actions.extend(self.forget_checksum(held.owner, sha256, image).await?);
            }
            if let Some(external) = &release.external {
                let pointer = keys::external(&external.source, &external.unique_id);
                actions.push(Action::delete(pointer));
            }
        }
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Held::Still),
            refused if refused.refusal(0).is_some() => Attempt::Settled(Held::Lost),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Both rows a checksum may have; the first only if it stands for this very image.
    async fn forget_checksum(
        &self,
        owner: UserId,
        sha256: &Sha256Hex,
        image: ImageId,
    ) -> Result<Vec<Action>> {
        let first = keys::sha256(owner, sha256);
        let copy = Key::new(first.pk.clone(), format!("{}#{image}", first.sk));
        let mut forget = vec![Action::delete(copy)];
        if self.find_duplicate(owner, sha256).await? == Some(image) {
            let still = Condition::equals("image", image.to_string());
            forget.push(Action::delete(first).when(still));
        }
        Ok(forget)
    }

    /// Removes all rows of the image's partition but its own and that of the purge. Nothing
    /// new can appear there, because attaching checks that the image is not being purged.
    async fn remove_attached_rows(&self, image: ImageId, now: Timestamp) -> Result<()> {
        let kept =
            [METADATA.to_owned(), keys::work(model::Subject::Image(image), WorkKind::Purge).sk];
        let query = Query::partition(keys::image_partition(image)).limit(100);
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().start(start)).await?;
            let attached: Vec<Item> =
                page.items.into_iter().filter(|item| !kept.contains(&item.key.sk)).collect();
            self.detach_counted(image, &attached, now).await?;
            // What is named goes before what names it.
            let names = attached.iter().filter(|item| item.key.sk.starts_with(LINKS)).cloned();
            self.remove_named_links(&names.collect::<Vec<_>>()).await?;
            let plain: Vec<Key> =
                attached.into_iter().map(|item| item.key).filter(|key| !is_counted(key)).collect();
            self.remove_rows(&plain).await?;
            start = page.next;
            if start.is_none() {
                return Ok(());
            }
        }
    }

    /// Rows that albums and persons count go one by one, each with its count.
    async fn detach_counted(&self, image: ImageId, rows: &[Item], now: Timestamp) -> Result<()> {
        for item in rows {
            let detach = if let Some(album) = item.key.sk.strip_prefix(ALBUM_ENTRIES) {
                let album: AlbumId =
                    album.parse().map_err(|error| crate::Error::bad_row(&item.key, error))?;
                albums::detach(image, album, now)
            } else if item.key.sk.starts_with(FACES) {
                self.remove_face(&people::face_of(item)?, now).await?;
                continue;
            } else {
                continue;
            };
            // Without an album or person to count it, what belongs to the image goes all the
            // same.
            if !self.table.transact(detach.clone()).await?.is_done() {
                for action in detach {
                    if let Effect::Delete(key) = action.effect {
                        self.table.delete(key).await?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_counted(key: &Key) -> bool {
    key.sk.starts_with(ALBUM_ENTRIES) || key.sk.starts_with(FACES)
}

//! Removing an album; its images stay.

use model::{Album, AlbumId, ChangeKind, Timestamp, UserId};
use table::{Action, Condition, Key, Query, VERSION};

use super::{ALBUM_COUNT, DELETING_SINCE, IMAGE_COUNT, count, record};
use crate::edit::{Edited, Owned};
use crate::entries::image_of;
use crate::retry::{Attempt, until_settled};
use crate::schema::CONTAINER;
use crate::{Catalog, Result, keys};

/// How removing an album ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum DeletedAlbum {
    /// It is gone.
    Deleted,
    /// There is no such album of this owner.
    Missing,
    /// Somebody changed it first; it is like this now.
    Conflict(Album),
    /// Albums are nested in it.
    HasAlbums,
}

impl Catalog {
    /// Removes an album of `owner`; its images stay. With a version, only if it still has that
    /// one. If it is cut short, calling it again goes on where it was.
    pub async fn delete_album(
        &self,
        album: AlbumId,
        owner: UserId,
        version: Option<i64>,
        now: Timestamp,
    ) -> Result<DeletedAlbum> {
        let closed = until_settled!(self.try_close_album(album, owner, version, now).await)?;
        let closed = match closed {
            Ok(closed) => closed,
            Err(end) => return Ok(end),
        };
        self.remove_links_to_album(album).await?;
        self.remove_attached_to_album(album).await?;
        self.empty_album(album, now).await?;
        // What an index did not show yet is counted all the same, and the count guards.
        let gone = Action::delete(keys::album(album)).when(Condition::equals(IMAGE_COUNT, 0));
        until_settled!({
            let mut actions = vec![gone.clone(), record(&closed, ChangeKind::Deleted, now)?];
            actions.extend(closed.parent.map(|parent| count(parent, ALBUM_COUNT, -1, now)));
            let outcome = self.table.transact(actions).await?;
            match outcome.refusal(0).map(|refusal| refusal.found.is_some()) {
                None if outcome.is_done() => Ok(Attempt::Settled(DeletedAlbum::Deleted)),
                None => Ok(Attempt::Raced),
                Some(false) => Ok(Attempt::Settled(DeletedAlbum::Deleted)),
                Some(true) => self.empty_album(album, now).await.map(|()| Attempt::Raced),
            }
        })
    }

    /// From here on nothing can be added, so what is in it only gets less; and it can neither be
    /// moved nor nested in.
    async fn try_close_album(
        &self,
        album: AlbumId,
        owner: UserId,
        version: Option<i64>,
        now: Timestamp,
    ) -> Result<Attempt<std::result::Result<Album, DeletedAlbum>>> {
        let found = self.find::<Album>(&keys::album(album)).await?;
        let found = found.filter(|album| album.owner == owner);
        if let Some(closing) = found.as_ref().filter(|album| album.deleting_since.is_some()) {
            return Ok(Attempt::Settled(Ok(closing.clone())));
        }
        let found = match Album::admit(found, owner, version) {
            Ok(found) => found,
            Err(Edited::Conflict(current)) => {
                return Ok(Attempt::Settled(Err(DeletedAlbum::Conflict(current))));
            }
            Err(_) => return Ok(Attempt::Settled(Err(DeletedAlbum::Missing))),
        };
        let close = Action::update(keys::album(album))
            .set(DELETING_SINCE, now.to_string())
            .set(VERSION, found.version + 1)
            .when(Condition::version(found.version))
            .when(Condition::equals(ALBUM_COUNT, 0));
        let outcome = self.table.transact(vec![close]).await?;
        Ok(match outcome.refusal(0).map(|refusal| refusal.condition) {
            None => Attempt::Settled(Ok(found)),
            Some(1) => Attempt::Settled(Err(DeletedAlbum::HasAlbums)),
            Some(_) => Attempt::Raced,
        })
    }

    /// Removes all rows of the album's partition but its own: members, contributors, and the words
    /// of its title. Nothing new can appear there once it is being removed.
    async fn remove_attached_to_album(&self, album: AlbumId) -> Result<()> {
        let query = Query::partition(keys::album_container(album)).limit(100);
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().start(start)).await?;
            let attached: Vec<Key> = page.items.into_iter().map(|row| row.key).collect();
            let attached: Vec<Key> =
                attached.into_iter().filter(|key| key.sk != keys::METADATA).collect();
            self.remove_rows(&attached).await?;
            start = page.next;
            if start.is_none() {
                return Ok(());
            }
        }
    }

    async fn empty_album(&self, album: AlbumId, now: Timestamp) -> Result<()> {
        let query = Query::index(CONTAINER, keys::album_container(album)).prefix(keys::UPLOADED);
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().limit(100).start(start)).await?;
            let images = page.items.iter().map(|item| image_of(&item.key));
            let images = images.collect::<Result<Vec<_>>>()?;
            let _ = self.remove_from_album(album, &images, now).await?;
            start = page.next;
            if start.is_none() {
                return Ok(());
            }
        }
    }
}

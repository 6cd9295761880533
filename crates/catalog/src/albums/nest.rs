//! Albums in albums: no album is ever inside itself or too deep, whoever moves what at once.
//!
//! All albums of a tree have one owner. Every change that nests or moves an album also changes
//! one small row of that owner, on condition that nobody else has since it was read, before
//! anything else was looked at. So of two changes that would form a circle only together, one is
//! made again, and sees the other.

use model::limits::ALBUM_DEPTH_MAX;
use model::{Album, AlbumId, Timestamp, UserId};
use table::{Action, Condition, Query, VERSION};

use super::{ALBUM_COUNT, count};
use crate::retry::Attempt;
use crate::schema::CONTAINER;
use crate::{Catalog, Error, Result, keys};

/// Why an album cannot be nested somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotNested {
    /// There is no such album of the same owner.
    NoParent,
    /// It would be inside itself.
    InsideItself,
    /// There would be too many levels.
    TooDeep {
        /// How many there may be.
        max: usize,
    },
}

/// What is done to nest an album, if it can be.
pub(super) type Nesting = std::result::Result<Vec<Action>, NotNested>;

impl Catalog {
    /// What nests a new album.
    pub(super) async fn nest(
        &self,
        album: &Album,
        parent: AlbumId,
        now: Timestamp,
    ) -> Result<Attempt<Nesting>> {
        self.move_album(&Album { parent: None, album_count: 0, ..album.clone() }, Some(parent), now)
            .await
    }

    /// What moves an album, beside the change of its own row.
    pub(super) async fn move_album(
        &self,
        album: &Album,
        parent: Option<AlbumId>,
        now: Timestamp,
    ) -> Result<Attempt<Nesting>> {
        let mut actions = vec![self.guard_tree(album.owner).await?];
        actions.extend(album.parent.map(|old| count(old, ALBUM_COUNT, -1, now)));
        let Some(parent) = parent else { return Ok(Attempt::Settled(Ok(actions))) };
        let levels_above = match self.levels_above(album, parent).await? {
            Ok(levels) => levels,
            Err(not) => return Ok(Attempt::Settled(Err(not))),
        };
        let room = ALBUM_DEPTH_MAX.saturating_sub(levels_above);
        let Some(height) = self.height_of(album, room).await? else { return Ok(Attempt::Raced) };
        if height > room {
            return Ok(Attempt::Settled(Err(NotNested::TooDeep { max: ALBUM_DEPTH_MAX })));
        }
        actions.push(count(parent, ALBUM_COUNT, 1, now));
        Ok(Attempt::Settled(Ok(actions)))
    }

    /// Makes sure that nobody else nests or moves an album of this owner meanwhile.
    async fn guard_tree(&self, owner: UserId) -> Result<Action> {
        let key = keys::album_tree(owner);
        let version = self.table.get(&key).await?.map(|row| row.version());
        let unchanged = version.map_or(Condition::Absent, Condition::version);
        Ok(Action::update(key).set(VERSION, version.unwrap_or(0) + 1).when(unchanged))
    }

    /// How many levels there are from the top down to `parent`.
    async fn levels_above(
        &self,
        album: &Album,
        parent: AlbumId,
    ) -> Result<std::result::Result<usize, NotNested>> {
        let mut levels = 0;
        let mut next = Some(parent);
        while let Some(id) = next {
            if id == album.id {
                return Ok(Err(NotNested::InsideItself));
            }
            let found = self.find_album(id).await?.filter(|found| found.owner == album.owner);
            let Some(found) = found else { return Ok(Err(NotNested::NoParent)) };
            levels += 1;
            if levels > ALBUM_DEPTH_MAX {
                break;
            }
            next = found.parent;
        }
        Ok(Ok(levels))
    }

    /// How many levels an album has with what is nested in it, looked at as far as `room`.
    /// `None` if an index does not show all of it yet.
    async fn height_of(&self, album: &Album, room: usize) -> Result<Option<usize>> {
        let (mut height, mut level) = (1, vec![album.clone()]);
        loop {
            level.retain(|album| album.album_count > 0);
            if level.is_empty() || height > room {
                return Ok(Some(height));
            }
            height += 1;
            let mut below = Vec::new();
            for parent in &level {
                let nested = self.all_nested(parent.id).await?;
                // The count is exact; the index may lag.
                if i64::try_from(nested.len()).ok() != Some(parent.album_count) {
                    return Ok(None);
                }
                below.extend(nested);
            }
            level = below;
        }
    }

    /// All albums nested directly in one, as they are now, as far as the index shows them.
    async fn all_nested(&self, parent: AlbumId) -> Result<Vec<Album>> {
        let query =
            Query::index(CONTAINER, keys::album_container(parent)).prefix(keys::OWNED_ALBUMS);
        let mut nested = Vec::new();
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().limit(100).start(start)).await?;
            let ids =
                page.items.iter().map(|item| album_of(&item.key)).collect::<Result<Vec<_>>>()?;
            let found = self.find_albums(&ids).await?;
            nested.extend(found.into_iter().filter(|album| album.parent == Some(parent)));
            start = page.next;
            if start.is_none() {
                return Ok(nested);
            }
        }
    }
}

/// The album whose partition a row is in.
pub(crate) fn album_of(key: &table::Key) -> Result<AlbumId> {
    let id = key.pk.strip_prefix("ALBUM#").unwrap_or_default();
    id.parse().map_err(|error| Error::bad_row(key, error))
}

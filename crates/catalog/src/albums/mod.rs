//! Albums: what they are, what is in them, who may see them, and how they are nested.

mod access;
mod delete;
mod images;
mod list;
mod members;
mod nest;
mod rank;

use model::{
    Album, AlbumId, AlbumSort, ChangeKind, Description, Entity, ImageId, Timestamp, Title, UserId,
};
use table::{Action, Condition, Item, Transacted};

pub use access::{AlbumAccess, AlbumRight};
pub use delete::DeletedAlbum;
pub use images::{Added, Moved, Place, Removed};
pub use members::PutMember;
pub use nest::NotNested;

pub(crate) use images::detach;
pub(crate) use members::ALBUM_OWNER;
pub(crate) use nest::album_of;

use crate::edit::{Edited, Owned};
use crate::entries::Swap;
use crate::retry::{Attempt, until_settled};
use crate::schema::{CONTAINER_PK, CONTAINER_SK, OWNER_PK, OWNER_SK};
use crate::{Catalog, Result, changes, keys, names, row};

const IMAGE_COUNT: &str = "imageCount";
const ALBUM_COUNT: &str = "albumCount";
const MEMBER_COUNT: &str = "memberCount";
const UPDATED_AT: &str = "updatedAt";
const DELETING_SINCE: &str = "deletingSince";

/// What to change of an album. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct AlbumEdit {
    /// The title.
    pub title: Option<Title>,
    /// The description.
    pub description: Option<Option<Description>>,
    /// The image that stands for it.
    pub cover: Option<Option<ImageId>>,
    /// What its images are ordered by.
    pub sort: Option<AlbumSort>,
    /// The album it is nested in.
    pub parent: Option<Option<AlbumId>>,
}

/// How making an album ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CreatedAlbum {
    /// It is there now.
    Created,
    /// There is another one of this id.
    Exists,
    /// It cannot be nested where it was to be.
    NotNested(NotNested),
}

/// How editing an album ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum EditedAlbum {
    /// As any edit may end.
    Ended(Edited<Album>),
    /// It cannot be nested where it was to be.
    NotNested(NotNested),
    /// The cover is not in it.
    CoverNotInside,
}

impl Catalog {
    /// Creates an album.
    pub async fn create_album(&self, album: &Album) -> Result<CreatedAlbum> {
        until_settled!(self.try_create_album(album).await)
    }

    async fn try_create_album(&self, album: &Album) -> Result<Attempt<CreatedAlbum>> {
        let mut swap = Swap::default();
        swap.guard(Action::put(album_row(album)?).when(Condition::Absent));
        swap.guard(record(album, ChangeKind::Created, album.created_at)?);
        names::exchange_album_words(&mut swap, None, album);
        if let Some(parent) = album.parent {
            match self.nest(album, parent, album.created_at).await? {
                Attempt::Settled(Ok(nested)) => nested.into_iter().for_each(|one| swap.guard(one)),
                Attempt::Settled(Err(not)) => {
                    return Ok(Attempt::Settled(CreatedAlbum::NotNested(not)));
                }
                Attempt::Raced => return Ok(Attempt::Raced),
            }
        }
        let outcome = swap.run(&*self.table).await?;
        Ok(match &outcome {
            Transacted::Done => Attempt::Settled(CreatedAlbum::Created),
            refused if refused.refusal(0).is_some() => Attempt::Settled(CreatedAlbum::Exists),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// The album of this id, unless it is being removed.
    pub async fn find_album(&self, album: AlbumId) -> Result<Option<Album>> {
        let found = self.find::<Album>(&keys::album(album)).await?;
        Ok(found.filter(|album| album.deleting_since.is_none()))
    }

    /// Changes an album of `owner`. With a version, only if it still has that one.
    pub async fn edit_album(
        &self,
        album: AlbumId,
        owner: UserId,
        version: Option<i64>,
        edit: &AlbumEdit,
        now: Timestamp,
    ) -> Result<EditedAlbum> {
        until_settled!(self.try_edit_album(album, owner, version, edit, now).await)
    }

    async fn try_edit_album(
        &self,
        album: AlbumId,
        owner: UserId,
        version: Option<i64>,
        edit: &AlbumEdit,
        now: Timestamp,
    ) -> Result<Attempt<EditedAlbum>> {
        let before = match Album::admit(self.find_album(album).await?, owner, version) {
            Ok(album) => album,
            Err(end) => return Ok(Attempt::Settled(EditedAlbum::Ended(end))),
        };
        let mut after = edit.apply(&before);
        if after == before {
            return Ok(Attempt::Settled(EditedAlbum::Ended(Edited::Edited(before))));
        }
        let mut swap = Swap::default();
        swap.guard(change(&before, &mut after, now)?);
        let cover = after.cover.filter(|_| after.cover != before.cover);
        if let Some(cover) = cover {
            let entry = keys::album_entry(cover, album);
            swap.guard(Action::check(entry).when(Condition::Present));
        }
        swap.guard(record(&after, ChangeKind::Updated, now)?);
        names::exchange_album_words(&mut swap, Some(&before), &after);
        if after.parent != before.parent {
            match self.move_album(&before, after.parent, now).await? {
                Attempt::Settled(Ok(moved)) => moved.into_iter().for_each(|one| swap.guard(one)),
                Attempt::Settled(Err(not)) => {
                    return Ok(Attempt::Settled(EditedAlbum::NotNested(not)));
                }
                Attempt::Raced => return Ok(Attempt::Raced),
            }
        }
        let outcome = swap.run(&*self.table).await?;
        Ok(match &outcome {
            Transacted::Done => Attempt::Settled(EditedAlbum::Ended(Edited::Edited(after))),
            refused if refused.refusal(0).is_some() => Attempt::Raced,
            refused if cover.is_some() && refused.refusal(1).is_some() => {
                Attempt::Settled(EditedAlbum::CoverNotInside)
            }
            Transacted::Refused(_) => Attempt::Raced,
        })
    }
}

impl AlbumEdit {
    fn apply(&self, album: &Album) -> Album {
        let mut album = album.clone();
        album.title = self.title.clone().unwrap_or(album.title);
        album.description = self.description.clone().unwrap_or(album.description);
        album.cover = self.cover.unwrap_or(album.cover);
        album.sort = self.sort.unwrap_or(album.sort);
        album.parent = self.parent.unwrap_or(album.parent);
        album
    }
}

fn album_row(album: &Album) -> Result<Item> {
    let key = keys::album(album.id);
    let attributes = row::attributes_of(&key, album)?;
    let item = Item::of(key, attributes)
        .with(OWNER_PK, keys::user_partition(album.owner))
        .with(OWNER_SK, keys::owned_album(album.id));
    Ok(match album.parent {
        None => item,
        Some(parent) => item
            .with(CONTAINER_PK, keys::album_container(parent))
            .with(CONTAINER_SK, keys::owned_album(album.id)),
    })
}

fn change(before: &Album, after: &mut Album, now: Timestamp) -> Result<Action> {
    after.version = before.version + 1;
    after.updated_at = now;
    let (old, new) = (album_row(before)?, album_row(after)?);
    let action = row::update(new.key, &old.attributes, &new.attributes);
    Ok(action.when(Condition::version(before.version)))
}

/// Changes one of an album's counts. Only more is refused by an album that is being removed.
fn count(album: AlbumId, name: &str, by: i64, now: Timestamp) -> Action {
    let action = Action::update(keys::album(album))
        .add(name, by)
        .set(UPDATED_AT, now.to_string())
        .when(Condition::Present);
    if by < 0 { action } else { action.when(Condition::Lacks(DELETING_SINCE.to_owned())) }
}

fn record(album: &Album, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    let version = (kind != ChangeKind::Deleted).then_some(album.version);
    changes::record(now, kind, Entity::Album(album.id), album.owner, version)
}

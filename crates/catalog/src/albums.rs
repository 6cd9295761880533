//! Albums, and which images are in them.

use model::{Album, AlbumId, ChangeKind, Description, Entity, ImageId, Timestamp, Title, UserId};
use table::{Action, Condition, Item, Query, Transacted};

use crate::edit::{Edited, Owned};
use crate::entries::image_of;
use crate::paging::{PageRequest, collect};
use crate::retry::{Attempt, until_settled};
use crate::schema::{CONTAINER, CONTAINER_PK, CONTAINER_SK, OWNER, OWNER_PK, OWNER_SK};
use crate::{Catalog, Listed, Result, changes, images, keys, row};

/// What to change of an album. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct AlbumEdit {
    /// The title.
    pub title: Option<Title>,
    /// The description.
    pub description: Option<Option<Description>>,
    /// The image that stands for it.
    pub cover: Option<Option<ImageId>>,
}

/// How adding an image to an album ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Added {
    /// It is in the album now.
    Added,
    /// It was there already.
    AlreadyThere,
    /// There is no such image.
    NoImage,
    /// There is no such album.
    NoAlbum,
}

impl Catalog {
    /// Creates an album. Tells whether its id was free.
    pub async fn create_album(&self, album: &Album) -> Result<bool> {
        let actions = vec![
            Action::put(album_row(album)?).when(Condition::Absent),
            record(album, ChangeKind::Created, album.created_at)?,
        ];
        Ok(self.table.transact(actions).await?.is_done())
    }

    /// The album of this id, unless it is being removed.
    pub async fn find_album(&self, album: AlbumId) -> Result<Option<Album>> {
        let found = self.find::<Album>(&keys::album(album)).await?;
        Ok(found.filter(|album| album.deleting_since.is_none()))
    }

    /// A user's albums, newest first.
    pub async fn list_albums(&self, owner: UserId, page: &PageRequest) -> Result<Listed<Album>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::OWNED_ALBUMS);
        collect(&*self.table, query.descending(), page, |found| async move {
            let albums = found.items.iter().map(row::entity_of).collect::<Result<Vec<Album>>>()?;
            Ok(albums.into_iter().filter(|album| album.deleting_since.is_none()).collect())
        })
        .await
    }

    /// Changes an album of `owner`. With a version, only if it still has that one.
    pub async fn edit_album(
        &self,
        album: AlbumId,
        owner: UserId,
        version: Option<i64>,
        edit: &AlbumEdit,
        now: Timestamp,
    ) -> Result<Edited<Album>> {
        until_settled!(self.try_edit_album(album, owner, version, edit, now).await)
    }

    async fn try_edit_album(
        &self,
        album: AlbumId,
        owner: UserId,
        version: Option<i64>,
        edit: &AlbumEdit,
        now: Timestamp,
    ) -> Result<Attempt<Edited<Album>>> {
        let before = match Album::admit(self.find_album(album).await?, owner, version) {
            Ok(album) => album,
            Err(end) => return Ok(Attempt::Settled(end)),
        };
        let mut after = edit.apply(&before);
        if after == before {
            return Ok(Attempt::Settled(Edited::Edited(before)));
        }
        let actions =
            vec![change(&before, &mut after, now)?, record(&after, ChangeKind::Updated, now)?];
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Edited::Edited(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Puts an image into an album. The album's count stays exact.
    pub async fn add_to_album(
        &self,
        album: AlbumId,
        image: ImageId,
        now: Timestamp,
    ) -> Result<Added> {
        until_settled!(self.try_add_to_album(album, image, now).await)
    }

    async fn try_add_to_album(
        &self,
        album: AlbumId,
        image: ImageId,
        now: Timestamp,
    ) -> Result<Attempt<Added>> {
        let uploaded_at = self.find_image(image).await?.and_then(|image| image.uploaded_at);
        let Some(uploaded_at) = uploaded_at else { return Ok(Attempt::Settled(Added::NoImage)) };
        let Some(found) = self.find_album(album).await? else {
            return Ok(Attempt::Settled(Added::NoAlbum));
        };
        let entry = Item::new(keys::album_entry(image, album))
            .with(CONTAINER_PK, keys::album_container(album))
            .with(CONTAINER_SK, keys::uploaded(uploaded_at, image))
            .with("addedAt", now.to_string());
        let count = Action::update(keys::album(album))
            .add(IMAGE_COUNT, 1)
            .set("updatedAt", now.to_string())
            .when(Condition::Present)
            .when(Condition::Lacks("deletingSince".to_owned()));
        let actions = vec![
            Action::put(entry).when(Condition::Absent),
            count,
            images::attach(image),
            record(&found, ChangeKind::Updated, now)?,
        ];
        let outcome = self.table.transact(actions).await?;
        Ok(Attempt::Settled(match &outcome {
            Transacted::Done => Added::Added,
            refused if refused.refusal(2).is_some() => Added::NoImage,
            refused if refused.refusal(1).is_some() => Added::NoAlbum,
            Transacted::Refused(_) => Added::AlreadyThere,
        }))
    }

    /// Takes an image out of an album. Tells whether it was in it.
    pub async fn remove_from_album(
        &self,
        album: AlbumId,
        image: ImageId,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(found) = self.find::<Album>(&keys::album(album)).await? else { return Ok(false) };
        until_settled!({
            let mut actions = detach(image, album, now);
            actions.push(record(&found, ChangeKind::Updated, now)?);
            match self.table.transact(actions).await {
                Ok(outcome) => Ok(Attempt::Settled(outcome.is_done())),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// The albums an image is in.
    pub async fn list_image_albums(&self, image: ImageId) -> Result<Vec<AlbumId>> {
        let query = Query::partition(keys::image_partition(image)).prefix(keys::ALBUM_ENTRIES);
        let mut albums = Vec::new();
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().limit(100).start(start)).await?;
            for item in &page.items {
                let id = item.key.sk.strip_prefix(keys::ALBUM_ENTRIES).unwrap_or_default();
                albums.push(id.parse().map_err(|e| crate::Error::bad_row(&item.key, e))?);
            }
            start = page.next;
            if start.is_none() {
                return Ok(albums);
            }
        }
    }

    /// Removes an album of `owner`; its images stay. If it is cut short, calling it again
    /// goes on where it was. Tells whether there was such an album.
    pub async fn delete_album(
        &self,
        album: AlbumId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<bool> {
        let found = self.find::<Album>(&keys::album(album)).await?;
        let found = found.filter(|album| album.owner == owner);
        let Some(found) = found else { return Ok(false) };
        // From here on nothing can be added, so what is in it only gets less.
        let close = Action::update(keys::album(album))
            .set("deletingSince", now.to_string())
            .when(Condition::equals("owner", owner.to_string()));
        let _ = self.table.transact(vec![close]).await?;
        self.empty_album(album, now).await?;
        // What an index did not show yet is counted all the same, and the count guards.
        let gone = Action::delete(keys::album(album)).when(Condition::equals(IMAGE_COUNT, 0));
        until_settled!({
            let record = record(&found, ChangeKind::Deleted, now)?;
            let outcome = self.table.transact(vec![gone.clone(), record]).await?;
            match outcome.refusal(0).map(|refusal| refusal.found.is_some()) {
                None | Some(false) => Ok(Attempt::Settled(true)),
                Some(true) => self.empty_album(album, now).await.map(|()| Attempt::Raced),
            }
        })
    }

    async fn empty_album(&self, album: AlbumId, now: Timestamp) -> Result<()> {
        let query = Query::index(CONTAINER, keys::album_container(album)).limit(100);
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().start(start)).await?;
            for item in &page.items {
                let _ = self.remove_from_album(album, image_of(&item.key)?, now).await?;
            }
            start = page.next;
            if start.is_none() {
                return Ok(());
            }
        }
    }
}

const IMAGE_COUNT: &str = "imageCount";

/// The transaction that takes an image out of an album; refused if it is not in it.
pub(crate) fn detach(image: ImageId, album: AlbumId, now: Timestamp) -> Vec<Action> {
    vec![
        Action::delete(keys::album_entry(image, album)).when(Condition::Present),
        Action::update(keys::album(album))
            .add(IMAGE_COUNT, -1)
            .set("updatedAt", now.to_string())
            .when(Condition::Present),
    ]
}

impl AlbumEdit {
    fn apply(&self, album: &Album) -> Album {
        let mut album = album.clone();
        album.title = self.title.clone().unwrap_or(album.title);
        album.description = self.description.clone().unwrap_or(album.description);
        album.cover = self.cover.unwrap_or(album.cover);
        album
    }
}

fn album_row(album: &Album) -> Result<Item> {
    let key = keys::album(album.id);
    let attributes = row::attributes_of(&key, album)?;
    Ok(Item::of(key, attributes)
        .with(OWNER_PK, keys::user_partition(album.owner))
        .with(OWNER_SK, keys::owned_album(album.id)))
}

fn change(before: &Album, after: &mut Album, now: Timestamp) -> Result<Action> {
    after.version = before.version + 1;
    after.updated_at = now;
    let (old, new) = (album_row(before)?, album_row(after)?);
    let action = row::update(new.key, &old.attributes, &new.attributes);
    Ok(action.when(Condition::version(before.version)))
}

fn record(album: &Album, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    let version = (kind != ChangeKind::Deleted).then_some(album.version);
    changes::record(now, kind, Entity::Album(album.id), album.owner, version)
}

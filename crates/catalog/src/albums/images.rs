//! Which images are in an album, and in which order.
//!
//! An image is in an album by a row of its own partition, which three indexes show: by upload, by
//! when it was taken, and by hand. The album's count changes in the same transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use model::limits::ALBUMS_BY_IMAGE_MAX;
use model::{Album, AlbumId, AlbumSort, ChangeKind, Image, ImageId, Timestamp, UserId};
use table::{Action, Condition, Item, Key, Query, SortRange, TRANSACTION_ACTIONS_MAX, Transacted};

use super::{IMAGE_COUNT, count, rank, record};
use crate::entries::image_of;
use crate::paging::{Order, PageRequest, collect};
use crate::retry::{Attempt, until_settled};
use crate::schema::{
    CONTAINER, CONTAINER_PK, CONTAINER_SK, GLOBAL, GLOBAL_PK, GLOBAL_SK, OWNER, OWNER_PK, OWNER_SK,
};
use crate::{Catalog, Listed, Result, keys, row};

/// What became of an image that was to be put into an album.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is in the album now.
    Added,
    /// It was there already.
    AlreadyThere,
    /// There is no such image.
    NoImage,
    /// There is no such album.
    NoAlbum,
    /// It is in as many albums as it may be in.
    TooManyAlbums,
}

/// What became of an image that was to be taken out of an album.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    /// It is not in the album any more.
    Removed,
    /// It was not in it.
    NotThere,
}

/// Where in an order by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before all others.
    First,
    /// Behind this image.
    Behind(ImageId),
    /// Behind all others.
    Last,
}

/// How moving images in an order by hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Moved {
    /// They stand there now.
    Moved,
    /// This image is not in the album.
    NotThere(ImageId),
    /// The images before and behind that place stand so close that nothing fits between them.
    NoRoom,
}

/// Images put into an album by one transaction: two actions each, perhaps one for their owner, and
/// two for the album.
const ADDED_AT_ONCE: usize = (TRANSACTION_ACTIONS_MAX - 2) / 3;
/// One action each, and two for the album.
const REMOVED_AT_ONCE: usize = TRANSACTION_ACTIONS_MAX - 2;

impl Catalog {
    /// Puts images into an album and says what became of each, in their order. The album's count
    /// stays exact.
    pub async fn add_to_album(
        &self,
        album: AlbumId,
        images: &[ImageId],
        now: Timestamp,
    ) -> Result<Vec<Added>> {
        let mut ends: HashMap<ImageId, Added> = HashMap::new();
        for (index, chunk) in distinct(images).chunks(ADDED_AT_ONCE).enumerate() {
            let first = index * ADDED_AT_ONCE;
            let done: Result<()> =
                until_settled!(self.try_add(album, chunk, first, now, &mut ends).await);
            done?;
        }
        Ok(images.iter().map(|image| ends.get(image).copied().unwrap_or(Added::NoImage)).collect())
    }

    /// Tries to add those whose end is not known yet.
    async fn try_add(
        &self,
        id: AlbumId,
        chunk: &[ImageId],
        first: usize,
        now: Timestamp,
        ends: &mut HashMap<ImageId, Added>,
    ) -> Result<Attempt<()>> {
        let Some(album) = self.find_album(id).await? else {
            for image in chunk {
                ends.entry(*image).or_insert(Added::NoAlbum);
            }
            return Ok(Attempt::Settled(()));
        };
        let open: Vec<ImageId> =
            chunk.iter().filter(|image| !ends.contains_key(image)).copied().collect();
        let found: BTreeMap<ImageId, Image> =
            self.find_images(&open).await?.into_iter().map(|image| (image.id, image)).collect();
        let mut new = Vec::with_capacity(open.len());
        for (index, image) in open.into_iter().enumerate() {
            match self.may_be_added(id, found.get(&image)).await? {
                Ok(entry) => new.push((entry, first + index)),
                Err(end) => drop(ends.insert(image, end)),
            }
        }
        self.write_entries(&album, new, now, ends).await
    }

    async fn may_be_added(
        &self,
        album: AlbumId,
        image: Option<&Image>,
    ) -> Result<std::result::Result<Entry, Added>> {
        let Some(entry) = image.and_then(Entry::of) else { return Ok(Err(Added::NoImage)) };
        let albums = self.list_image_albums(entry.image).await?;
        Ok(match albums.len() {
            _ if albums.contains(&album) => Err(Added::AlreadyThere),
            ALBUMS_BY_IMAGE_MAX.. => Err(Added::TooManyAlbums),
            _ => Ok(entry),
        })
    }

    async fn write_entries(
        &self,
        album: &Album,
        new: Vec<(Entry, usize)>,
        now: Timestamp,
        ends: &mut HashMap<ImageId, Added>,
    ) -> Result<Attempt<()>> {
        if new.is_empty() {
            return Ok(Attempt::Settled(()));
        }
        let by = i64::try_from(new.len()).unwrap_or(0);
        let mut actions =
            vec![count(album.id, IMAGE_COUNT, by, now), record(album, ChangeKind::Updated, now)?];
        for (entry, index) in &new {
            actions.push(Action::put(entry.item(album.id, now, *index)).when(Condition::Absent));
            // Unchanged, since what is known of it decides where it stands.
            let image = Action::check(keys::image(entry.image));
            actions.push(image.when(Condition::version(entry.version)));
        }
        let owners: BTreeSet<UserId> = new.iter().map(|(entry, _)| entry.owner).collect();
        let others = owners.into_iter().filter(|owner| *owner != album.owner);
        actions.extend(others.map(|user| Action::put(contributor_row(album, user))));
        match self.table.transact(actions).await? {
            Transacted::Done => {
                ends.extend(new.into_iter().map(|(entry, _)| (entry.image, Added::Added)));
                Ok(Attempt::Settled(()))
            }
            // What others did meanwhile is seen when it is tried again.
            Transacted::Refused(_) => Ok(Attempt::Raced),
        }
    }

    /// Takes images out of an album and says what became of each, in their order.
    pub async fn remove_from_album(
        &self,
        album: AlbumId,
        images: &[ImageId],
        now: Timestamp,
    ) -> Result<Vec<Removed>> {
        let mut removed: HashSet<ImageId> = HashSet::new();
        if let Some(found) = self.find::<Album>(&keys::album(album)).await? {
            for chunk in distinct(images).chunks(REMOVED_AT_ONCE) {
                let done: Result<Vec<ImageId>> =
                    until_settled!(self.try_remove(&found, chunk, now).await);
                removed.extend(done?);
            }
        }
        let end = |image: &ImageId| match removed.contains(image) {
            true => Removed::Removed,
            false => Removed::NotThere,
        };
        Ok(images.iter().map(end).collect())
    }

    async fn try_remove(
        &self,
        album: &Album,
        chunk: &[ImageId],
        now: Timestamp,
    ) -> Result<Attempt<Vec<ImageId>>> {
        let entries: Vec<Key> = chunk.iter().map(|i| keys::album_entry(*i, album.id)).collect();
        let rows = self.load_rows(&entries).await?;
        let inside = rows.iter().map(|row| image_of(&row.key)).collect::<Result<Vec<_>>>()?;
        if inside.is_empty() {
            return Ok(Attempt::Settled(inside));
        }
        let by = i64::try_from(inside.len()).unwrap_or(0);
        let mut actions =
            vec![count(album.id, IMAGE_COUNT, -by, now), record(album, ChangeKind::Updated, now)?];
        let delete = |row: &Item| Action::delete(row.key.clone()).when(Condition::Present);
        actions.extend(rows.iter().map(delete));
        let outcome = self.table.transact(actions).await?;
        Ok(if outcome.is_done() { Attempt::Settled(inside) } else { Attempt::Raced })
    }

    /// An album's images. An order by hand has no newest; it is always from first to last.
    pub async fn list_album_images(
        &self,
        album: AlbumId,
        sort: AlbumSort,
        order: Order,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        let partition = keys::album_container(album);
        let query = match sort {
            AlbumSort::Uploaded => {
                order.of(Query::index(CONTAINER, partition).prefix(keys::UPLOADED))
            }
            AlbumSort::Taken => order.of(Query::index(OWNER, partition).prefix(keys::TAKEN)),
            AlbumSort::Hand => Query::index(GLOBAL, partition).prefix(keys::BY_HAND),
        };
        collect(&*self.table, query, page, |found| async move {
            let entries: Vec<Key> = found.items.into_iter().map(|item| item.key).collect();
            self.images_still_marked(&entries).await
        })
        .await
    }

    /// The images in whose partitions these rows are, in their order, if the rows are still there
    /// and the images can be seen. An index may still show what was taken away.
    pub(crate) async fn images_still_marked(&self, entries: &[Key]) -> Result<Vec<Image>> {
        let ids = entries.iter().map(image_of).collect::<Result<Vec<_>>>()?;
        let both = entries.iter().zip(&ids).flat_map(|(key, id)| [key.clone(), keys::image(*id)]);
        let rows = self.load_rows(&both.collect::<Vec<_>>()).await?;
        let rows: HashMap<&Key, &Item> = rows.iter().map(|row| (&row.key, row)).collect();
        let mut images = Vec::with_capacity(ids.len());
        for (entry, id) in entries.iter().zip(ids) {
            let image = rows.get(entry).and_then(|_| rows.get(&keys::image(id)));
            let image: Option<Image> = image.map(|row| row::entity_of(row)).transpose()?;
            images.extend(image.filter(Image::is_visible));
        }
        Ok(images)
    }

    /// Puts images of an album, in this order, to a place of the order by hand.
    pub async fn move_in_album(
        &self,
        album: &Album,
        images: &[ImageId],
        place: Place,
        now: Timestamp,
    ) -> Result<Moved> {
        let images = distinct(images);
        let missing = self.first_not_inside(album.id, &images, place).await?;
        if let Some(missing) = missing {
            return Ok(Moved::NotThere(missing));
        }
        let (low, high) = match place {
            Place::First => (None, self.rank_behind(album.id, None, &images).await?),
            Place::Last => (self.last_rank(album.id, &images).await?, None),
            Place::Behind(image) => {
                let low = self.place_of(album.id, image).await?;
                let high = self.rank_behind(album.id, low.as_deref(), &images).await?;
                (low.as_deref().and_then(keys::rank_of).map(str::to_owned), high)
            }
        };
        let ranks = rank::between(low.as_deref(), high.as_deref(), images.len());
        let Some(ranks) = ranks else { return Ok(Moved::NoRoom) };
        let moves: Vec<(ImageId, String)> = images.into_iter().zip(ranks).collect();
        for chunk in moves.chunks(TRANSACTION_ACTIONS_MAX - 1) {
            let moved: Result<Moved> = until_settled!(self.try_move(album, chunk, now).await);
            if let Moved::NotThere(image) = moved? {
                return Ok(Moved::NotThere(image));
            }
        }
        Ok(Moved::Moved)
    }

    async fn try_move(
        &self,
        album: &Album,
        moves: &[(ImageId, String)],
        now: Timestamp,
    ) -> Result<Attempt<Moved>> {
        let mut actions = vec![record(album, ChangeKind::Updated, now)?];
        actions.extend(moves.iter().map(|(image, rank)| {
            Action::update(keys::album_entry(*image, album.id))
                .set(GLOBAL_SK, keys::by_hand(rank, *image))
                .when(Condition::Present)
        }));
        let outcome = self.table.transact(actions).await?;
        let mut refused =
            moves.iter().enumerate().filter(|(n, _)| outcome.refusal(n + 1).is_some());
        let end = match refused.next() {
            Some((_, (image, _))) => Moved::NotThere(*image),
            None => Moved::Moved,
        };
        Ok(Attempt::Settled(end))
    }

    async fn first_not_inside(
        &self,
        album: AlbumId,
        images: &[ImageId],
        place: Place,
    ) -> Result<Option<ImageId>> {
        let behind = match place {
            Place::Behind(image) => Some(image),
            Place::First | Place::Last => None,
        };
        let all: Vec<ImageId> = images.iter().copied().chain(behind).collect();
        let entries: Vec<Key> = all.iter().map(|i| keys::album_entry(*i, album)).collect();
        let inside: HashSet<Key> =
            self.load_rows(&entries).await?.into_iter().map(|row| row.key).collect();
        Ok(all.into_iter().find(|image| !inside.contains(&keys::album_entry(*image, album))))
    }

    async fn place_of(&self, album: AlbumId, image: ImageId) -> Result<Option<String>> {
        let row = self.table.get(&keys::album_entry(image, album)).await?;
        Ok(row.and_then(|row| row.str(GLOBAL_SK).map(str::to_owned)))
    }

    /// The rank of the first image behind a place that is not one of those to be moved.
    async fn rank_behind(
        &self,
        album: AlbumId,
        place: Option<&str>,
        moved: &[ImageId],
    ) -> Result<Option<String>> {
        let query = Query::index(GLOBAL, keys::album_container(album));
        let query = match place {
            Some(place) => query.range(SortRange::From(place.into())),
            None => query.prefix(keys::BY_HAND),
        };
        self.first_rank(query, |found| Some(found) != place, moved).await
    }

    async fn last_rank(&self, album: AlbumId, moved: &[ImageId]) -> Result<Option<String>> {
        let query = Query::index(GLOBAL, keys::album_container(album)).prefix(keys::BY_HAND);
        self.first_rank(query.descending(), |_| true, moved).await
    }

    async fn first_rank(
        &self,
        query: Query,
        is_meant: impl Fn(&str) -> bool,
        moved: &[ImageId],
    ) -> Result<Option<String>> {
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().limit(moved.len() + 2).start(start)).await?;
            for item in &page.items {
                let place = item.str(GLOBAL_SK).filter(|place| is_meant(place));
                let rank = place.and_then(keys::rank_of);
                if let Some(rank) =
                    rank.filter(|_| !image_of(&item.key).is_ok_and(|i| moved.contains(&i)))
                {
                    return Ok(Some(rank.to_owned()));
                }
            }
            start = page.next;
            if start.is_none() {
                return Ok(None);
            }
        }
    }

    /// Puts an image to its place among those of its albums by when they were taken, if it is not
    /// there. An image may be put into an album while its date changes.
    pub async fn place_by_taken(&self, image: ImageId) -> Result<()> {
        until_settled!(self.try_place_by_taken(image).await)
    }

    async fn try_place_by_taken(&self, image: ImageId) -> Result<Attempt<()>> {
        let found = self.find_image(image).await?;
        let Some(entry) = found.as_ref().and_then(Entry::of) else {
            return Ok(Attempt::Settled(()));
        };
        let mut actions = self.moves_to(&entry).await?;
        if actions.is_empty() {
            return Ok(Attempt::Settled(()));
        }
        // Only while it is the date that counts.
        let image = Action::check(keys::image(entry.image));
        actions.push(image.when(Condition::version(entry.version)));
        let placed = self.table.transact(actions).await?.is_done();
        Ok(if placed { Attempt::Settled(()) } else { Attempt::Raced })
    }

    /// What moves an image in its albums when another date counts.
    pub(crate) async fn moves_by_taken(
        &self,
        before: &Image,
        after: &Image,
    ) -> Result<Vec<Action>> {
        match (Entry::of(before), Entry::of(after)) {
            (Some(before), Some(after)) if before.taken_at != after.taken_at => {
                self.moves_to(&after).await
            }
            _ => Ok(Vec::new()),
        }
    }

    async fn moves_to(&self, entry: &Entry) -> Result<Vec<Action>> {
        let place = keys::taken(entry.taken_at, entry.image);
        let rows = self.album_entries(entry.image).await?;
        let elsewhere = rows.into_iter().filter(|row| row.str(OWNER_SK) != Some(place.as_str()));
        let moved = |row: Item| {
            Action::update(row.key).set(OWNER_SK, place.clone()).when(Condition::Present)
        };
        Ok(elsewhere.map(moved).collect())
    }
}

/// What decides where an image stands in an album.
struct Entry {
    image: ImageId,
    owner: UserId,
    version: i64,
    uploaded_at: Timestamp,
    taken_at: Timestamp,
}

impl Entry {
    fn of(image: &Image) -> Option<Self> {
        let uploaded_at = image.uploaded_at.filter(|_| image.purging_since.is_none())?;
        let taken_at = image.taken().map_or(uploaded_at, |taken| taken.at.at);
        let (owner, version) = (image.owner, image.version);
        Some(Self { image: image.id, owner, version, uploaded_at, taken_at })
    }

    fn item(&self, album: AlbumId, now: Timestamp, index: usize) -> Item {
        let partition = keys::album_container(album);
        Item::new(keys::album_entry(self.image, album))
            .with(CONTAINER_PK, partition.clone())
            .with(CONTAINER_SK, keys::uploaded(self.uploaded_at, self.image))
            .with(OWNER_PK, partition.clone())
            .with(OWNER_SK, keys::taken(self.taken_at, self.image))
            .with(GLOBAL_PK, partition)
            .with(GLOBAL_SK, keys::by_hand(&rank::added(now, index), self.image))
            .with("addedAt", now.to_string())
    }
}

/// The transaction that takes an image out of an album; refused if it is not in it.
pub(crate) fn detach(image: ImageId, album: AlbumId, now: Timestamp) -> Vec<Action> {
    vec![
        Action::delete(keys::album_entry(image, album)).when(Condition::Present),
        count(album, IMAGE_COUNT, -1, now),
    ]
}

/// Says that a user has put images into an album of somebody else. It stays when these are taken
/// out again: who follows it looks at the images.
fn contributor_row(album: &Album, user: UserId) -> Item {
    let place = keys::contribution(album.id, user);
    Item::new(keys::contributor(album.id, user))
        .with(OWNER_PK, keys::user_partition(album.owner))
        .with(OWNER_SK, place.clone())
        .with(CONTAINER_PK, keys::user_partition(user))
        .with(CONTAINER_SK, place)
}

impl Catalog {
    /// Forgets that a user has put images into albums of others, as far as the index shows it.
    pub async fn remove_contributions(&self, user: UserId) -> Result<()> {
        let query = Query::index(CONTAINER, keys::user_partition(user)).prefix(keys::CONTRIBUTIONS);
        self.remove_found(query).await
    }
}

fn distinct(images: &[ImageId]) -> Vec<ImageId> {
    let mut seen = HashSet::new();
    images.iter().filter(|image| seen.insert(**image)).copied().collect()
}

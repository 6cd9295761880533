//! Lists of albums. What an index shows may be old, so albums are read anew: counts in lists are
//! as exact as elsewhere, and who is a member no longer does not see an album any more.

use std::collections::HashSet;

use model::{Album, AlbumId, AlbumMember, UserId};
use table::{Item, Key, Query};

use super::nest::album_of;
use crate::paging::{PageRequest, collect};
use crate::schema::{CONTAINER, OWNER};
use crate::{Catalog, Listed, Result, keys, row};

impl Catalog {
    /// Albums by their ids, in the order of the ids, without those that are not there.
    pub async fn find_albums(&self, albums: &[AlbumId]) -> Result<Vec<Album>> {
        let keys: Vec<Key> = albums.iter().copied().map(keys::album).collect();
        let rows = self.load_rows(&keys).await?;
        let albums = rows.iter().map(row::entity_of).collect::<Result<Vec<Album>>>()?;
        Ok(albums.into_iter().filter(|album| album.deleting_since.is_none()).collect())
    }

    /// A user's albums, newest first, nested or not.
    pub async fn list_albums(&self, owner: UserId, page: &PageRequest) -> Result<Listed<Album>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::OWNED_ALBUMS);
        collect(&*self.table, query.descending(), page, |found| async move {
            self.find_albums(&albums_of(&found.items)?).await
        })
        .await
    }

    /// The albums nested directly in one, newest first.
    pub async fn list_nested_albums(
        &self,
        parent: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<Album>> {
        let query = Query::index(CONTAINER, keys::album_container(parent));
        let query = query.prefix(keys::OWNED_ALBUMS).descending();
        collect(&*self.table, query, page, |found| async move {
            let mut albums = self.find_albums(&albums_of(&found.items)?).await?;
            albums.retain(|album| album.parent == Some(parent));
            Ok(albums)
        })
        .await
    }

    /// The albums of others that a user is a member of, newest first, with what they are there.
    pub async fn list_memberships(
        &self,
        user: UserId,
        page: &PageRequest,
    ) -> Result<Listed<(Album, AlbumMember)>> {
        let query = Query::index(OWNER, keys::user_partition(user)).prefix(keys::MEMBERSHIPS);
        collect(&*self.table, query.descending(), page, |found| async move {
            let members: Vec<Key> = found.items.into_iter().map(|item| item.key).collect();
            let rows = self.load_rows(&members).await?;
            let albums = self.find_albums(&albums_of(&rows)?).await?;
            let mut joined = Vec::with_capacity(albums.len());
            for album in albums {
                let own = keys::album_member(album.id, user);
                if let Some(row) = rows.iter().find(|row| row.key == own) {
                    joined.push((album, row::entity_of(row)?));
                }
            }
            Ok(joined)
        })
        .await
    }

    /// The albums an image is in.
    pub async fn list_image_albums(&self, image: model::ImageId) -> Result<Vec<AlbumId>> {
        let rows = self.album_entries(image).await?;
        let id = |row: &Item| {
            let id = row.key.sk.strip_prefix(keys::ALBUM_ENTRIES).unwrap_or_default();
            id.parse().map_err(|error| crate::Error::bad_row(&row.key, error))
        };
        rows.iter().map(id).collect()
    }

    /// The rows that say in which albums an image is.
    pub(super) async fn album_entries(&self, image: model::ImageId) -> Result<Vec<Item>> {
        let query = Query::partition(keys::image_partition(image)).prefix(keys::ALBUM_ENTRIES);
        let mut rows = Vec::new();
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().limit(100).start(start)).await?;
            rows.extend(page.items);
            start = page.next;
            if start.is_none() {
                return Ok(rows);
            }
        }
    }

    /// The same albums, without covers that are not in them any more.
    pub async fn with_covers_inside(&self, mut albums: Vec<Album>) -> Result<Vec<Album>> {
        let entry = |album: &Album| album.cover.map(|cover| keys::album_entry(cover, album.id));
        let entries: Vec<Key> = albums.iter().filter_map(entry).collect();
        if entries.is_empty() {
            return Ok(albums);
        }
        let inside: HashSet<Key> =
            self.load_rows(&entries).await?.into_iter().map(|row| row.key).collect();
        for album in &mut albums {
            if !entry(album).is_some_and(|entry| inside.contains(&entry)) {
                album.cover = None;
            }
        }
        Ok(albums)
    }
}

fn albums_of(rows: &[Item]) -> Result<Vec<AlbumId>> {
    rows.iter().map(|row| album_of(&row.key)).collect()
}

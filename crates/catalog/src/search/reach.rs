//! Whose images somebody may see, and where to look for them. This may be more than they see:
//! every image is looked at before it is shown.

use std::collections::BTreeSet;

use model::{AlbumId, UserId};
use table::{Item, Query, Value};

use crate::albums::ALBUM_OWNER;
use crate::places::sort_text;
use crate::schema::{CONTAINER, OWNER};
use crate::{Catalog, Result, keys};

/// What leads to private images of others.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Whose albums somebody is a member of.
    pub(super) album_owners: BTreeSet<UserId>,
    /// Whose private images may be in albums that somebody sees.
    pub(super) others: BTreeSet<UserId>,
    /// Albums of others with this member, and own ones that others have put images into.
    albums: BTreeSet<AlbumId>,
}

impl Reach {
    pub(super) async fn load(catalog: &Catalog, user: UserId) -> Result<Self> {
        let mut reach = Self::default();
        let places = all_places(catalog, user, keys::MEMBERSHIPS).await?;
        for (place, item) in &places {
            let album = place.strip_prefix(keys::MEMBERSHIPS);
            reach.albums.extend(album.and_then(|id| id.parse::<AlbumId>().ok()));
            if let Some(Value::S(owner)) = item.attributes.value(ALBUM_OWNER) {
                reach.album_owners.extend(owner.parse::<UserId>().ok());
            }
        }
        for (place, _) in all_places(catalog, user, keys::CONTRIBUTIONS).await? {
            if let Some((album, contributor)) = keys::contribution_of(&place) {
                reach.albums.insert(album);
                reach.others.insert(contributor);
            }
        }
        for owner in reach.album_owners.clone() {
            let contributions = all_places(catalog, owner, keys::CONTRIBUTIONS).await?;
            let contributions = contributions.iter().map(|(place, _)| place);
            let users = contributions.filter_map(|place| keys::contribution_of(place));
            reach.others.extend(users.map(|(_, contributor)| contributor));
            reach.others.insert(owner);
        }
        reach.others.remove(&user);
        Ok(reach)
    }

    /// All albums through which private images of others are seen, with those nested in them.
    pub(super) async fn albums(&self, catalog: &Catalog) -> Result<BTreeSet<AlbumId>> {
        let mut all = self.albums.clone();
        let mut level: Vec<AlbumId> = all.iter().copied().collect();
        while !level.is_empty() {
            let mut below = Vec::new();
            for album in level {
                below.extend(nested_in(catalog, album).await?);
            }
            level = below.into_iter().filter(|album| all.insert(*album)).collect();
        }
        Ok(all)
    }
}

/// What stands in the partition of a user under a prefix.
async fn all_places(catalog: &Catalog, user: UserId, prefix: &str) -> Result<Vec<(String, Item)>> {
    let query = Query::index(OWNER, keys::user_partition(user)).prefix(prefix);
    let items = all_items(catalog, query).await?;
    Ok(items.into_iter().filter_map(|item| Some((sort_text(&item, OWNER)?, item))).collect())
}

async fn nested_in(catalog: &Catalog, album: AlbumId) -> Result<Vec<AlbumId>> {
    let query = Query::index(CONTAINER, keys::album_container(album)).prefix(keys::OWNED_ALBUMS);
    let items = all_items(catalog, query).await?;
    let id =
        |item: &Item| sort_text(item, CONTAINER)?.strip_prefix(keys::OWNED_ALBUMS)?.parse().ok();
    Ok(items.iter().filter_map(id).collect())
}

async fn all_items(catalog: &Catalog, query: Query) -> Result<Vec<Item>> {
    let (mut items, mut start) = (Vec::new(), None);
    loop {
        let page = catalog.table.query(&query.clone().limit(100).start(start)).await?;
        items.extend(page.items);
        start = page.next;
        if start.is_none() {
            return Ok(items);
        }
    }
}

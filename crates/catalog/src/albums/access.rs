//! Who may see what through albums.
//!
//! A right is looked up where it is written: in the row of the member in the album, and level by
//! level in the albums that one is nested in. What is read depends on how many albums one image is
//! in and how deep these are nested, which are both limited, and not on how many albums,
//! memberships or images there are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use model::limits::ALBUM_DEPTH_MAX;
use model::{Album, AlbumId, AlbumMember, AlbumRole, ImageId, Timestamp, UserId};
use table::{Item, Key};

use crate::{Catalog, Result, keys, row};

/// What somebody may do in an album.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlbumRight {
    /// See it and its images.
    View,
    /// Add images of their own, too.
    Contribute,
    /// Everything.
    Own,
}

/// An album, and what somebody may do in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlbumAccess {
    /// The album.
    pub album: Album,
    /// The most that they were given in it or in those it is nested in.
    pub right: AlbumRight,
    /// Whether they may see the album that it is nested in, too.
    pub sees_parent: bool,
}

impl Catalog {
    /// Those of some albums that a user may see.
    pub async fn find_album_access(
        &self,
        albums: &[AlbumId],
        user: UserId,
    ) -> Result<BTreeMap<AlbumId, AlbumAccess>> {
        let mut read: HashMap<AlbumId, Read> = HashMap::new();
        let mut level: BTreeSet<AlbumId> = albums.iter().copied().collect();
        for _ in 0..ALBUM_DEPTH_MAX {
            self.read_level(&level, user, &mut read).await?;
            // Whoever has all that a member can have need not be looked for further up.
            let open = level.iter().filter_map(|id| read.get(id)).filter(|read| !read.is_settled);
            level = open.filter_map(|read| read.album.parent).collect();
            level.retain(|id| !read.contains_key(id));
            if level.is_empty() {
                break;
            }
        }
        let access = albums.iter().filter_map(|id| Some((*id, access_of(*id, &read)?)));
        Ok(access.collect())
    }

    async fn read_level(
        &self,
        albums: &BTreeSet<AlbumId>,
        user: UserId,
        read: &mut HashMap<AlbumId, Read>,
    ) -> Result<()> {
        let pair = |id: &AlbumId| [keys::album(*id), keys::album_member(*id, user)];
        let wanted: Vec<Key> = albums.iter().flat_map(pair).collect();
        let rows = self.load_rows(&wanted).await?;
        let rows: HashMap<&Key, &Item> = rows.iter().map(|row| (&row.key, row)).collect();
        for id in albums {
            let [album, member] = pair(id);
            let Some(album) = rows.get(&album) else { continue };
            let album: Album = row::entity_of(album)?;
            let member = rows.get(&member).map(|row| row::entity_of::<AlbumMember>(row));
            let right = match member.transpose()? {
                _ if album.owner == user => Some(AlbumRight::Own),
                Some(member) => Some(AlbumRight::of(member.role)),
                None => None,
            };
            let is_settled = right >= Some(AlbumRight::Contribute);
            if album.deleting_since.is_none() {
                read.insert(*id, Read { album, right, is_settled });
            }
        }
        Ok(())
    }

    /// Those of some images that a user may see because they are in albums that the user may see.
    pub async fn find_seen_in_albums(
        &self,
        images: &[ImageId],
        user: UserId,
    ) -> Result<HashSet<ImageId>> {
        let mut albums_of: Vec<(ImageId, Vec<AlbumId>)> = Vec::with_capacity(images.len());
        for image in images {
            albums_of.push((*image, self.list_image_albums(*image).await?));
        }
        let all: BTreeSet<AlbumId> =
            albums_of.iter().flat_map(|(_, albums)| albums).copied().collect();
        // A right is looked for where there is no album, too: that takes as long as in an album that
        // the user may not see.
        let nowhere = AlbumId::new(Timestamp::EPOCH, 0);
        let all = if all.is_empty() { BTreeSet::from([nowhere]) } else { all };
        let access = self.find_album_access(&all.into_iter().collect::<Vec<_>>(), user).await?;
        let seen = albums_of
            .into_iter()
            .filter(|(_, albums)| albums.iter().any(|album| access.contains_key(album)));
        Ok(seen.map(|(image, _)| image).collect())
    }
}

impl AlbumRight {
    /// What a member may do.
    pub fn of(role: AlbumRole) -> Self {
        match role {
            AlbumRole::Viewer => Self::View,
            AlbumRole::Contributor => Self::Contribute,
        }
    }
}

/// An album that was read, and the right written there.
struct Read {
    album: Album,
    right: Option<AlbumRight>,
    is_settled: bool,
}

fn access_of(id: AlbumId, read: &HashMap<AlbumId, Read>) -> Option<AlbumAccess> {
    let found = read.get(&id)?;
    let mut inherited = None;
    let mut above = found.album.parent;
    for _ in 0..ALBUM_DEPTH_MAX {
        let Some(next) = above.and_then(|id| read.get(&id)) else { break };
        inherited = inherited.max(next.right);
        above = next.album.parent;
    }
    let right = found.right.max(inherited)?;
    let sees_parent = inherited.is_some() || right == AlbumRight::Own;
    Some(AlbumAccess { album: found.album.clone(), right, sees_parent })
}

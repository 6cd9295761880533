//! Albums: what is in them, who may see them, and how they are nested.
//!
//! An album is its owner's. Members see it and everything nested in it; contributors also put
//! images of their own into it. To everybody else it does not exist. Only its owner puts an image
//! into an album, so that nobody can keep an image in sight that its owner does not share any more.

mod edit;
mod faces;
mod images;
mod members;
mod sight;
mod view;

use catalog::AlbumRight;
use model::{Album, AlbumId, UserId};

pub use edit::{EditAlbum, NewAlbum};
pub use faces::AlbumFace;
pub use images::{AddedImage, ChangedImages, RemovedImage};

use crate::{Caller, Error, Result, Service};

/// An album as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenAlbum {
    /// The album; the one it is nested in is named only to those who may see that, too.
    pub album: Album,
    /// What the caller may do in it.
    pub right: AlbumRight,
}

const NO_ALBUM: Error = Error::NotFound { what: "album" };

impl Service {
    /// An album in which a caller may do something.
    async fn album_for(
        &self,
        caller: &Caller,
        album: AlbumId,
        needed: AlbumRight,
    ) -> Result<SeenAlbum> {
        let seen = self.find_seen_album(caller.user, album).await?.ok_or(NO_ALBUM)?;
        if seen.right < needed {
            return Err(Error::RoleMissing);
        }
        Ok(seen)
    }

    async fn find_seen_album(&self, user: UserId, album: AlbumId) -> Result<Option<SeenAlbum>> {
        let mut found = self.catalog().find_album_access(&[album], user).await?;
        Ok(found.remove(&album).map(SeenAlbum::of))
    }
}

impl SeenAlbum {
    fn of(access: catalog::AlbumAccess) -> Self {
        let catalog::AlbumAccess { mut album, right, sees_parent } = access;
        album.parent = album.parent.filter(|_| sees_parent);
        Self { album, right }
    }

    fn own(album: Album) -> Self {
        Self { album, right: AlbumRight::Own }
    }
}

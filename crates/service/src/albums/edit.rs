//! Making, changing and removing albums.

use catalog::{AlbumEdit, AlbumRight, CreatedAlbum, DeletedAlbum, Edited, EditedAlbum, NotNested};
use model::{Album, AlbumId, AlbumSort, Description, ImageId, Title};

use super::{NO_ALBUM, SeenAlbum};
use crate::{Caller, Error, Once, Result, Scope, Service};

/// A new album.
#[derive(Clone, Debug)]
pub struct NewAlbum {
    /// The title.
    pub title: Title,
    /// The description.
    pub description: Option<Description>,
    /// The album of the caller's that it is nested in.
    pub parent: Option<AlbumId>,
    /// What its images are ordered by.
    pub sort: AlbumSort,
}

/// What to change of an album. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct EditAlbum {
    /// The title.
    pub title: Option<Title>,
    /// The description.
    pub description: Option<Option<Description>>,
    /// The image that stands for it, which must be in it.
    pub cover: Option<Option<ImageId>>,
    /// The album of the caller's that it is nested in.
    pub parent: Option<Option<AlbumId>>,
    /// What its images are ordered by.
    pub sort: Option<AlbumSort>,
}

impl Service {
    /// Makes an album of the caller's.
    ///
    /// # Errors
    /// When it cannot be nested where it is to be.
    pub async fn create_album(&self, caller: &Caller, new: NewAlbum) -> Result<SeenAlbum> {
        self.create_album_once(caller, new, Once::new(self.now())).await
    }

    /// The same; however often it is called with the same `once`, there is one album.
    ///
    /// # Errors
    /// As [`create_album`](Self::create_album).
    pub async fn create_album_once(
        &self,
        caller: &Caller,
        new: NewAlbum,
        once: Once,
    ) -> Result<SeenAlbum> {
        caller.require(Scope::Write)?;
        let now = self.now();
        let id = once.album();
        let NewAlbum { title, description, parent, sort } = new;
        let album = Album { description, parent, sort, ..Album::new(id, caller.user, title, now) };
        match self.catalog().create_album(&album).await? {
            CreatedAlbum::Created => Ok(SeenAlbum::own(album)),
            CreatedAlbum::Exists => {
                let made = self.catalog().find_album(id).await?;
                let own = made.filter(|album| album.owner == caller.user).map(SeenAlbum::own);
                own.ok_or_else(|| Error::internal(format!("the id {id} is taken")))
            }
            CreatedAlbum::NotNested(not) => Err(not_nested(not)),
        }
    }

    /// Changes an album. With a version, only if it still has that one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller sees no such album, [`Error::RoleMissing`] if it is
    /// somebody else's, [`Error::Conflict`] if it was changed meanwhile.
    pub async fn edit_album(
        &self,
        caller: &Caller,
        album: AlbumId,
        version: Option<i64>,
        edit: EditAlbum,
    ) -> Result<SeenAlbum> {
        caller.require(Scope::Write)?;
        self.album_for(caller, album, AlbumRight::Own).await?;
        let EditAlbum { title, description, cover, parent, sort } = edit;
        let edit = AlbumEdit { title, description, cover, sort, parent };
        match self.catalog().edit_album(album, caller.user, version, &edit, self.now()).await? {
            EditedAlbum::Ended(Edited::Edited(album)) => {
                let albums = self.catalog().with_covers_inside(vec![album]).await?;
                albums.into_iter().next().map(SeenAlbum::own).ok_or(NO_ALBUM)
            }
            EditedAlbum::Ended(Edited::Conflict(album)) => {
                Err(Error::Conflict { current: album.version })
            }
            EditedAlbum::Ended(Edited::NotOwner | Edited::Missing) => Err(NO_ALBUM),
            EditedAlbum::NotNested(not) => Err(not_nested(not)),
            EditedAlbum::CoverNotInside => {
                Err(Error::invalid("cover", "the image is not in the album; add it first"))
            }
        }
    }

    /// Removes an album; its images stay. With a version, only if it still has that one.
    ///
    /// # Errors
    /// As [`edit_album`](Self::edit_album), and [`Error::AlbumHasAlbums`].
    pub async fn delete_album(
        &self,
        caller: &Caller,
        album: AlbumId,
        version: Option<i64>,
    ) -> Result<()> {
        caller.require(Scope::Delete)?;
        let now = self.now();
        match self.catalog().delete_album(album, caller.user, version, now).await? {
            DeletedAlbum::Deleted => Ok(()),
            DeletedAlbum::Conflict(album) => Err(Error::Conflict { current: album.version }),
            DeletedAlbum::HasAlbums => Err(Error::AlbumHasAlbums),
            DeletedAlbum::Missing => {
                self.album_for(caller, album, AlbumRight::Own).await?;
                Err(NO_ALBUM)
            }
        }
    }
}

fn not_nested(not: NotNested) -> Error {
    match not {
        NotNested::NoParent => Error::invalid("parent", "you have no such album"),
        NotNested::InsideItself => Error::AlbumInsideItself,
        NotNested::TooDeep { max } => Error::AlbumTooDeep { max },
    }
}

//! Who may see an album beside its owner.

use catalog::{AlbumRight, Listed, PageRequest, PutMember};
use model::{AlbumId, AlbumMember, AlbumRole, UserId};

use super::NO_ALBUM;
use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// The members of an album itself, for those who may see it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such album, [`Error::BadCursor`].
    pub async fn list_album_members(
        &self,
        caller: &Caller,
        album: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<AlbumMember>> {
        caller.require(Scope::Read)?;
        self.album_for(caller, album, AlbumRight::View).await?;
        Ok(self.catalog().list_album_members(album, page).await?)
    }

    /// Makes somebody a member of an album of the caller's, or gives a member another role.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such album or user, [`Error::RoleMissing`] if the album
    /// is somebody else's, [`Error::TooManyMembers`].
    pub async fn put_album_member(
        &self,
        caller: &Caller,
        album: AlbumId,
        user: UserId,
        role: AlbumRole,
    ) -> Result<AlbumMember> {
        caller.require(Scope::Write)?;
        self.album_for(caller, album, AlbumRight::Own).await?;
        if user == caller.user {
            return Err(Error::invalid("user", "the owner of an album is no member of it"));
        }
        match self.catalog().put_album_member(album, user, role, self.now()).await? {
            PutMember::Put(member) => Ok(member),
            PutMember::NoAlbum => Err(NO_ALBUM),
            PutMember::NoUser => Err(Error::NotFound { what: "user" }),
            PutMember::TooMany { max } => Err(Error::TooManyMembers { max }),
        }
    }

    /// Ends a membership: the owner of the album may do so, and members for themselves.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such album or member, [`Error::RoleMissing`] if it is
    /// neither the caller's album nor their membership.
    pub async fn delete_album_member(
        &self,
        caller: &Caller,
        album: AlbumId,
        user: UserId,
    ) -> Result<()> {
        caller.require(Scope::Write)?;
        let needed = if user == caller.user { AlbumRight::View } else { AlbumRight::Own };
        self.album_for(caller, album, needed).await?;
        match self.catalog().delete_album_member(album, user, self.now()).await? {
            true => Ok(()),
            false => Err(Error::NotFound { what: "member" }),
        }
    }
}

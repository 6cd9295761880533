//! Seeing albums.

use catalog::{AlbumAccess, AlbumRight, Listed, PageRequest};
use model::{Album, AlbumId, ImageId};

use super::SeenAlbum;
use crate::{Caller, Result, Scope, Service};

impl Service {
    /// An album that the caller may see.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is none; whether somebody else has it
    /// is not told.
    pub async fn load_album(&self, caller: &Caller, album: AlbumId) -> Result<SeenAlbum> {
        caller.require(Scope::Read)?;
        let SeenAlbum { album, right } = self.album_for(caller, album, AlbumRight::View).await?;
        let albums = self.catalog().with_covers_inside(vec![album]).await?;
        let album = albums.into_iter().next().ok_or(super::NO_ALBUM)?;
        Ok(SeenAlbum { album, right })
    }

    /// The caller's albums, newest first, nested or not.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_albums(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<SeenAlbum>> {
        caller.require(Scope::Read)?;
        let listed = self.catalog().list_albums(caller.user, page).await?;
        self.all_seen(listed, SeenAlbum::own).await
    }

    /// The albums of others that the caller is a member of, newest first. What is nested in these
    /// is not listed here.
    ///
    /// # Errors
    /// As [`list_albums`](Self::list_albums).
    pub async fn list_shared_albums(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<SeenAlbum>> {
        caller.require(Scope::Read)?;
        let Listed { entries, next } = self.catalog().list_memberships(caller.user, page).await?;
        let ids: Vec<AlbumId> = entries.into_iter().map(|(album, _)| album.id).collect();
        Ok(Listed { entries: self.seen_of(caller, &ids).await?, next })
    }

    /// The albums nested directly in one that the caller may see, newest first.
    ///
    /// # Errors
    /// As [`load_album`](Self::load_album), or when the cursor is wrong.
    pub async fn list_nested_albums(
        &self,
        caller: &Caller,
        album: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<SeenAlbum>> {
        caller.require(Scope::Read)?;
        let SeenAlbum { right, .. } = self.album_for(caller, album, AlbumRight::View).await?;
        let listed = self.catalog().list_nested_albums(album, page).await?;
        if right == AlbumRight::View {
            // They may have been given more in what is nested here.
            let ids: Vec<AlbumId> = listed.entries.iter().map(|album| album.id).collect();
            return Ok(Listed { entries: self.seen_of(caller, &ids).await?, next: listed.next });
        }
        self.all_seen(listed, |album| SeenAlbum { album, right }).await
    }

    /// The albums an image is in, as far as the caller may see them.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the caller may not see the image.
    pub async fn list_image_albums(
        &self,
        caller: &Caller,
        image: ImageId,
    ) -> Result<Vec<SeenAlbum>> {
        self.load_image(caller, image).await?;
        let ids = self.catalog().list_image_albums(image).await?;
        self.seen_of(caller, &ids).await
    }

    async fn seen_of(&self, caller: &Caller, ids: &[AlbumId]) -> Result<Vec<SeenAlbum>> {
        let mut access = self.catalog().find_album_access(ids, caller.user).await?;
        let in_order = ids.iter().filter_map(|id| access.remove(id));
        let (mut albums, mut rights) = (Vec::new(), Vec::new());
        for AlbumAccess { album, right, sees_parent } in in_order {
            let SeenAlbum { album, .. } = SeenAlbum::of(AlbumAccess { album, right, sees_parent });
            albums.push(album);
            rights.push(right);
        }
        let albums = self.catalog().with_covers_inside(albums).await?;
        Ok(albums
            .into_iter()
            .zip(rights)
            .map(|(album, right)| SeenAlbum { album, right })
            .collect())
    }

    async fn all_seen(
        &self,
        listed: Listed<Album>,
        seen: impl Fn(Album) -> SeenAlbum,
    ) -> Result<Listed<SeenAlbum>> {
        let albums = self.catalog().with_covers_inside(listed.entries).await?;
        Ok(Listed { entries: albums.into_iter().map(seen).collect(), next: listed.next })
    }
}

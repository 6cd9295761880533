//! What stands for an album in a list of albums.

use std::collections::HashMap;

use catalog::{Order, PageRequest};
use futures::future::try_join_all;
use model::{Album, ImageId, Name, UserId};

use super::SeenAlbum;
use crate::{Result, Service};

/// Whose an album is, and what it looks like.
#[derive(Clone, Debug)]
pub struct AlbumFace {
    /// What its owner is called, as long as they are there.
    pub owner_name: Option<Name>,
    /// The image that was chosen, or else the newest; none if the album has no image that can be
    /// seen.
    pub image: Option<ImageId>,
}

impl Service {
    /// What stands for these albums, of which the caller may see each, in their order.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn find_album_faces(&self, albums: &[SeenAlbum]) -> Result<Vec<AlbumFace>> {
        let owners: Vec<UserId> = albums.iter().map(|seen| seen.album.owner).collect();
        let owners = self.catalog().find_users(&owners).await?;
        let names: HashMap<UserId, Name> =
            owners.into_iter().map(|user| (user.id, user.name)).collect();
        let images = try_join_all(albums.iter().map(|seen| self.cover_shown(&seen.album))).await?;
        let face = |(seen, image): (&SeenAlbum, _)| AlbumFace {
            owner_name: names.get(&seen.album.owner).cloned(),
            image,
        };
        Ok(albums.iter().zip(images).map(face).collect())
    }

    async fn cover_shown(&self, album: &Album) -> Result<Option<ImageId>> {
        if album.cover.is_some() || album.image_count == 0 {
            return Ok(album.cover);
        }
        let first = PageRequest::first(1);
        let listed = self.catalog();
        let listed = listed.list_album_images(album.id, album.sort, Order::Newest, &first).await?;
        Ok(listed.entries.first().map(|image| image.id))
    }
}

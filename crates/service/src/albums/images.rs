//! The images of an album.

use std::collections::HashMap;

use catalog::{Added, AlbumRight, Listed, Moved, Order, PageRequest, Place, Removed};
use model::limits::ALBUM_IMAGES_AT_ONCE_MAX;
use model::{AlbumId, AlbumSort, Image, ImageId};

use super::{NO_ALBUM, SeenAlbum};
use crate::{Caller, Error, Result, Scope, Service};

/// What became of an image that was to be put into an album.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedImage {
    /// It is in the album now.
    Added,
    /// It was there already.
    AlreadyThere,
    /// The caller has no such image.
    NotFound,
    /// It is in as many albums as it may be in.
    TooManyAlbums,
}

/// What became of an image that was to be taken out of an album.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovedImage {
    /// It is not in the album any more.
    Removed,
    /// It was not in it, or is not the caller's to take out.
    NotFound,
}

/// What became of each image, in the order in which they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedImages {
    /// Those to be put in.
    pub added: Vec<(ImageId, AddedImage)>,
    /// Those to be taken out.
    pub removed: Vec<(ImageId, RemovedImage)>,
}

impl Service {
    /// The images of an album that the caller may see; in the album's own order, unless asked
    /// otherwise. An order by hand is always from first to last.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such album, [`Error::BadCursor`].
    pub async fn list_album_images(
        &self,
        caller: &Caller,
        album: AlbumId,
        sort: Option<AlbumSort>,
        order: Order,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        let seen = self.album_for(caller, album, AlbumRight::View).await?;
        let sort = sort.unwrap_or(seen.album.sort);
        let Listed { entries, next } =
            self.catalog().list_album_images(album, sort, order, page).await?;
        let shown = entries.into_iter().map(|image| self.as_shown_to(caller, image));
        Ok(Listed { entries: shown.collect(), next })
    }

    /// Takes images out of an album and puts others in, and says what became of each. The owner of
    /// the album takes out any; everybody else only images of their own, which they may do
    /// wherever these are, also when they are no member any more.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller sees no such album, [`Error::RoleMissing`] if they may
    /// not add to it.
    pub async fn change_album_images(
        &self,
        caller: &Caller,
        album: AlbumId,
        add: &[ImageId],
        remove: &[ImageId],
    ) -> Result<ChangedImages> {
        caller.require(Scope::Write)?;
        check_count("add", add.len())?;
        check_count("remove", remove.len())?;
        let seen = self.find_seen_album(caller.user, album).await?;
        if !add.is_empty() {
            let right = seen.as_ref().map(|seen| seen.right).ok_or(NO_ALBUM)?;
            if right < AlbumRight::Contribute {
                return Err(Error::RoleMissing);
            }
        }
        let removed = self.take_out(caller, album, seen.as_ref(), remove).await?;
        let is_stranger = seen.is_none();
        if is_stranger && !removed.iter().any(|(_, end)| *end == RemovedImage::Removed) {
            return Err(NO_ALBUM);
        }
        let added = self.put_in(caller, album, add).await?;
        Ok(ChangedImages { added, removed })
    }

    async fn put_in(
        &self,
        caller: &Caller,
        album: AlbumId,
        images: &[ImageId],
    ) -> Result<Vec<(ImageId, AddedImage)>> {
        let own = self.own_of(caller, images).await?;
        let ends = self.catalog().add_to_album(album, &own, self.now()).await?;
        let ends: HashMap<ImageId, Added> = own.into_iter().zip(ends).collect();
        let end = |image: &ImageId| match ends.get(image) {
            Some(Added::Added) => Ok((*image, AddedImage::Added)),
            Some(Added::AlreadyThere) => Ok((*image, AddedImage::AlreadyThere)),
            Some(Added::TooManyAlbums) => Ok((*image, AddedImage::TooManyAlbums)),
            Some(Added::NoImage) | None => Ok((*image, AddedImage::NotFound)),
            Some(Added::NoAlbum) => Err(NO_ALBUM),
        };
        images.iter().map(end).collect()
    }

    async fn take_out(
        &self,
        caller: &Caller,
        album: AlbumId,
        seen: Option<&SeenAlbum>,
        images: &[ImageId],
    ) -> Result<Vec<(ImageId, RemovedImage)>> {
        let is_owner = seen.is_some_and(|seen| seen.right == AlbumRight::Own);
        let theirs = match is_owner {
            true => images.to_vec(),
            false => self.own_of(caller, images).await?,
        };
        let ends = self.catalog().remove_from_album(album, &theirs, self.now()).await?;
        let ends: HashMap<ImageId, Removed> = theirs.into_iter().zip(ends).collect();
        let end = |image: &ImageId| match ends.get(image) {
            Some(Removed::Removed) => RemovedImage::Removed,
            Some(Removed::NotThere) | None => RemovedImage::NotFound,
        };
        Ok(images.iter().map(|image| (*image, end(image))).collect())
    }

    /// Those of these images that are the caller's.
    async fn own_of(&self, caller: &Caller, images: &[ImageId]) -> Result<Vec<ImageId>> {
        let found = self.catalog().find_images(images).await?;
        let own = found.into_iter().filter(|image| image.owner == caller.user);
        Ok(own.filter(Image::is_visible).map(|image| image.id).collect())
    }

    /// Puts images, in this order, to a place of the album's order by hand.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller sees no such album, [`Error::RoleMissing`] if it is
    /// somebody else's, [`Error::Invalid`] if an image is not in it.
    pub async fn move_album_images(
        &self,
        caller: &Caller,
        album: AlbumId,
        images: &[ImageId],
        place: Place,
    ) -> Result<()> {
        caller.require(Scope::Write)?;
        let seen = self.album_for(caller, album, AlbumRight::Own).await?;
        check_count("ids", images.len())?;
        if images.is_empty() {
            return Ok(());
        }
        if matches!(place, Place::Behind(image) if images.contains(&image)) {
            return Err(Error::invalid("behind", "it is itself one of those to be moved"));
        }
        match self.catalog().move_in_album(&seen.album, images, place, self.now()).await? {
            Moved::Moved => Ok(()),
            Moved::NotThere(image) => {
                let field = if images.contains(&image) { "ids" } else { "behind" };
                Err(Error::invalid(field, format!("{image} is not in the album")))
            }
            Moved::NoRoom => {
                let message = "there is no room behind it; move it or the next one first";
                Err(Error::invalid("behind", message))
            }
        }
    }
}

fn check_count(field: &'static str, count: usize) -> Result<()> {
    if count <= ALBUM_IMAGES_AT_ONCE_MAX {
        return Ok(());
    }
    let message = format!("at most {ALBUM_IMAGES_AT_ONCE_MAX} images at once, not {count}");
    Err(Error::invalid(field, message))
}

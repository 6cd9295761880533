//! Seeing images: one's own, and what others share.

use catalog::{Listed, Order, PageRequest};
use model::{Image, ImageId, UserId, Visibility};

use crate::{Caller, Error, Result, Scope, Service};

/// Whose images to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnedBy {
    /// The caller's own.
    Me,
    /// Somebody's, as far as the caller may see them.
    User(UserId),
}

/// The feed of everybody's shared images.
pub type Feed = Listed<Image>;

/// Images asked for at once by their ids.
const IMAGES_AT_ONCE_MAX: usize = 100;

impl Service {
    /// An image that the caller may see.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none; whether somebody else has it is not told.
    pub async fn load_image(&self, caller: &Caller, image: ImageId) -> Result<Image> {
        caller.require(Scope::Read)?;
        let found = self.catalog().find_image(image).await?;
        let is_seen = found.as_ref().is_some_and(|found| self.may_see(caller, found));
        // Albums are also looked for where there is no image: how long it takes must not tell.
        let is_seen = is_seen || self.sees_in_album(caller, image, found.as_ref()).await?;
        let seen = found.filter(|_| is_seen).map(|found| self.as_shown_to(caller, found));
        seen.ok_or(Error::NotFound { what: "image" })
    }

    /// Images by their ids, without those that the caller may not see.
    ///
    /// # Errors
    /// When there are too many.
    pub async fn find_images(&self, caller: &Caller, images: &[ImageId]) -> Result<Vec<Image>> {
        caller.require(Scope::Read)?;
        if images.len() > IMAGES_AT_ONCE_MAX {
            let message = format!("at most {IMAGES_AT_ONCE_MAX} at once, not {}", images.len());
            return Err(Error::invalid("ids", message));
        }
        self.find_seen(caller, images).await
    }

    /// A user's images by upload; of others only what they share.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_images(
        &self,
        caller: &Caller,
        owned_by: OwnedBy,
        order: Order,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        let catalog = self.catalog();
        let listed = match owned_by {
            OwnedBy::User(user) if user != caller.user => {
                catalog.list_shared_images(user, order, page).await?
            }
            _ => catalog.list_images(caller.user, order, page).await?,
        };
        Ok(self.all_shown_to(caller, listed))
    }

    /// Everybody's shared images, newest first.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_feed(&self, caller: &Caller, page: &PageRequest) -> Result<Feed> {
        caller.require(Scope::Read)?;
        let listed = self.catalog().list_feed(page).await?;
        Ok(self.all_shown_to(caller, listed))
    }

    fn all_shown_to(&self, caller: &Caller, listed: Listed<Image>) -> Listed<Image> {
        let Listed { entries, next } = listed;
        let shown = entries.into_iter().filter_map(|image| self.shown_to(caller, image));
        Listed { entries: shown.collect(), next }
    }

    /// An image as a caller may see it, if it is theirs or everybody's.
    pub(crate) fn shown_to(&self, caller: &Caller, image: Image) -> Option<Image> {
        self.may_see(caller, &image).then(|| self.as_shown_to(caller, image))
    }

    /// Whether an image is the caller's or everybody's. Albums may show it to more; see
    /// `albums::sight`.
    pub(crate) fn may_see(&self, caller: &Caller, image: &Image) -> bool {
        let is_shared = image.visibility == Visibility::Shared && image.is_visible();
        image.purging_since.is_none() && (image.owner == caller.user || is_shared)
    }

    /// An image as somebody sees it who may: the owner all of it, others without where and by what
    /// and whom it was taken, and how much its owner likes it.
    pub(crate) fn as_shown_to(&self, caller: &Caller, mut image: Image) -> Image {
        if image.owner == caller.user {
            return image;
        }
        let shows_metadata = self.settings().share_exif;
        if !shows_metadata {
            image.exif = None;
            image.hide_taken();
        }
        image.hide_written(shows_metadata);
        image.error = None;
        image.failure_code = None;
        image
    }
}

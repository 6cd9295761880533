//! Throwing images away, and changing one's mind.

use catalog::{Edited, Listed, PageRequest};
use model::{Image, ImageId};

use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// Puts an image into the trash, from which it is removed for good after the grace period.
    /// With a version, only if it still has that one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such image, [`Error::Conflict`] if it was changed.
    pub async fn trash_image(
        &self,
        caller: &Caller,
        image: ImageId,
        version: Option<i64>,
    ) -> Result<Image> {
        let purge_at = self.now().after(self.settings().trash_time);
        self.throw_away(caller, image, version, purge_at).await
    }

    /// Removes an image for good, without a grace period. It is hidden at once, and gone as soon
    /// as a worker has time.
    ///
    /// # Errors
    /// As [`trash_image`](Self::trash_image).
    pub async fn purge_image(
        &self,
        caller: &Caller,
        image: ImageId,
        version: Option<i64>,
    ) -> Result<Image> {
        let thrown = self.throw_away(caller, image, version, self.now()).await?;
        self.hint();
        Ok(thrown)
    }

    async fn throw_away(
        &self,
        caller: &Caller,
        image: ImageId,
        version: Option<i64>,
        purge_at: model::Timestamp,
    ) -> Result<Image> {
        caller.require(Scope::Delete)?;
        let now = self.now();
        let edited = self.catalog().trash_image(image, caller.user, version, purge_at, now).await?;
        ended(edited)
    }

    /// Takes an image out of the trash.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such image, or it is being removed.
    pub async fn restore_image(&self, caller: &Caller, image: ImageId) -> Result<Image> {
        caller.require(Scope::Delete)?;
        ended(self.catalog().restore_image(image, caller.user, self.now()).await?)
    }

    /// The caller's trash, last thrown away first.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_trash(&self, caller: &Caller, page: &PageRequest) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        Ok(self.catalog().list_trash(caller.user, page).await?)
    }
}

/// Somebody else's image looks like none at all.
pub(super) fn ended(edited: Edited<Image>) -> Result<Image> {
    match edited {
        Edited::Edited(image) => Ok(image),
        Edited::Conflict(image) => Err(Error::Conflict { current: image.version }),
        Edited::NotOwner | Edited::Missing => Err(Error::NotFound { what: "image" }),
    }
}

//! Seeing private images of others because they are in albums that one may see.

use std::collections::HashSet;

use futures::future::try_join_all;
use model::{Image, ImageId};

use crate::{Caller, Result, Service};

/// Images whose albums are looked up at once: each is a read of its own.
const LOOKED_AT_ONCE: usize = 16;

impl Service {
    /// Whether a caller sees an image, if there is one, that is neither theirs nor everybody's.
    pub(crate) async fn sees_in_album(
        &self,
        caller: &Caller,
        image: ImageId,
        found: Option<&Image>,
    ) -> Result<bool> {
        let seen = self.catalog().find_seen_in_albums(&[image], caller.user).await?;
        Ok(found.is_some_and(Image::is_visible) && seen.contains(&image))
    }

    /// The images of these ids that a caller may see, as they may see them. Albums are also looked
    /// for where there is no image, or one in the trash: how long it takes must not tell.
    pub(crate) async fn find_seen(&self, caller: &Caller, ids: &[ImageId]) -> Result<Vec<Image>> {
        let found = self.catalog().find_images(ids).await?;
        let plain = found.iter().filter(|image| self.may_see(caller, image));
        let plain: HashSet<ImageId> = plain.map(|image| image.id).collect();
        let doubtful = ids.iter().copied().filter(|id| !plain.contains(id)).collect();
        self.only_seen(caller, found, doubtful).await
    }

    /// Those of some images that a caller may see, as they may see them.
    pub(crate) async fn all_seen_by(
        &self,
        caller: &Caller,
        images: Vec<Image>,
    ) -> Result<Vec<Image>> {
        let is_doubtful = |image: &&Image| !self.may_see(caller, image) && image.is_visible();
        let doubtful = images.iter().filter(is_doubtful).map(|image| image.id).collect();
        self.only_seen(caller, images, doubtful).await
    }

    /// The same, when only the albums of the doubtful ones have to be looked for.
    async fn only_seen(
        &self,
        caller: &Caller,
        images: Vec<Image>,
        doubtful: Vec<ImageId>,
    ) -> Result<Vec<Image>> {
        let part = doubtful.len().div_ceil(LOOKED_AT_ONCE).max(1);
        let parts = doubtful.chunks(part);
        let looks = parts.map(|part| self.catalog().find_seen_in_albums(part, caller.user));
        let seen: HashSet<ImageId> = try_join_all(looks).await?.into_iter().flatten().collect();
        let is_seen = |image: &Image| {
            self.may_see(caller, image) || (image.is_visible() && seen.contains(&image.id))
        };
        let images = images.into_iter().filter(is_seen);
        Ok(images.map(|image| self.as_shown_to(caller, image)).collect())
    }
}

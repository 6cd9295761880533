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

    /// Those of some images that a caller may see, as they may see them.
    pub(crate) async fn all_seen_by(
        &self,
        caller: &Caller,
        images: Vec<Image>,
    ) -> Result<Vec<Image>> {
        let is_doubtful = |image: &&Image| !self.may_see(caller, image) && image.is_visible();
        let doubtful: Vec<ImageId> =
            images.iter().filter(is_doubtful).map(|image| image.id).collect();
        let part = doubtful.len().div_ceil(LOOKED_AT_ONCE).max(1);
        let parts = doubtful.chunks(part);
        let looks = parts.map(|part| self.catalog().find_seen_in_albums(part, caller.user));
        let seen: HashSet<ImageId> = try_join_all(looks).await?.into_iter().flatten().collect();
        let is_seen = |image: &Image| self.may_see(caller, image) || seen.contains(&image.id);
        let images = images.into_iter().filter(is_seen);
        Ok(images.map(|image| self.as_shown_to(caller, image)).collect())
    }
}

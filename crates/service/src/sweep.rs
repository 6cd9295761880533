//! Removing objects that no row names.
//!
//! A crash between an object and its row leaves such objects. A row always comes before the
//! objects of its image, and goes after them, so an object whose image has no row is of no use at
//! any time, whatever its age.

use std::collections::HashMap;

use blob::{BlobKey, BlobPrefix};
use futures::TryStreamExt;
use model::{ImageId, ImageStatus};

use crate::{Result, Service};

/// What sweeping found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Objects looked at.
    pub objects: u64,
    /// Objects removed.
    pub removed: u64,
}

const AREAS: [BlobPrefix; 4] =
    [BlobPrefix::Uploads, BlobPrefix::Parts, BlobPrefix::Images, BlobPrefix::Transforms];

impl Service {
    /// Removes all objects of images that do not exist. Foreign objects stay.
    ///
    /// # Errors
    /// When a store cannot be used; some may be removed then.
    pub async fn sweep_orphans(&self) -> Result<Swept> {
        let mut swept = Swept::default();
        for area in AREAS {
            self.sweep_area(&area, &mut swept).await?;
        }
        Ok(swept)
    }

    /// Whether objects of an image in this area may still be of use. What is sent to be looked at
    /// is of none once the image is complete.
    async fn is_wanted(&self, area: &BlobPrefix, image: ImageId) -> Result<bool> {
        let only_pending = matches!(area, BlobPrefix::Uploads | BlobPrefix::Parts);
        let found = self.catalog().find_image(image).await?;
        Ok(found.is_some_and(|image| !only_pending || image.status == ImageStatus::Pending))
    }

    /// Of faces that are not there any more, or are of somebody who was deleted, nothing is kept.
    async fn is_portrait_wanted(&self, key: &BlobKey) -> Result<bool> {
        let BlobKey::Face { image, face, .. } = key else { return Ok(true) };
        let found = self.catalog().find_face(*image, *face).await?;
        Ok(found.is_some_and(|face| face.deleted_person.is_none()))
    }

    async fn sweep_area(&self, area: &BlobPrefix, swept: &mut Swept) -> Result<()> {
        // Objects of one image stand together, so remembering one answer saves most questions.
        let mut last: Option<(ImageId, bool)> = None;
        let mut objects = self.blobs().list(area, None);
        let mut orphans: HashMap<ImageId, Vec<BlobKey>> = HashMap::new();
        while let Some(object) = objects.try_next().await? {
            swept.objects += 1;
            let Ok(key) = object.path.parse::<BlobKey>() else { continue };
            let Some(image) = key.image() else { continue };
            let is_there = match last {
                Some((known, is_there)) if known == image => is_there,
                _ => self.is_wanted(area, image).await?,
            };
            last = Some((image, is_there));
            if !is_there || !self.is_portrait_wanted(&key).await? {
                orphans.entry(image).or_default().push(key);
            }
        }
        for keys in orphans.values() {
            self.blobs().delete_many(keys).await?;
            swept.removed += keys.len() as u64;
        }
        Ok(())
    }
}

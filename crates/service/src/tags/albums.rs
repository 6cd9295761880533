//! Tags within one album.

use std::collections::BTreeMap;

use catalog::{Listed, Order, PageRequest};
use model::{AlbumId, AlbumSort, ImageId, Tag};

use super::{AlbumTags, TagStatus};
use crate::{Caller, Result, Service};

/// Images of an album whose tags are put together.
const IMAGES_MAX: usize = 10_000;

impl Service {
    /// The caller's tags on the images of an album that they may see.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such album.
    pub async fn list_album_tags(&self, caller: &Caller, album: AlbumId) -> Result<AlbumTags> {
        let mut counts: BTreeMap<Tag, usize> = BTreeMap::new();
        let (mut page, mut read) = (PageRequest::first(100), 0);
        loop {
            let ids = self.image_ids(caller, album, &page).await?;
            read += ids.entries.len();
            for tags in self.catalog().find_tags_of_images(&ids.entries, caller.user).await? {
                for tag in tags.0.into_keys() {
                    *counts.entry(tag).or_default() += 1;
                }
            }
            page.cursor = ids.next;
            if page.cursor.is_none() || read >= IMAGES_MAX {
                let complete = page.cursor.is_none();
                return Ok(AlbumTags { tags: counts.into_iter().collect(), complete });
            }
        }
    }

    /// Which images of an album are tagged, by the caller and by anyone, in the album's order by
    /// upload, oldest first.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if there is no such album, or when the cursor
    /// is wrong.
    pub async fn list_tag_status(
        &self,
        caller: &Caller,
        album: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<TagStatus>> {
        let Listed { entries: ids, next } = self.image_ids(caller, album, page).await?;
        let mine = self.catalog().find_tags_of_images(&ids, caller.user).await?;
        let everyone = self.catalog().find_public_tags(&ids).await?;
        let counts = mine.iter().map(|tags| tags.0.len()).zip(everyone.iter().map(BTreeMap::len));
        let status = ids.into_iter().zip(counts);
        let status = status.map(|(image, (mine, everyone))| TagStatus { image, mine, everyone });
        Ok(Listed { entries: status.collect(), next })
    }

    async fn image_ids(
        &self,
        caller: &Caller,
        album: AlbumId,
        page: &PageRequest,
    ) -> Result<Listed<ImageId>> {
        let sort = Some(AlbumSort::Uploaded);
        let listed = self.list_album_images(caller, album, sort, Order::Oldest, page).await?;
        let entries = listed.entries.into_iter().map(|image| image.id).collect();
        Ok(Listed { entries, next: listed.next })
    }
}

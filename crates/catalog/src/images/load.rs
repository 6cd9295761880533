//! Many images at once that are finished already.

use model::Image;
use table::{BATCH_WRITE_ENTRIES_MAX, BatchEntry, Item};

use super::{image_row, is_in_feed};
use crate::{Catalog, Result, tags, terms};

impl Catalog {
    /// Writes all rows of images that are not there yet, as they would be after upload and
    /// processing: for those who fill an empty table. Nothing else is touched, neither quotas nor
    /// changes. If it is cut short, calling it again completes it.
    pub async fn load_images(&self, images: &[Image]) -> Result<()> {
        let mut rows: Vec<Item> = Vec::new();
        for image in images {
            rows.push(image_row(image)?);
            rows.extend(terms::rows(image));
            rows.extend(tags::rows(image));
            if let Some(at) = image.uploaded_at.filter(|_| is_in_feed(image)) {
                self.open_feed_month(at).await?;
            }
        }
        let mut rows = rows.into_iter();
        while rows.len() > 0 {
            let batch = rows.by_ref().take(BATCH_WRITE_ENTRIES_MAX).map(BatchEntry::Put).collect();
            self.table.batch_write(batch).await?;
        }
        Ok(())
    }
}

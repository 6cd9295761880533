//! Many images at once that are finished already.

use std::collections::BTreeMap;

use futures::future::try_join_all;
use model::Image;
use table::{BATCH_WRITE_ENTRIES_MAX, BatchEntry, Item};

use super::{image_row, is_in_feed};
use crate::schema::{WORDS_PK, WORDS_SK};
use crate::{Catalog, Result, keys, tags, terms};

/// Batches that are on their way at the same time.
const BATCHES_AT_ONCE: usize = 128;

impl Catalog {
    /// Writes all rows of images that are not there yet, as they would be after upload and
    /// processing: for those who fill an empty table. Nothing else is touched, neither quotas nor
    /// changes. If it is cut short, calling it again completes it; what timelines count twice
    /// then, they correct by themselves.
    ///
    /// The more images it is given at once, the less an engine has to write for each.
    pub async fn load_images(&self, images: &[Image]) -> Result<()> {
        let mut rows: Vec<Item> = Vec::new();
        let mut months = BTreeMap::new();
        for image in images {
            rows.push(image_row(image)?);
            rows.extend(terms::rows(image));
            rows.extend(tags::rows(image));
            if let Some(at) = image.uploaded_at.filter(|_| is_in_feed(image)) {
                months.insert(keys::month_of(at), at);
            }
        }
        for at in months.into_values() {
            self.open_feed_month(at).await?;
        }
        // What stands together in the index of words is written together: of a million entries in
        // any order, nearly every one would change a page of its own.
        rows.sort_by_cached_key(place);
        let mut rows = rows.into_iter();
        while rows.len() > 0 {
            let mut batches: Vec<Vec<BatchEntry>> = Vec::with_capacity(BATCHES_AT_ONCE);
            while rows.len() > 0 && batches.len() < BATCHES_AT_ONCE {
                let batch = rows.by_ref().take(BATCH_WRITE_ENTRIES_MAX).map(BatchEntry::Put);
                batches.push(batch.collect());
            }
            try_join_all(batches.into_iter().map(|batch| self.table.batch_write(batch))).await?;
        }
        self.count_loaded(images).await
    }
}

fn place(row: &Item) -> (Option<String>, Option<String>) {
    (row.str(WORDS_PK).map(str::to_owned), row.str(WORDS_SK).map(str::to_owned))
}

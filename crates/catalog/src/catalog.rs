use std::sync::Arc;

use model::{Image, ImageId};
use table::{BATCH_WRITE_ENTRIES_MAX, BatchEntry, Item, Key, Query, Table};

use crate::{Result, SearchLimits, keys, row};

/// The rows of one table, by meaning.
#[derive(Clone)]
pub struct Catalog {
    pub(crate) table: Arc<dyn Table>,
    pub(crate) search_limits: SearchLimits,
}

impl Catalog {
    /// A catalog on a table that has [`schema`](crate::schema).
    pub fn new(table: Arc<dyn Table>) -> Self {
        Self { table, search_limits: SearchLimits::default() }
    }

    /// The same with other limits of searches.
    #[must_use]
    pub fn with_search_limits(self, search_limits: SearchLimits) -> Self {
        Self { search_limits, ..self }
    }

    /// The row of this key as an entity.
    pub(crate) async fn find<T: serde::de::DeserializeOwned>(
        &self,
        key: &Key,
    ) -> Result<Option<T>> {
        let item = self.table.get(key).await?;
        item.as_ref().map(row::entity_of).transpose()
    }

    /// The rows of many keys, in their order, without the absent ones.
    pub(crate) async fn load_rows(&self, keys: &[Key]) -> Result<Vec<Item>> {
        let mut rows = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(table::BATCH_GET_KEYS_MAX) {
            rows.extend(self.table.batch_get(chunk).await?.into_iter().flatten());
        }
        Ok(rows)
    }

    /// Removes the rows of these keys, some at a time; absent ones do no harm.
    pub(crate) async fn remove_rows(&self, keys: &[Key]) -> Result<()> {
        for chunk in keys.chunks(BATCH_WRITE_ENTRIES_MAX) {
            let deletes = chunk.iter().cloned().map(BatchEntry::Delete).collect();
            self.table.batch_write(deletes).await?;
        }
        Ok(())
    }

    /// Removes all rows that a query finds.
    pub(crate) async fn remove_found(&self, query: Query) -> Result<()> {
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().limit(100).start(start)).await?;
            let found: Vec<Key> = page.items.into_iter().map(|row| row.key).collect();
            self.remove_rows(&found).await?;
            start = page.next;
            if start.is_none() {
                return Ok(());
            }
        }
    }

    /// The image of this id, in whatever state it is.
    pub async fn find_image(&self, image: ImageId) -> Result<Option<Image>> {
        self.find(&keys::image(image)).await
    }

    /// Images by their ids, in the order of the ids, without the absent ones.
    pub async fn find_images(&self, images: &[ImageId]) -> Result<Vec<Image>> {
        let mut distinct = images.to_vec();
        let mut seen = std::collections::HashSet::new();
        distinct.retain(|image| seen.insert(*image));
        let keys: Vec<Key> = distinct.into_iter().map(keys::image).collect();
        self.load_rows(&keys).await?.iter().map(row::entity_of).collect()
    }
}

//! The embedded engine's side: the table as a server has it open, shared by all tasks.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::try_join_all;
use table::{
    Action, BATCH_WRITE_ENTRIES_MAX, BatchEntry, Condition, Item, Key, Query, Table, TableExt,
    VERSION,
};
use table_embedded::{EmbeddedTable, Options};

use crate::Outcome;
use crate::dataset::{Edit, OWNER_INDEX, UPLOADED};
use crate::shared::bulk_load::bulk_load;
use crate::store::{NewestPage, PAGE_ITEMS, PageEnd, Session, Store};

/// A table in a folder of its own; closed when dropped.
pub struct EmbeddedStore {
    folder: PathBuf,
    table: Mutex<Arc<EmbeddedTable>>,
}

impl EmbeddedStore {
    pub fn open(folder: &Path) -> Outcome<Self> {
        let table = Mutex::new(open(folder)?);
        Ok(Self { folder: folder.to_owned(), table })
    }

    pub fn table(&self) -> Arc<EmbeddedTable> {
        Arc::clone(&self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Opens the table with the catalog's indexes.
pub fn open(folder: &Path) -> Outcome<Arc<EmbeddedTable>> {
    Ok(Arc::new(EmbeddedTable::open(folder, catalog::schema(), Options::default())?))
}

#[async_trait]
impl Store for EmbeddedStore {
    async fn session(&self) -> Outcome<Box<dyn Session>> {
        Ok(Box::new(EmbeddedSession(self.table())))
    }

    async fn load(&self, items: Vec<Item>) -> Outcome<Duration> {
        bulk_load(&self.table(), items).await
    }

    async fn remove(&self, keys: &[Key]) -> Outcome {
        let table = self.table();
        let batches = keys
            .chunks(BATCH_WRITE_ENTRIES_MAX)
            .map(|keys| table.batch_write(keys.iter().cloned().map(BatchEntry::Delete).collect()));
        try_join_all(batches).await?;
        Ok(())
    }

    /// Nothing: the engine does it beside the load, and that is measured.
    async fn settle(&self) -> Outcome {
        Ok(())
    }

    /// Closing moves the log into the file; then the table is opened again.
    async fn size_bytes(&self) -> Outcome<u64> {
        self.table().close().await;
        let size_bytes = folder_bytes(&self.folder)?;
        *self.table.lock().unwrap_or_else(PoisonError::into_inner) = open(&self.folder)?;
        Ok(size_bytes)
    }
}

fn folder_bytes(folder: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

struct EmbeddedSession(Arc<EmbeddedTable>);

#[async_trait]
impl Session for EmbeddedSession {
    async fn get(&mut self, key: &Key) -> Outcome<Option<Item>> {
        Ok(self.0.get(key).await?)
    }

    async fn newest(&mut self, partition: &str, after: Option<&PageEnd>) -> Outcome<NewestPage> {
        let start = match after {
            Some(PageEnd::Embedded(next)) => Some(next.clone()),
            Some(PageEnd::Postgres { .. }) => return Err("a page of the other side".into()),
            None => None,
        };
        let query = Query::index(OWNER_INDEX, partition)
            .prefix(UPLOADED)
            .descending()
            .limit(PAGE_ITEMS)
            .start(start);
        let page = self.0.query(&query).await?;
        Ok(NewestPage { items: page.items, end: page.next.map(PageEnd::Embedded) })
    }

    async fn put(&mut self, item: Item) -> Outcome {
        Ok(self.0.put(item).await?)
    }

    async fn update(&mut self, edit: Edit) -> Outcome<bool> {
        let action = Action::update(edit.after.key)
            .set("title", edit.title)
            .set("updatedAt", edit.updated_at)
            .set(VERSION, edit.version_before + 1)
            .when(Condition::version(edit.version_before));
        Ok(self.0.transact(vec![action]).await?.is_done())
    }
}

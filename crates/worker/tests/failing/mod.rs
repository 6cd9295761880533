//! Stores that do not answer one of their calls.

use std::sync::Arc;

use async_trait::async_trait;
use blob::{Access, ByteRange, ContentType, Engine, Listed, Meta, Opened, Path, SignedUrl, Upload};
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use model::Timestamp;
use table::{Action, BatchEntry, Item, Key, Page, Query, Scan, Schema, Table, Transacted};
use testkit::faults::{Faults, When};

pub struct FailingTable {
    pub table: Arc<dyn Table>,
    pub faults: Arc<Faults>,
}

impl FailingTable {
    async fn call<T>(&self, call: impl Future<Output = table::Result<T>>) -> table::Result<T> {
        let error = |when| table::Error::Unavailable {
            message: "it was to fail".to_owned(),
            maybe_written: when == When::After,
        };
        self.faults.call(call, error).await
    }
}

#[async_trait]
impl Table for FailingTable {
    fn schema(&self) -> &Schema {
        self.table.schema()
    }

    async fn get(&self, key: &Key) -> table::Result<Option<Item>> {
        self.call(self.table.get(key)).await
    }

    async fn batch_get(&self, keys: &[Key]) -> table::Result<Vec<Option<Item>>> {
        self.call(self.table.batch_get(keys)).await
    }

    async fn query(&self, query: &Query) -> table::Result<Page> {
        self.call(self.table.query(query)).await
    }

    async fn scan(&self, scan: &Scan) -> table::Result<Page> {
        self.call(self.table.scan(scan)).await
    }

    async fn transact(&self, actions: Vec<Action>) -> table::Result<Transacted> {
        self.call(self.table.transact(actions)).await
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> table::Result<()> {
        self.call(self.table.batch_write(entries)).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> table::Result<i64> {
        self.call(self.table.increment(key, attribute, by)).await
    }
}

#[derive(Debug)]
pub struct FailingStore {
    pub engine: Arc<dyn Engine>,
    pub faults: Arc<Faults>,
}

async fn call<T>(faults: &Faults, call: impl Future<Output = blob::Result<T>>) -> blob::Result<T> {
    let error = |_| blob::Error::Unavailable {
        action: "a call".to_owned(),
        cause: "it was to fail".to_owned(),
    };
    faults.call(call, error).await
}

#[async_trait]
impl Engine for FailingStore {
    async fn start(
        &self,
        path: &Path,
        kind: Option<&ContentType>,
    ) -> blob::Result<Box<dyn Upload>> {
        let upload = call(&self.faults, self.engine.start(path, kind)).await?;
        Ok(Box::new(FailingUpload { upload, faults: Arc::clone(&self.faults) }))
    }

    async fn put_new(
        &self,
        path: &Path,
        bytes: Bytes,
        kind: Option<&ContentType>,
    ) -> blob::Result<blob::Written> {
        call(&self.faults, self.engine.put_new(path, bytes, kind)).await
    }

    async fn get(&self, path: &Path, range: Option<&ByteRange>) -> blob::Result<Opened> {
        call(&self.faults, self.engine.get(path, range)).await
    }

    async fn head(&self, path: &Path) -> blob::Result<Meta> {
        call(&self.faults, self.engine.head(path)).await
    }

    async fn delete(&self, paths: Vec<Path>) -> blob::Result<()> {
        call(&self.faults, self.engine.delete(paths)).await
    }

    fn list(
        &self,
        prefix: &Path,
        start_after: Option<&str>,
    ) -> BoxStream<'static, blob::Result<Listed>> {
        let (listing, faults) = (self.engine.list(prefix, start_after), Arc::clone(&self.faults));
        let listed = async move { call(&faults, async { Ok(listing) }).await };
        stream::once(listed).try_flatten().boxed()
    }

    async fn copy(&self, from: &Path, to: &Path) -> blob::Result<()> {
        call(&self.faults, self.engine.copy(from, to)).await
    }

    async fn rename(&self, from: &Path, to: &Path) -> blob::Result<()> {
        call(&self.faults, self.engine.rename(from, to)).await
    }

    async fn sign(
        &self,
        path: &Path,
        access: &Access,
        expires_at: Timestamp,
    ) -> blob::Result<SignedUrl> {
        call(&self.faults, self.engine.sign(path, access, expires_at)).await
    }
}

struct FailingUpload {
    upload: Box<dyn Upload>,
    faults: Arc<Faults>,
}

#[async_trait]
impl Upload for FailingUpload {
    async fn write(&mut self, bytes: Bytes) -> blob::Result<()> {
        call(&self.faults, self.upload.write(bytes)).await
    }

    async fn publish(self: Box<Self>) -> blob::Result<()> {
        call(&self.faults, self.upload.publish()).await
    }

    async fn discard(self: Box<Self>) {
        self.upload.discard().await;
    }
}

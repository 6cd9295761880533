//! What a store must be able to do. Everything that is the same for all stores (typed
//! keys, hashing, limits) is done once, above, in [`Blobs`](crate::Blobs).

use std::fmt;
use std::ops::Range;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use model::Timestamp;
use object_store::path::Path;

use crate::{Access, ByteRange, ContentType, Result, SignedUrl};

/// The bytes of an object as they arrive.
pub type Body = BoxStream<'static, Result<Bytes>>;

/// A place that keeps objects under paths.
///
/// A path is a [`BlobKey`](crate::BlobKey) or, in listings and deletes only, whatever
/// else somebody has put into the store.
#[async_trait]
pub trait Engine: fmt::Debug + Send + Sync {
    /// Begins to write an object that replaces what is there. Nothing is visible before
    /// [`Upload::publish`].
    async fn start(&self, path: &Path, kind: Option<&ContentType>) -> Result<Box<dyn Upload>>;

    /// Writes an object unless there is one; of many concurrent writers exactly one wins.
    async fn put_new(
        &self,
        path: &Path,
        bytes: Bytes,
        kind: Option<&ContentType>,
    ) -> Result<Written>;

    /// Opens an object for reading, all of it or a part.
    async fn get(&self, path: &Path, range: Option<&ByteRange>) -> Result<Opened>;

    /// Facts about an object.
    async fn head(&self, path: &Path) -> Result<Meta>;

    /// Deletes objects; missing ones are no error.
    async fn delete(&self, paths: Vec<Path>) -> Result<()>;

    /// The objects below `prefix` (whole segments; none means all) whose path comes after
    /// `start_after`, in the byte order of their paths.
    fn list(&self, prefix: &Path, start_after: Option<&str>) -> BoxStream<'static, Result<Listed>>;

    /// Makes `to` the same object as `from`, inside the store.
    async fn copy(&self, from: &Path, to: &Path) -> Result<()>;

    /// Moves an object inside the store. It may for a moment be at both places, never at
    /// none.
    async fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// A URL by which someone without credentials may do `access` until `expires_at`.
    async fn sign(&self, path: &Path, access: &Access, expires_at: Timestamp) -> Result<SignedUrl>;
}

/// An object on its way into the store. Dropping it is discarding it.
#[async_trait]
pub trait Upload: Send {
    /// Takes the next bytes.
    async fn write(&mut self, bytes: Bytes) -> Result<()>;

    /// Makes the object durable and visible, in this order.
    async fn publish(self: Box<Self>) -> Result<()>;

    /// Gives up; returns when nothing is left of it.
    async fn discard(self: Box<Self>);
}

/// What became of a write that must not replace anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The object was written.
    Created,
    /// There was one already; it is untouched.
    AlreadyThere,
}

/// Facts about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Its size.
    pub size_bytes: u64,
    /// When it was written.
    pub modified: Timestamp,
}

impl From<&object_store::ObjectMeta> for Meta {
    fn from(meta: &object_store::ObjectMeta) -> Self {
        Self {
            size_bytes: meta.size,
            modified: Timestamp::from_millis(meta.last_modified.timestamp_millis()),
        }
    }
}

/// An object in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it is: a key, unless somebody else put it there.
    pub path: String,
    /// Facts about it.
    pub meta: Meta,
}

/// An object opened for reading.
pub struct Opened {
    /// Facts about the whole object.
    pub meta: Meta,
    /// Which of its bytes are in the body.
    pub range: Range<u64>,
    /// These bytes.
    pub body: Body,
}

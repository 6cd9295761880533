//! Objects in an S3 bucket, Amazon's or any server's that speaks its API.

mod config;
mod failure;
mod presign;
mod upload;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use model::Timestamp;
use object_store::aws::AmazonS3;
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error as StoreError, GetOptions, GetRange, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, PutOptions,
};

pub use self::config::{Addressing, S3Config, S3Credentials};
use self::failure::{classify, classify_object};
use self::upload::S3Upload;
use crate::{
    Access, BadKey, ByteRange, ContentType, Engine, Error, Listed, Meta, Opened, Result, SignedUrl,
    Upload, Written,
};

/// How often a write that lost to one that then vanished is tried again.
const ATTEMPTS_MAX: usize = 5;

/// A store in a bucket, below a prefix.
#[derive(Clone, Debug)]
pub(crate) struct S3 {
    store: Arc<AmazonS3>,
    prefix: Path,
}

impl S3 {
    /// Opens the bucket and makes sure that it is there and that we may look into it.
    pub(crate) async fn open(config: &S3Config) -> Result<Self> {
        install_tls();
        let builder = config::builder(config)?;
        let prefix = config::prefix(config)?;
        let action = format!("opening the S3 bucket {:?}", config.bucket);
        let store = builder.build().map_err(|error| classify(&action, &error))?;
        let look = PaginatedListOptions { max_keys: Some(1), ..Default::default() };
        let looked = store.list_paginated(Some(prefix.as_ref()), look).await;
        looked.map_err(|error| classify(&action, &error))?;
        Ok(Self { store: Arc::new(store), prefix })
    }

    fn inside(&self, path: &Path) -> Path {
        self.prefix.parts().chain(path.parts()).collect()
    }

    fn listed(&self, meta: &ObjectMeta) -> Option<Listed> {
        let path: Path = meta.location.prefix_match(&self.prefix)?.collect();
        Some(Listed { path: path.to_string(), meta: Meta::from(meta) })
    }

    /// The size of an object whose range could not be read, to tell a bad range from a
    /// failing store.
    async fn range_error(&self, path: &Path, range: &ByteRange, error: &StoreError) -> Error {
        match self.head(path).await {
            Ok(Meta { size_bytes, .. }) if range.within(size_bytes).is_none() => {
                Error::BadRange { key: path.to_string(), size_bytes }
            }
            _ => classify_object("reading", path.as_ref(), error),
        }
    }
}

#[async_trait]
impl Engine for S3 {
    async fn start(&self, path: &Path, kind: Option<&ContentType>) -> Result<Box<dyn Upload>> {
        let upload = S3Upload::new(Arc::clone(&self.store), self.inside(path), attributes(kind));
        Ok(Box::new(upload))
    }

    async fn put_new(
        &self,
        path: &Path,
        bytes: Bytes,
        kind: Option<&ContentType>,
    ) -> Result<Written> {
        let location = self.inside(path);
        for _ in 0..ATTEMPTS_MAX {
            let attributes = attributes(kind);
            let options = PutOptions { mode: PutMode::Create, attributes, ..Default::default() };
            match self.store.put_opts(&location, bytes.clone().into(), options).await {
                Ok(_) => return Ok(Written::Created),
                Err(StoreError::AlreadyExists { .. }) => {}
                Err(error) => return Err(classify(&format!("writing {path}"), &error)),
            }
            // S3 says the same when a concurrent writer is not done yet, and may then fail.
            match self.head(path).await {
                Ok(_) => return Ok(Written::AlreadyThere),
                Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::Unavailable {
            action: format!("writing {path}"),
            cause: "others keep writing and deleting the same object".to_owned(),
        })
    }

    async fn get(&self, path: &Path, range: Option<&ByteRange>) -> Result<Opened> {
        let options = GetOptions::new().with_range(range.map(|range| match range {
            ByteRange::Span(span) => GetRange::Bounded(span.clone()),
            ByteRange::From(start) => GetRange::Offset(*start),
            ByteRange::Last(count) => GetRange::Suffix(*count),
        }));
        let found = match (self.store.get_opts(&self.inside(path), options).await, range) {
            (Ok(found), _) => found,
            (Err(error), Some(range)) => return Err(self.range_error(path, range, &error).await),
            (Err(error), None) => return Err(classify_object("reading", path.as_ref(), &error)),
        };
        let (meta, range, key) = (Meta::from(&found.meta), found.range.clone(), path.to_string());
        let fail = move |error| classify_object("reading", &key, &error);
        Ok(Opened { meta, range, body: found.into_stream().map_err(fail).boxed() })
    }

    async fn head(&self, path: &Path) -> Result<Meta> {
        let found = self.store.head(&self.inside(path)).await;
        found
            .map(|meta| Meta::from(&meta))
            .map_err(|error| classify_object("looking for", path.as_ref(), &error))
    }

    async fn delete(&self, paths: Vec<Path>) -> Result<()> {
        let locations: Vec<_> = paths.iter().map(|path| Ok(self.inside(path))).collect();
        let mut deleted = self.store.delete_stream(stream::iter(locations).boxed());
        while let Some(result) = deleted.next().await {
            match result {
                Ok(_) | Err(StoreError::NotFound { .. }) => {}
                Err(error) => return Err(classify("deleting objects", &error)),
            }
        }
        Ok(())
    }

    fn list(&self, prefix: &Path, start_after: Option<&str>) -> BoxStream<'static, Result<Listed>> {
        let prefix = self.inside(prefix);
        let found = match start_after.map(Path::parse) {
            None => self.store.list(Some(&prefix)),
            Some(Ok(start)) => self.store.list_with_offset(Some(&prefix), &self.inside(&start)),
            Some(Err(_)) => {
                let bad = BadKey(start_after.unwrap_or_default().to_owned());
                return stream::iter([Err(bad.into())]).boxed();
            }
        };
        let this = self.clone();
        found
            .map_err(|error| classify("listing objects", &error))
            .try_filter_map(move |meta| futures::future::ready(Ok(this.listed(&meta))))
            .boxed()
    }

    async fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let copied = self.store.copy(&self.inside(from), &self.inside(to)).await;
        copied.map_err(|error| classify_object("copying", from.as_ref(), &error))
    }

    async fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.copy(from, to).await?;
        self.delete(vec![from.clone()]).await
    }

    async fn sign(&self, path: &Path, access: &Access, expires_at: Timestamp) -> Result<SignedUrl> {
        presign::presign(&self.store, &self.inside(path), access, expires_at).await
    }
}

/// The HTTP client is built without a choice of cryptography; the first one in the process
/// to choose decides, and everybody's choice does.
fn install_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn attributes(kind: Option<&ContentType>) -> Attributes {
    let mut attributes = Attributes::new();
    if let Some(kind) = kind {
        attributes.insert(Attribute::ContentType, kind.to_string().into());
    }
    attributes
}

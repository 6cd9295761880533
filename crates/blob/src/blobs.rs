use std::fmt;
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::Arc;

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use model::Timestamp;
use object_store::path::Path;
use sha2::Digest;

use crate::folder::Folder;
use crate::s3::S3;
use crate::{
    Access, BadKey, BlobKey, BlobPrefix, Body, ByteRange, ContentType, Engine, Error, Listed,
    LocalSigner, Meta, Result, S3Config, Sha256Sum, SignedUrl, Upload, Written,
};

/// The store of all objects. Cheap to clone; all clones are the same store.
#[derive(Clone, Debug)]
pub struct Blobs {
    engine: Arc<dyn Engine>,
    signer: Option<Arc<LocalSigner>>,
}

/// What an object must satisfy to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutLimits {
    /// The most bytes it may have; reading stops at the first byte too many.
    pub size_bytes_max: u64,
    /// The bytes it must have, if announced.
    pub size_bytes: Option<u64>,
    /// The checksum it must have, if announced.
    pub sha256: Option<Sha256Sum>,
    /// What it is to be served as, where the key does not tell: S3 answers presigned GETs
    /// with it. A folder does not keep it, since our own server knows it from the row.
    pub content_type: Option<ContentType>,
}

impl PutLimits {
    /// Only a limit of the size.
    pub fn at_most(size_bytes_max: u64) -> Self {
        Self { size_bytes_max, size_bytes: None, sha256: None, content_type: None }
    }
}

/// The proof that an object is stored: given only when it is durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The checksum of what was stored.
    pub sha256: Sha256Sum,
    /// The size of what was stored.
    pub size_bytes: u64,
}

/// What became of an object that must not replace another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutNew {
    /// It is stored.
    Created(Receipt),
    /// There was one already; it is untouched.
    AlreadyThere,
}

/// What became of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The object was moved.
    Now,
    /// It was not at the old place but at the new one: an earlier attempt got through.
    Before,
}

/// An object being read.
pub struct Fetched {
    /// Facts about the whole object.
    pub meta: Meta,
    /// Which of its bytes the body has.
    pub range: Range<u64>,
    /// These bytes; an error if the store ends before all of them have come.
    pub body: Body,
}

/// Some objects of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The objects, in the byte order of their paths.
    pub objects: Vec<Listed>,
    /// Where the next page starts, if there may be more.
    pub next: Option<String>,
}

/// How many objects are deleted with one request.
const DELETED_AT_ONCE: usize = 1000;

impl Blobs {
    /// Opens a store in a local folder, which is created if need be.
    ///
    /// URLs can be signed once a [signer](Self::with_signer) is set.
    pub async fn open_folder(root: &FilePath) -> Result<Self> {
        Ok(Self::on(Arc::new(Folder::open(root).await?)))
    }

    /// Opens a store in an S3 bucket, which must exist.
    pub async fn open_s3(config: &S3Config) -> Result<Self> {
        Ok(Self::on(Arc::new(S3::open(config).await?)))
    }

    /// The same store with something between it and its engine.
    #[must_use]
    pub fn wrapped(self, wrap: impl FnOnce(Arc<dyn Engine>) -> Arc<dyn Engine>) -> Self {
        Self { engine: wrap(self.engine), ..self }
    }

    /// A store on any engine.
    pub fn on(engine: Arc<dyn Engine>) -> Self {
        Self { engine, signer: None }
    }

    /// From now on URLs are signed by `signer`, to be served by our own server, also where
    /// the engine could sign its own.
    pub fn with_signer(mut self, signer: LocalSigner) -> Self {
        self.signer = Some(Arc::new(signer));
        self
    }

    /// Stores what `body` yields under `key`, replacing what is there.
    pub async fn put<S, E>(&self, key: &BlobKey, body: S, limits: &PutLimits) -> Result<Receipt>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        refuse_announced_excess(limits)?;
        let mut upload = self.engine.start(&path(key)?, content_type(key, limits).as_ref()).await?;
        match receive(&mut *upload, body, limits).await {
            Ok(receipt) => upload.publish().await.map(|()| receipt),
            Err(error) => {
                upload.discard().await;
                Err(error)
            }
        }
    }

    /// Stores `bytes` under `key`, replacing what is there.
    pub async fn put_bytes(
        &self,
        key: &BlobKey,
        bytes: Bytes,
        limits: &PutLimits,
    ) -> Result<Receipt> {
        let body = stream::iter([Ok::<_, std::convert::Infallible>(bytes)]);
        self.put(key, body, limits).await
    }

    /// Stores `bytes` under `key` unless there is an object; of many concurrent writers
    /// exactly one gets `Created`.
    ///
    /// If the answer of S3 to our own write is lost, this may say `AlreadyThere` about that
    /// very write; whoever must know compares what is there.
    pub async fn try_put_new(
        &self,
        key: &BlobKey,
        bytes: Bytes,
        limits: &PutLimits,
    ) -> Result<PutNew> {
        refuse_announced_excess(limits)?;
        let mut tally = Tally::new(limits);
        tally.add(&bytes)?;
        let receipt = tally.finish()?;
        let kind = content_type(key, limits);
        match self.engine.put_new(&path(key)?, bytes, kind.as_ref()).await? {
            Written::Created => Ok(PutNew::Created(receipt)),
            Written::AlreadyThere => Ok(PutNew::AlreadyThere),
        }
    }

    /// Opens an object for reading, all of it or a part.
    pub async fn get(&self, key: &BlobKey, range: Option<&ByteRange>) -> Result<Fetched> {
        let opened = self.engine.get(&path(key)?, range).await?;
        let body = complete(key.to_string(), &opened.range, opened.body);
        Ok(Fetched { meta: opened.meta, range: opened.range, body })
    }

    /// Facts about an object.
    pub async fn head(&self, key: &BlobKey) -> Result<Meta> {
        self.engine.head(&path(key)?).await
    }

    /// Reads a whole object and says what is there, in the form of the receipt that was
    /// given for it.
    pub async fn measure(&self, key: &BlobKey) -> Result<Receipt> {
        let limits = PutLimits::at_most(u64::MAX);
        let mut tally = Tally::new(&limits);
        let mut body = self.get(key, None).await?.body;
        while let Some(bytes) = body.try_next().await? {
            tally.add(&bytes)?;
        }
        tally.finish()
    }

    /// Deletes an object; a missing one is no error.
    pub async fn delete(&self, key: &BlobKey) -> Result<()> {
        self.engine.delete(vec![path(key)?]).await
    }

    /// Deletes objects; missing ones are no error. After an error some may be deleted.
    pub async fn delete_many(&self, keys: &[BlobKey]) -> Result<()> {
        for keys in keys.chunks(DELETED_AT_ONCE) {
            self.engine.delete(keys.iter().map(path).collect::<Result<_>>()?).await?;
        }
        Ok(())
    }

    /// Deletes everything below a prefix, foreign objects included, and says how many there
    /// were. After an error some may be deleted.
    pub async fn delete_prefix(&self, prefix: &BlobPrefix) -> Result<u64> {
        let mut deleted = 0;
        let mut batches = self.list(prefix, None).try_chunks(DELETED_AT_ONCE);
        while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
            let paths: Vec<Path> =
                batch.iter().map(|listed| parse(&listed.path)).collect::<Result<_>>()?;
            deleted += paths.len() as u64;
            self.engine.delete(paths).await?;
        }
        Ok(deleted)
    }

    /// The objects below a prefix whose path comes after `start_after`, in the byte order of
    /// their paths: the cheapest way to go through many.
    ///
    /// A path that is no [`BlobKey`] belongs to somebody else.
    pub fn list(
        &self,
        prefix: &BlobPrefix,
        start_after: Option<&str>,
    ) -> BoxStream<'static, Result<Listed>> {
        match parse(&prefix.to_string()) {
            Ok(prefix) => self.engine.list(&prefix, start_after),
            Err(error) => stream::iter([Err(error)]).boxed(),
        }
    }

    /// Up to `limit` objects of [`list`](Self::list).
    pub async fn list_page(
        &self,
        prefix: &BlobPrefix,
        start_after: Option<&str>,
        limit: usize,
    ) -> Result<Page> {
        let objects: Vec<Listed> = self.list(prefix, start_after).take(limit).try_collect().await?;
        let full = objects.len() == limit;
        let next = objects.last().filter(|_| full).map(|last| last.path.clone());
        Ok(Page { objects, next })
    }

    /// Makes `to` the same object as `from`, replacing what is there, without moving bytes
    /// through this process. S3 does this for objects up to 5 GiB.
    pub async fn copy(&self, from: &BlobKey, to: &BlobKey) -> Result<()> {
        self.engine.copy(&path(from)?, &path(to)?).await
    }

    /// Moves an object, replacing what is at the new place; may be repeated after a crash.
    pub async fn rename(&self, from: &BlobKey, to: &BlobKey) -> Result<Moved> {
        match self.engine.rename(&path(from)?, &path(to)?).await {
            Ok(()) => Ok(Moved::Now),
            Err(missing @ Error::NotFound { .. }) => match self.head(to).await {
                Ok(_) => Ok(Moved::Before),
                Err(Error::NotFound { .. }) => Err(missing),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// A URL by which someone without credentials may do `access` up to and including
    /// `expires_at`, in whole seconds: a fraction is cut off.
    pub async fn sign(
        &self,
        key: &BlobKey,
        access: &Access,
        expires_at: Timestamp,
    ) -> Result<SignedUrl> {
        match &self.signer {
            Some(signer) => Ok(signer.sign(key, access, expires_at)),
            None => self.engine.sign(&path(key)?, access, expires_at).await,
        }
    }

    /// What verifies the URLs of [`sign`](Self::sign), if they are ours to verify.
    pub fn signer(&self) -> Option<&LocalSigner> {
        self.signer.as_deref()
    }
}

/// Hands everything `body` yields to `upload`, and stops as soon as it cannot be stored.
async fn receive<S, E>(upload: &mut dyn Upload, body: S, limits: &PutLimits) -> Result<Receipt>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: fmt::Display,
{
    let mut tally = Tally::new(limits);
    let mut body = std::pin::pin!(body);
    while let Some(bytes) = body.next().await {
        let bytes = bytes.map_err(|error| Error::Interrupted { cause: error.to_string() })?;
        tally.add(&bytes)?;
        upload.write(bytes).await?;
    }
    tally.finish()
}

/// Counts and hashes bytes on their way, and knows what is wrong with them.
struct Tally<'a> {
    limits: &'a PutLimits,
    hash: sha2::Sha256,
    size_bytes: u64,
}

impl<'a> Tally<'a> {
    fn new(limits: &'a PutLimits) -> Self {
        Self { limits, hash: sha2::Sha256::new(), size_bytes: 0 }
    }

    fn add(&mut self, bytes: &Bytes) -> Result<()> {
        self.size_bytes = self.size_bytes.saturating_add(bytes.len() as u64);
        if self.size_bytes > self.limits.size_bytes_max {
            return Err(Error::TooLarge { limit_bytes: self.limits.size_bytes_max });
        }
        match self.limits.size_bytes {
            Some(expected) if self.size_bytes > expected => Err(self.size_mismatch(expected)),
            _ => {
                self.hash.update(bytes);
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<Receipt> {
        if let Some(expected) = self.limits.size_bytes.filter(|size| *size != self.size_bytes) {
            return Err(self.size_mismatch(expected));
        }
        let found = Sha256Sum::from_bytes(self.hash.finalize().into());
        match self.limits.sha256 {
            Some(expected) if expected != found => Err(Error::ChecksumMismatch { expected, found }),
            _ => Ok(Receipt { sha256: found, size_bytes: self.size_bytes }),
        }
    }

    fn size_mismatch(&self, expected_bytes: u64) -> Error {
        Error::SizeMismatch { expected_bytes, found_bytes: self.size_bytes }
    }
}

/// An object announced as too large is refused before a byte of it is read.
fn refuse_announced_excess(limits: &PutLimits) -> Result<()> {
    match limits.size_bytes {
        Some(size) if size > limits.size_bytes_max => {
            Err(Error::TooLarge { limit_bytes: limits.size_bytes_max })
        }
        _ => Ok(()),
    }
}

/// Turns a body that ends early, or stops yielding anything, into an error.
fn complete(key: String, range: &Range<u64>, body: Body) -> Body {
    let missing_bytes = range.end.saturating_sub(range.start);
    stream::try_unfold((body, missing_bytes), move |(mut body, missing_bytes)| {
        let key = key.clone();
        async move {
            if missing_bytes == 0 {
                return Ok(None);
            }
            match body.try_next().await? {
                Some(bytes) if !bytes.is_empty() => {
                    let missing_bytes = missing_bytes.saturating_sub(bytes.len() as u64);
                    Ok(Some((bytes, (body, missing_bytes))))
                }
                _ => {
                    let problem = format!("its last {missing_bytes} bytes cannot be read");
                    Err(Error::Corrupt { key, problem })
                }
            }
        }
    })
    .boxed()
}

fn content_type(key: &BlobKey, limits: &PutLimits) -> Option<ContentType> {
    limits.content_type.clone().or_else(|| key.content_type())
}

fn path(key: &BlobKey) -> Result<Path> {
    parse(&key.to_string())
}

fn parse(path: &str) -> Result<Path> {
    Path::parse(path).map_err(|_| BadKey(path.to_owned()).into())
}

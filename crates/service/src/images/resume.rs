//! Uploads that can be resumed: bytes are kept as they come, in parts, and put together at the end.
//!
//! A part is an object of its own, durable before the row that counts it, so this works the same
//! on a folder and on S3, and with any server taking any piece. Nothing that was acknowledged has
//! to be sent again; what a killed server had in memory and not acknowledged, has.

use std::fmt;

use blob::{BlobKey, PutLimits, Receipt};
use bytes::{Bytes, BytesMut};
use catalog::{Appended, UploadPart, UploadParts};
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt, TryStreamExt};
use model::{Image, ImageId};
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::Uploaded;
use super::upload::may_pass;
use crate::{Caller, Error, Result, Scope, Service};

/// An upload that can be resumed.
#[derive(Clone, Debug, PartialEq)]
pub struct ResumableUpload {
    /// The image to be; pending.
    pub image: Image,
    /// How many bytes have come.
    pub offset: u64,
}

/// A checksum of the bytes of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceChecksum {
    /// SHA-1, which the protocol asks for. Good against accidents, not against malice.
    Sha1([u8; 20]),
    /// SHA-256.
    Sha256([u8; 32]),
}

/// What became of the bytes of one request.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Resumed {
    /// They are kept; more are missing.
    Kept {
        /// How many bytes have come in all.
        offset: u64,
    },
    /// They were the last; the upload is complete.
    Complete(Uploaded),
    /// They do not begin where the bytes before them ended.
    WrongOffset {
        /// Where to go on.
        offset: u64,
    },
    /// They are not what their checksum says, and were not kept.
    WrongChecksum,
}

/// Bytes that are kept in one object, and held in memory before that.
const PART_BYTES: usize = 8 << 20;
/// An upload in more pieces than this is refused; a row cannot name more.
const PARTS_MAX: usize = 8000;

impl Service {
    /// An upload of the caller that is not complete. If all bytes have come but the upload was
    /// never completed, because the server was killed, it is completed now.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none.
    pub async fn load_resumable(&self, caller: &Caller, image: ImageId) -> Result<ResumableUpload> {
        caller.require(Scope::Write)?;
        let image = self.load_pending(caller, image).await?;
        let parts = self.catalog().find_upload_parts(image.id).await?;
        let offset = parts.size_bytes();
        if Some(offset) == announced(&image) {
            let _ = self.complete(image.clone(), parts).await?;
        }
        Ok(ResumableUpload { image, offset })
    }

    /// Adds bytes to an upload. What came before the sender broke off is kept, unless a checksum
    /// was given, which it cannot satisfy then.
    ///
    /// # Errors
    /// When there is no such upload, or the bytes are too many or no image.
    pub async fn resume_upload<S, E>(
        &self,
        caller: &Caller,
        image: ImageId,
        offset: u64,
        checksum: Option<PieceChecksum>,
        body: S,
    ) -> Result<Resumed>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send + 'static,
        E: fmt::Display + Send + 'static,
    {
        caller.require(Scope::Write)?;
        self.require_room(0)?;
        let image = match self.load_pending(caller, image).await {
            // Complete, perhaps just now; all bytes have come.
            Err(Error::NotFound { .. }) => {
                let uploaded = self.load_uploaded(caller, image).await?;
                let offset = u64::try_from(uploaded.image().size_bytes()).unwrap_or_default();
                return Ok(Resumed::WrongOffset { offset });
            }
            pending => pending?,
        };
        let parts = self.catalog().find_upload_parts(image.id).await?;
        if parts.size_bytes() != offset {
            return Ok(Resumed::WrongOffset { offset: parts.size_bytes() });
        }
        let service = self.clone();
        // Goes on when nobody waits any more, to keep what has come.
        let kept = tokio::spawn(async move { service.append(image, parts, checksum, body).await });
        kept.await.map_err(Error::internal)?
    }

    async fn append<S, E>(
        &self,
        image: Image,
        before: UploadParts,
        checksum: Option<PieceChecksum>,
        body: S,
    ) -> Result<Resumed>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        let mut piece = Piece::new(self, &image, &before, checksum);
        let broke_off = match piece.receive(body).await {
            Ok(broke_off) => broke_off,
            Err(error) => {
                piece.discard().await;
                return Err(error);
            }
        };
        if checksum.is_some() && (broke_off.is_some() || !piece.is_as_announced()) {
            piece.discard().await;
            return Ok(Resumed::WrongChecksum);
        }
        let parts = piece.finish().await?;
        if let Some(error) = broke_off {
            return Err(error);
        }
        match parts.size_bytes() {
            offset if Some(offset) == announced(&image) => {
                self.complete(image, parts).await.map(Resumed::Complete)
            }
            offset => Ok(Resumed::Kept { offset }),
        }
    }

    /// Puts the parts together and makes the image its owner's.
    async fn complete(&self, image: Image, parts: UploadParts) -> Result<Uploaded> {
        let receipt = self.assemble(&image, &parts).await;
        let uploaded = match receipt {
            Ok(receipt) => self.finish_upload(&image, receipt).await?,
            // A store that does not answer may do so later; the bytes are kept for that.
            Err(error) if may_pass(&error) => return Err(error),
            Err(error) => return Err(self.give_up_upload(image.id, error).await),
        };
        let leftover = self.blobs().delete_prefix(&blob::BlobPrefix::PartsOf(image.id)).await;
        if let Err(error) = leftover {
            tracing::warn!(image = %image.id, %error, "parts of an upload stay for the sweeper");
        }
        Ok(uploaded)
    }

    async fn assemble(&self, image: &Image, parts: &UploadParts) -> Result<Receipt> {
        let keys = parts.parts.iter().map(|part| part_key(image.id, part.part));
        let keys: Vec<BlobKey> = keys.collect();
        let blobs = self.blobs().clone();
        let bodies = stream::iter(keys).then(move |key| {
            let blobs = blobs.clone();
            async move { blobs.get(&key, None).await.map(|fetched| fetched.body) }
        });
        let body: BoxStream<'static, blob::Result<Bytes>> = bodies.try_flatten().boxed();
        self.receive(image, body).await.map_err(|error| match error {
            // It is our own store that broke off, and the parts are still there.
            Error::Interrupted { message } => Error::Unavailable { message },
            error => error,
        })
    }
}

fn part_key(image: ImageId, part: u64) -> BlobKey {
    BlobKey::UploadPart { image, part }
}

/// How many bytes there will be.
fn announced(image: &Image) -> Option<u64> {
    let size_bytes = image.upload.as_ref()?.size_bytes?;
    u64::try_from(size_bytes).ok()
}

/// The bytes of one request on their way into parts.
struct Piece<'a> {
    service: &'a Service,
    image: &'a Image,
    parts: UploadParts,
    /// Stored, and not yet counted by the row.
    uncounted: Vec<UploadPart>,
    buffer: BytesMut,
    /// With a checksum, parts are counted only when all have come.
    checksum: Option<(PieceChecksum, Hasher)>,
}

enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl<'a> Piece<'a> {
    fn new(
        service: &'a Service,
        image: &'a Image,
        before: &UploadParts,
        checksum: Option<PieceChecksum>,
    ) -> Self {
        let hasher = |checksum| match checksum {
            PieceChecksum::Sha1(_) => Hasher::Sha1(Sha1::new()),
            PieceChecksum::Sha256(_) => Hasher::Sha256(Sha256::new()),
        };
        Self {
            service,
            image,
            parts: before.clone(),
            uncounted: Vec::new(),
            buffer: BytesMut::new(),
            checksum: checksum.map(|checksum| (checksum, hasher(checksum))),
        }
    }

    /// Takes everything that comes. Returns the error that the sender ended with, if any; what came
    /// before it is kept.
    async fn receive<S, E>(&mut self, body: S) -> Result<Option<Error>>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        let mut body = std::pin::pin!(body);
        while let Some(bytes) = body.next().await {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(error) => return Ok(Some(Error::Interrupted { message: error.to_string() })),
            };
            self.check_room(bytes.len())?;
            match &mut self.checksum {
                Some((_, Hasher::Sha1(hasher))) => hasher.update(&bytes),
                Some((_, Hasher::Sha256(hasher))) => hasher.update(&bytes),
                None => {}
            }
            self.buffer.extend_from_slice(&bytes);
            if self.buffer.len() >= PART_BYTES {
                self.store().await?;
            }
        }
        Ok(None)
    }

    fn check_room(&self, more: usize) -> Result<()> {
        let size_bytes = self.size_bytes().saturating_add(more as u64);
        let limit = announced(self.image).unwrap_or(self.service.settings().limits.bytes);
        if size_bytes > limit {
            let message = format!("more bytes came than the {limit} announced; begin again");
            return Err(Error::BytesDiffer { message });
        }
        if self.parts.parts.len() + self.uncounted.len() >= PARTS_MAX {
            let message = format!("the upload is in more than {PARTS_MAX} pieces; begin again");
            return Err(Error::BytesDiffer { message });
        }
        Ok(())
    }

    fn size_bytes(&self) -> u64 {
        let uncounted: u64 = self.uncounted.iter().map(|part| part.size_bytes).sum();
        self.parts.size_bytes() + uncounted + self.buffer.len() as u64
    }

    /// Makes what is in memory durable, and counts it.
    async fn store(&mut self) -> Result<()> {
        let bytes = self.buffer.split().freeze();
        if !bytes.is_empty() {
            self.service.require_room(bytes.len() as u64)?;
            let part = rand::random::<u64>() >> 1;
            let size_bytes = bytes.len() as u64;
            let limits = PutLimits::at_most(size_bytes);
            let key = part_key(self.image.id, part);
            self.service.blobs().put_bytes(&key, bytes, &limits).await?;
            self.uncounted.push(UploadPart { part, size_bytes });
        }
        if self.checksum.is_some() { Ok(()) } else { self.count().await }
    }

    async fn count(&mut self) -> Result<()> {
        if self.uncounted.is_empty() {
            return Ok(());
        }
        let catalog = self.service.catalog();
        let new = std::mem::take(&mut self.uncounted);
        match catalog.append_upload_parts(self.image.id, &self.parts, &new).await? {
            Appended::Appended(parts) => {
                self.parts = parts;
                Ok(())
            }
            Appended::Conflict | Appended::Gone => {
                self.uncounted = new;
                self.discard().await;
                Err(Error::UploadContested)
            }
        }
    }

    fn is_as_announced(&self) -> bool {
        match &self.checksum {
            None => true,
            Some((PieceChecksum::Sha1(expected), Hasher::Sha1(hasher))) => {
                hasher.clone().finalize().as_slice() == expected
            }
            Some((PieceChecksum::Sha256(expected), Hasher::Sha256(hasher))) => {
                hasher.clone().finalize().as_slice() == expected
            }
            Some(_) => false,
        }
    }

    async fn finish(mut self) -> Result<UploadParts> {
        self.checksum = None;
        self.store().await?;
        Ok(self.parts)
    }

    /// Removes what was stored and not counted. What stays is removed with the upload.
    async fn discard(&self) {
        let keys: Vec<BlobKey> =
            self.uncounted.iter().map(|part| part_key(self.image.id, part.part)).collect();
        if let Err(error) = self.service.blobs().delete_many(&keys).await {
            tracing::debug!(image = %self.image.id, %error, "parts stay until the upload ends");
        }
    }
}

//! Taking photos in. However the bytes come, it is the same three steps: reserve, receive, commit.

use std::fmt;
use std::future;

use blob::{BlobKey, PutLimits, Receipt, Sha256Sum};
use bytes::Bytes;
use catalog::{Committed, Received, Reservation, Reserved, Restated};
use futures::Stream;
use model::{
    AltText, Description, Filename, Image, ImageId, ImageStatus, MediaType, Original, Sha256Hex,
    Tag, Timestamp, Title, UploadTerms, Visibility,
};

use super::repeated::{expect_same_announced, said_of};
use crate::requests::check_key;
use crate::{Caller, Error, Result, Scope, Service};

/// What somebody says about an image before its bytes come.
#[derive(Clone, Debug)]
pub struct NewImage {
    /// The name the file has.
    pub filename: Option<Filename>,
    /// The title.
    pub title: Option<Title>,
    /// The description.
    pub description: Option<Description>,
    /// The alternative text.
    pub alt_text: Option<AltText>,
    /// Public tags.
    pub tags: Vec<Tag>,
    /// Who may see it.
    pub visibility: Visibility,
    /// How many bytes will come, if known. They are taken from the quota at once.
    pub size_bytes: Option<u64>,
    /// What they are, if known; others are refused.
    pub sha256: Option<Sha256Hex>,
    /// When the image is to disappear by itself, if ever.
    pub expires_at: Option<Timestamp>,
    /// Whether a second copy of bytes that the owner has is wanted.
    pub keep_duplicate: bool,
    /// Whether what cannot be shown is to be refused instead of kept.
    pub only_shown: bool,
    /// What tells a repeated request from a new one.
    pub idempotency_key: Option<String>,
}

impl Default for NewImage {
    fn default() -> Self {
        Self {
            filename: None,
            title: None,
            description: None,
            alt_text: None,
            tags: Vec::new(),
            visibility: Visibility::Private,
            size_bytes: None,
            sha256: None,
            expires_at: None,
            keep_duplicate: false,
            only_shown: false,
            idempotency_key: None,
        }
    }
}

impl NewImage {
    /// Makes an image that is to be received until then what is said about it.
    fn describe(&self, image: &mut Image, until: Timestamp) {
        image.filename.clone_from(&self.filename);
        image.title.clone_from(&self.title);
        image.description.clone_from(&self.description);
        image.alt_text.clone_from(&self.alt_text);
        image.tags.clone_from(&self.tags);
        image.tags.sort();
        image.tags.dedup();
        image.visibility = self.visibility;
        image.upload = Some(UploadTerms {
            size_bytes: self.size_bytes.map(as_i64),
            sha256: self.sha256.clone(),
            expires_at: self.expires_at,
            keep_duplicate: self.keep_duplicate,
            only_shown: self.only_shown,
            until,
        });
    }
}

/// What more there was to say did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokeOff;

/// How an upload began.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Begun {
    /// The quota is taken; the bytes may come.
    Reserved(Image),
    /// The same request has been answered before; this is its image.
    Repeated(Image),
}

/// How an upload ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Uploaded {
    /// The image is kept, durably.
    Created(Image),
    /// The owner has these bytes already, as this image.
    Duplicate(Image),
    /// The same request has been answered before; this is its image.
    Repeated(Image),
}

impl Uploaded {
    /// The image that has the bytes.
    pub fn into_image(self) -> Image {
        match self {
            Self::Created(image) | Self::Duplicate(image) | Self::Repeated(image) => image,
        }
    }

    /// The image that has the bytes.
    pub fn image(&self) -> &Image {
        match self {
            Self::Created(image) | Self::Duplicate(image) | Self::Repeated(image) => image,
        }
    }
}

impl Service {
    /// Takes an image in one go. Once this has returned, it survives a crash.
    ///
    /// It goes on to the end even if nobody waits for it any more, so that whatever it has begun
    /// is finished or given back.
    ///
    /// # Errors
    /// When the caller may not, has no quota left, or the bytes are no image that can be kept.
    pub async fn upload<S, E>(&self, caller: &Caller, new: NewImage, body: S) -> Result<Uploaded>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send + 'static,
        E: fmt::Display + Send + 'static,
    {
        self.upload_then(caller, new, body, future::ready(Ok(None))).await
    }

    /// The same where more may be said about the image after its bytes: `later` is all that is
    /// said of it in the end, if that is more than `new`.
    ///
    /// # Errors
    /// As [`upload`](Self::upload); also when nothing is known of the end.
    pub async fn upload_then<S, E, L>(
        &self,
        caller: &Caller,
        new: NewImage,
        body: S,
        later: L,
    ) -> Result<Uploaded>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send + 'static,
        E: fmt::Display + Send + 'static,
        L: Future<Output = std::result::Result<Option<NewImage>, BrokeOff>> + Send + 'static,
    {
        let image = match self.begin_upload(caller, &new).await? {
            Begun::Reserved(image) => image,
            Begun::Repeated(image) => {
                self.expect_same_body(&image, &new, body).await?;
                return Ok(Uploaded::Repeated(image));
            }
        };
        let service = self.clone();
        let received = tokio::spawn(async move {
            match service.take(&image, body, later).await {
                Ok(uploaded) => Ok(uploaded),
                // Whatever it was, the bytes must be sent again.
                Err(error) => Err(service.give_up_upload(image.id, error).await),
            }
        });
        received.await.map_err(Error::internal)?
    }

    async fn take<S, E, L>(&self, image: &Image, body: S, later: L) -> Result<Uploaded>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
        L: Future<Output = std::result::Result<Option<NewImage>, BrokeOff>> + Send,
    {
        let receipt = self.receive(image, body).await?;
        match later.await {
            Ok(None) => self.finish_upload(image, receipt).await,
            Ok(Some(new)) => {
                let image = self.restate(image, &new, &receipt).await?;
                self.finish_upload(&image, receipt).await
            }
            Err(BrokeOff) => Err(Error::Interrupted { message: "its end did not come".to_owned() }),
        }
    }

    /// Takes what was said after the bytes, which may not be other ones.
    async fn restate(&self, image: &Image, new: &NewImage, receipt: &Receipt) -> Result<Image> {
        self.check_announced(new)?;
        let announced = new.sha256.as_ref().map(Sha256Hex::as_str);
        if new.size_bytes.is_some_and(|size_bytes| size_bytes != receipt.size_bytes)
            || announced.is_some_and(|sha256| sha256 != receipt.sha256.to_string())
        {
            let message = "the bytes sent are not those announced; send them again".to_owned();
            return Err(Error::BytesDiffer { message });
        }
        let mut image = image.clone();
        let until = image.upload.as_ref().map_or_else(|| self.now(), |terms| terms.until);
        new.describe(&mut image, until);
        match self.catalog().restate_upload(&image, self.now()).await? {
            Restated::Restated(image) => Ok(image),
            Restated::TooManyTags { max } => Err(Error::TooManyTags { max }),
            Restated::Gone => Err(Error::UploadContested),
        }
    }

    /// Reserves an upload whose bytes come later, by some other way.
    ///
    /// # Errors
    /// When the caller may not, has no quota left, or what they say cannot be.
    pub async fn begin_upload(&self, caller: &Caller, new: &NewImage) -> Result<Begun> {
        caller.require(Scope::Write)?;
        self.check_announced(new)?;
        self.require_room(new.size_bytes.unwrap_or_default())?;
        // A repeated request whose first one never came to an end takes its place. Then there is
        // nothing left to be repeated, so the second round reserves or ends with an error.
        for _ in 0..2 {
            match self.reserve(caller, new).await? {
                Begun::Repeated(first) if first.status == ImageStatus::Pending => {
                    self.clear_upload(first.id).await?;
                }
                Begun::Repeated(first) => {
                    expect_same_announced(&first, new)?;
                    return Ok(Begun::Repeated(first));
                }
                begun => return Ok(begun),
            }
        }
        Err(Error::UploadContested)
    }

    fn check_announced(&self, new: &NewImage) -> Result<()> {
        if let Some(size_bytes) = new.size_bytes {
            self.settings().limits.check_bytes(size_bytes)?;
        }
        if let Some(key) = &new.idempotency_key {
            check_key(key)?;
        }
        match new.expires_at {
            Some(at) if at <= self.now() => {
                Err(Error::invalid("expiresAt", "must be in the future"))
            }
            _ => Ok(()),
        }
    }

    async fn reserve(&self, caller: &Caller, new: &NewImage) -> Result<Begun> {
        let now = self.now();
        let mut image = Image::pending(ImageId::new(now, rand::random()), caller.user, now);
        let until = now.after(self.settings().upload_time);
        new.describe(&mut image, until);
        let reservation = Reservation {
            image,
            bytes: new.size_bytes.map_or(0, as_i64),
            expires_at: until,
            idempotency_key: new.idempotency_key.clone(),
            said: new.idempotency_key.is_some().then(|| said_of(new)),
        };
        match self.catalog().reserve_upload(reservation).await? {
            Reserved::Reserved(image) => Ok(Begun::Reserved(image)),
            Reserved::Repeated(first) => match self.catalog().find_image(first).await? {
                Some(image) if image.purging_since.is_none() => Ok(Begun::Repeated(image)),
                // The key is not free before a day has passed.
                _ => Err(Error::ResultDeleted { image: first }),
            },
            Reserved::KeyTaken(first) => self.replace_unended(first).await,
            Reserved::NoImagesLeft(quota) => Err(Error::NoImagesLeft(quota)),
            Reserved::NoBytesLeft(quota) => Err(Error::NoBytesLeft(quota)),
            Reserved::NoUser => Err(Error::NotFound { what: "user" }),
            Reserved::TooManyTags { max } => Err(Error::TooManyTags { max }),
        }
    }

    /// A request that never came to an end stands in nobody's way, whatever it said.
    async fn replace_unended(&self, first: Option<ImageId>) -> Result<Begun> {
        let Some(first) = first else { return Err(Error::KeyTaken) };
        match self.catalog().find_image(first).await? {
            Some(image) if image.status == ImageStatus::Pending => Ok(Begun::Repeated(image)),
            _ => Err(Error::KeyTaken),
        }
    }

    /// Stores the bytes as the original of a reserved image.
    pub(crate) async fn receive<S, E>(&self, image: &Image, body: S) -> Result<Receipt>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        let limits = self.put_limits(image);
        Ok(self.blobs().put(&BlobKey::Original(image.id), body, &limits).await?)
    }

    /// What the bytes of a reserved image must satisfy.
    pub(crate) fn put_limits(&self, image: &Image) -> PutLimits {
        let terms = image.upload.as_ref();
        let sha256 = terms.and_then(|terms| terms.sha256.as_ref());
        PutLimits {
            size_bytes: terms
                .and_then(|terms| terms.size_bytes)
                .and_then(|size_bytes| u64::try_from(size_bytes).ok()),
            sha256: sha256.and_then(|sha256| sha256.as_str().parse().ok()),
            ..PutLimits::at_most(self.settings().limits.bytes)
        }
    }

    /// Looks at what has been stored and makes it the owner's. Nothing stays of what is refused;
    /// if a store does not answer, everything stays, to be finished later.
    pub(crate) async fn finish_upload(&self, image: &Image, receipt: Receipt) -> Result<Uploaded> {
        let finished = match self.examine(image).await {
            Ok(media_type) => self.commit(image, receipt, media_type).await,
            Err(error) => Err(error),
        };
        match finished {
            Err(error) if !may_pass(&error) => Err(self.give_up_upload(image.id, error).await),
            finished => finished,
        }
    }

    /// What kind of file it is. An image that cannot be shown is kept nevertheless, unless its owner
    /// wants only what can: processing then fails with the reason, and the original stays.
    async fn examine(&self, image: &Image) -> Result<MediaType> {
        let file = self.load_file(&BlobKey::Original(image.id)).await?;
        let only_shown = image.upload.as_ref().is_some_and(|terms| terms.only_shown);
        let settings = self.settings();
        let (kind, found) = file.look(settings.limits, settings.sizes.clone()).await?;
        match (kind, found) {
            (_, Ok(found)) => Ok(found.media_type),
            (Some(kind), Err(error)) if !only_shown && error.is_about_showing() => Ok(kind),
            (_, Err(error)) => Err(error.into()),
        }
    }

    async fn commit(
        &self,
        reserved: &Image,
        receipt: Receipt,
        media_type: MediaType,
    ) -> Result<Uploaded> {
        let (image, terms) = (reserved.id, reserved.upload.as_ref());
        let received = Received {
            image,
            original: Original {
                size_bytes: as_i64(receipt.size_bytes),
                sha256: hex(receipt.sha256)?,
            },
            media_type,
            expires_at: terms.and_then(|terms| terms.expires_at),
            keep_duplicate: terms.is_some_and(|terms| terms.keep_duplicate),
        };
        match self.catalog().commit_upload(&received, self.now()).await? {
            Committed::Committed(image) => {
                self.hint();
                Ok(Uploaded::Created(image))
            }
            Committed::Duplicate(first) => {
                self.remove_bytes(image).await;
                let first = self.catalog().find_image(first).await?;
                first.map(Uploaded::Duplicate).ok_or(Error::UploadContested)
            }
            Committed::NoBytesLeft(quota) => {
                self.remove_bytes(image).await;
                Err(Error::NoBytesLeft(quota))
            }
            // The commit got through, and only its answer was lost.
            Committed::NotReserved(Some(image)) => Ok(Uploaded::Created(image)),
            Committed::NotReserved(None) => {
                let first = self.catalog().find_uploaded(reserved.owner, image).await?;
                first.map(Uploaded::Duplicate).ok_or(Error::UploadContested)
            }
        }
    }

    /// Gives back what a failed upload had reserved. What cannot be given back now, because a
    /// store does not answer, is given back when the reservation ends.
    pub(crate) async fn give_up_upload(&self, image: ImageId, error: Error) -> Error {
        if let Err(left) = self.clear_upload(image).await {
            tracing::warn!(%image, error = %left, "an upload is cleared away later");
        }
        error
    }

    async fn remove_bytes(&self, image: ImageId) {
        if let Err(left) = self.blobs().delete(&BlobKey::Original(image)).await {
            tracing::warn!(%image, error = %left, "bytes without an image stay for the sweeper");
        }
    }
}

/// Whether the same bytes may be finished later.
pub(super) fn may_pass(error: &Error) -> bool {
    matches!(error, Error::Unavailable { .. } | Error::StorageFull { .. })
}

fn as_i64(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn hex(sha256: Sha256Sum) -> Result<Sha256Hex> {
    sha256.to_string().parse().map_err(Error::internal)
}

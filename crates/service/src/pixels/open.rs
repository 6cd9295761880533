//! The bytes of a picture, in the best form that the client takes.

use std::ops::Range;
use std::time::Duration;

use blob::{Access, BlobKey, Body, ByteRange, Meta, SignedUrl};
use bytes::Bytes;
use futures::TryStreamExt;
use model::{ImageId, MediaType, RenditionFormat, SizeSpec};

use super::cache::CACHED_BYTES_MAX;
use super::{PixelName, PixelSource};
use crate::{Error, Result, Service};

/// Which formats a client takes, beside JPEG and PNG, which all do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// AVIF.
    pub avif: bool,
    /// WebP.
    pub webp: bool,
}

/// How long an address of the storage works: not longer than the temporary credentials that many
/// installations sign with.
const REDIRECT_TIME: Duration = Duration::from_secs(5 * 60);

/// A picture to be sent.
pub struct OpenedPixels {
    /// What it is to be served as.
    pub content_type: &'static str,
    /// Facts about the whole object.
    pub meta: Meta,
    /// Which of its bytes follow.
    pub range: Range<u64>,
    /// These bytes.
    pub body: PixelBody,
    /// The name to keep it under, of an original.
    pub filename: Option<String>,
}

/// The bytes of a picture.
pub enum PixelBody {
    /// All at once.
    Bytes(Bytes),
    /// As they are read.
    Stream(Body),
}

impl OpenedPixels {
    /// Changes whenever the bytes do.
    pub fn etag(&self) -> String {
        format!("\"{:x}-{:x}\"", self.meta.modified.as_millis(), self.meta.size_bytes)
    }
}

impl Service {
    /// Opens a picture for somebody who may have it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such image, or no such size.
    pub async fn open_pixels(
        &self,
        image: ImageId,
        name: &PixelName,
        accepts: Accepts,
        range: Option<&ByteRange>,
    ) -> Result<OpenedPixels> {
        match self.locate(image, name, accepts).await? {
            BlobKey::Original(_) => self.open_original(image, range).await,
            key => self.open_object(key, range).await,
        }
    }

    /// Where the storage itself hands a picture out, if that is wanted. Originals always come from
    /// us: the storage knows neither their kind nor their name.
    ///
    /// # Errors
    /// As [`open_pixels`](Self::open_pixels).
    pub async fn redirect_pixels(
        &self,
        image: ImageId,
        name: &PixelName,
        accepts: Accepts,
    ) -> Result<Option<SignedUrl>> {
        if !self.settings().redirect_pixels || name.source == PixelSource::Original {
            return Ok(None);
        }
        let key = self.locate(image, name, accepts).await?;
        match self.blobs().head(&key).await {
            Err(blob::Error::NotFound { .. }) => return Err(Error::NotFound { what: "image" }),
            found => drop(found?),
        }
        let until = self.now().after(REDIRECT_TIME);
        Ok(Some(self.blobs().sign(&key, &Access::Get, until).await?))
    }

    /// The object of a picture; of one on demand, once it is made.
    async fn locate(&self, image: ImageId, name: &PixelName, accepts: Accepts) -> Result<BlobKey> {
        match &name.source {
            PixelSource::Original => Ok(BlobKey::Original(image)),
            PixelSource::Size(size) => {
                let sizes = &self.settings().sizes;
                let spec = sizes.iter().find(|spec| spec.name() == size);
                let spec = spec.ok_or(Error::NotFound { what: "size" })?;
                self.locate_size(image, spec, name.format, accepts).await
            }
            PixelSource::Face(face) => self.locate_portrait(image, *face).await,
            PixelSource::Demand(request) => {
                let format = name.format.unwrap_or_else(|| self.best_format(accepts));
                let request = imaging::TransformRequest { format: Some(format), ..*request };
                let spec = self.allowed(request)?;
                self.demand(image, spec).await
            }
        }
    }

    /// A rendition as it was made, or made anew in a format that the client takes.
    async fn locate_size(
        &self,
        image: ImageId,
        spec: &SizeSpec,
        asked: Option<RenditionFormat>,
        accepts: Accepts,
    ) -> Result<BlobKey> {
        let takes = |format| accepts.takes(format);
        let stored = spec.format();
        let format = match asked {
            Some(format) => format,
            None if takes(stored) => stored,
            None => RenditionFormat::Jpeg,
        };
        if format == stored {
            let size = spec.name().clone();
            return Ok(BlobKey::Rendition { image, size, format });
        }
        if !self.settings().transforms.formats.contains(&format) {
            return Err(Error::invalid("format", "is not offered"));
        }
        let sides = (spec.width(), spec.height());
        let other = SizeSpec::new(spec.name().clone(), sides, spec.fit(), format, spec.quality());
        self.demand(image, other.map_err(Error::internal)?).await
    }

    /// AVIF where it is offered, since whoever offers it has decided that it is worth its time.
    fn best_format(&self, accepts: Accepts) -> RenditionFormat {
        let offered = &self.settings().transforms.formats;
        [RenditionFormat::Avif, RenditionFormat::Webp]
            .into_iter()
            .find(|format| offered.contains(format) && accepts.takes(*format))
            .unwrap_or(RenditionFormat::Jpeg)
    }

    async fn open_original(
        &self,
        image: ImageId,
        range: Option<&ByteRange>,
    ) -> Result<OpenedPixels> {
        let found = self.catalog().find_image(image).await?;
        let is_there = |image: &model::Image| image.original.is_some();
        let found = found.filter(is_there).ok_or(Error::NotFound { what: "image" })?;
        let mut opened = self.open_object(BlobKey::Original(image), range).await?;
        opened.content_type = found.media_type.map_or(UNKNOWN, MediaType::name);
        opened.filename = found.filename.map(|name| name.as_str().to_owned());
        Ok(opened)
    }

    async fn open_object(&self, key: BlobKey, range: Option<&ByteRange>) -> Result<OpenedPixels> {
        if let Some((meta, bytes)) = self.pixel_cache().get(&key) {
            return cut(&key, meta, &bytes, range);
        }
        let fetched = match self.blobs().get(&key, range).await {
            Err(blob::Error::NotFound { .. }) => return Err(Error::NotFound { what: "image" }),
            fetched => fetched?,
        };
        let (meta, range) = (fetched.meta, fetched.range);
        let is_whole = range.end - range.start == meta.size_bytes;
        let content_type = content_type(&key);
        let body = if is_whole && meta.size_bytes <= CACHED_BYTES_MAX && is_rendition(&key) {
            let bytes: Bytes = fetched.body.try_collect::<Vec<Bytes>>().await?.concat().into();
            self.pixel_cache().put(key, meta, bytes.clone());
            PixelBody::Bytes(bytes)
        } else {
            PixelBody::Stream(fetched.body)
        };
        Ok(OpenedPixels { content_type, meta, range, body, filename: None })
    }
}

impl Accepts {
    fn takes(self, format: RenditionFormat) -> bool {
        match format {
            RenditionFormat::Avif => self.avif,
            RenditionFormat::Webp => self.webp,
            RenditionFormat::Jpeg | RenditionFormat::Png => true,
        }
    }
}

const UNKNOWN: &str = "application/octet-stream";

fn cut(
    key: &BlobKey,
    meta: Meta,
    bytes: &Bytes,
    range: Option<&ByteRange>,
) -> Result<OpenedPixels> {
    let whole = 0..meta.size_bytes;
    let range = range.map_or(Some(whole), |range| range.within(meta.size_bytes));
    let range = range.ok_or(Error::BadRange { size_bytes: meta.size_bytes })?;
    let part = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    let part = part.and_then(|(start, end)| bytes.get(start..end).map(|_| bytes.slice(start..end)));
    let body = part.ok_or_else(|| Error::internal("a cached picture is shorter than it says"))?;
    let content_type = content_type(key);
    Ok(OpenedPixels { content_type, meta, range, body: PixelBody::Bytes(body), filename: None })
}

fn is_rendition(key: &BlobKey) -> bool {
    matches!(key, BlobKey::Rendition { .. } | BlobKey::Transform { .. })
}

fn content_type(key: &BlobKey) -> &'static str {
    match key {
        BlobKey::Rendition { format, .. }
        | BlobKey::Transform { format, .. }
        | BlobKey::Face { format, .. } => match format {
            RenditionFormat::Webp => "image/webp",
            RenditionFormat::Avif => "image/avif",
            RenditionFormat::Jpeg => "image/jpeg",
            RenditionFormat::Png => "image/png",
        },
        _ => UNKNOWN,
    }
}

//! Uploads straight to storage: asked for first, sent to a signed URL, and then completed.

use std::fmt;
use std::time::Duration;

use blob::{Access, BlobKey, PutLimits, PutTerms, SignatureError, SignedUrl};
use bytes::Bytes;
use futures::Stream;
use model::ImageId;

use super::Uploaded;
use super::upload::may_pass;
use crate::{Caller, Error, Result, Scope, Service};

/// How long a URL to send to works.
const URL_TIME: Duration = Duration::from_secs(60 * 60);

impl Service {
    /// Where to send the bytes of an upload that was begun.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such upload.
    pub async fn sign_upload(&self, caller: &Caller, image: ImageId) -> Result<SignedUrl> {
        caller.require(Scope::Write)?;
        let image = self.load_pending(caller, image).await?;
        let limits = self.put_limits(&image);
        let terms = PutTerms {
            size_bytes_max: limits.size_bytes.unwrap_or(limits.size_bytes_max),
            content_type: None,
        };
        let url_ends = self.now().after(URL_TIME);
        let until = image.upload.map_or(url_ends, |terms| terms.until.min(url_ends));
        Ok(self.blobs().sign(&BlobKey::Upload(image.id), &Access::Put(terms), until).await?)
    }

    /// Where a storage that answers by itself is reached, such as `https://bucket.example.org`;
    /// none if we answer for it.
    pub async fn storage_origin(&self) -> Option<String> {
        if self.settings().storage_url.is_some() {
            return None;
        }
        let now = self.now();
        let any = BlobKey::Original(ImageId::new(now, 0));
        let signed = self.blobs().sign(&any, &Access::Get, now.after(URL_TIME)).await.ok()?;
        Some(signed.url.origin().ascii_serialization())
    }

    /// Takes what is sent to a URL that we have signed ourselves.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if it was not for this.
    pub async fn receive_signed<S, E>(&self, path: &str, query: &str, body: S) -> Result<()>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: fmt::Display,
    {
        let signer = self.blobs().signer().ok_or(Error::BadSignature)?;
        let grant = signer.verify("PUT", path, query, self.now()).map_err(|error| match error {
            SignatureError::Malformed | SignatureError::Forged | SignatureError::Expired { .. } => {
                Error::BadSignature
            }
        })?;
        let Access::Put(terms) = grant.access else { return Err(Error::BadSignature) };
        self.require_room(0)?;
        let limits = PutLimits::at_most(terms.size_bytes_max);
        self.blobs().put(&grant.key, body, &limits).await?;
        Ok(())
    }

    /// Makes what was sent to a signed URL the caller's image. May be repeated.
    ///
    /// # Errors
    /// [`Error::BytesMissing`] if nothing has been sent yet.
    pub async fn complete_upload(&self, caller: &Caller, image: ImageId) -> Result<Uploaded> {
        caller.require(Scope::Write)?;
        let pending = match self.load_pending(caller, image).await {
            // Completed before, and only the answer was lost.
            Err(Error::NotFound { .. }) => return self.load_uploaded(caller, image).await,
            pending => pending?,
        };
        // Out of the reach of whoever still has the URL; only then is it looked at.
        match self.blobs().rename(&BlobKey::Upload(image), &BlobKey::Original(image)).await {
            Err(blob::Error::NotFound { .. }) => self.expect_moved(image).await?,
            moved => drop(moved?),
        }
        let service = self.clone();
        let finished = tokio::spawn(async move {
            match service.measure_original(&pending).await {
                Ok(receipt) => service.finish_upload(&pending, receipt).await,
                // A store that does not answer may do so later.
                Err(error) if may_pass(&error) => Err(error),
                Err(error) => Err(service.give_up_upload(image, error).await),
            }
        });
        finished.await.map_err(Error::internal)?
    }

    /// Fails unless the bytes were taken out of reach before, by somebody who was cut short or is
    /// completing the same upload now.
    async fn expect_moved(&self, image: ImageId) -> Result<()> {
        match self.blobs().head(&BlobKey::Original(image)).await {
            Err(blob::Error::NotFound { .. }) => Err(Error::BytesMissing),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(()),
        }
    }

    /// What was really sent: S3 takes any size and any bytes.
    async fn measure_original(&self, image: &model::Image) -> Result<blob::Receipt> {
        let key = BlobKey::Original(image.id);
        let limits = self.put_limits(image);
        self.settings().limits.check_bytes(self.blobs().head(&key).await?.size_bytes)?;
        let receipt = self.blobs().measure(&key).await?;
        let is_as_announced = limits.size_bytes.is_none_or(|size| size == receipt.size_bytes)
            && limits.sha256.is_none_or(|sha256| sha256 == receipt.sha256);
        if !is_as_announced {
            let message = "the bytes sent are not those announced; begin again".to_owned();
            return Err(Error::BytesDiffer { message });
        }
        Ok(receipt)
    }
}

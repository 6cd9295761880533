//! Clearing away what was promised and never came.

use blob::{BlobKey, BlobPrefix};
use catalog::Claim;
use model::{ImageId, Subject, WorkKind};

use crate::work::{Done, LEASE};
use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// Ends an upload that its owner does not want any more.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such upload, or it is complete.
    pub async fn cancel_upload(&self, caller: &Caller, image: ImageId) -> Result<()> {
        caller.require(Scope::Write)?;
        self.load_pending(caller, image).await?;
        self.clear_upload(image).await
    }

    /// An upload of the caller that is not complete.
    pub(crate) async fn load_pending(
        &self,
        caller: &Caller,
        image: ImageId,
    ) -> Result<model::Image> {
        let found = self.catalog().find_image(image).await?;
        let is_pending = |image: &model::Image| {
            image.owner == caller.user && image.status == model::ImageStatus::Pending
        };
        found.filter(is_pending).ok_or(Error::NotFound { what: "upload" })
    }

    /// Removes what came of an upload, and then its reservation. From the claim on it cannot be
    /// committed, so no image ever loses its bytes; if this is cut short, the claim runs out and
    /// a worker does the rest.
    pub(crate) async fn clear_upload(&self, image: ImageId) -> Result<()> {
        let claim = Claim { worker: "upload".to_owned(), lease: LEASE, limit: 1 };
        let subject = Subject::Image(image);
        let claimed =
            self.catalog().claim_work_of(WorkKind::Expire, subject, &claim, self.now()).await?;
        if claimed.is_some() {
            return self.expire(image).await.map(|_| ());
        }
        // Nothing is reserved, or somebody else clears it away. Bytes without a row are of no use
        // to anybody.
        if self.catalog().find_image(image).await?.is_none() {
            self.delete_blobs(image).await?;
        }
        Ok(())
    }

    /// What a worker does who has claimed it.
    pub(crate) async fn expire(&self, image: ImageId) -> Result<Done> {
        self.delete_blobs(image).await?;
        let _ = self.catalog().release_upload(image).await?;
        Ok(Done::Finished)
    }

    /// Removes every object of an image.
    pub(crate) async fn delete_blobs(&self, image: ImageId) -> Result<()> {
        self.pixel_cache().forget(image);
        self.blobs().delete(&BlobKey::Upload(image)).await?;
        self.blobs().delete_prefix(&BlobPrefix::PartsOf(image)).await?;
        self.blobs().delete_prefix(&BlobPrefix::Image(image)).await?;
        self.blobs().delete_prefix(&BlobPrefix::TransformsOf(image)).await?;
        Ok(())
    }
}

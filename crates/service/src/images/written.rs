//! What was written into a photo, by its camera and by people, and into the file of XMP beside it.
//!
//! A sidecar is kept as it came, one for each image and never longer than a limit, so that it can be
//! given back; quotas do not count it. What is read never takes the place of what the owner has said
//! since (`model::Image::take_over`).

use blob::{BlobKey, PutLimits};
use bytes::Bytes;
use catalog::{PageRequest, ReadFile, TakenOver};
use futures::TryStreamExt;
use imaging::Probe;
use model::limits::SIDECAR_BYTES_MAX;
use model::{Image, ImageId, ImageStatus, Sidecar, Subject, UserId, Work, WorkKind};
use sha2::{Digest, Sha256};

use crate::studio::off_the_runtime;
use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// Keeps a sidecar beside an image of the caller, in the place of one that was there, and takes
    /// over what it says.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such image, [`Error::BadSidecar`] if it is none.
    pub async fn put_sidecar(
        &self,
        caller: &Caller,
        image: ImageId,
        bytes: Bytes,
    ) -> Result<Image> {
        caller.require(Scope::Write)?;
        let sidecar = sidecar_of(&bytes)?;
        let found = self.own_received(caller, image).await?;
        self.require_room(bytes.len() as u64)?;
        // Also if the row has it already: whoever was cut short may have left another object.
        self.store_sidecar(image, bytes).await?;
        if found.sidecar.as_ref() == Some(&sidecar) {
            return Ok(found);
        }
        self.read_file_of(&found, Some(sidecar)).await?.ok_or(Error::NotFound { what: "image" })
    }

    /// The sidecar of an image of the caller, as it came.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such image, or it has none.
    pub async fn load_sidecar(&self, caller: &Caller, image: ImageId) -> Result<Bytes> {
        caller.require(Scope::Read)?;
        let found = self.own_received(caller, image).await?;
        if found.sidecar.is_none() {
            return Err(Error::NotFound { what: "sidecar" });
        }
        self.read_sidecar(image).await
    }

    async fn own_received(&self, caller: &Caller, image: ImageId) -> Result<Image> {
        let found = self.catalog().find_image(image).await?;
        let is_own = |image: &Image| {
            image.owner == caller.user
                && image.uploaded_at.is_some()
                && image.purging_since.is_none()
                && image.external.is_none()
        };
        found.filter(is_own).ok_or(Error::NotFound { what: "image" })
    }

    pub(super) async fn store_sidecar(&self, image: ImageId, bytes: Bytes) -> Result<()> {
        let limits = PutLimits::at_most(SIDECAR_BYTES_MAX);
        self.blobs().put_bytes(&BlobKey::Sidecar(image), bytes, &limits).await?;
        Ok(())
    }

    async fn read_sidecar(&self, image: ImageId) -> Result<Bytes> {
        let mut body = self.blobs().get(&BlobKey::Sidecar(image), None).await?.body;
        let mut bytes = Vec::new();
        while let Some(chunk) = body.try_next().await? {
            if bytes.len() + chunk.len() > usize::try_from(SIDECAR_BYTES_MAX).unwrap_or(usize::MAX)
            {
                return Err(Error::internal("a sidecar is longer than any can be"));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.into())
    }

    /// Reads an image and this sidecar, and takes over what they say. An image whose file cannot be
    /// read says nothing itself. Nothing, if there is no such image any more.
    pub(super) async fn read_file_of(
        &self,
        image: &Image,
        sidecar: Option<Sidecar>,
    ) -> Result<Option<Image>> {
        let probe = match self.probe_original(image.id).await {
            Ok(probe) => Some(probe),
            Err(Error::Image(error)) if error.is_about_showing() => None,
            Err(error) => return Err(error),
        };
        let read = self.read_with(image.id, probe.as_ref(), sidecar).await?;
        match self.catalog().take_over(image.id, &read, self.now()).await? {
            TakenOver::Written(image) => {
                // For albums that it was put into meanwhile.
                self.catalog().place_by_taken(image.id).await?;
                self.hint_change();
                Ok(Some(image))
            }
            TakenOver::Unchanged(image) => Ok(Some(image)),
            TakenOver::Gone => Ok(None),
        }
    }

    pub(super) async fn probe_original(&self, image: ImageId) -> Result<Probe> {
        let file = self.load_file(&BlobKey::Original(image)).await?;
        let (probe, _) = file.probe().await?;
        Ok(probe)
    }

    /// What a file and its sidecar say together.
    pub(super) async fn read_with(
        &self,
        image: ImageId,
        probe: Option<&Probe>,
        sidecar: Option<Sidecar>,
    ) -> Result<ReadFile> {
        let read = |probe: Option<Probe>| {
            let (metadata, exif) =
                probe.map(|probe| (probe.metadata, probe.exif)).unwrap_or_default();
            ReadFile { exif, metadata, sidecar: sidecar.clone() }
        };
        let probe = probe.cloned();
        if sidecar.is_none() {
            return Ok(read(probe));
        }
        let bytes = match self.read_sidecar(image).await {
            // It was understood when it came. The photo is worth more than what is beside it.
            Err(Error::ObjectMissing { message }) => {
                tracing::warn!(%image, error = message, "a sidecar is missing");
                return Ok(read(probe));
            }
            bytes => bytes?,
        };
        let understood = off_the_runtime(move || {
            let said = imaging::metadata::read_sidecar(&bytes);
            Ok(said.map_err(|error| bad(&error)))
        });
        match (understood.await?, probe) {
            (Ok(said), Some(probe)) => Ok(read(Some(probe.with_sidecar(&said)))),
            (Ok(said), None) => {
                Ok(ReadFile { exif: said.exif(), metadata: said.metadata(), ..read(None) })
            }
            (Err(error), probe) => {
                tracing::warn!(%image, %error, "a sidecar is not understood any more");
                Ok(read(probe))
            }
        }
    }

    /// Has every image of every user read again that can be, and says how many wait for that now.
    /// For images that came before what is written into photos was read.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn read_all_again(&self, caller: &Caller) -> Result<usize> {
        caller.require_administrator()?;
        let mut queued = 0;
        let mut users = PageRequest::first(100);
        loop {
            let page = self.catalog().list_users(&users).await?;
            for user in &page.entries {
                queued += self.queue_all_of(user.id).await?;
                self.hint();
            }
            if page.next.is_none() {
                return Ok(queued);
            }
            users.cursor = page.next;
        }
    }

    async fn queue_all_of(&self, owner: UserId) -> Result<usize> {
        let mut queued = 0;
        let mut images = PageRequest::first(100);
        loop {
            let page = self.catalog().list_images(owner, catalog::Order::Newest, &images).await?;
            let is_read =
                |image: &&Image| image.status == ImageStatus::Completed && image.external.is_none();
            for image in page.entries.iter().filter(is_read) {
                let work =
                    Work::new(WorkKind::Process, Subject::Image(image.id), owner, self.now());
                queued += usize::from(self.catalog().put_work(&work).await?);
            }
            if page.next.is_none() {
                return Ok(queued);
            }
            images.cursor = page.next;
        }
    }
}

/// What is written down of a sidecar, if it is one.
///
/// # Errors
/// When it is none, or too long.
pub(super) fn sidecar_of(bytes: &Bytes) -> Result<Sidecar> {
    let size_bytes = bytes.len() as u64;
    if size_bytes > SIDECAR_BYTES_MAX {
        return Err(Error::SidecarTooLarge { bytes: size_bytes, limit: SIDECAR_BYTES_MAX });
    }
    imaging::metadata::read_sidecar(bytes).map_err(|error| bad(&error))?;
    let sha256 = crate::hex::hex(&Sha256::digest(bytes)).parse().map_err(Error::internal)?;
    Ok(Sidecar { size_bytes: i64::try_from(size_bytes).unwrap_or(i64::MAX), sha256 })
}

fn bad(error: &imaging::Error) -> Error {
    Error::BadSidecar { message: error.to_string() }
}

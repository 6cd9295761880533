//! Renditions on demand: made once however many ask, and kept as objects.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use blob::{BlobKey, PutLimits};
use imaging::TransformRequest;
use model::{ImageId, SizeSpec};
use tokio::sync::OnceCell;

use crate::studio::Turn;
use crate::{Error, Result, Service};

/// What is being made now.
#[derive(Default)]
pub(crate) struct SingleFlight(Mutex<HashMap<BlobKey, Arc<OnceCell<()>>>>);

impl SingleFlight {
    /// The one cell of everybody who wants this object.
    fn join(&self, key: &BlobKey) -> Arc<OnceCell<()>> {
        let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(flights.entry(key.clone()).or_default())
    }

    fn leave(&self, key: &BlobKey) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

impl Service {
    /// The specification of a rendition on demand, if it is allowed.
    pub(super) fn allowed(&self, request: TransformRequest) -> Result<SizeSpec> {
        let transform = self.settings().transforms.check(request)?;
        Ok(transform.spec().clone())
    }

    /// Makes sure that a rendition on demand is stored, and says where.
    pub(super) async fn demand(&self, image: ImageId, spec: SizeSpec) -> Result<BlobKey> {
        let key = demand_key(image, &spec)?;
        if self.blobs().head(&key).await.is_ok() {
            return Ok(key);
        }
        let flight = self.flights().join(&key);
        let (service, made) = (self.clone(), key.clone());
        // In a task of its own, so that it goes on for the others when the first to ask hangs up.
        let landed = flight.get_or_try_init(async move || {
            let making = tokio::spawn(async move { service.make(image, spec, &made).await });
            making.await.map_err(Error::internal)?
        });
        let landed = landed.await.map(|_| ());
        self.flights().leave(&key);
        landed.map(|()| key)
    }

    async fn make(&self, image: ImageId, spec: SizeSpec, key: &BlobKey) -> Result<()> {
        let original = BlobKey::Original(image);
        let file = self.load_file(&original).await.map_err(|error| missing(error, image))?;
        let (probe, file) = file.probe().await?;
        let options = self.settings().render;
        let rendered = self.studio().render(file, probe, vec![spec], options, Turn::Now).await?;
        let made = rendered.renditions.into_iter().next();
        let bytes = made.ok_or_else(|| Error::internal("no rendition was made"))?.bytes;
        let limits = PutLimits::at_most(bytes.len() as u64);
        self.blobs().put_bytes(key, bytes.into(), &limits).await?;
        // Had it been purged meanwhile, the new object would be an orphan.
        if self.catalog().find_image(image).await?.is_none() {
            self.blobs().delete(key).await?;
            return Err(Error::NotFound { what: "image" });
        }
        Ok(())
    }
}

/// An original that is not there belongs to an image that is not there either.
fn missing(error: Error, image: ImageId) -> Error {
    tracing::debug!(%image, %error, "no original");
    match error {
        Error::ObjectMissing { .. } => Error::NotFound { what: "image" },
        error => error,
    }
}

/// Named by what it is, so that a change of the configuration never finds an old one.
fn demand_key(image: ImageId, spec: &SizeSpec) -> Result<BlobKey> {
    let fit = match spec.fit() {
        model::Fit::Inside => "inside",
        model::Fit::Cover => "cover",
    };
    let name = format!("w{}-h{}-{fit}-q{}", spec.width(), spec.height(), spec.quality());
    let name = name.parse().map_err(Error::internal)?;
    Ok(BlobKey::Transform { image, name, format: spec.format() })
}

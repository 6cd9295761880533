use std::sync::Arc;

use blob::Blobs;
use catalog::Catalog;
use model::Timestamp;
use tokio::sync::watch;

use crate::secret::MasterSecret;
use crate::studio::Studio;
use crate::{Clock, Result, Settings};

/// All use cases, on one table and one store of objects. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Service {
    parts: Arc<Parts>,
    secret: MasterSecret,
    studio: Arc<Studio>,
    hints: watch::Sender<u64>,
}

/// What the use cases stand on.
pub struct Parts {
    /// The rows.
    pub catalog: Catalog,
    /// The objects.
    pub blobs: Blobs,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// What the installation has decided.
    pub settings: Settings,
}

impl Service {
    /// A service on these parts. The first one on a table makes up the secret that all share.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn open(parts: Parts) -> Result<Self> {
        let secret = MasterSecret::load(&parts.catalog).await?;
        let studio = Arc::new(Studio::new(&parts.settings));
        let (hints, _) = watch::channel(0);
        Ok(Self { parts: Arc::new(parts), secret, studio, hints })
    }

    /// What the installation has decided.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// Changes when there is something to do or to tell in this process. Only a hint, for those
    /// who look from time to time anyway.
    pub fn hints(&self) -> watch::Receiver<u64> {
        self.hints.subscribe()
    }

    pub(crate) fn hint(&self) {
        self.hints.send_modify(|count| *count = count.wrapping_add(1));
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.parts.catalog
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.parts.blobs
    }

    pub(crate) fn studio(&self) -> &Arc<Studio> {
        &self.studio
    }

    pub(crate) fn secret(&self) -> &MasterSecret {
        &self.secret
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }
}

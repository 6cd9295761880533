use std::sync::Arc;

use blob::Blobs;
use catalog::Catalog;
use model::Timestamp;
use tokio::sync::Notify;

use crate::accounts::Passwords;
use crate::secret::MasterSecret;
use crate::{Clock, Result, Settings};

/// All use cases, on one table and one store of objects. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Service {
    parts: Arc<Parts>,
    secret: MasterSecret,
    passwords: Arc<Passwords>,
    work_waits: Arc<Notify>,
    changed: Arc<Notify>,
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
        let passwords = Arc::new(Passwords::new(parts.settings.accounts.password_cost)?);
        let (work_waits, changed) = (Arc::default(), Arc::default());
        Ok(Self { parts: Arc::new(parts), secret, passwords, work_waits, changed })
    }

    /// What the installation has decided.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// Tells workers in this process that there is something to do. Only a hint: they look from
    /// time to time, too.
    pub fn work_waits(&self) -> &Arc<Notify> {
        &self.work_waits
    }

    pub(crate) fn changed(&self) -> &Arc<Notify> {
        &self.changed
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.parts.catalog
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.parts.blobs
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.passwords
    }

    pub(crate) fn secret(&self) -> &MasterSecret {
        &self.secret
    }

    /// Now, by the clock of this installation.
    pub fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }
}

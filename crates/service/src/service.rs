use std::sync::{Arc, Mutex, PoisonError};

use blob::{Blobs, LocalSigner};
use catalog::Catalog;
use model::Timestamp;
use tokio::sync::{Notify, watch};

use crate::accounts::{KNOWN_TOKENS_MAX, KnownTokens, Passwords};
use crate::images::KeptTimelines;
use crate::people::KeptLibraries;
use crate::pixels::{PixelCache, SingleFlight};
use crate::secret::MasterSecret;
use crate::studio::Studio;
use crate::{Clock, Error, People, Result, Settings, SizesRun};

/// All use cases, on one table and one store of objects. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct Service {
    shared: Arc<Shared>,
}

struct Shared {
    parts: Parts,
    secret: MasterSecret,
    passwords: Passwords,
    studio: Arc<Studio>,
    flights: SingleFlight,
    pixel_cache: PixelCache,
    known_tokens: KnownTokens,
    timelines: KeptTimelines,
    sizes_run: Mutex<SizesRun>,
    kept_libraries: KeptLibraries,
    hints: watch::Sender<u64>,
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
    /// Whether faces are looked for, and by what.
    pub people: People,
}

impl Service {
    /// A service on these parts. The first one on a table makes up the secret that all share.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn open(mut parts: Parts) -> Result<Self> {
        let secret = MasterSecret::load(&parts.catalog).await?;
        if let Some(url) = &parts.settings.storage_url {
            let signer = LocalSigner::new(url, &secret.for_storage()?).map_err(Error::internal)?;
            parts.blobs = parts.blobs.with_signer(signer);
        }
        let shared = Shared {
            passwords: Passwords::new(parts.settings.accounts.password_cost)?,
            studio: Arc::new(Studio::new(&parts.settings)),
            parts,
            secret,
            flights: SingleFlight::default(),
            pixel_cache: PixelCache::new(),
            known_tokens: KnownTokens::new(KNOWN_TOKENS_MAX),
            timelines: KeptTimelines::new(),
            sizes_run: Mutex::default(),
            kept_libraries: KeptLibraries::default(),
            hints: watch::channel(0).0,
            changed: Arc::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// What the installation has decided.
    pub fn settings(&self) -> &Settings {
        &self.shared.parts.settings
    }

    /// Whether faces are looked for, and by what.
    pub fn people(&self) -> &People {
        &self.shared.parts.people
    }

    /// Changes when there is something to do in this process. Only a hint, for workers who look
    /// from time to time anyway.
    pub fn hints(&self) -> watch::Receiver<u64> {
        self.shared.hints.subscribe()
    }

    pub(crate) fn hint(&self) {
        self.shared.hints.send_modify(|count| *count = count.wrapping_add(1));
    }

    pub(crate) fn changed(&self) -> &Arc<Notify> {
        &self.shared.changed
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.shared.parts.catalog
    }

    pub(crate) fn blobs(&self) -> &Blobs {
        &self.shared.parts.blobs
    }

    pub(crate) fn studio(&self) -> &Arc<Studio> {
        &self.shared.studio
    }

    pub(crate) fn flights(&self) -> &SingleFlight {
        &self.shared.flights
    }

    pub(crate) fn pixel_cache(&self) -> &PixelCache {
        &self.shared.pixel_cache
    }

    pub(crate) fn known_tokens(&self) -> &KnownTokens {
        &self.shared.known_tokens
    }

    pub(crate) fn timelines(&self) -> &KeptTimelines {
        &self.shared.timelines
    }

    /// Reads or changes how far looking for missing sizes has come.
    pub(crate) fn change_sizes_run<T>(&self, change: impl FnOnce(&mut SizesRun) -> T) -> T {
        // Numbers are whole whatever happened to who held them.
        change(&mut self.shared.sizes_run.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn kept_libraries(&self) -> &KeptLibraries {
        &self.shared.kept_libraries
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.shared.passwords
    }

    pub(crate) fn secret(&self) -> &MasterSecret {
        &self.shared.secret
    }

    /// Now, by the clock of this installation.
    pub fn now(&self) -> Timestamp {
        self.shared.parts.clock.now()
    }
}

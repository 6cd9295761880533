//! The use cases on the engines that the configuration names.

use std::sync::Arc;

use catalog::Catalog;
use service::{Parts, People, Service, Settings, SystemClock};

use crate::config::Config;
use crate::engines::Engines;
use crate::failure::Failure;

/// Opens the use cases. `storage_url` is where blobs in a folder are reached, if they are; `people`
/// what finds faces, for those who work.
pub async fn open(
    config: &Config,
    engines: &Engines,
    storage_url: Option<String>,
    people: People,
) -> Result<Service, Failure> {
    let settings =
        Settings { accounts: config.accounts.clone(), ..config.images.settings(storage_url) };
    let parts = Parts {
        catalog: Catalog::new(engines.table.shared()),
        blobs: engines.blobs.clone(),
        clock: Arc::new(SystemClock),
        settings,
        people,
    };
    Service::open(parts).await.map_err(|error| Failure::Start(format!("the service: {error}")))
}

//! The use cases on the engines that the configuration names.

use std::sync::Arc;

use catalog::Catalog;
use service::{Parts, People, Room, Service, Settings, SystemClock};

use crate::config::{BlobConfig, Config, TableConfig};
use crate::data_folder::DataFolder;
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
    let settings = Settings { room: room(config), ..settings };
    let parts = Parts {
        catalog: Catalog::new(engines.table.shared()),
        blobs: engines.blobs.clone(),
        clock: Arc::new(SystemClock),
        settings,
        people,
    };
    Service::open(parts).await.map_err(|error| Failure::Start(format!("the service: {error}")))
}

/// The disk of the data folder, if anything is kept there.
fn room(config: &Config) -> Option<Arc<Room>> {
    let data = DataFolder::new(&config.data_folder);
    let table = matches!(config.table, TableConfig::Embedded { .. }).then(|| data.table());
    let blobs = matches!(config.blob, BlobConfig::Folder).then(|| data.blobs());
    let folders: Vec<_> = table.into_iter().chain(blobs.clone()).collect();
    if folders.is_empty() {
        return None;
    }
    let room = Room::new(folders, config.images.free_bytes_min);
    Some(Arc::new(match blobs {
        Some(blobs) => room.photos_in(blobs),
        None => room,
    }))
}

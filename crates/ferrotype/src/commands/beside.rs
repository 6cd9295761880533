//! Commands that work whether a server runs or not.

use service::People;

use crate::config::Config;
use crate::control::{self, Order};
use crate::data_folder::DataFolder;
use crate::engines::Engines;
use crate::failure::Failure;
use crate::output::say;
use crate::use_cases;

/// Does something on the stores; or has the server do it that has the embedded table, which belongs
/// to one process. On DynamoDB there may be any number.
pub(super) async fn beside(
    config: &Config,
    order: Order,
    people: impl AsyncFnOnce() -> Result<People, Failure>,
) -> Result<(), Failure> {
    let engines = match Engines::open(config).await {
        Err(Failure::EmbeddedTable(table_embedded::OpenError::Locked { .. })) => {
            return control::ask(&DataFolder::new(&config.data_folder).control(), order).await;
        }
        opened => opened?,
    };
    let done = done(config, &engines, order, people).await;
    engines.table.close().await;
    done
}

async fn done(
    config: &Config,
    engines: &Engines,
    order: Order,
    people: impl AsyncFnOnce() -> Result<People, Failure>,
) -> Result<(), Failure> {
    let service = use_cases::open(config, engines, None, people().await?).await?;
    let mut said = String::new();
    let done = control::run(&service, order, &mut said).await;
    for line in said.lines() {
        say!("{line}");
    }
    done
}

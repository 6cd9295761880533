//! `ferrotype work`

use std::sync::Arc;

use crate::build_info::VERSION;
use crate::config::{BlobConfig, Config, TableConfig};
use crate::engines::Engines;
use crate::failure::Failure;
use crate::output::say;
use crate::people::tell_of_people;
use crate::signals::Signals;
use crate::{people, use_cases, workers};

/// Works on what waits until a signal; then finishes what was begun. Answers no requests.
pub async fn work(config: &Config) -> Result<(), Failure> {
    if let TableConfig::Embedded { .. } = config.table {
        return Err(Failure::Unsuitable(
            "the embedded table belongs to one process: `ferrotype serve` works on what waits \
             itself; set table.engine to \"dynamodb\" to have workers of their own"
                .to_owned(),
        ));
    }
    let mut signals = Signals::listen()?;
    let engines = Arc::new(Engines::open(config).await?);
    if let BlobConfig::Folder = config.blob {
        tracing::warn!("blobs are in a folder: all servers and workers must see the same one");
    }
    let worked = work_on(config, &engines, &mut signals).await;
    engines.table.close().await;
    if worked.is_ok() {
        tracing::info!("stopped");
    }
    worked
}

async fn work_on(config: &Config, engines: &Engines, signals: &mut Signals) -> Result<(), Failure> {
    let service = use_cases::open(config, engines, None, people::open(config).await?).await?;
    let workers = workers::start(config, &service);
    say!("Ferrotype {VERSION} is working; it answers no requests");
    tell_of_people(&service);
    let name = signals.next().await;
    tracing::info!(signal = name, grace = ?config.shutdown_grace, "stopping");
    workers::stop(workers, config.shutdown_grace, signals).await;
    Ok(())
}

//! `ferrotype faces …`: how far finding faces has come, and finding them all again.

use service::{Caller, People, Service};

use super::user::in_use;
use crate::cli::FacesCommand;
use crate::config::Config;
use crate::engines::Engines;
use crate::failure::Failure;
use crate::output::say;
use crate::{people, use_cases};

/// Does what the command line says.
pub async fn faces(config: &Config, command: FacesCommand) -> Result<(), Failure> {
    let people = people::open(config).await?;
    let engines = Engines::open(config).await.map_err(|failure| in_use(failure, "ask its API"))?;
    let done = match use_cases::open(config, &engines, None, people).await {
        Ok(service) => run(&service, command).await,
        Err(failure) => Err(failure),
    };
    engines.table.close().await;
    done
}

async fn run(service: &Service, command: FacesCommand) -> Result<(), Failure> {
    let operator = Caller::operator();
    match service.people() {
        People::On(finder) => say!("people are on: {}", finder.model()),
        People::Off { why } => say!("people are off: {why}"),
    }
    if let FacesCommand::Rebuild { all } = command {
        let queued = service.rebuild_faces(&operator, all).await?;
        say!("{queued} images wait to be looked at; a running server does it in the background");
    }
    let progress = service.faces_progress(&operator).await?;
    say!("images that wait: {}", progress.waiting);
    say!("images given up: {}", progress.failed);
    say!("libraries that wait to be grouped: {}", progress.grouping);
    Ok(())
}

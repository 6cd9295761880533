//! What the commands do.

mod backup;
mod beside;
mod config;
mod doctor;
mod faces;
mod metadata;
mod restore;
mod serve;
mod table;
mod upload;
mod user;
mod version;
mod work;

use crate::cli::{Arguments, Command, ConfigCommand, TableCommand};
use crate::config::{Config, RawConfig, Surroundings};
use crate::failure::Failure;
use crate::logging;

/// Does what the command line says.
pub async fn run(arguments: &Arguments) -> Result<(), Failure> {
    let surroundings = Surroundings::of_this_process();
    match &arguments.command {
        Command::Version => {
            version::version();
            return Ok(());
        }
        // Has to do with somebody else's configuration.
        Command::Upload(upload) => return upload::upload(upload, &arguments.settings).await,
        Command::Metadata { command } => return metadata::metadata(command),
        // What is wrong with the configuration is a part of its answer.
        Command::Doctor { json } => return doctor::doctor(arguments, &surroundings, *json).await,
        _ => {}
    }
    let file = arguments.config.as_deref();
    let (raw, errors) = RawConfig::collect(file, &arguments.settings, &surroundings);
    let config = Config::validate(&raw, errors)?;
    logging::start(&config.log);
    for warning in &raw.warnings {
        tracing::warn!("{warning}");
    }
    match &arguments.command {
        Command::Serve => serve::serve(&config).await,
        Command::Work => work::work(&config).await,
        Command::Table { command: TableCommand::Create } => table::create(&config).await,
        Command::Table { command: TableCommand::Check { quiet } } => {
            table::check(&config, *quiet).await
        }
        Command::User { command } => user::user(&config, command).await,
        Command::Faces { command } => faces::faces(&config, *command).await,
        Command::Backup { to, quiet } => backup::backup(&config, to, *quiet).await,
        Command::Restore { from, quiet } => restore::restore(&config, from, *quiet).await,
        Command::Config { command: ConfigCommand::Show } => {
            config::show(&raw);
            Ok(())
        }
        Command::Version
        | Command::Upload(_)
        | Command::Metadata { .. }
        | Command::Doctor { .. } => Ok(()),
    }
}

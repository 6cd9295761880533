//! What the commands do.

mod backup;
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
    let raw = RawConfig::collect(arguments.config.as_deref(), &arguments.settings, &surroundings)?;
    let config = Config::validate(&raw)?;
    logging::start(&config.log);
    for warning in &raw.warnings {
        tracing::warn!("{warning}");
    }
    match &arguments.command {
        Command::Serve => serve::serve(&config).await,
        Command::Work => work::work(&config).await,
        Command::Table { command: TableCommand::Create } => table::create(&config).await,
        Command::Table { command: TableCommand::Check } => table::check(&config).await,
        Command::User { command } => user::user(&config, command).await,
        Command::Faces { command } => faces::faces(&config, *command).await,
        Command::Backup { to } => backup::backup(&config, to).await,
        Command::Restore { from } => restore::restore(&config, from).await,
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

//! What the commands do.

mod backup;
mod config;
mod restore;
mod serve;
mod table;
mod user;
mod version;

use crate::cli::{Arguments, Command, ConfigCommand, TableCommand};
use crate::config::{Config, RawConfig, Surroundings};
use crate::failure::Failure;
use crate::logging;

/// Does what the command line says.
pub async fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Command::Version = arguments.command {
        version::version();
        return Ok(());
    }
    let surroundings = Surroundings::of_this_process();
    let raw = RawConfig::collect(arguments.config.as_deref(), &arguments.settings, &surroundings)?;
    let config = Config::validate(&raw)?;
    logging::start(&config.log);
    for warning in &raw.warnings {
        tracing::warn!("{warning}");
    }
    match &arguments.command {
        Command::Serve => serve::serve(&config).await,
        Command::Table { command: TableCommand::Create } => table::create(&config).await,
        Command::Table { command: TableCommand::Check } => table::check(&config).await,
        Command::User { command } => user::user(&config, command).await,
        Command::Backup { to } => backup::backup(&config, to).await,
        Command::Restore { from } => restore::restore(&config, from).await,
        Command::Config { command: ConfigCommand::Show } => {
            config::show(&raw);
            Ok(())
        }
        Command::Version => Ok(()),
    }
}

//! `ferrotype faces …`: how far finding faces has come, and finding them all again.

use super::beside::beside;
use crate::cli::FacesCommand;
use crate::config::Config;
use crate::control::Order;
use crate::failure::Failure;
use crate::people;

/// Does what the command line says, by the running server where that has the table.
pub async fn faces(config: &Config, command: FacesCommand) -> Result<(), Failure> {
    beside(config, Order::Faces(command), async || people::open(config).await).await
}

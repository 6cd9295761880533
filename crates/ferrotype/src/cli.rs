//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::config::SettingFlags;

/// An image service in one binary.
#[derive(Debug, Parser)]
#[command(name = "ferrotype", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// The configuration file; else ferrotype.toml in the working or the data folder
    #[arg(long, value_name = "FILE", env = "FERROTYPE_CONFIG", global = true)]
    pub config: Option<PathBuf>,

    /// Every setting that is no secret.
    #[command(flatten)]
    pub settings: SettingFlags,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer requests until SIGTERM or SIGINT
    Serve,
    /// Create or check the table
    Table {
        /// Which of these.
        #[command(subcommand)]
        command: TableCommand,
    },
    /// Copy the embedded table and the blobs, also while the server runs
    Backup {
        /// The folder for the copy; what an earlier backup has put there is used again
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
    },
    /// Fill an empty data folder from a backup
    Restore {
        /// The folder of the backup
        #[arg(long, value_name = "FOLDER")]
        from: PathBuf,
    },
    /// Show the configuration
    Config {
        /// Which of these.
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Show what this program is
    Version,
}

/// What to do with the table.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum TableCommand {
    /// Create the table with its indexes, or add what it lacks; safe to repeat
    Create,
    /// Look for damage and for disagreements between items and indexes
    Check,
}

/// What to do with the configuration.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print every setting, its value and where that comes from; secrets stay hidden
    Show,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn settings_may_stand_before_and_after_the_command() {
        let parse = |words: &[&str]| {
            let arguments = Arguments::try_parse_from(words).unwrap();
            arguments
                .settings
                .values()
                .map(|(setting, raw)| (setting.key, raw.text))
                .collect::<Vec<_>>()
        };
        let expected = vec![("listen", "[::1]:1".to_owned())];
        assert_eq!(parse(&["ferrotype", "serve", "--listen", "[::1]:1"]), expected);
        assert_eq!(parse(&["ferrotype", "--listen", "[::1]:1", "table", "check"]), expected);
    }
}

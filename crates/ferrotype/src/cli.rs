//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use model::{Role, Tag, Visibility};

use crate::config::SettingFlags;
use crate::upload::ServerAddress;

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
    /// Only make renditions and remove what is deleted, beside servers on the same DynamoDB table
    Work,
    /// Send images to a running server; repeated, it goes on where it stopped
    Upload(UploadArguments),
    /// Look whether everything is set up rightly and can be reached, and say what to do if not
    Doctor {
        /// Answer in JSON, for programs
        #[arg(long)]
        json: bool,
    },
    /// Create or check the table
    Table {
        /// Which of these.
        #[command(subcommand)]
        command: TableCommand,
    },
    /// Add, show, change or remove users; with an embedded table, stop the server first
    User {
        /// Which of these.
        #[command(subcommand)]
        command: UserCommand,
    },
    /// Show how far finding faces has come, or find them all again; with an embedded table, stop the
    /// server first
    Faces {
        /// Which of these.
        #[command(subcommand)]
        command: FacesCommand,
    },
    /// Show what is written in photos, or compare it with what exiftool reads
    Metadata {
        /// Which of these.
        #[command(subcommand)]
        command: MetadataCommand,
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

/// What to send where. The key is never an argument, which all users of a machine see.
#[derive(Debug, clap::Args)]
pub struct UploadArguments {
    /// Images, and folders with images
    #[arg(required = true, value_name = "FILE OR FOLDER")]
    pub paths: Vec<PathBuf>,
    /// The server, such as https://photos.example.org [default: the one on this machine]
    #[arg(long, value_name = "URL", env = "FERROTYPE_SERVER")]
    pub server: Option<ServerAddress>,
    /// A file with the API key; else FERROTYPE_KEY has it
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Images sent at once
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub parallel: u8,
    /// How long to go on while the server does not answer
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = crate::config::duration)]
    pub patience: Duration,
    /// Where it is noted what has been sent [default: ferrotype/uploads.jsonl in XDG_STATE_HOME]
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Send also what has been sent before
    #[arg(long)]
    pub again: bool,
    /// Wait until the images have been processed
    #[arg(long)]
    pub wait: bool,
    /// Say nothing but what failed
    #[arg(long)]
    pub quiet: bool,
    /// Put all of them into this album, which is made if there is none of this name
    #[arg(long, value_name = "NAME OR ID")]
    pub album: Option<String>,
    /// Tags for what is new
    #[arg(long, value_name = "TAG,…", value_delimiter = ',')]
    pub tags: Vec<Tag>,
    /// Who may see what is new: private or shared [default: private]
    #[arg(long, value_name = "WHO", value_parser = visibility)]
    pub visibility: Option<Visibility>,
    /// Write what became of every file into this one, a line of JSON for each
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

fn visibility(text: &str) -> Result<Visibility, String> {
    match text {
        "private" => Ok(Visibility::Private),
        "shared" => Ok(Visibility::Shared),
        _ => Err("private or shared".to_owned()),
    }
}

/// What to do with the table.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum TableCommand {
    /// Create the table with its indexes, or add what it lacks; safe to repeat
    Create,
    /// Look for damage and for disagreements between items and indexes
    Check,
}

/// What to do with faces.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum FacesCommand {
    /// Show whether people are on, and how much waits to be done
    Status,
    /// Have all images looked at that the present models have not seen; names and decisions stay
    Rebuild {
        /// Also those that they have seen
        #[arg(long)]
        all: bool,
    },
}

/// What to do with what is written in photos.
#[derive(Debug, Subcommand)]
pub enum MetadataCommand {
    /// Print what is read in a photo or a sidecar, as JSON
    Show {
        /// An image, or an .xmp file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Compare what is read in all photos and sidecars of a folder with what exiftool reads
    Compare {
        /// The folder; those below it are looked at, too
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// Write what differs into this file, a line of JSON for each
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
        /// Print what differs
        #[arg(long)]
        verbose: bool,
        /// Fail if a field agrees in less of a hundred files
        #[arg(long, value_name = "PERCENT", default_value_t = 99.0)]
        at_least: f64,
    },
}

/// What to do with users. A user is named by id or e-mail address.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user; prints the password unless it is given
    Add {
        /// The address to sign in with
        email: String,
        /// The name others see; else the address
        #[arg(long)]
        name: Option<String>,
        /// user or administrator
        #[arg(long, default_value = "user")]
        role: Role,
        /// Where the password comes from.
        #[command(flatten)]
        password: PasswordFrom,
    },
    /// List all users: id, role, e-mail address and name
    List,
    /// Show one user, and what they may keep
    Show {
        /// Id or e-mail address
        user: String,
    },
    /// Make somebody an administrator, or no longer one
    Role {
        /// Id or e-mail address
        user: String,
        /// user or administrator
        role: Role,
    },
    /// Change what a user may keep
    Limit {
        /// Id or e-mail address
        user: String,
        /// Images
        #[arg(long, value_parser = clap::value_parser!(i64).range(0..))]
        images: Option<i64>,
        /// Bytes, such as 20GB
        #[arg(long, value_parser = bytes)]
        bytes: Option<i64>,
    },
    /// Give a user a new password; prints it unless it is given
    Password {
        /// Id or e-mail address
        user: String,
        /// Where the password comes from.
        #[command(flatten)]
        password: PasswordFrom,
    },
    /// Erase a user and everything of theirs, for good
    Remove {
        /// Id or e-mail address
        user: String,
        /// That this is meant
        #[arg(long)]
        yes: bool,
    },
}

/// Where a password comes from. Never from the command line, which all users of a machine see.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PasswordFrom {
    /// Read the password from standard input, instead of making one up
    #[arg(long)]
    pub password_stdin: bool,
    /// No password: they come through the identity provider
    #[arg(long, conflicts_with = "password_stdin")]
    pub without_password: bool,
}

fn bytes(text: &str) -> Result<i64, String> {
    let bytes = if text == "0" { Ok(0) } else { crate::config::bytes(text) };
    i64::try_from(bytes?).map_err(|error| error.to_string())
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

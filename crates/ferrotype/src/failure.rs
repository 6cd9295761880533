//! How a command can fail, and what the shell is told.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::config::ConfigErrors;

/// Why a command failed, and what to do about it. Each kind has an exit code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    /// The command does not fit the configuration.
    #[error("{0}")]
    Unsuitable(String),
    /// The embedded table cannot be used.
    #[error(transparent)]
    EmbeddedTable(#[from] table_embedded::OpenError),
    /// The DynamoDB table cannot be used.
    #[error(transparent)]
    DynamoTable(#[from] table_dynamodb::OpenError),
    /// The blob store cannot be used.
    #[error(transparent)]
    Blobs(#[from] blob::Error),
    /// The data folder cannot be used.
    #[error(
        "cannot use the data folder {}: {source}; set data_folder to a folder that this user may \
         write",
        .folder.display()
    )]
    DataFolder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is something in the folder already.
    #[error(
        "the data folder {} is not empty; restore into a new one with --data-folder",
        .folder.display()
    )]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A restore into the folder was interrupted.
    #[error(
        "a restore into {} was interrupted; empty the folder and restore again",
        .folder.display()
    )]
    HalfRestored {
        /// The data folder.
        folder: PathBuf,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}; choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The process cannot be set up.
    #[error("cannot start: {0}")]
    Start(String),
    /// Serving broke off.
    #[error("no longer able to accept connections: {0}")]
    Serve(io::Error),
    /// The check found something.
    #[error("{0}")]
    CheckFailed(String),
    /// Something about accounts could not be done.
    #[error("{0}")]
    Users(String),
    /// Not everything could be uploaded.
    #[error("{0}")]
    Upload(String),
    /// The doctor found problems, and has told them.
    #[error("{problems} of {checks} checks found a problem")]
    Unwell {
        /// How many.
        problems: usize,
        /// Of how many.
        checks: usize,
    },
    /// What is written in photos could not be read, or differs from what exiftool reads.
    #[error("{0}")]
    Metadata(String),
    /// The backup could not be made.
    #[error("the backup failed: {0}")]
    Backup(String),
    /// The backup could not be restored.
    #[error("the restore failed: {0}")]
    Restore(String),
}

impl From<service::Error> for Failure {
    fn from(error: service::Error) -> Self {
        Self::Users(error.to_string())
    }
}

impl Failure {
    /// What the shell is told; `docs/configuration.md` lists these.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::CheckFailed(_)
            | Self::Users(_)
            | Self::Upload(_)
            | Self::Unwell { .. }
            | Self::Serve(_)
            | Self::Metadata(_)
            | Self::Backup(_)
            | Self::Restore(_) => 1,
            Self::Config(_) | Self::Unsuitable(_) => 2,
            Self::EmbeddedTable(_)
            | Self::DynamoTable(_)
            | Self::Blobs(_)
            | Self::DataFolder { .. }
            | Self::NotEmpty { .. }
            | Self::HalfRestored { .. }
            | Self::Listen { .. }
            | Self::Start(_) => 3,
        })
    }
}

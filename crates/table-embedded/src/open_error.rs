use std::io;
use std::path::PathBuf;

/// Why a table could not be opened, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The path is something else.
    #[error("{} is not a folder; give the path of a folder for the table", .folder.display())]
    NotAFolder {
        /// The path given.
        folder: PathBuf,
    },
    /// The folder cannot be written.
    #[error(
        "cannot write in {}: {source}; give a folder on a writable disk that belongs to the user \
         who runs this program",
        .folder.display()
    )]
    NotWritable {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process has the table open.
    #[error(
        "the table in {} is in use by another process{}; stop it first or use another folder",
        .folder.display(),
        .pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default()
    )]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// The process that has it, if it is known.
        pid: Option<u32>,
    },
    /// The table was written by a newer version of this program.
    #[error(
        "{} has format {found}, and this version of the program knows formats up to {known}; \
         use the newer version, or restore an older backup into another folder",
        .file.display()
    )]
    Newer {
        /// The table's file.
        file: PathBuf,
        /// The format found.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// The file is not one of our tables.
    #[error(
        "{} exists and is not a table of this program; move it away or use another folder",
        .file.display()
    )]
    NotOurs {
        /// The file.
        file: PathBuf,
    },
    /// The file is damaged.
    #[error(
        "the table {} is damaged: {message}; restore the last backup into another folder",
        .file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// There is no room to open or create the table.
    #[error("no room for the table in {}; free some disk space", .folder.display())]
    Full {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no table in the folder.
    #[error("there is no table in {}; check the path of the data folder", .folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// Anything else the disk or SQLite says.
    #[error("cannot open the table in {}: {message}; check the disk and the folder", .folder.display())]
    Failed {
        /// The folder.
        folder: PathBuf,
        /// What was said.
        message: String,
    },
}

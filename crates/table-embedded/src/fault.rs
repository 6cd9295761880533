//! What SQLite's errors mean for the caller.

use rusqlite::ErrorCode;
use table::Error;

/// Why a step of a read or write failed: SQLite, or what is stored or asked.
#[derive(Debug)]
pub(crate) enum Fault {
    Sqlite(rusqlite::Error),
    Table(Error),
}

/// What to do after SQLite failed to write.
#[derive(Debug)]
pub(crate) enum WriteFault {
    /// There is no room now; a later write may find some.
    Full(String),
    /// It could not be done now; nothing is broken.
    Unavailable(String),
    /// Going on could do harm.
    Stop(String),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Table(error)
    }
}

impl Fault {
    /// The error of a read that failed so.
    pub(crate) fn into_read_error(self) -> Error {
        match self {
            Self::Table(error) => error,
            Self::Sqlite(error) => read_error(&error),
        }
    }
}

fn read_error(error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            Error::Corrupt(format!("{error}; restore the last backup into another folder"))
        }
        _ => Error::Unavailable {
            message: format!("reading failed: {error}; check the disk of the data folder"),
            maybe_written: false,
        },
    }
}

const SHM_SIZE: std::ffi::c_int = rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// What a failed write means.
pub(crate) fn write_fault(error: &rusqlite::Error) -> WriteFault {
    let message = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => WriteFault::Full(message),
        // The index of the log could not grow, which happens before anything is written.
        Some(_) if error.sqlite_error().is_some_and(|e| e.extended_code == SHM_SIZE) => {
            WriteFault::Full(message)
        }
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::OutOfMemory
            | ErrorCode::OperationInterrupted,
        ) => WriteFault::Unavailable(message),
        _ => WriteFault::Stop(message),
    }
}

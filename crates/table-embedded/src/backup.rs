//! Copies of a table that is in use, and tables from copies.
//!
//! A copy is made by SQLite's backup interface within one read transaction, so it is the table
//! as of one commit, and writers go on meanwhile. It is one file that needs no
//! log beside it. No copy is ever visible under its name before it is whole and on the disk.

use std::ffi::c_int;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, Progress, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use table::Schema;

use crate::check::check_connection;
use crate::connection::open_reader;
use crate::folder::{FolderLock, create_folder, sync_folder, table_file, wal_file};
use crate::migrate::recognise;
use crate::open::open_for_reading;
use crate::{EmbeddedTable, OpenError};

/// Why there is no backup. Nothing is left under the name asked for.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is something under that name already.
    #[error("{} exists already; give a new path for the backup", .0.display())]
    Exists(PathBuf),
    /// The table cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The backup cannot be written.
    #[error("cannot write the backup {}: {message}; check the disk it goes to", .file.display())]
    Write {
        /// The backup.
        file: PathBuf,
        /// What was said.
        message: String,
    },
    /// What was copied is damaged.
    #[error("the table is damaged, so its copy is of no use: {0}; run the table check")]
    Damaged(String),
}

/// Why nothing was restored. The data folder is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// There is no backup there.
    #[error("there is no backup at {}; give the path of the backup's file", .0.display())]
    Missing(PathBuf),
    /// The folder has a table already.
    #[error(
        "{} has a table already; move it away or restore into another folder",
        .0.display()
    )]
    NotEmpty(PathBuf),
    /// The file is something else.
    #[error("{} is not a backup of this program; give the path of one", .0.display())]
    NotOurs(PathBuf),
    /// The backup is of a newer version of this program, or the data folder cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The backup is damaged.
    #[error("the backup {} is damaged: {first}; use another one", .file.display())]
    Damaged {
        /// The backup.
        file: PathBuf,
        /// The first problem found.
        first: String,
    },
    /// The table cannot be written.
    #[error("cannot write the table {}: {message}; check the disk", .file.display())]
    Write {
        /// The table's file.
        file: PathBuf,
        /// What was said.
        message: String,
    },
}

impl EmbeddedTable {
    /// Copies the table, as it is now, into a new file. Writing goes on meanwhile.
    ///
    /// # Errors
    /// [`BackupError`]; the file is not there then.
    pub async fn backup_to(&self, file: &Path) -> Result<(), BackupError> {
        let folder = self.folder().to_owned();
        let to = file.to_owned();
        let copy = tokio::task::spawn_blocking(move || backup_folder(&folder, &to));
        copy.await.map_err(|error| write_error(file, &error))?
    }
}

/// Copies the table in this folder, as it is now, into a new file. Another process may be
/// using the table.
///
/// # Errors
/// [`BackupError`]; the file is not there then.
pub fn backup_folder(folder: &Path, file: &Path) -> Result<(), BackupError> {
    backup_folder_telling(folder, file, &|_, _| {})
}

/// The same, and tells from time to time how many bytes of all were copied.
///
/// # Errors
/// [`BackupError`]; the file is not there then.
pub fn backup_folder_telling(
    folder: &Path,
    file: &Path,
    tell: &dyn Fn(u64, u64),
) -> Result<(), BackupError> {
    let (source, _) = open_for_reading(folder)?;
    if file.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    match copy(&source, file, tell) {
        Ok(()) => Ok(()),
        Err(CopyError::Damaged(message)) => Err(BackupError::Damaged(message)),
        Err(CopyError::Write(message)) => Err(write_error(file, &message)),
    }
}

fn write_error(file: &Path, message: &dyn std::fmt::Display) -> BackupError {
    BackupError::Write { file: file.to_owned(), message: message.to_string() }
}

/// Makes a backup the table of a folder that has none, after checking all of it.
///
/// # Errors
/// [`RestoreError`]; the folder has no table then.
pub fn restore(backup: &Path, folder: &Path, schema: &Schema) -> Result<(), RestoreError> {
    restore_telling(backup, folder, schema, &|_, _, _| {})
}

/// What a restore is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreStep {
    /// Checks the backup, item by item.
    Check,
    /// Copies it, byte by byte.
    Copy,
}

/// The same, and tells from time to time how many items or bytes of all are done.
///
/// # Errors
/// [`RestoreError`]; the folder has no table then.
pub fn restore_telling(
    backup: &Path,
    folder: &Path,
    schema: &Schema,
    tell: &dyn Fn(RestoreStep, u64, u64),
) -> Result<(), RestoreError> {
    if !backup.is_file() {
        return Err(RestoreError::Missing(backup.to_owned()));
    }
    create_folder(folder)?;
    let _lock = FolderLock::take(folder)?;
    let file = table_file(folder);
    // A log without its table would be read into the restored one.
    if file.exists() || wal_file(&file).exists() {
        return Err(RestoreError::NotEmpty(folder.to_owned()));
    }
    let source = open_backup(backup)?;
    let report =
        check_connection(&source, schema, &|done, all| tell(RestoreStep::Check, done, all));
    if let Some(first) = report.problems.first() {
        let file = backup.to_owned();
        return Err(RestoreError::Damaged { file, first: first.to_string() });
    }
    match copy(&source, &file, &|done, all| tell(RestoreStep::Copy, done, all)) {
        Ok(()) => Ok(()),
        Err(CopyError::Damaged(first)) => {
            Err(RestoreError::Damaged { file: backup.to_owned(), first })
        }
        Err(CopyError::Write(message)) => Err(RestoreError::Write { file, message }),
    }
}

fn open_backup(file: &Path) -> Result<Connection, RestoreError> {
    let damaged = |error: &rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => RestoreError::NotOurs(file.to_owned()),
        _ => RestoreError::Damaged { file: file.to_owned(), first: error.to_string() },
    };
    let connection = open_reader(file).map_err(|error| damaged(&error))?;
    match recognise(&connection, file).map_err(|error| damaged(&error))? {
        Ok(()) => Ok(connection),
        Err(OpenError::NotOurs { file }) => Err(RestoreError::NotOurs(file)),
        Err(error) => Err(error.into()),
    }
}

/// Why a copy was not made.
enum CopyError {
    Damaged(String),
    Write(String),
}

impl From<io::Error> for CopyError {
    fn from(error: io::Error) -> Self {
        Self::Write(error.to_string())
    }
}

impl From<rusqlite::Error> for CopyError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Write(error.to_string()),
        }
    }
}

/// Copies a database into a new file under a temporary name, syncs it and gives it its name.
fn copy(source: &Connection, file: &Path, tell: &dyn Fn(u64, u64)) -> Result<(), CopyError> {
    let folder = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let partial = folder.join(format!(".{name}.{}.partial", std::process::id()));
    let copied = copy_pages(source, &partial, tell)
        .and_then(|()| Ok(File::open(&partial)?.sync_all()?))
        .and_then(|()| Ok(fs::rename(&partial, file)?))
        .and_then(|()| Ok(sync_folder(folder)?));
    if copied.is_err() {
        let _ = fs::remove_file(&partial);
    }
    copied
}

/// Copied between two words about it.
const TOLD_PAGES: c_int = 4096;

fn copy_pages(
    source: &Connection,
    partial: &Path,
    tell: &dyn Fn(u64, u64),
) -> Result<(), CopyError> {
    // Left behind by a process of the same id that was killed.
    if partial.exists() {
        fs::remove_file(partial)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = Connection::open_with_flags(partial, flags)?;
    // The whole file is synced once, at the end.
    target.pragma_update(None, "synchronous", "off")?;
    // Between two steps, too, it is the table as of one commit: they all read in this transaction.
    let reading = source.unchecked_transaction()?;
    let page_bytes: i64 = reading.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let _: i64 = reading.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let page_bytes = u64::try_from(page_bytes).unwrap_or_default();
    let bytes = |pages: c_int| u64::try_from(pages).unwrap_or_default() * page_bytes;
    let backup = Backup::new(&reading, &mut target)?;
    loop {
        let stepped = backup.step(TOLD_PAGES)?;
        let Progress { pagecount, remaining } = backup.progress();
        tell(bytes(pagecount.saturating_sub(remaining)), bytes(pagecount));
        match stepped {
            StepResult::Done => break,
            StepResult::More => {}
            other => return Err(CopyError::Write(format!("the table was not copied: {other:?}"))),
        }
    }
    drop(backup);
    reading.finish()?;
    // A file of its own, without a log.
    target.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))?;
    let verdict: String = target.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(CopyError::Damaged(verdict));
    }
    target.close().map_err(|(_, error)| CopyError::from(error))
}

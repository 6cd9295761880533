//! Opening a table: whose file it is, whether it can be used, and everything set up.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, ErrorCode};
use table::Schema;

use crate::checkpoint::Checkpointer;
use crate::connection::{PAGE_BYTES, open_reader, open_writer, prepare_writer};
use crate::entry::Applier;
use crate::fault::Fault;
use crate::folder::{FolderLock, create_folder, sync_folder, table_file};
use crate::health::WriterState;
use crate::layout::Layout;
use crate::writer::Writer;
use crate::{Checkpoints, OpenError, Options};
use crate::{log_buffer, migrate};

/// Opens the table in this folder for writing, creating both if there are none.
pub(crate) fn open(
    folder: &Path,
    schema: &Schema,
    options: &Options,
) -> Result<(Writer, Layout), OpenError> {
    create_folder(folder)?;
    let lock = FolderLock::take(folder)?;
    let file = table_file(folder);
    let failed = |error: Fault| explain(folder, &error);
    let mut connection = open_writer(&file).map_err(|error| failed(error.into()))?;
    if migrate::is_empty(&connection).map_err(|error| failed(error.into()))? {
        create(&mut connection, schema, options).map_err(|error| failed(error.into()))?;
    } else {
        recognise(&connection, folder)?;
        prepare_writer(&connection, options).map_err(|error| failed(error.into()))?;
    }
    let layout = migrate::fit(&mut connection, schema).map_err(failed)?;
    log_buffer::gather(&connection);
    sync_folder(folder)
        .map_err(|source| OpenError::NotWritable { folder: folder.to_owned(), source })?;
    let checkpointer = match options.checkpoints {
        Checkpoints::LeftToReplicator => None,
        Checkpoints::Own => Some(
            Checkpointer::start(&file, &mut connection).map_err(|error| failed(error.into()))?,
        ),
    };
    let writer = Writer {
        connection,
        applier: Applier::new(schema.clone(), &layout),
        clock: Arc::clone(&options.clock),
        state: Arc::new(WriterState::new()),
        checkpointer,
        file,
        lock,
    };
    Ok((writer, layout))
}

/// Opens the table in this folder for reading only, whoever else has it open.
pub(crate) fn open_for_reading(folder: &Path) -> Result<(Connection, PathBuf), OpenError> {
    let file = table_file(folder);
    if !file.is_file() {
        return Err(OpenError::Missing { folder: folder.to_owned() });
    }
    let connection = open_reader(&file).map_err(|error| explain(folder, &error.into()))?;
    recognise(&connection, folder)?;
    Ok((connection, file))
}

/// The format that the table in this folder was written in, whoever else has it open.
///
/// # Errors
/// [`OpenError`] when there is no table that this version of the program can read.
pub fn format_of(folder: &Path) -> Result<i64, OpenError> {
    let (connection, _) = open_for_reading(folder)?;
    let format = migrate::read_format(&connection);
    format.map(|(_, format)| format).map_err(|error| explain(folder, &error.into()))
}

fn create(connection: &mut Connection, schema: &Schema, options: &Options) -> rusqlite::Result<()> {
    // The size of pages can be chosen only before anything is written.
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    prepare_writer(connection, options)?;
    migrate::create(connection, schema)
}

/// Makes sure that the file is a table of ours, in a format we know.
fn recognise(connection: &Connection, folder: &Path) -> Result<(), OpenError> {
    migrate::recognise(connection, &table_file(folder))
        .map_err(|error| explain(folder, &error.into()))?
}

/// What a failure to open means.
pub(crate) fn explain(folder: &Path, fault: &Fault) -> OpenError {
    let file = table_file(folder);
    let folder = folder.to_owned();
    match fault {
        Fault::Table(error) => OpenError::Damaged { file, message: error.to_string() },
        Fault::Sqlite(error) => match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => OpenError::NotOurs { file },
            Some(ErrorCode::DatabaseCorrupt) => {
                OpenError::Damaged { file, message: error.to_string() }
            }
            Some(ErrorCode::DiskFull) => OpenError::Full { folder },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                OpenError::NotWritable { folder, source: std::io::Error::other(error.to_string()) }
            }
            // A statement that does not fit the tables: something was taken away from them.
            Some(ErrorCode::Unknown) => OpenError::Damaged { file, message: error.to_string() },
            _ => OpenError::Failed { folder, message: error.to_string() },
        },
    }
}

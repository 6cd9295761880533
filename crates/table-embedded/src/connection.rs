//! Connections to the table's file and how they are set.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::{Options, mapping, write_back};

/// Large enough for two or three images of 1.2 KB. A commit writes whole pages, all over the table:
/// larger ones make it write more, and reads hardly faster.
pub(crate) const PAGE_BYTES: u32 = 4 * 1024;
/// How long to wait for another program's lock, unless the options say otherwise.
const LOCK_WAIT: Duration = Duration::from_secs(10);
const STATEMENTS_CACHED: usize = 128;
const WRITER_CACHE_KIB: i64 = 64 * 1024;
const READER_CACHE_KIB: i64 = 8 * 1024;
/// A log that grew larger is cut to this size when it starts again. A log that a bulk load starts
/// again and again is below, because overwriting a file is cheaper than extending it.
const WAL_BYTES_KEPT: i64 = 768 << 20;
/// Readers' page caches are emptied by every commit, the system's is not.
pub(crate) const MMAP_BYTES: i64 = 64 << 30;

/// Opens the file for writing, creating it if there is none.
pub(crate) fn open_writer(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    open(file, flags)
}

/// Opens the file for reading.
pub(crate) fn open_reader(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = open(file, flags)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    connection.pragma_update(None, "mmap_size", MMAP_BYTES)?;
    mapping::keep(&connection);
    Ok(connection)
}

/// Opens the file to move its write-ahead log.
pub(crate) fn open_checkpointer(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = open(file, flags)?;
    set_durable(&connection)?;
    Ok(connection)
}

fn open(file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    write_back::install();
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(LOCK_WAIT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    // Closing must not touch the file by itself: after an I/O error nothing may, and a
    // replicator wants to see the log first.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Plans do not depend on the values bound; otherwise SQLite would prepare a statement
    // again for every new value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Sets what the writing connection needs; the file's format must be known to be ours.
pub(crate) fn prepare_writer(connection: &Connection, options: &Options) -> rusqlite::Result<()> {
    connection.busy_timeout(options.lock_wait)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    set_durable(connection)?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update_and_check(None, "journal_size_limit", WAL_BYTES_KEPT, |_| Ok(()))?;
    if let Some(bytes) = options.file_bytes_max {
        let page_bytes: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let pages = i64::try_from(bytes / u64::from(page_bytes.max(1))).unwrap_or(i64::MAX).max(1);
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(())
}

fn set_durable(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "full")
}

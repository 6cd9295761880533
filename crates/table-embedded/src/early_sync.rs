//! Syncs the table's file while the write-ahead log is moved into it, some pages at a time.
//!
//! SQLite syncs the file only when all of the log has been moved. Under writes that never stop
//! that is when the writer moves the last of it, and everybody would wait until the disk has
//! taken all pages that were moved before. So the thread that moves them syncs them as it goes.
//! That is never less safe: the log is kept until SQLite has synced the file itself.
//!
//! Like `mapping.rs` this goes past the safe binding: it puts a function of its own into the place
//! of SQLite's for one file.

#![allow(unsafe_code, reason = "the binding does not reach the methods of an open file")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use rusqlite::{Connection, ffi};

use crate::open_file::OpenFile;

/// So few that the disk is soon free again for the commits of the writer.
const PAGES_SYNCED: u32 = 1024;

/// SQLite's methods for files, and the same with one that syncs.
struct Methods {
    sqlite: &'static ffi::sqlite3_io_methods,
    syncing: ffi::sqlite3_io_methods,
}

/// Those of the system's files: the only ones there are in this process.
static METHODS: OnceLock<Methods> = OnceLock::new();

thread_local! {
    /// Pages that this thread has written since it synced.
    static PAGES: Cell<u32> = const { Cell::new(0) };
}

/// Syncs what this connection writes into the table's file from now on. Where that is not
/// possible everything stays as it is, and only the last who moves the log waits longer.
pub(crate) fn sync_early(connection: &Connection) {
    let Some(OpenFile { file, methods: sqlite }) = OpenFile::of_table(connection) else {
        return;
    };
    let methods = METHODS.get_or_init(|| Methods {
        sqlite,
        syncing: ffi::sqlite3_io_methods { xWrite: Some(write), ..*sqlite },
    });
    if ptr::eq(methods.sqlite, sqlite) {
        // SAFETY: nobody else uses the connection now, and the methods live as long as the
        // process. All but one are what they were.
        unsafe { (*file).pMethods = &raw const methods.syncing };
    }
}

/// Writes a page, and syncs the file when that makes enough of them.
unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    let Some(Methods { sqlite, .. }) = METHODS.get() else {
        return ffi::SQLITE_INTERNAL;
    };
    let (Some(write), Some(sync)) = (sqlite.xWrite, sqlite.xSync) else {
        return ffi::SQLITE_INTERNAL;
    };
    // SAFETY: SQLite calls this with a file whose methods are ours, which is one of its own, and
    // the arguments are those that it meant for this method.
    let written = unsafe { write(file, bytes, length, offset) };
    let pages = PAGES.get() + 1;
    if written != ffi::SQLITE_OK || pages < PAGES_SYNCED {
        PAGES.set(pages.min(PAGES_SYNCED));
        return written;
    }
    // SAFETY: as above; the file is open.
    let synced = unsafe { sync(file, ffi::SQLITE_SYNC_NORMAL | ffi::SQLITE_SYNC_DATAONLY) };
    PAGES.set(if synced == ffi::SQLITE_OK { 0 } else { pages });
    synced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::connection::{open_checkpointer, open_writer, prepare_writer};

    #[test]
    fn pages_are_synced_on_the_way_and_all_of_them_moved() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = open_writer(&file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        let sql = "CREATE TABLE filler (bytes BLOB);
                   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
                   INSERT INTO filler SELECT randomblob(4000) FROM n;";
        writer.execute_batch(sql).unwrap();
        let checkpointer = open_checkpointer(&file).unwrap();
        let (pages, moved): (u32, u32) = checkpointer
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok((row.get(1)?, row.get(2)?)))
            .unwrap();
        assert!(pages > PAGES_SYNCED, "{pages}");
        assert_eq!(moved, pages);
        // So many since the last sync: there was one.
        assert!((1..PAGES_SYNCED).contains(&PAGES.get()), "{}", PAGES.get());
        drop(checkpointer);
        drop(writer);
        let copy = folder.path().join("copy");
        std::fs::copy(&file, &copy).unwrap();
        let copy = open_writer(&copy).unwrap();
        let rows: i64 =
            copy.query_row("SELECT count(*) FROM filler", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 1500);
    }
}

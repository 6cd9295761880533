//! Gathers what the writer adds to the write-ahead log and writes it in large pieces.
//!
//! SQLite writes each page of a commit with two calls, one for 24 bytes and one for the page,
//! and the system then does its work for every page of memory they touch. One call for many
//! pages costs a fraction of that. Nothing is promised earlier: what was gathered is written
//! before the log is synced, which a commit waits for before anybody can see it, and before
//! anything else is done with the file.
//!
//! Like `mapping.rs` this goes past the safe binding: it puts functions of its own into the
//! place of SQLite's for one file.

#![allow(unsafe_code, reason = "the binding does not reach the methods of an open file")]

use std::ffi::{c_int, c_void};
use std::slice;

use rusqlite::{Connection, ffi};

use crate::open_file::OpenFile;

/// What is gathered at most: SQLite cannot write more at once, and it stays in the processor's
/// cache. No page is longer than half of it.
const BYTES_MAX: usize = 0x1_ffff;

/// What stands in the place of SQLite's methods of the file.
#[repr(C)]
struct Log {
    /// Must be first: the file's pointer to its methods is also the pointer to this.
    methods: ffi::sqlite3_io_methods,
    sqlite: &'static ffi::sqlite3_io_methods,
    /// Where in the file the gathered bytes belong.
    start: ffi::sqlite3_int64,
    gathered: Vec<u8>,
}

/// Gathers what this connection adds to its log from now on. It must sync every commit. Where
/// this is not possible everything stays as it is, only slower.
pub(crate) fn gather(connection: &Connection) {
    let Some(OpenFile { file, methods: sqlite }) = OpenFile::of_log(connection) else {
        return;
    };
    let methods = ffi::sqlite3_io_methods {
        xClose: Some(close),
        xRead: Some(read),
        xWrite: Some(write),
        xTruncate: Some(truncate),
        xSync: Some(sync),
        xFileSize: Some(file_size),
        ..*sqlite
    };
    let log = Log { methods, sqlite, start: 0, gathered: Vec::with_capacity(BYTES_MAX) };
    // SAFETY: nobody else uses the connection now. The methods live until the file is closed,
    // see `close`, and those that are not ours are what they were.
    unsafe { (*file).pMethods = Box::into_raw(Box::new(log)).cast::<ffi::sqlite3_io_methods>() };
}

impl Log {
    /// That of a file whose methods are ours.
    ///
    /// # Safety
    /// SQLite has called one of our methods with this file and is still waiting for it.
    unsafe fn of<'f>(file: *mut ffi::sqlite3_file) -> &'f mut Self {
        // SAFETY: the methods are the first field of a `Log` that `gather` has made. SQLite
        // uses the connection, and so the file, on one thread at a time.
        unsafe { &mut *(*file).pMethods.cast::<Self>().cast_mut() }
    }

    /// Whether these bytes can be gathered with those that are there.
    fn takes(&self, bytes: usize, offset: ffi::sqlite3_int64) -> bool {
        let end = i64::try_from(self.gathered.len()).map(|length| self.start + length);
        self.gathered.is_empty() || (end == Ok(offset) && self.gathered.len() + bytes <= BYTES_MAX)
    }

    /// Writes what was gathered. What cannot be written is forgotten: then the commit it belongs
    /// to fails, as it does when SQLite itself could not write it.
    ///
    /// # Safety
    /// This is the log of the file.
    unsafe fn flush(&mut self, file: *mut ffi::sqlite3_file) -> c_int {
        if self.gathered.is_empty() {
            return ffi::SQLITE_OK;
        }
        let done = match (self.sqlite.xWrite, c_int::try_from(self.gathered.len())) {
            // SAFETY: the file is open and the bytes are ours.
            (Some(write), Ok(length)) => unsafe {
                write(file, self.gathered.as_ptr().cast::<c_void>(), length, self.start)
            },
            _ => ffi::SQLITE_INTERNAL,
        };
        self.gathered.clear();
        done
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite calls this with a file whose methods are ours.
    let log = unsafe { Log::of(file) };
    let Ok(count) = usize::try_from(length) else {
        return ffi::SQLITE_INTERNAL;
    };
    if !log.takes(count, offset) {
        // SAFETY: it is the log of this file.
        let flushed = unsafe { log.flush(file) };
        if flushed != ffi::SQLITE_OK {
            return flushed;
        }
    }
    if log.gathered.is_empty() {
        log.start = offset;
    }
    // SAFETY: SQLite hands over so many bytes.
    log.gathered.extend_from_slice(unsafe { slice::from_raw_parts(bytes.cast::<u8>(), count) });
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    bytes: *mut c_void,
    length: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite calls this with a file whose methods are ours, and the arguments are those
    // that it meant for its own method.
    unsafe {
        after_flush(file, |sqlite| sqlite.xRead.map(|read| read(file, bytes, length, offset)))
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: ffi::sqlite3_int64) -> c_int {
    // SAFETY: as for `read`.
    unsafe { after_flush(file, |sqlite| sqlite.xTruncate.map(|truncate| truncate(file, size))) }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: as for `read`.
    unsafe { after_flush(file, |sqlite| sqlite.xSync.map(|sync| sync(file, flags))) }
}

unsafe extern "C" fn file_size(
    file: *mut ffi::sqlite3_file,
    size: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: as for `read`.
    unsafe { after_flush(file, |sqlite| sqlite.xFileSize.map(|file_size| file_size(file, size))) }
}

/// Writes what was gathered and then calls SQLite's own method.
///
/// # Safety
/// SQLite has called one of our methods with this file.
unsafe fn after_flush(
    file: *mut ffi::sqlite3_file,
    call: impl FnOnce(&ffi::sqlite3_io_methods) -> Option<c_int>,
) -> c_int {
    // SAFETY: as the caller promises.
    let log = unsafe { Log::of(file) };
    // SAFETY: it is the log of this file.
    match unsafe { log.flush(file) } {
        ffi::SQLITE_OK => call(log.sqlite).unwrap_or(ffi::SQLITE_INTERNAL),
        failed => failed,
    }
}

/// What was gathered is not written: nobody has synced it, so it belongs to no commit.
unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite calls this once, with a file whose methods `gather` has put there and that
    // it does not use again.
    let log = unsafe { Box::from_raw((*file).pMethods.cast::<Log>().cast_mut()) };
    // SAFETY: the file has the methods it was opened with when SQLite closes it.
    unsafe { (*file).pMethods = log.sqlite };
    match log.sqlite.xClose {
        // SAFETY: the file is open until here.
        Some(close) => unsafe { close(file) },
        None => ffi::SQLITE_INTERNAL,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Options;
    use crate::connection::{open_writer, prepare_writer};

    fn writer(file: &Path) -> Connection {
        let writer = open_writer(file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        writer.execute_batch("CREATE TABLE filler (bytes BLOB)").unwrap();
        gather(&writer);
        writer
    }

    /// Adds rows of a little more than a kilobyte.
    fn add(writer: &Connection, rows: u32) {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                   INSERT INTO filler SELECT randomblob(1024) FROM n";
        writer.execute(sql, [rows]).unwrap();
    }

    fn count(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM filler", [], |row| row.get(0)).unwrap()
    }

    fn assert_intact(connection: &Connection) {
        let found: String =
            connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
        assert_eq!(found, "ok");
    }

    fn gathers(connection: &Connection) -> bool {
        OpenFile::of_log(connection)
            .and_then(|log| log.methods.xWrite)
            .map(|method| method as usize)
            == Some(write as *const () as usize)
    }

    #[test]
    fn a_commit_is_in_the_files_when_it_is_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = writer(&file);
        assert!(gathers(&writer));
        let mut rows = 0;
        // From a part of what is gathered at most to many times that.
        for added in [1, 3, 90, 4_000, 2] {
            add(&writer, added);
            rows += i64::from(added);
            let copies = tempfile::tempdir().unwrap();
            for name in ["table", "table-wal"] {
                std::fs::copy(folder.path().join(name), copies.path().join(name)).unwrap();
            }
            let copy = open_writer(&copies.path().join("table")).unwrap();
            assert_eq!(count(&copy), rows);
            assert_intact(&copy);
        }
    }

    #[test]
    fn pages_that_leave_the_cache_before_the_commit_are_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = writer(&file);
        writer.pragma_update(None, "cache_size", 10).unwrap();
        for _ in 0..2 {
            writer.execute_batch("BEGIN").unwrap();
            add(&writer, 2_000);
            writer.execute("UPDATE filler SET bytes = randomblob(1500)", []).unwrap();
            assert_eq!(count(&writer), 2_000);
            writer.execute_batch("ROLLBACK").unwrap();
            assert_eq!(count(&writer), 0);
        }
        add(&writer, 2_000);
        writer.execute("UPDATE filler SET bytes = randomblob(1500)", []).unwrap();
        assert_intact(&writer);
        writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        add(&writer, 500);
        drop(writer);
        let again = open_writer(&file).unwrap();
        assert_eq!(count(&again), 2_500);
        assert_intact(&again);
    }
}

//! Keeps a reader's memory map of the table's file while the writer commits.
//!
//! SQLite unmaps the whole file whenever a connection begins to read and finds that something
//! was committed since, because elsewhere another program may have cut the file and extended it
//! again. Mapping it and faulting every page in again then costs more than the read itself, and
//! the more so the larger the table. Here nobody ever cuts the file, and even then Linux shows
//! a shared map as the file is; so the map is kept until the file has outgrown it, and then made
//! longer with all pages that it has.
//!
//! Like `log_buffer.rs` this goes past the safe binding: it puts a function of
//! its own into the place of SQLite's for one file. It must never touch anything else.

#![allow(unsafe_code, reason = "the binding does not reach the methods of an open file")]

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use rusqlite::{Connection, ffi};

use crate::connection::MMAP_BYTES;
use crate::open_file::OpenFile;

/// How much of the file's end a map may lack: this, or a sixteenth of the file. Pages there are read
/// as without a map. A longer map may have to be moved, which costs the more the larger the file is,
/// so the map of a file that keeps growing is made longer the less often.
const UNMAPPED_BYTES: i64 = 8 << 20;
const UNMAPPED_PART: i64 = 16;
/// Methods from this version of their table on can map a file.
const VERSION_WITH_MAPS: c_int = 3;

/// SQLite's methods for files, and the same with a map that is kept.
struct Methods {
    sqlite: &'static ffi::sqlite3_io_methods,
    keeping: ffi::sqlite3_io_methods,
}

/// Those of the system's files: the only ones there are in this process.
static METHODS: OnceLock<Methods> = OnceLock::new();

/// Keeps the map of the connection's file from now on. Where that is not possible everything
/// stays as it is, only slower.
pub(crate) fn keep(connection: &Connection) {
    let Some(OpenFile { file, methods: sqlite }) = OpenFile::of_table(connection) else {
        return;
    };
    if sqlite.iVersion < VERSION_WITH_MAPS {
        return;
    }
    let methods = METHODS.get_or_init(|| Methods {
        sqlite,
        keeping: ffi::sqlite3_io_methods { xUnfetch: Some(unfetch), ..*sqlite },
    });
    if ptr::eq(methods.sqlite, sqlite) {
        // SAFETY: nobody else uses the connection now, and the methods live as long as the
        // process. All but one are what they were.
        unsafe { (*file).pMethods = &raw const methods.keeping };
    }
}

/// Gives a page of the map back, or, without a page, the whole map.
unsafe extern "C" fn unfetch(
    file: *mut ffi::sqlite3_file,
    offset: ffi::sqlite3_int64,
    page: *mut c_void,
) -> c_int {
    let Some(Methods { sqlite, .. }) = METHODS.get() else {
        return ffi::SQLITE_INTERNAL;
    };
    // SAFETY: SQLite calls this with a file whose methods are ours, which is one of its own. Without
    // a page nothing of the map is in use.
    if page.is_null() && unsafe { is_mapped(sqlite, file) || grow(sqlite, file) } {
        return ffi::SQLITE_OK;
    }
    match sqlite.xUnfetch {
        // SAFETY: the arguments are those that SQLite meant for this method.
        Some(unfetch) => unsafe { unfetch(file, offset, page) },
        None => ffi::SQLITE_INTERNAL,
    }
}

/// Makes the map as long as the file; whether that was possible.
///
/// # Safety
/// The file is open and has these methods, and no page of its map is in use.
unsafe fn grow(sqlite: &ffi::sqlite3_io_methods, file: *mut ffi::sqlite3_file) -> bool {
    let (Some(file_size), Some(control)) = (sqlite.xFileSize, sqlite.xFileControl) else {
        return false;
    };
    let mut bytes: ffi::sqlite3_int64 = 0;
    let mut chunk: c_int = 1;
    // SAFETY: as the caller promises; each argument points to what the call wants there. A file that
    // grows in chunks of a byte has the size already that is hinted at, so that nothing is done but to
    // map it. Both are void for a file that is not mapped by SQLite.
    unsafe {
        file_size(file, &raw mut bytes) == ffi::SQLITE_OK
            && control(file, ffi::SQLITE_FCNTL_CHUNK_SIZE, (&raw mut chunk).cast())
                == ffi::SQLITE_OK
            && control(file, ffi::SQLITE_FCNTL_SIZE_HINT, (&raw mut bytes).cast()) == ffi::SQLITE_OK
            && is_mapped(sqlite, file)
    }
}

/// Whether the map reaches the end of the file, or nearly.
///
/// # Safety
/// The file is open and has these methods, and no page of its map is in use.
unsafe fn is_mapped(sqlite: &ffi::sqlite3_io_methods, file: *mut ffi::sqlite3_file) -> bool {
    let (Some(file_size), Some(fetch), Some(unfetch)) =
        (sqlite.xFileSize, sqlite.xFetch, sqlite.xUnfetch)
    else {
        return false;
    };
    let mut bytes = 0;
    // SAFETY: as the caller promises; the size is written to where the argument points.
    if unsafe { file_size(file, &raw mut bytes) } != ffi::SQLITE_OK {
        return false;
    }
    // More is never mapped.
    let bytes = bytes.min(MMAP_BYTES);
    let near_end = (bytes - UNMAPPED_BYTES.max(bytes / UNMAPPED_PART)).max(0);
    let mut page = ptr::null_mut();
    // SAFETY: as above. What is fetched is given back at once, and never looked at.
    unsafe {
        fetch(file, near_end, 1, &raw mut page) == ffi::SQLITE_OK
            && !page.is_null()
            && unfetch(file, near_end, page) == ffi::SQLITE_OK
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::ops::Range;
    use std::path::Path;

    use super::*;
    use crate::Options;
    use crate::connection::{open_reader, open_writer, prepare_writer};

    fn writer(file: &Path) -> Connection {
        let writer = open_writer(file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        writer.execute_batch("CREATE TABLE filler (bytes BLOB)").unwrap();
        add(&writer, 64);
        writer
    }

    /// Adds rows of a little more than a kilobyte.
    fn add(writer: &Connection, rows: u32) {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                   INSERT INTO filler SELECT zeroblob(1024) FROM n";
        writer.execute(sql, [rows]).unwrap();
    }

    fn move_log(writer: &Connection) {
        writer.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
    }

    fn count(reader: &Connection) -> i64 {
        reader.query_row("SELECT count(*) FROM filler", [], |row| row.get(0)).unwrap()
    }

    /// Where the process has mapped the file.
    fn map_of(file: &Path) -> Option<Range<usize>> {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|line| line.ends_with(file.to_str().unwrap()))?;
        let (start, end) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
        let address = |text| usize::from_str_radix(text, 16).unwrap();
        Some(address(start)..address(end))
    }

    #[test]
    fn the_map_outlives_commits_and_shows_what_they_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = writer(&file);
        move_log(&writer);
        let reader = open_reader(&file).unwrap();
        assert_eq!(count(&reader), 64);
        let map = map_of(&file);
        assert!(map.is_some());
        for commits in 1..20 {
            add(&writer, 1);
            if commits % 3 == 0 {
                move_log(&writer);
            }
            assert_eq!(count(&reader), 64 + commits);
            assert_eq!(map_of(&file), map);
        }
    }

    #[test]
    fn a_file_that_has_outgrown_its_map_is_mapped_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = writer(&file);
        move_log(&writer);
        let reader = open_reader(&file).unwrap();
        count(&reader);
        let before = map_of(&file).unwrap();
        add(&writer, 16 * 1024);
        move_log(&writer);
        // A commit after the file has grown lets the reader look.
        add(&writer, 1);
        assert_eq!(count(&reader), 64 + 16 * 1024 + 1);
        let after = map_of(&file).unwrap();
        assert!(after.len() >= before.len() + (16 << 20), "{before:?} {after:?}");
    }

    /// How many pages of the file the process has in its own tables.
    fn pages_mapped(file: &Path) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut lines = maps.lines().skip_while(|line| !line.ends_with(file.to_str().unwrap()));
        let line = lines.find(|line| line.starts_with("Rss:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() / 4
    }

    #[test]
    fn a_map_that_is_made_longer_keeps_its_pages() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = writer(&file);
        add(&writer, 16 * 1024);
        move_log(&writer);
        let reader = open_reader(&file).unwrap();
        count(&reader);
        let before = pages_mapped(&file);
        assert!(before > 4 * 1024, "{before}");
        add(&writer, 16 * 1024);
        move_log(&writer);
        add(&writer, 1);
        // Touches a page or two.
        let sql = "SELECT count(*) FROM filler WHERE rowid = 1";
        reader.query_row(sql, [], |_| Ok(())).unwrap();
        assert!(map_of(&file).unwrap().len() > 32 << 20);
        let after = pages_mapped(&file);
        assert!(after >= before, "{before} {after}");
    }
}

//! Hands the pages that are moved from the write-ahead log into the table's file over to the disk
//! while they are written, a few at a time.
//!
//! Left to itself the system keeps them until SQLite syncs the file, and then gives the disk all of
//! them, thousands all over the file. Whoever commits meanwhile waits behind them with the sync of
//! the log. That they were handed over promises nothing: the log is kept until SQLite has synced
//! the file itself, which then has little left to wait for.
//!
//! SQLite lets a program put its own function into the place of a call of the system. This one
//! writes as the system's does, and on a thread that moves the log it looks after the pages, too.

#![allow(unsafe_code, reason = "the binding does not reach the calls of the system")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::io;
use std::mem;
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;

use rusqlite::ffi;

/// So few that a sync of the log does not wait for them for long, and enough for the disk to work on.
const PAGES_TOGETHER: u32 = 64;

/// File systems from this version of their table on let calls be replaced.
const VERSION_WITH_CALLS: c_int = 3;

/// How pages are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Some only when the disk has those before them, so that others find it free.
    Gentle,
    /// As they come: somebody waits for all of them.
    Fast,
}

/// The system's `pwrite`.
type Write = unsafe extern "C" fn(c_int, *const c_void, usize, libc::off_t) -> isize;

/// What SQLite called before, and this module calls instead.
static SYSTEM_WRITE: OnceLock<Option<Write>> = OnceLock::new();

thread_local! {
    /// What this thread moves, while it does.
    static MOVING: Cell<Option<Moving>> = const { Cell::new(None) };
}

/// Puts this module's function into the place of the system's. To be called before SQLite is used:
/// it must not write meanwhile. Where that is not possible, everything stays as it is, and commits
/// wait longer while the log is moved.
pub(crate) fn install() {
    SYSTEM_WRITE.get_or_init(|| {
        // SAFETY: SQLite finds its default file system or none.
        let system = unsafe { ffi::sqlite3_vfs_find(ptr::null()) };
        // SAFETY: it is a constant of the library, and nobody changes it now.
        let (get, set) = match unsafe { system.as_ref() }? {
            methods if methods.iVersion < VERSION_WITH_CALLS => return None,
            methods => (methods.xGetSystemCall?, methods.xSetSystemCall?),
        };
        let name = c"pwrite".as_ptr();
        // SAFETY: the name is that of a call, and what SQLite calls by it has this signature.
        let write = unsafe {
            mem::transmute::<ffi::sqlite3_syscall_ptr, Option<Write>>(get(system, name))
        }?;
        // SAFETY: SQLite calls it with the signature that it has.
        let ours = unsafe { mem::transmute::<Write, unsafe extern "C" fn()>(write_and_hand_over) };
        // SAFETY: nobody uses SQLite yet, and a function lives as long as the process.
        let done = unsafe { set(system, name, Some(ours)) };
        (done == ffi::SQLITE_OK).then_some(write)
    });
}

/// Does what writes pages of one file on this thread, and hands these over at a pace.
pub(crate) fn while_moving<T>(pace: Pace, moving: impl FnOnce() -> T) -> T {
    MOVING.set(Some(Moving::new(pace)));
    let done = moving();
    MOVING.set(None);
    done
}

unsafe extern "C" fn write_and_hand_over(
    file: c_int,
    bytes: *const c_void,
    count: usize,
    offset: libc::off_t,
) -> isize {
    let Some(Some(write)) = SYSTEM_WRITE.get() else { return fail() };
    // SAFETY: the arguments are those that SQLite meant for this function.
    let written = unsafe { write(file, bytes, count, offset) };
    let (Some(mut moving), Ok(length)) = (MOVING.get(), i64::try_from(written)) else {
        return written;
    };
    let handed_over = if length > 0 { moving.add(file, offset..offset + length) } else { Ok(()) };
    MOVING.set(Some(moving));
    match handed_over {
        Ok(()) => written,
        Err(_) => fail(),
    }
}

/// Says that the disk has failed. Nothing else will do: SQLite would try again what it takes for a
/// lack of room, and pages that it no longer has in mind may be among those that are lost.
fn fail() -> isize {
    // SAFETY: it points to this thread's own reason.
    #[cfg(target_os = "linux")]
    unsafe {
        *libc::__errno_location() = libc::EIO;
    }
    -1
}

/// A part of a file.
#[derive(Clone, Copy, Debug)]
struct Part {
    file: c_int,
    start: i64,
    end: i64,
}

/// Pages on their way.
#[derive(Clone, Copy, Debug)]
struct Moving {
    pace: Pace,
    /// The part in which the pages lie that were written and not yet handed over, and how many
    /// there are.
    written: Option<Part>,
    pages: u32,
    /// What was handed over last.
    handed_over: Option<Part>,
    times: u32,
}

impl Moving {
    fn new(pace: Pace) -> Self {
        Self { pace, written: None, pages: 0, handed_over: None, times: 0 }
    }

    /// Adds a page, and hands it over with those before it when they are enough.
    fn add(&mut self, file: c_int, page: Range<i64>) -> io::Result<()> {
        let part = match self.written {
            Some(part) if part.file == file => {
                Part { file, start: part.start.min(page.start), end: part.end.max(page.end) }
            }
            _ => Part { file, start: page.start, end: page.end },
        };
        self.written = Some(part);
        self.pages += 1;
        if self.pages < PAGES_TOGETHER {
            return Ok(());
        }
        (self.written, self.pages) = (None, 0);
        let before = self.handed_over.replace(part);
        self.times += 1;
        if let (Pace::Gentle, Some(before)) = (self.pace, before) {
            before.wait()?;
        }
        part.hand_over()
    }
}

#[cfg(target_os = "linux")]
impl Part {
    /// Gives the disk what was written here, and does not wait for it.
    fn hand_over(self) -> io::Result<()> {
        self.sync_range(libc::SYNC_FILE_RANGE_WRITE)
    }

    /// Waits until the disk has what it was given.
    fn wait(self) -> io::Result<()> {
        self.sync_range(libc::SYNC_FILE_RANGE_WAIT_BEFORE)
    }

    fn sync_range(self, flags: u32) -> io::Result<()> {
        self.call(flags).or_else(|error| match error.raw_os_error() {
            Some(reason) if is_of_the_call(reason) => Ok(()),
            _ => Err(error),
        })
    }

    fn call(self, flags: u32) -> io::Result<()> {
        #[cfg(test)]
        if let Some(reason) = tests::FAILURE.get() {
            return Err(io::Error::from_raw_os_error(reason));
        }
        let length = self.end - self.start;
        // SAFETY: it reads no memory, and a file that is not open is refused.
        match unsafe { libc::sync_file_range(self.file, self.start, length, flags) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Whether this only says that the system or the file does not know the call, or that it is
/// forbidden. Any other reason is one of the disk, and is said once: a sync would not hear of it again.
#[cfg(target_os = "linux")]
fn is_of_the_call(reason: c_int) -> bool {
    matches!(reason, libc::ENOSYS | libc::EPERM | libc::ESPIPE)
}

/// Other systems have no such call; SQLite's sync does all of it at the end.
#[cfg(not(target_os = "linux"))]
impl Part {
    fn hand_over(self) -> io::Result<()> {
        Ok(())
    }

    fn wait(self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::Options;
    use crate::connection::{open_checkpointer, open_writer, prepare_writer};
    use crate::fault::{WriteFault, write_fault};

    thread_local! {
        /// What the system says instead of handing over.
        pub(super) static FAILURE: Cell<Option<c_int>> = const { Cell::new(None) };
    }

    #[test]
    fn pages_are_handed_over_on_the_way_and_all_of_them_moved() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = open_writer(&file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        let sql = "CREATE TABLE filler (bytes BLOB);
                   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
                   INSERT INTO filler SELECT randomblob(4000) FROM n;";
        writer.execute_batch(sql).unwrap();
        for pace in [Pace::Gentle, Pace::Fast] {
            writer.execute("UPDATE filler SET bytes = randomblob(4000)", []).unwrap();
            let checkpointer = open_checkpointer(&file).unwrap();
            let sql = "PRAGMA wal_checkpoint(PASSIVE)";
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(1)?, row.get(2)?));
            let moving = || (checkpointer.query_row(sql, [], row), MOVING.get());
            let (moved, moving) = while_moving(pace, moving);
            let (pages, moved): (u32, u32) = moved.unwrap();
            let times = moving.unwrap().times;
            assert!(MOVING.get().is_none(), "nothing else is handed over");
            assert!(pages >= 1500, "{pages}");
            assert_eq!(moved, pages);
            // Some are in the log twice, and moved once.
            assert!((1500 / PAGES_TOGETHER..=pages / PAGES_TOGETHER).contains(&times), "{times}");
        }
        drop(writer);
        let copy = folder.path().join("copy");
        std::fs::copy(&file, &copy).unwrap();
        let copy = open_writer(&copy).unwrap();
        let rows: i64 =
            copy.query_row("SELECT count(*) FROM filler", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 1500);
        let found: String =
            copy.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
        assert_eq!(found, "ok");
    }

    #[test]
    fn pages_of_one_file_are_handed_over_together() {
        let [one, other] = [tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap()];
        let [one, other] = [one.as_raw_fd(), other.as_raw_fd()];
        let mut moving = Moving::new(Pace::Gentle);
        moving.add(one, 4096..8192).unwrap();
        moving.add(one, 0..4096).unwrap();
        let part = moving.written.unwrap();
        assert_eq!((part.file, part.start, part.end), (one, 0, 8192));
        moving.add(other, 12_288..16_384).unwrap();
        let part = moving.written.unwrap();
        assert_eq!((part.file, part.start, part.end), (other, 12_288, 16_384));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_system_that_cannot_hand_over_is_no_harm() {
        let (reader, writer) = io::pipe().unwrap();
        let mut moving = Moving::new(Pace::Gentle);
        for page in 0..2 * i64::from(PAGES_TOGETHER) {
            moving.add(writer.as_raw_fd(), page * 4096..(page + 1) * 4096).unwrap();
        }
        assert_eq!(moving.times, 2);
        drop(reader);
        // It can for files.
        let file = tempfile::tempfile().unwrap();
        file.set_len(8192).unwrap();
        let part = Part { file: file.as_raw_fd(), start: 0, end: 8192 };
        part.call(libc::SYNC_FILE_RANGE_WRITE).unwrap();
        part.call(libc::SYNC_FILE_RANGE_WAIT_BEFORE).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn whatever_the_disk_says_is_a_failure_of_the_disk() {
        for reason in [libc::EIO, libc::ENODATA, libc::ENOLINK, libc::EINVAL, libc::ENOSPC] {
            assert!(!is_of_the_call(reason), "{reason}");
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("table");
            let writer = open_writer(&file).unwrap();
            prepare_writer(&writer, &Options::default()).unwrap();
            let sql = "CREATE TABLE filler (bytes BLOB);
                       INSERT INTO filler VALUES (zeroblob(400000));";
            writer.execute_batch(sql).unwrap();
            FAILURE.set(Some(reason));
            let sql = "PRAGMA wal_checkpoint(PASSIVE)";
            let moved = while_moving(Pace::Gentle, || writer.query_row(sql, [], |_| Ok(())));
            FAILURE.set(None);
            let fault = write_fault(&moved.unwrap_err());
            assert!(matches!(fault, WriteFault::Stop(_)), "{reason}");
        }
    }
}

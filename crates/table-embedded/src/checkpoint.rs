//! Moving the write-ahead log into the table's file, beside the writer.
//!
//! A thread of its own does the bulk, without ever making the writer wait: when much of the log
//! waits to be moved, and when writes pause. Only when they come so fast that the log never
//! empties does the writer finish the small rest itself. All checkpoints are passive: they wait
//! for nobody.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use crate::connection::open_checkpointer;
use crate::fault::{WriteFault, write_fault};
use crate::write_back::{self, Pace};

/// When so many pages (of 4 KB) of the log wait, they are moved in the background. A page that
/// many commits change is then moved once.
const PAGES_BEGIN: i32 = 32_000;
/// When the log is so long, the writer moves what is left, so that it can be started again: as soon
/// as that is little.
const PAGES_HELP: i32 = 128_000;
/// So little that nobody waits for long.
const PAGES_LEFT: i32 = 2_000;
/// When the log is so long, the writer moves whatever is left.
const PAGES_LONGEST: i32 = 192_000;
/// When nobody has written for so long, what waits is moved: reads are quicker without it.
const QUIET: Duration = Duration::from_secs(1);
/// Unless it is so little that reads do not notice.
const PAGES_BEGIN_QUIET: i32 = 1_000;

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    log: Arc<Log>,
    /// How many pages there were after the commit before.
    pages_before: Cell<i32>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What both sides know of the log.
#[derive(Debug, Default)]
struct Log {
    pages: AtomicI32,
    moved: AtomicI32,
    /// Whether the thread watches for a pause already.
    is_watched: AtomicBool,
    /// Why it must not be moved any more, if so. A disk that failed to write a page may say later
    /// that all is well, and the log would be given up while the page is not in the file.
    fault: OnceLock<String>,
}

impl Checkpointer {
    /// Watches the log that the writer's connection writes and starts the thread.
    pub(crate) fn start(file: &Path, writer: &mut Connection) -> rusqlite::Result<Self> {
        let log = Arc::<Log>::default();
        let seen = Arc::clone(&log);
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            seen.pages.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        let connection = open_checkpointer(file)?;
        let (wake, woken) = sync_channel(1);
        let watched = Arc::clone(&log);
        let thread = thread::Builder::new()
            .name("table-checkpoint".to_owned())
            .spawn(move || watched.run(&connection, &woken))
            .ok();
        Ok(Self { log, pages_before: Cell::new(0), wake: Some(wake), thread })
    }

    /// Called by the writer after each commit.
    ///
    /// # Errors
    /// When the log must not be moved any more, and so nothing may be written.
    pub(crate) fn after_commit(&self, writer: &Connection) -> Result<(), String> {
        self.move_log(writer);
        self.log.fault.get().cloned().map_or(Ok(()), Err)
    }

    /// Moves all of the log now, so that the next commit begins it anew.
    pub(crate) fn move_all(&self, writer: &Connection) {
        self.log.move_on(writer, Pace::Fast);
    }

    /// Ends the thread; whether the log may be moved by somebody else now.
    pub(crate) fn end(self) -> bool {
        let log = Arc::clone(&self.log);
        drop(self);
        log.fault.get().is_none()
    }

    fn move_log(&self, writer: &Connection) {
        let pages = self.log.pages.load(Ordering::Relaxed);
        let before = self.pages_before.replace(pages);
        if pages < before {
            // It has been started again.
            self.log.moved.store(0, Ordering::Relaxed);
        }
        if pages >= PAGES_LONGEST || self.log.is_left_to_the_writer() {
            self.log.move_on(writer, Pace::Fast);
        } else {
            // What is moved just now still counts as waiting. Whoever says so first only has the
            // thread watch again when it is done.
            let is_watched = self.log.is_watched.swap(true, Ordering::Relaxed);
            if is_watched && self.log.waiting() < pages_to_wait_for(pages) {
                return;
            }
            // A full channel means that the thread has been told already.
            let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How many pages of a log of this length wait before they are moved. When it is to be started again
/// they are moved at once, so that little is left for the writer to do.
fn pages_to_wait_for(pages: i32) -> i32 {
    if pages >= PAGES_HELP { 0 } else { PAGES_BEGIN }
}

impl Log {
    /// How many pages wait to be moved.
    fn waiting(&self) -> i32 {
        let (pages, moved) =
            (self.pages.load(Ordering::Relaxed), self.moved.load(Ordering::Relaxed));
        // More than there are were moved of a log that has been started again since.
        if moved > pages { pages } else { pages - moved }
    }

    /// Whether the log is to be started again and so little of it is left that the writer can move
    /// it: nobody else comes to an end while it goes on.
    fn is_left_to_the_writer(&self) -> bool {
        self.pages.load(Ordering::Relaxed) >= PAGES_HELP && self.waiting() <= PAGES_LEFT
    }

    /// The thread: moves the log until there is no writer any more.
    fn run(&self, connection: &Connection, woken: &Receiver<()>) {
        // What a crash left.
        self.move_on(connection, Pace::Gentle);
        while woken.recv().is_ok() {
            let Ok(is_worth_it) = self.watch(woken) else { return };
            // Who commits from now on is watched anew.
            self.is_watched.store(false, Ordering::Relaxed);
            if is_worth_it {
                self.move_on(connection, Pace::Gentle);
            }
        }
    }

    /// Waits until the log is long or nobody has written for a while; whether to move it.
    fn watch(&self, woken: &Receiver<()>) -> Result<bool, RecvTimeoutError> {
        loop {
            let pages = self.pages.load(Ordering::Relaxed);
            match woken.recv_timeout(QUIET) {
                Ok(()) => return Ok(!self.is_left_to_the_writer()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(gone) => return Err(gone),
            }
            if self.pages.load(Ordering::Relaxed) == pages {
                return Ok(self.waiting() >= PAGES_BEGIN_QUIET);
            }
        }
    }

    fn move_on(&self, connection: &Connection, pace: Pace) {
        if self.fault.get().is_some() {
            return;
        }
        // Whether somebody else is at it, how many pages there are, and how many were moved.
        let moved = write_back::while_moving(pace, || {
            connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, i32>(2))
        });
        let error = match moved {
            Ok(moved) => {
                if moved >= 0 {
                    self.moved.store(moved, Ordering::Relaxed);
                }
                return;
            }
            Err(error) => error,
        };
        match write_fault(&error) {
            WriteFault::Stop(message) => {
                let _ = self.fault.set(message);
            }
            // Nothing is lost: the log still has everything, and the next commit tries again.
            WriteFault::Full(message) | WriteFault::Unavailable(message) => {
                tracing::warn!(message, "could not move the table's write-ahead log; it grows");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::Options;
    use crate::connection::{open_writer, prepare_writer};

    fn writer(file: &Path) -> Connection {
        let writer = open_writer(file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        writer.execute_batch("CREATE TABLE filler (bytes BLOB)").unwrap();
        writer
    }

    /// Commits about so many pages.
    fn commit(writer: &Connection, pages: i32) {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                   INSERT INTO filler SELECT zeroblob(4000) FROM n";
        writer.execute(sql, [pages]).unwrap();
    }

    fn wait_until(what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what} takes too long");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn much_is_moved_at_once_unless_the_log_is_long() {
        assert_eq!(pages_to_wait_for(80), 32_000);
        assert_eq!(pages_to_wait_for(127_999), 32_000);
        // It is to be started again.
        assert_eq!(pages_to_wait_for(128_000), 0);
    }

    #[test]
    fn a_log_that_was_started_again_waits_as_a_whole() {
        let log = Log::default();
        log.pages.store(500, Ordering::Relaxed);
        assert_eq!(log.waiting(), 500);
        log.moved.store(400, Ordering::Relaxed);
        assert_eq!(log.waiting(), 100);
        log.moved.store(20_000, Ordering::Relaxed);
        assert_eq!(log.waiting(), 500);
    }

    #[test]
    fn what_waits_is_moved_when_writes_pause() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let mut writer = writer(&file);
        let checkpointer = Checkpointer::start(&file, &mut writer).unwrap();
        commit(&writer, 2 * PAGES_BEGIN_QUIET);
        checkpointer.after_commit(&writer).unwrap();
        assert!(checkpointer.log.waiting() >= PAGES_BEGIN_QUIET);
        wait_until("moving what waits", || checkpointer.log.waiting() == 0);
        // And again, in a log that begins anew.
        commit(&writer, PAGES_BEGIN_QUIET + 100);
        checkpointer.after_commit(&writer).unwrap();
        assert!(checkpointer.log.waiting() >= PAGES_BEGIN_QUIET);
        wait_until("moving what waits again", || checkpointer.log.waiting() == 0);
    }

    #[test]
    fn the_log_is_started_again_while_writes_never_pause() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let mut writer = writer(&file);
        let checkpointer = Checkpointer::start(&file, &mut writer).unwrap();
        let before = Cell::new(0);
        wait_until("starting the log again", || {
            commit(&writer, PAGES_LEFT / 2);
            checkpointer.after_commit(&writer).unwrap();
            let pages = checkpointer.log.pages.load(Ordering::Relaxed);
            pages < before.replace(pages)
        });
    }

    #[test]
    fn a_log_that_must_not_be_moved_stops_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let mut writer = writer(&file);
        let checkpointer = Checkpointer::start(&file, &mut writer).unwrap();
        assert_eq!(checkpointer.after_commit(&writer), Ok(()));
        checkpointer.log.fault.set("the disk is broken".to_owned()).unwrap();
        assert_eq!(checkpointer.after_commit(&writer), Err("the disk is broken".to_owned()));
        assert!(!checkpointer.end());
    }

    #[test]
    fn only_what_may_do_harm_stops_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = open_writer(&file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        let log = Log::default();
        log.move_on(&writer, Pace::Fast);
        assert_eq!(log.fault.get(), None);
        // No table any more.
        std::fs::write(&file, [0xa5; 8192]).unwrap();
        log.move_on(&open_writer(&file).unwrap(), Pace::Fast);
        assert!(log.fault.get().is_some());
    }
}

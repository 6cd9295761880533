//! Moving the write-ahead log into the table's file, beside the writer.
//!
//! A thread of its own does the bulk, without ever making the writer wait. Only when writes
//! come so fast that the log never empties does the writer finish the small rest itself. All
//! checkpoints are passive: they wait for nobody.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use crate::connection::open_checkpointer;
use crate::fault::{WriteFault, write_fault};

/// From so many pages (of 4 KB) on, the log is moved in the background.
const PAGES_BEGIN: i32 = 4_000;
/// The same while commits are as large as in a bulk load.
const PAGES_BEGIN_BULK: i32 = 32_000;
/// The log is moved when it has room for so many commits like the last one: a page that many
/// of them change is then moved once.
const COMMITS_MOVED: i32 = 4;
/// When the log is so many times as long as that, the writer helps, so that it stays bounded.
const HELP_FACTOR: i32 = 4;
/// And when it has so many pages, whatever the commits.
pub(crate) const PAGES_HELP_BULK: i32 = 64_000;

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    pages: Arc<AtomicI32>,
    fault: Arc<Fault>,
    /// How many there were after the commit before.
    pages_before: Cell<i32>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Watches the log that the writer's connection writes and starts the thread.
    pub(crate) fn start(file: &Path, writer: &mut Connection) -> rusqlite::Result<Self> {
        let pages = Arc::new(AtomicI32::new(0));
        let seen = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            seen.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        let connection = open_checkpointer(file)?;
        let (wake, woken) = sync_channel(1);
        // What a crash left in the log is moved first: reads are quicker without it.
        let _ = wake.try_send(());
        let fault = Arc::<Fault>::default();
        let noted = Arc::clone(&fault);
        let thread = thread::Builder::new()
            .name("table-checkpoint".to_owned())
            .spawn(move || run(&connection, &noted, &woken))
            .ok();
        Ok(Self { pages, fault, pages_before: Cell::new(0), wake: Some(wake), thread })
    }

    /// Called by the writer after each commit.
    ///
    /// # Errors
    /// When the log must not be moved any more, and so nothing may be written.
    pub(crate) fn after_commit(&self, writer: &Connection) -> Result<(), String> {
        self.move_log(writer);
        self.fault.get().cloned().map_or(Ok(()), Err)
    }

    fn move_log(&self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        let Bounds { begin, help } = Bounds::after(self.pages_before.replace(pages), pages);
        if pages < begin {
            return;
        }
        if pages >= help {
            checkpoint(writer, &self.fault);
        } else if let Some(wake) = &self.wake {
            // A full channel means that the thread has been told already.
            let _ = wake.try_send(());
        }
    }
}

/// Why the log must not be moved any more, if so. A disk that failed to write a page may say later
/// that all is well, and the log would be given up while the page is not in the file.
type Fault = OnceLock<String>;

/// How long the log may get.
#[derive(Debug, PartialEq, Eq)]
struct Bounds {
    /// From here on it is moved in the background.
    begin: i32,
    /// From here on the writer helps.
    help: i32,
}

impl Bounds {
    /// After a commit that has made the log so long, or has started it again.
    fn after(pages_before: i32, pages: i32) -> Self {
        let commit = if pages < pages_before { pages } else { pages - pages_before };
        let begin = commit.saturating_mul(COMMITS_MOVED).clamp(PAGES_BEGIN, PAGES_BEGIN_BULK);
        Self { begin, help: (begin * HELP_FACTOR).min(PAGES_HELP_BULK) }
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

fn run(connection: &Connection, fault: &Fault, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        checkpoint(connection, fault);
    }
}

fn checkpoint(connection: &Connection, fault: &Fault) {
    if fault.get().is_some() {
        return;
    }
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    let Err(error) = moved else { return };
    match write_fault(&error) {
        WriteFault::Stop(message) => {
            let _ = fault.set(message);
        }
        // Nothing is lost: the log still has everything, and the next commit tries again.
        WriteFault::Full(message) | WriteFault::Unavailable(message) => {
            tracing::warn!(message, "could not move the table's write-ahead log; it grows");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::connection::{open_writer, prepare_writer};

    #[test]
    fn the_log_stays_short_unless_single_commits_are_large() {
        let usual = Bounds { begin: 4_000, help: 16_000 };
        assert_eq!(Bounds::after(0, 80), usual);
        assert_eq!(Bounds::after(3_900, 4_700), usual);
        let bulk = Bounds { begin: 32_000, help: 64_000 };
        assert_eq!(Bounds::after(20_000, 30_000), bulk);
        // The log has been started again.
        assert_eq!(Bounds::after(66_000, 10_000), bulk);
        assert_eq!(Bounds::after(66_000, 180), usual);
    }

    #[test]
    fn a_log_that_must_not_be_moved_stops_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let mut writer = open_writer(&file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        writer.execute_batch("CREATE TABLE filler (bytes BLOB)").unwrap();
        let checkpointer = Checkpointer::start(&file, &mut writer).unwrap();
        assert_eq!(checkpointer.after_commit(&writer), Ok(()));
        checkpointer.fault.set("the disk is broken".to_owned()).unwrap();
        assert_eq!(checkpointer.after_commit(&writer), Err("the disk is broken".to_owned()));
    }

    #[test]
    fn only_what_may_do_harm_stops_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table");
        let writer = open_writer(&file).unwrap();
        prepare_writer(&writer, &Options::default()).unwrap();
        let fault = Fault::default();
        checkpoint(&writer, &fault);
        assert_eq!(fault.get(), None);
        // No table any more.
        std::fs::write(&file, [0xa5; 8192]).unwrap();
        checkpoint(&open_writer(&file).unwrap(), &fault);
        assert!(fault.get().is_some());
    }
}

//! Moving the write-ahead log into the table's file, beside the writer.
//!
//! A thread of its own does the bulk, without ever making the writer wait. Only when writes
//! come so fast that the log never empties does the writer finish the small rest itself. All
//! checkpoints are passive: they wait for nobody.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use crate::connection::open_checkpointer;

/// From so many pages (of 8 KB) on, the log is moved in the background.
const PAGES_BEGIN: i32 = 2_000;
/// The same while commits are as large as in a bulk load.
const PAGES_BEGIN_BULK: i32 = 16_000;
/// The log is moved when it has room for so many commits like the last one: a page that many
/// of them change is then moved once.
const COMMITS_MOVED: i32 = 4;
/// When the log is so many times as long as that, the writer helps, so that it stays bounded.
const HELP_FACTOR: i32 = 4;
/// And when it has so many pages, whatever the commits.
pub(crate) const PAGES_HELP_BULK: i32 = 32_000;

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    pages: Arc<AtomicI32>,
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
        let thread = thread::Builder::new()
            .name("table-checkpoint".to_owned())
            .spawn(move || run(&connection, &woken))
            .ok();
        Ok(Self { pages, pages_before: Cell::new(0), wake: Some(wake), thread })
    }

    /// Called by the writer after each commit.
    pub(crate) fn after_commit(&self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        let Bounds { begin, help } = Bounds::after(self.pages_before.replace(pages), pages);
        if pages < begin {
            return;
        }
        if pages >= help {
            checkpoint(writer);
        } else if let Some(wake) = &self.wake {
            // A full channel means that the thread has been told already.
            let _ = wake.try_send(());
        }
    }
}

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

fn run(connection: &Connection, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        checkpoint(connection);
    }
}

fn checkpoint(connection: &Connection) {
    let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    if let Err(error) = done {
        // Nothing is lost: the log still has everything, and the next commit tries again.
        tracing::warn!(%error, "could not move the table's write-ahead log; it grows");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_stays_short_unless_single_commits_are_large() {
        let usual = Bounds { begin: 2_000, help: 8_000 };
        assert_eq!(Bounds::after(0, 40), usual);
        assert_eq!(Bounds::after(1_900, 2_300), usual);
        let bulk = Bounds { begin: 16_000, help: 32_000 };
        assert_eq!(Bounds::after(10_000, 15_000), bulk);
        // The log has been started again.
        assert_eq!(Bounds::after(33_000, 5_000), bulk);
        assert_eq!(Bounds::after(33_000, 90), usual);
    }
}

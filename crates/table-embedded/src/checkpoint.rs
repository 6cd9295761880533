//! Moving the write-ahead log into the table's file, beside the writer.
//!
//! A thread of its own does the bulk, without ever making the writer wait. Only when writes
//! come so fast that the log never empties does the writer finish the small rest itself: a log
//! is started again only when all of it has been moved. All checkpoints are passive: they wait
//! for nobody.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
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
/// When the log is so many times as long as that, the writer may help, so that it stays bounded.
const HELP_FACTOR: i32 = 8;
/// And when it has so many pages it does, whatever the commits and the rest.
pub(crate) const PAGES_HELP_BULK: i32 = 32_000;
/// What the writer moves itself, in commits like the last one: everybody waits for it meanwhile.
const COMMITS_HELPED: i32 = 2;
/// So many pages are a small rest, whatever the commits.
const PAGES_HELPED: i32 = 250;

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    log: Arc<Log>,
    /// How many pages there were after the commit before.
    pages_before: Cell<i32>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What is known of the log.
#[derive(Debug, Default)]
struct Log {
    pages: AtomicI32,
    /// How many of them were in the table's file when that was last looked at.
    moved: AtomicI32,
    /// Whether the thread has been told to move it, and has not done so yet.
    is_moving: AtomicBool,
}

impl Checkpointer {
    /// Watches the log that the writer's connection writes and starts the thread.
    pub(crate) fn start(file: &Path, writer: &mut Connection) -> rusqlite::Result<Self> {
        let log = Arc::new(Log::default());
        let seen = Arc::clone(&log);
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            seen.pages.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        let connection = open_checkpointer(file)?;
        let (wake, woken) = sync_channel(1);
        let moved = Arc::clone(&log);
        let thread = thread::Builder::new()
            .name("table-checkpoint".to_owned())
            .spawn(move || run(&connection, &woken, &moved))
            .ok();
        let checkpointer = Self { log, pages_before: Cell::new(0), wake: Some(wake), thread };
        // What a crash left in the log is moved first: reads are quicker without it.
        checkpointer.wake();
        Ok(checkpointer)
    }

    /// Called by the writer after each commit.
    pub(crate) fn after_commit(&self, writer: &Connection) {
        let pages = self.log.pages.load(Ordering::Relaxed);
        let before = self.pages_before.replace(pages);
        if pages < before {
            // The log has been started again.
            self.log.moved.store(0, Ordering::Relaxed);
        }
        let unmoved = pages.saturating_sub(self.log.moved.load(Ordering::Relaxed));
        let is_moving = self.log.is_moving.load(Ordering::Acquire);
        match Bounds::after(before, pages).duty(pages, unmoved, is_moving) {
            Duty::None => {}
            Duty::Wake => self.wake(),
            Duty::Help => self.log.checkpoint(writer),
        }
    }

    fn wake(&self) {
        if let Some(wake) = &self.wake
            && !self.log.is_moving.swap(true, Ordering::AcqRel)
            && wake.try_send(()).is_err()
        {
            // There is no thread; the writer helps when the log is long.
            self.log.is_moving.store(false, Ordering::Release);
        }
    }
}

/// What is to be done about the log.
#[derive(Debug, PartialEq, Eq)]
enum Duty {
    None,
    /// Have it moved in the background.
    Wake,
    /// Move the rest at once.
    Help,
}

/// How long the log may get.
#[derive(Debug, PartialEq, Eq)]
struct Bounds {
    /// From here on it is moved in the background.
    begin: i32,
    /// From here on the writer helps, if no more than this is left.
    help: i32,
    rest: i32,
}

impl Bounds {
    /// After a commit that has made the log so long, or has started it again.
    fn after(pages_before: i32, pages: i32) -> Self {
        let commit = if pages < pages_before { pages } else { pages - pages_before };
        let begin = commit.saturating_mul(COMMITS_MOVED).clamp(PAGES_BEGIN, PAGES_BEGIN_BULK);
        let help = (begin * HELP_FACTOR).min(PAGES_HELP_BULK);
        let rest = commit.saturating_mul(COMMITS_HELPED).max(PAGES_HELPED);
        Self { begin, help, rest }
    }

    /// What to do about a log of so many pages, of which so many have not been moved.
    fn duty(&self, pages: i32, unmoved: i32, is_moving: bool) -> Duty {
        let is_long = pages >= self.help;
        if pages >= PAGES_HELP_BULK {
            Duty::Help
        } else if is_moving {
            Duty::None
        } else if is_long && unmoved <= self.rest {
            Duty::Help
        } else if is_long || (pages >= self.begin && unmoved >= self.begin / 2) {
            // Many commits at a time: pages that several of them change are then moved once.
            Duty::Wake
        } else {
            Duty::None
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

fn run(connection: &Connection, woken: &Receiver<()>, log: &Log) {
    while woken.recv().is_ok() {
        log.checkpoint(connection);
        log.is_moving.store(false, Ordering::Release);
    }
}

impl Log {
    fn checkpoint(&self, connection: &Connection) {
        let done =
            connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, i32>(2));
        match done {
            // It is none if somebody else was at it, and of a log that is gone if it is longer than
            // the one that there is.
            Ok(moved) if (0..=self.pages.load(Ordering::Relaxed)).contains(&moved) => {
                self.moved.store(moved, Ordering::Relaxed);
            }
            Ok(_) => {}
            // Nothing is lost: the log still has everything, and the next commit tries again.
            Err(error) => {
                tracing::warn!(%error, "could not move the table's write-ahead log; it grows");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_stays_short_unless_single_commits_are_large() {
        let usual = |rest| Bounds { begin: 2_000, help: 16_000, rest };
        assert_eq!(Bounds::after(0, 40), usual(250));
        assert_eq!(Bounds::after(1_900, 2_300), usual(800));
        let bulk = Bounds { begin: 16_000, help: 32_000, rest: 10_000 };
        assert_eq!(Bounds::after(10_000, 15_000), bulk);
        // The log has been started again.
        assert_eq!(Bounds::after(33_000, 5_000), bulk);
        assert_eq!(Bounds::after(33_000, 90), usual(250));
    }

    #[test]
    fn the_writer_moves_a_small_rest_and_nothing_else() {
        let bounds = Bounds::after(16_000, 16_400);
        assert_eq!(bounds.duty(1_999, 1_999, false), Duty::None);
        assert_eq!(bounds.duty(2_000, 2_000, false), Duty::Wake);
        assert_eq!(bounds.duty(2_400, 400, false), Duty::None);
        assert_eq!(bounds.duty(9_000, 5_000, true), Duty::None);
        assert_eq!(bounds.duty(16_400, 5_000, false), Duty::Wake);
        assert_eq!(bounds.duty(16_400, 800, true), Duty::None);
        assert_eq!(bounds.duty(16_400, 800, false), Duty::Help);
        // Whatever the thread does, the log stays bounded.
        assert_eq!(bounds.duty(32_000, 32_000, true), Duty::Help);
    }
}

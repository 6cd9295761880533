//! Moving the write-ahead log into the table's file, beside the writer.
//!
//! A thread of its own does the bulk, without ever making the writer wait. Only when writes
//! come so fast that the log never empties does the writer finish the small rest itself. All
//! checkpoints are passive: they wait for nobody.

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
/// From so many pages on, the writer helps, so that the log stays bounded.
const PAGES_HELP: i32 = 8_000;

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    pages: Arc<AtomicI32>,
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
        Ok(Self { pages, wake: Some(wake), thread })
    }

    /// Called by the writer after each commit.
    pub(crate) fn after_commit(&self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < PAGES_BEGIN {
            return;
        }
        if pages >= PAGES_HELP {
            checkpoint(writer);
        } else if let Some(wake) = &self.wake {
            // A full channel means that the thread has been told already.
            let _ = wake.try_send(());
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

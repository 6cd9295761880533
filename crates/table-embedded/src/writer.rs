//! The one thread that writes.
//!
//! It takes whatever is queued, without waiting for more, and commits it at once. Nobody is
//! answered before the commit is on the disk. A caller that has gone away changes nothing:
//! what was queued is done once.

use std::iter::Peekable;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use table::{Clock, Error, Touched};
use tokio::sync::mpsc::Receiver;
use tokio::sync::oneshot;

use crate::blind::BlindEntry;
use crate::checkpoint::Checkpointer;
use crate::entry::{Applier, Entry, Reply};
use crate::fault::{WriteFault, write_fault};
use crate::folder::FolderLock;
use crate::health::{Health, WriterState};

/// How many entries may wait.
pub(crate) const QUEUE_ENTRIES_MAX: usize = 1024;
/// How long closing waits for others to finish reading the log.
const CLOSING_WAIT: Duration = Duration::from_millis(500);
/// How many entries share one commit at most.
const BATCH_ENTRIES_MAX: usize = 512;

/// Everything the thread owns.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: Connection,
    pub(crate) applier: Applier,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) state: Arc<WriterState>,
    /// None when someone else moves the log.
    pub(crate) checkpointer: Option<Checkpointer>,
    pub(crate) file: PathBuf,
    /// Held until everything is written and closed.
    pub(crate) lock: FolderLock,
}

/// What the thread is asked.
#[derive(Debug)]
pub(crate) enum Message {
    Write(Entry),
    /// Finish what is queued, close the table and say so.
    Close(oneshot::Sender<()>),
}

/// A batch that failed: nothing of it was acknowledged.
struct BatchFailure {
    error: rusqlite::Error,
    while_committing: bool,
}

impl Writer {
    /// Writes until nobody can ask for more, then closes the table.
    pub(crate) fn run(mut self, mut queue: Receiver<Message>) {
        let mut messages = Vec::with_capacity(BATCH_ENTRIES_MAX);
        let mut closers = Vec::new();
        while queue.blocking_recv_many(&mut messages, BATCH_ENTRIES_MAX) > 0 {
            let mut batch = Vec::with_capacity(messages.len());
            for message in messages.drain(..) {
                match message {
                    Message::Write(entry) => batch.push(entry),
                    Message::Close(answer) => {
                        // What was queued before, and what is in the queue now, is still done.
                        queue.close();
                        closers.push(answer);
                    }
                }
            }
            self.write(batch);
        }
        self.close();
        for closer in closers {
            let _ = closer.send(());
        }
    }

    fn write(&mut self, batch: Vec<Entry>) {
        if batch.is_empty() {
            return;
        }
        if let Health::WritesStopped(reason) = self.state.health() {
            for entry in batch {
                entry.fail(Error::WritesStopped(reason.clone()));
            }
            return;
        }
        let entries = batch.len();
        let mut replies = Vec::with_capacity(entries);
        match self.commit(batch, &mut replies) {
            Ok(()) => {
                self.state.count_commit(entries);
                self.state.set_health(Health::Ready);
                for reply in replies {
                    reply(None);
                }
                if let Some(checkpointer) = &self.checkpointer
                    && self.state.is_short_of_disk()
                {
                    checkpointer.move_all(&self.connection);
                }
                if let Some(checkpointer) = &self.checkpointer
                    && let Err(reason) = checkpointer.after_commit(&self.connection)
                {
                    self.stop(&format!("the write-ahead log could not be moved: {reason}"));
                }
            }
            Err(failure) => self.fail(&failure, replies),
        }
    }

    /// Writes a batch in one transaction. Afterwards each of its entries has a reply, whatever
    /// happens.
    fn commit(&mut self, batch: Vec<Entry>, replies: &mut Vec<Reply>) -> Result<(), BatchFailure> {
        let mut batch = batch.into_iter().peekable();
        let state = Arc::clone(&self.state);
        let mut touched = state.watch.touched();
        let applied = self.apply(&mut batch, replies, &mut touched);
        // Entries that were not reached fail with the batch.
        replies.extend(batch.map(|entry| -> Reply {
            Box::new(move |error| entry.fail(error.unwrap_or(Error::Closed)))
        }));
        applied.map_err(|error| BatchFailure { error, while_committing: false })?;
        // Until it is known how it ended.
        let _committing = touched.commit();
        self.execute("COMMIT").map_err(|error| BatchFailure { error, while_committing: true })
    }

    fn apply(
        &mut self,
        batch: &mut Peekable<impl Iterator<Item = Entry>>,
        replies: &mut Vec<Reply>,
        touched: &mut Touched<'_>,
    ) -> rusqlite::Result<()> {
        self.execute("BEGIN IMMEDIATE")?;
        loop {
            let blind: Vec<BlindEntry> =
                std::iter::from_fn(|| batch.next_if_map(Entry::try_into_blind)).collect();
            let written = self.applier.write_blind(&self.connection, &blind, touched);
            replies.extend(blind.into_iter().map(BlindEntry::into_reply));
            written?;
            let Some(entry) = batch.next() else { return Ok(()) };
            let now = self.clock.now_seconds();
            let applied = self.applier.apply(&self.connection, entry, now, touched);
            replies.push(applied.reply);
            applied.written?;
        }
    }

    fn execute(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.execute([]).map(|_| ())
    }

    fn fail(&self, failure: &BatchFailure, replies: Vec<Reply>) {
        if !self.connection.is_autocommit()
            && let Err(error) = self.execute("ROLLBACK")
        {
            self.stop(&format!("a failed write could not be taken back: {error}"));
        }
        let folder = self.file.parent().unwrap_or(&self.file).display();
        match write_fault(&failure.error) {
            WriteFault::Full(message) => {
                let message = format!("{message}; free some space on the disk of {folder}");
                tracing::warn!(%message, "the table's disk is full");
                self.state.set_health(Health::Full(message.clone()));
                send(replies, || Error::Full(message.clone()));
                // What the log has taken of the disk is room for what comes next.
                if let Some(checkpointer) = &self.checkpointer {
                    checkpointer.move_all(&self.connection);
                }
            }
            WriteFault::Unavailable(message) => {
                let message = format!("{message}; another program holds the table in {folder}");
                send(replies, || Error::Unavailable {
                    message: message.clone(),
                    maybe_written: false,
                });
            }
            WriteFault::Stop(message) => {
                let reason = format!(
                    "{message}; check the disk of {folder}, run the table check and start again"
                );
                self.stop(&reason);
                // A log that was written and could not be synced may still be found when the
                // table is opened again.
                send(replies, || match failure.while_committing {
                    true => Error::Unavailable { message: reason.clone(), maybe_written: true },
                    false => Error::WritesStopped(reason.clone()),
                });
            }
        }
    }

    fn stop(&self, reason: &str) {
        tracing::error!(reason, "the table no longer accepts writes; reads go on");
        self.state.set_health(Health::WritesStopped(reason.to_owned()));
    }

    /// Leaves everything in the table's file and nothing in the log, unless that could do harm
    /// or is someone else's business.
    fn close(mut self) {
        let moves_log = self.checkpointer.take().is_some_and(Checkpointer::end);
        if moves_log && !matches!(self.state.health(), Health::WritesStopped(_)) {
            // Not for long, if someone else is still reading the log, such as a backup.
            let moved = self.connection.busy_timeout(CLOSING_WAIT).and_then(|()| {
                self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            });
            if let Err(error) = moved {
                tracing::warn!(%error, "the table's write-ahead log stays; it is read at the next start");
            }
        }
        let Self { connection, lock, .. } = self;
        drop(connection);
        drop(lock);
    }
}

fn send(replies: Vec<Reply>, error: impl Fn() -> Error) {
    for reply in replies {
        reply(Some(error()));
    }
}

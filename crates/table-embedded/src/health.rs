use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use table::Watch;

/// Whether a table takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// Everything works.
    Ready,
    /// The last write found no room. The next one tries again.
    Full(String),
    /// Writing was stopped after an error that could do harm; reads go on. The operator must
    /// act, and the table must be opened again.
    WritesStopped(String),
}

/// How large a table is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Items, expired ones that are not swept yet included.
    pub items: u64,
    /// Bytes of the table's file.
    pub file_bytes: u64,
    /// Bytes of the write-ahead log.
    pub wal_bytes: u64,
}

/// How much was written since the table was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteCounts {
    /// Entries decided: transactions, batch writes, increments and sweeps.
    pub entries: u64,
    /// Commits that made them durable; concurrent entries share one.
    pub commits: u64,
}

/// What the writer tells the others.
#[derive(Debug)]
pub(crate) struct WriterState {
    /// What it has written to.
    pub(crate) watch: Watch,
    health: Mutex<Health>,
    /// Whether the disk is nearly full.
    short_of_disk: AtomicBool,
    entries: AtomicU64,
    commits: AtomicU64,
}

impl WriterState {
    pub(crate) fn new() -> Self {
        Self {
            watch: Watch::new(),
            health: Mutex::new(Health::Ready),
            short_of_disk: AtomicBool::new(false),
            entries: AtomicU64::new(0),
            commits: AtomicU64::new(0),
        }
    }

    pub(crate) fn health(&self) -> Health {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_health(&self, health: Health) {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) = health;
    }

    pub(crate) fn is_short_of_disk(&self) -> bool {
        self.short_of_disk.load(Ordering::Relaxed)
    }

    pub(crate) fn set_short_of_disk(&self, is_short: bool) {
        self.short_of_disk.store(is_short, Ordering::Relaxed);
    }

    pub(crate) fn count_commit(&self, entries: usize) {
        self.entries.fetch_add(u64::try_from(entries).unwrap_or(0), Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn counts(&self) -> WriteCounts {
        WriteCounts {
            entries: self.entries.load(Ordering::Relaxed),
            commits: self.commits.load(Ordering::Relaxed),
        }
    }
}

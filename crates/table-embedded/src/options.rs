use std::sync::Arc;
use std::time::Duration;

use table::{Clock, SystemClock};

/// How a table is opened; the default suits a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Decides which items have expired.
    pub clock: Arc<dyn Clock>,
    /// Who moves the write-ahead log into the table's file.
    pub checkpoints: Checkpoints,
    /// The table's file never grows beyond this; writes that need more fail as on a full
    /// disk. `None` leaves it to the disk.
    pub file_bytes_max: Option<u64>,
    /// How long a write waits for another program that has locked the table for a moment, as
    /// a replicator does.
    pub lock_wait: Duration,
}

/// Who moves the write-ahead log into the table's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checkpoints {
    /// The engine, beside the writer.
    #[default]
    Own,
    /// Another program that replicates the log, such as Litestream, and must see all of it.
    LeftToReplicator,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            checkpoints: Checkpoints::default(),
            file_bytes_max: None,
            lock_wait: Duration::from_secs(10),
        }
    }
}

impl Options {
    /// Goes by another clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock) -> Self {
        Self { clock: Arc::new(clock), ..self }
    }

    /// Lets someone else move the write-ahead log.
    #[must_use]
    pub fn with_checkpoints(self, checkpoints: Checkpoints) -> Self {
        Self { checkpoints, ..self }
    }

    /// Never lets the table's file grow beyond this.
    #[must_use]
    pub fn with_file_bytes_max(self, file_bytes_max: u64) -> Self {
        Self { file_bytes_max: Some(file_bytes_max), ..self }
    }

    /// Waits so long for another program's lock.
    #[must_use]
    pub fn with_lock_wait(self, lock_wait: Duration) -> Self {
        Self { lock_wait, ..self }
    }
}

//! What an administrator wants to know at a glance.

use catalog::{Listed, PageRequest};
use model::{Timestamp, Work, WorkKind};

use crate::{Caller, Result, Service};

/// Counting stops here.
const COUNTED_MAX: usize = 10_000;
const PAGE: usize = 1000;

/// What waits to be done and what is kept.
#[derive(Clone, Debug)]
pub struct Overview {
    /// How many users there are, at most 10,000.
    pub users: usize,
    /// Images that count for quotas, of all of them.
    pub images: i64,
    /// Bytes that do.
    pub bytes: i64,
    /// Work by kind.
    pub queues: Vec<Queue>,
}

/// Work of a kind.
#[derive(Clone, Debug)]
pub struct Queue {
    /// What is to be done.
    pub kind: WorkKind,
    /// How much waits, at most 10,000.
    pub waiting: usize,
    /// How much was given up, at most as much.
    pub dead: usize,
    /// When the longest waiting was due, if anything waits.
    pub first_due: Option<Timestamp>,
}

/// How far looking for missing sizes has come, in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizesRun {
    /// Since when.
    pub started_at: Option<Timestamp>,
    /// When it ended, if it has.
    pub finished_at: Option<Timestamp>,
    /// Images that were looked at.
    pub checked: usize,
    /// Those that lack sizes, and wait for them now.
    pub queued: usize,
}

impl SizesRun {
    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.started_at.is_some() && self.finished_at.is_none()
    }
}

impl Service {
    /// What waits and what is kept.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn overview(&self, caller: &Caller) -> Result<Overview> {
        caller.require_administrator()?;
        let mut overview = Overview { users: 0, images: 0, bytes: 0, queues: Vec::new() };
        let mut page = PageRequest::first(PAGE);
        loop {
            let quotas = self.catalog().list_quotas(&page).await?;
            overview.users += quotas.entries.len();
            for (_, quota) in quotas.entries {
                overview.images += quota.images_max.saturating_sub(quota.images_left);
                overview.bytes += quota.bytes_max.saturating_sub(quota.bytes_left);
            }
            page.cursor = quotas.next;
            if page.cursor.is_none() || overview.users >= COUNTED_MAX {
                break;
            }
        }
        for kind in WorkKind::ALL {
            overview.queues.push(self.queue(kind).await?);
        }
        Ok(overview)
    }

    async fn queue(&self, kind: WorkKind) -> Result<Queue> {
        let mut first_due = None;
        let (mut waiting, mut dead) = (0, 0);
        let mut page = PageRequest::first(PAGE);
        loop {
            let Listed { entries, next } = self.catalog().list_work(kind, &page).await?;
            first_due = first_due.or(entries.first().map(|work: &Work| work.due));
            waiting += entries.len();
            page.cursor = next;
            if page.cursor.is_none() || waiting >= COUNTED_MAX {
                break;
            }
        }
        page.cursor = None;
        loop {
            let Listed { entries, next } = self.catalog().list_dead_work(kind, &page).await?;
            dead += entries.len();
            page.cursor = next;
            if page.cursor.is_none() || dead >= COUNTED_MAX {
                return Ok(Queue { kind, waiting, dead, first_due });
            }
        }
    }

    /// How far looking for missing sizes has come in this process.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub fn sizes_run(&self, caller: &Caller) -> Result<SizesRun> {
        caller.require_administrator()?;
        Ok(self.change_sizes_run(|run| *run))
    }
}

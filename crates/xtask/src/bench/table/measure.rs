//! Rounds: some tasks doing one operation for a while, and what that says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use tokio::runtime::{Builder, Runtime};

use crate::Outcome;
use crate::shared::dice::Dice;
use crate::store::Store;
use crate::work::{Knowledge, Operation, Step, Work};

/// How long a round lasts.
#[derive(Clone, Copy, Debug)]
pub struct RoundLength {
    /// Not counted: connections, caches and plans get warm.
    pub warm_up: Duration,
    pub counted: Duration,
}

/// What one round has shown.
#[derive(Clone, Debug)]
pub struct Round {
    pub per_second: f64,
    /// Of all steps, or of the reads when both were done.
    pub latency: Latency,
    /// Of the writes when both were done.
    pub write_latency: Option<Latency>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Latency {
    pub median: Duration,
    pub p99: Duration,
}

impl Latency {
    /// Of all these durations, in any order.
    pub fn of(mut durations: Vec<Duration>) -> Self {
        durations.sort_unstable();
        let at = |percent: usize| {
            let index = (durations.len() * percent / 100).min(durations.len().saturating_sub(1));
            durations.get(index).copied().unwrap_or_default()
        };
        Self { median: at(50), p99: at(99) }
    }
}

/// A runtime as a server would have it for so many tasks. One task alone is spared the way
/// from thread to thread, which is worth much to a client that waits on a socket.
pub fn runtime_for(tasks: usize) -> Outcome<Runtime> {
    let mut builder =
        if tasks == 1 { Builder::new_current_thread() } else { Builder::new_multi_thread() };
    Ok(builder.enable_all().build()?)
}

/// One round of an operation on one table; afterwards the table has the items it had before.
pub fn measure(
    store: &dyn Store,
    knowledge: &Arc<Knowledge>,
    operation: Operation,
    length: RoundLength,
    mut dice: Dice,
) -> Outcome<Round> {
    let runtime = runtime_for(operation.tasks())?;
    runtime.block_on(async {
        let sessions = (0..operation.tasks()).map(|_| store.session());
        let sessions = try_join_all(sessions).await?;
        let started = Instant::now();
        let tasks = (0..).zip(sessions).map(|(task, session)| {
            let work = Work {
                operation,
                session,
                knowledge: Arc::clone(knowledge),
                task,
                dice: Dice::new(dice.next(), task),
                stored: Vec::new(),
            };
            tokio::spawn(repeat(work, started, length))
        });
        let mut logs = Vec::new();
        for log in try_join_all(tasks).await? {
            logs.push(log?);
        }
        let keys: Vec<_> =
            logs.iter().flat_map(|log| &log.stored).map(|n| knowledge.dataset.key(*n)).collect();
        if !keys.is_empty() {
            store.remove(&keys).await?;
        }
        Ok(summarise(logs))
    })
}

/// What one task did in the counted time.
struct Log {
    reads: Vec<Duration>,
    writes: Vec<Duration>,
    stored: Vec<u64>,
    /// As long as the round should count; longer if the first step took longer.
    counted: Duration,
}

async fn repeat(mut work: Work, started: Instant, length: RoundLength) -> Outcome<Log> {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    loop {
        let step = work.step().await?;
        let elapsed = started.elapsed().saturating_sub(length.warm_up);
        let is_over = elapsed >= length.counted;
        let is_first = reads.is_empty() && writes.is_empty();
        // A step counts when it ends, so that no time is counted twice or not at all. A round
        // that is over before anything was done lasts until something is.
        if !elapsed.is_zero() && (is_first || !is_over) {
            match step {
                Step::Read(took) => reads.push(took),
                Step::Write(took) => writes.push(took),
            }
        }
        if is_over {
            let counted = if is_first { elapsed } else { length.counted };
            return Ok(Log { reads, writes, stored: work.stored, counted });
        }
    }
}

fn summarise(logs: Vec<Log>) -> Round {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let mut counted = Duration::ZERO;
    for log in logs {
        counted = counted.max(log.counted);
        reads.extend(log.reads);
        writes.extend(log.writes);
    }
    let steps = u32::try_from(reads.len() + writes.len()).unwrap_or(u32::MAX);
    let per_second = f64::from(steps) / counted.as_secs_f64();
    let (latency, write_latency) = match (reads.is_empty(), writes.is_empty()) {
        (false, false) => (Latency::of(reads), Some(Latency::of(writes))),
        (true, _) => (Latency::of(writes), None),
        (false, true) => (Latency::of(reads), None),
    };
    Round { per_second, latency, write_latency }
}

//! What all rounds together have shown.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::measure::{Latency, Round};
use crate::shared::spread::Spread;
use crate::store::Side;
use crate::work::Operation;

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Results {
    rounds: BTreeMap<(Operation, u64, Side), Vec<Round>>,
    /// Bytes on the disk of the largest table.
    pub disk_bytes: BTreeMap<Side, u64>,
    /// How long the first answer took after a kill under load.
    pub reopened: BTreeMap<Side, Vec<Duration>>,
    /// How many writes were acknowledged before those kills; all were found again.
    pub acknowledged: BTreeMap<Side, u64>,
}

/// The rounds of one operation on one table of one side.
#[derive(Clone, Debug)]
pub struct Summary {
    pub per_second: Spread<f64>,
    pub median: Spread<Duration>,
    pub p99: Duration,
    pub write_latency: Option<Latency>,
}

impl Results {
    pub fn add(&mut self, operation: Operation, items: u64, side: Side, round: Round) {
        self.rounds.entry((operation, items, side)).or_default().push(round);
    }

    pub fn summary(&self, operation: Operation, items: u64, side: Side) -> Option<Summary> {
        let rounds = self.rounds.get(&(operation, items, side))?;
        let median_of = |value: fn(&Latency) -> Duration| {
            let latencies = rounds.iter().filter_map(|round| round.write_latency.as_ref());
            Spread::of(latencies.map(value)).map_or(Duration::ZERO, |spread| spread.median)
        };
        let has_writes = rounds.iter().any(|round| round.write_latency.is_some());
        Some(Summary {
            per_second: Spread::of(rounds.iter().map(|round| round.per_second))?,
            median: Spread::of(rounds.iter().map(|round| round.latency.median))?,
            p99: Spread::of(rounds.iter().map(|round| round.latency.p99))?.median,
            write_latency: has_writes
                .then(|| Latency { median: median_of(|l| l.median), p99: median_of(|l| l.p99) }),
        })
    }

    /// How many times as fast as PostgreSQL the embedded engine is.
    pub fn ratio(&self, operation: Operation, items: u64) -> Option<f64> {
        let embedded = self.summary(operation, items, Side::Embedded)?.speed(operation);
        let postgres = self.summary(operation, items, Side::Postgres)?.speed(operation);
        Some(embedded / postgres)
    }

    /// How many times as slow the large table is as the small one.
    pub fn growth(&self, operation: Operation, side: Side, small: u64, large: u64) -> Option<f64> {
        let small = self.summary(operation, small, side)?.speed(operation);
        let large = self.summary(operation, large, side)?.speed(operation);
        Some(small / large)
    }
}

impl Summary {
    /// Reads are judged by the median of one, writes by how many are done.
    fn speed(&self, operation: Operation) -> f64 {
        if operation.is_read() {
            1.0 / self.median.median.as_secs_f64()
        } else {
            self.per_second.median
        }
    }
}

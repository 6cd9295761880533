//! What operations cost and how long they take, as metrics.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use aws_sdk_dynamodb::types::{Capacity, ConsumedCapacity};
use table::Result;

use crate::operation::Operation;

/// Counts the capacity units consumed.
///
/// DynamoDB charges in halves while counters are whole numbers: the fraction is carried over
/// to the next count, so that the sum is exact to below one unit.
#[derive(Debug, Default)]
pub(crate) struct CapacityMeter {
    fractions: Mutex<HashMap<Account, f64>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Account {
    operation: Operation,
    kind: &'static str,
    target: String,
}

/// The target of what the table itself consumed, or of what was not told apart.
const TABLE: &str = "table";

impl CapacityMeter {
    /// Counts what one answer reports.
    pub(crate) fn count<'c>(
        &self,
        operation: Operation,
        consumed: impl IntoIterator<Item = &'c ConsumedCapacity>,
    ) {
        for consumed in consumed {
            let indexes = consumed.global_secondary_indexes();
            match consumed.table() {
                Some(table) => self.add_part(operation, TABLE, table),
                None => self.add_total(operation, consumed, indexes),
            }
            for (name, part) in indexes.into_iter().flatten() {
                self.add_part(operation, name, part);
            }
        }
    }

    fn add_part(&self, operation: Operation, target: &str, part: &Capacity) {
        let (read, write) = (part.read_capacity_units(), part.write_capacity_units());
        self.add_units(operation, target, part.capacity_units(), read, write);
    }

    /// Counts an answer that has no part of the table's own.
    fn add_total(
        &self,
        operation: Operation,
        consumed: &ConsumedCapacity,
        indexes: Option<&HashMap<String, Capacity>>,
    ) {
        if indexes.is_none_or(HashMap::is_empty) {
            let (read, write) = (consumed.read_capacity_units(), consumed.write_capacity_units());
            self.add_units(operation, TABLE, consumed.capacity_units(), read, write);
        }
    }

    fn add_units(
        &self,
        operation: Operation,
        target: &str,
        total: Option<f64>,
        read: Option<f64>,
        write: Option<f64>,
    ) {
        match (read, write) {
            // Only transactions tell reads and writes apart.
            (None, None) => {
                let kind = if operation.writes() { "write" } else { "read" };
                self.add(operation, kind, target, total);
            }
            _ => {
                self.add(operation, "read", target, read);
                self.add(operation, "write", target, write);
            }
        }
    }

    fn add(&self, operation: Operation, kind: &'static str, target: &str, units: Option<f64>) {
        let Some(units) = units.filter(|units| *units > 0.0) else { return };
        let account = Account { operation, kind, target: target.to_owned() };
        let mut fractions = self.fractions.lock().unwrap_or_else(PoisonError::into_inner);
        let fraction = fractions.entry(account).or_default();
        let sum = *fraction + units;
        *fraction = sum.fract();
        // Positive and far below 2^53: a request costs some hundred thousand units at most.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = sum.trunc() as u64;
        drop(fractions);
        metrics::counter!(
            "ferrotype_table_capacity_units_total",
            "operation" => operation.name(),
            "kind" => kind,
            "target" => target.to_owned()
        )
        .increment(whole);
    }
}

/// Measures how long an operation takes, its retries included.
pub(crate) async fn timed<T>(
    operation: Operation,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let started = Instant::now();
    let result = work.await;
    metrics::histogram!(
        "ferrotype_table_operation_seconds",
        "operation" => operation.name(),
        "outcome" => if result.is_ok() { "ok" } else { "error" }
    )
    .record(started.elapsed());
    result
}

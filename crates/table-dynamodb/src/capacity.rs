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
            let indexes = consumed.global_secondary_indexes().into_iter().flatten();
            for (name, part) in indexes.clone() {
                self.add_part(operation, name, part);
            }
            match consumed.table() {
                Some(part) => self.add_part(operation, TABLE, part),
                None => {
                    let of_indexes: f64 =
                        indexes.filter_map(|(_, part)| part.capacity_units()).sum();
                    let total = consumed.capacity_units().unwrap_or_default() - of_indexes;
                    let (read, write) =
                        (consumed.read_capacity_units(), consumed.write_capacity_units());
                    let only_read = read.is_some() && write.is_none();
                    let kind = if only_read { "read" } else { usual_kind(operation) };
                    self.add(operation, kind, TABLE, Some(total));
                }
            }
        }
    }

    fn add_part(&self, operation: Operation, target: &str, part: &Capacity) {
        match (part.read_capacity_units(), part.write_capacity_units()) {
            // Only transactions tell reads and writes apart.
            (None, None) => {
                self.add(operation, usual_kind(operation), target, part.capacity_units());
            }
            (read, write) => {
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

fn usual_kind(operation: Operation) -> &'static str {
    if operation.writes() { "write" } else { "read" }
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

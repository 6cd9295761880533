//! What the embedded engine has to reach.

use std::time::Duration;

use crate::format;
use crate::plan::Plan;
use crate::results::Results;
use crate::store::Side;
use crate::work::Operation;

/// How many times as slow a large table may be as a small one.
const GROWTH_MAX: f64 = 1.5;

/// One thing to reach, and whether it was.
#[derive(Clone, Debug)]
pub struct Target {
    pub what: String,
    pub wanted: String,
    pub found: String,
    pub met: bool,
}

/// All targets against what was measured on the largest table.
pub fn judge(plan: &Plan, results: &Results) -> Vec<Target> {
    let items = plan.items;
    let median_max = |operation: Operation, max: Duration| {
        let found = results.summary(operation, items, Side::Embedded).map(|s| s.median.median);
        Target {
            what: format!("{operation}, median"),
            wanted: format!("≤ {}", format::duration(max)),
            found: found.map_or("nothing".to_owned(), format::duration),
            met: found.is_some_and(|found| found <= max),
        }
    };
    let ratio_min = |operation: Operation, min: f64| {
        let found = results.ratio(operation, items);
        Target {
            what: format!("{operation}, times PostgreSQL"),
            wanted: format!("≥ {min} ×"),
            found: found.map_or("nothing".to_owned(), |found| format!("{found:.2} ×")),
            met: found.is_some_and(|found| found >= min),
        }
    };
    let mut targets = vec![
        median_max(Operation::Get, Duration::from_micros(10)),
        ratio_min(Operation::Get, 6.0),
        median_max(Operation::Newest, Duration::from_micros(60)),
        ratio_min(Operation::Newest, 3.0),
        ratio_min(plan.busiest_put(), 0.6),
        ratio_min(Operation::FirstLoad, 1.0),
        ratio_min(plan.update(), 1.0),
    ];
    let small = plan.sizes().first().copied().unwrap_or(items);
    let grown = plan.reads().into_iter().chain(plan.writes());
    targets.extend(grown.map(|operation| flat(results, operation, small, items)));
    targets
}

fn flat(results: &Results, operation: Operation, small: u64, large: u64) -> Target {
    let found = results.growth(operation, Side::Embedded, small, large);
    let (from, to) = (format::grouped(small), format::grouped(large));
    Target {
        what: format!("{operation}, slower from {from} to {to} items"),
        wanted: format!("≤ {GROWTH_MAX} ×"),
        found: found.map_or("nothing".to_owned(), |found| format!("{found:.2} ×")),
        met: found.is_some_and(|found| found <= GROWTH_MAX),
    }
}

//! What the embedded engine has to reach.

use std::time::Duration;

use crate::plan::Plan;
use crate::results::Results;
use crate::shared::format;
use crate::shared::targets::Target;
use crate::store::Side;
use crate::work::Operation;

/// How many times as slow a large table may be as a small one.
const GROWTH_MAX: f64 = 1.5;

/// All targets against what was measured on the largest table.
pub fn judge(plan: &Plan, results: &Results) -> Vec<Target> {
    let items = plan.items;
    let median_max = |operation: Operation, max: Duration| {
        let found = results.summary(operation, items, Side::Embedded).map(|s| s.median.median);
        Target::at_most(format!("{operation}, median"), max, found, format::duration)
    };
    let ratio_min = |operation: Operation, min: f64| {
        let found = results.ratio(operation, items);
        Target::at_least(format!("{operation}, times PostgreSQL"), min, found, times)
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
    let what = format!("{operation}, slower from {from} to {to} items");
    Target::at_most(what, GROWTH_MAX, found, times)
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2} ×")
}

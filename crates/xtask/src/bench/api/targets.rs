//! What was to be reached, and whether it is.

use std::time::Duration;

use crate::operation::Operation;
use crate::results::Results;
use crate::shared::format::{duration, megabytes};
use crate::shared::targets::Target;
use crate::side::Side;

const P99_MAX: Duration = Duration::from_millis(20);
const ACKNOWLEDGED_MAX: Duration = Duration::from_millis(100);
const IDLE_BYTES_MAX: u64 = 60_000_000;

/// Both sides of every ratio come from the same run.
pub fn judge(results: &Results, lone_photo_bytes: u64) -> Vec<Target> {
    let part = |operation: Operation, other: Side, min: f64| {
        let what = format!("{operation}, requests/s as a part of the {other}'s");
        Target::at_least(what, min, results.ratio(operation, other), percent)
    };
    let mut targets = vec![
        part(Operation::Get, Side::Bare, 0.5),
        part(Operation::List, Side::Bare, 0.2),
        part(Operation::Thumb, Side::Nginx, 0.5),
        Target::at_least(
            "uploads/s with all renditions, times pict-rs",
            3.0,
            results.upload_ratio(),
            |times| format!("{times:.1} ×"),
        ),
    ];
    for operation in [Operation::Get, Operation::List, Operation::Thumb, Operation::Patch] {
        let p99 = results.spread(operation, Side::Ferrotype, |load| load.p99);
        let found = p99.map(|p99| p99.median);
        targets.push(Target::at_most(format!("{operation}, p99"), P99_MAX, found, duration));
    }
    let idle = Some(results.memory.idle);
    targets.push(Target::at_most("idle RSS", IDLE_BYTES_MAX, idle, megabytes));
    let acknowledged = results.acknowledged_within(95);
    let size = megabytes(lone_photo_bytes);
    let what = format!("an upload of {size} acknowledged, durable, p95");
    targets.push(Target::at_most(what, ACKNOWLEDGED_MAX, acknowledged, duration));
    targets
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

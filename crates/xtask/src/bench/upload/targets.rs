//! What is to be reached.

use crate::measure::{Findings, Side};
use crate::shared::targets::Target;

/// Judges a run.
pub fn judge(findings: &Findings) -> Vec<Target> {
    let Findings { limited, free, .. } = findings;
    let times = |ratio: f64| format!("{ratio:.2} ×");
    let slower = limited.took.as_secs_f64() / free.took.as_secs_f64().max(f64::EPSILON);
    let p99 = |side: &Side| {
        side.busy.at(99).as_secs_f64() / side.idle.at(99).as_secs_f64().max(f64::EPSILON)
    };
    let whole = |count: u64| count.to_string();
    vec![
        Target::at_most("time with limits, times without", 1.15, Some(slower), times),
        Target::at_most("p99 of the gallery meanwhile, times idle", 3.0, Some(p99(limited)), times),
        Target::at_most(
            "answers 429, on both sides",
            0,
            Some(limited.told_to_wait + free.told_to_wait),
            whole,
        ),
        Target::at_most(
            "requests of the gallery that were refused",
            0,
            Some((limited.busy.refused + limited.idle.refused) as u64),
            whole,
        ),
    ]
}

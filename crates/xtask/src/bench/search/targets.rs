//! What the issue asks for.

use std::time::Duration;

use crate::measure::Findings;
use crate::plan::Plan;
use crate::shared::format::{duration, grouped};
use crate::shared::targets::Target;

const SELECTIVE_MAX: Duration = Duration::from_millis(10);
const WORST_MAX: Duration = Duration::from_millis(100);
/// How many times as slow a search may be in a hundred times as many images.
const GROWTH_MAX: f64 = 2.0;

pub fn judge(plan: &Plan, findings: &Findings) -> Vec<Target> {
    let mut targets = Vec::new();
    let (Some(smallest), Some(largest)) = (findings.libraries.first(), findings.libraries.last())
    else {
        return targets;
    };
    let images = grouped(plan.images);
    for kind in plan.kinds() {
        let found = largest.latencies.get(&kind);
        let (p99, median) = (found.map(|l| l.at(99)), found.map(|l| l.at(50)));
        if !kind.is_selective() {
            let what = format!("{kind}: p99 in {images} images");
            targets.push(Target::at_most(what, WORST_MAX, p99, duration));
            continue;
        }
        let what = format!("{kind}: p99 in {images} images");
        targets.push(Target::at_most(what, SELECTIVE_MAX, p99, duration));
        let small = smallest.latencies.get(&kind).map(|latencies| latencies.at(50));
        let growth = median.zip(small).map(|(large, small)| ratio(large, small));
        let what = format!("{kind}: median, times that in {} images", grouped(smallest.images));
        targets.push(Target::at_most(what, GROWTH_MAX, growth, |growth| format!("{growth:.2} ×")));
    }
    targets
}

fn ratio(large: Duration, small: Duration) -> f64 {
    large.as_secs_f64() / small.as_secs_f64().max(1e-9)
}

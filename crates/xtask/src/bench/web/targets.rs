//! What was to be reached.

use std::time::Duration;

use crate::measure::{Findings, Measured};
use crate::shared::format::{duration, grouped};
use crate::shared::targets::Target;

const UNCHANGED_MAX: Duration = Duration::from_millis(5);
const CHUNK_MAX: Duration = Duration::from_millis(50);
const NODES_MAX: f64 = 400.0;
const HEAP_MAX: f64 = 60.0;
const LAYOUT_MAX: f64 = 50.0;
const ACCESSIBILITY_MIN: f64 = 100.0;
const PERFORMANCE_MIN: f64 = 90.0;

pub fn judge(findings: &Findings) -> Vec<Target> {
    let mut targets = Vec::new();
    for library in &findings.libraries {
        let images = grouped(library.images);
        let what = format!("a timeline of {images} images that has not changed");
        targets.push(Target::at_most(what, UNCHANGED_MAX, Some(library.unchanged), duration));
        let what = format!("256 of {images} images, p99");
        targets.push(Target::at_most(what, CHUNK_MAX, Some(library.chunk_slow), duration));
    }
    let (smaller, larger) = (findings.libraries.first(), findings.libraries.last());
    if let (Some(smaller), Some(larger)) = (smaller, larger)
        && larger.browser.is_some()
    {
        targets.extend(in_browser(smaller, larger));
    }
    targets
}

fn in_browser(smaller: &Measured, larger: &Measured) -> Vec<Target> {
    let number = |library: &Measured, names: &[&str]| {
        library.browser.as_ref().and_then(|browser| browser.number(names))
    };
    let (few, many) = (grouped(smaller.images), grouped(larger.images));
    let whole = |number: f64| format!("{number:.0}");
    let ms = |number: f64| format!("{number:.0} ms");
    let megabytes = |number: f64| format!("{number:.0} MB");
    let heap = number(larger, &["after", "heapBytes"]).map(|bytes| bytes / 1e6);
    let mark = |page, device, kind| number(smaller, &["lighthouse", page, device, kind]);
    vec![
        Target::at_most(
            format!("elements of the timeline of {many} images after scrolling"),
            NODES_MAX,
            number(larger, &["after", "timelineNodes"]),
            whole,
        ),
        Target::at_most(format!("memory at {many} images"), HEAP_MAX, heap, megabytes),
        Target::at_most(
            format!("laying out {few} images"),
            LAYOUT_MAX,
            number(smaller, &["layoutMs"]),
            ms,
        ),
        Target::at_least(
            "accessibility of the timeline by Lighthouse",
            ACCESSIBILITY_MIN,
            mark("timeline", "desk", "accessibility"),
            whole,
        ),
        Target::at_least(
            "performance of the timeline by Lighthouse, on a desk",
            PERFORMANCE_MIN,
            mark("timeline", "desk", "performance"),
            whole,
        ),
    ]
}

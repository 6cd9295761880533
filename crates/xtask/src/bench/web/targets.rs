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

/// When elements are counted.
const NODES: [&[&str]; 5] = [
    &["resting", "timelineNodes"],
    &["slow", "timelineNodesMax"],
    &["fast", "timelineNodesMax"],
    &["jumps", "timelineNodesMax"],
    &["after", "timelineNodes"],
];

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
        targets.extend(by_lighthouse(smaller));
    }
    targets
}

fn in_browser(smaller: &Measured, larger: &Measured) -> Vec<Target> {
    let (few, many) = (grouped(smaller.images), grouped(larger.images));
    let ms = |number: f64| format!("{number:.0} ms");
    let megabytes = |number: f64| format!("{number:.0} MB");
    let nodes = NODES.map(|names| number(larger, names));
    let most = nodes.into_iter().collect::<Option<Vec<f64>>>();
    let most = most.map(|all| all.into_iter().fold(0.0, f64::max));
    let heap = number(larger, &["after", "heapBytes"]).map(|bytes| bytes / 1e6);
    let layout = number(smaller, &["layoutMs"]);
    vec![
        Target::at_most(
            format!("elements of the timeline of {many} images, at any time"),
            NODES_MAX,
            most,
            whole,
        ),
        Target::at_most(format!("memory at {many} images"), HEAP_MAX, heap, megabytes),
        Target::at_most(format!("laying out {few} images"), LAYOUT_MAX, layout, ms),
    ]
}

/// The two forms in which Lighthouse looks at a page.
fn by_lighthouse(library: &Measured) -> Vec<Target> {
    let forms = [("desk", "on a desk"), ("phone", "on a simulated phone")];
    let marks = [("accessibility", ACCESSIBILITY_MIN), ("performance", PERFORMANCE_MIN)];
    let all = marks.iter().flat_map(|mark| forms.iter().map(move |form| (mark, form)));
    all.map(|((kind, min), (form, name))| {
        let found = number(library, &["lighthouse", "timeline", *form, *kind]);
        let images = grouped(library.images);
        let what = format!("{kind} of the timeline of {images} images by Lighthouse, {name}");
        Target::at_least(what, *min, found, whole)
    })
    .collect()
}

fn number(library: &Measured, names: &[&str]) -> Option<f64> {
    library.browser.as_ref().and_then(|browser| browser.number(names))
}

fn whole(number: f64) -> String {
    format!("{number:.0}")
}

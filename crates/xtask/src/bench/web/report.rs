//! The results as a document.

use std::fmt::Write as _;

use crate::Plan;
use crate::measure::{Findings, Measured};
use crate::shared::format::{duration, grouped, megabytes};
use crate::shared::targets::{Target, write_targets};

/// Everything, as Markdown.
pub fn markdown(plan: &Plan, findings: &Findings, targets: &[Target]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_all(&mut text, plan, findings, targets);
    text
}

fn write_all(
    out: &mut String,
    plan: &Plan,
    findings: &Findings,
    targets: &[Target],
) -> std::fmt::Result {
    let Plan { images, seed, .. } = plan;
    writeln!(out, "# The gallery in a growing library\n")?;
    writeln!(
        out,
        "Written by `cargo xtask bench web --images {images} --seed {seed}`; run it again instead \
         of editing this file.\n"
    )?;
    write_targets(out, targets)?;
    write_server(out, findings)?;
    if findings.libraries.iter().any(|library| library.browser.is_some()) {
        write_browser(out, findings)?;
        write_lighthouse(out, findings)?;
    }
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in &findings.machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    writeln!(out, "\n{REMARKS}")
}

const REMARKS: &str = include_str!("remarks.txt").trim_ascii_end();

/// What is told of a library.
type Figure = fn(&Measured) -> String;

fn write_server(out: &mut String, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## In the server\n")?;
    heading(out, findings)?;
    let rows: [(&str, Figure); 6] = [
        ("the first timeline ever, which reads every image", |m| duration(m.first)),
        ("the first one after a start", |m| duration(m.after_start)),
        ("the first one after a new photo", |m| duration(m.after_arrival)),
        ("one that has not changed", |m| duration(m.unchanged)),
        ("256 images anywhere, median", |m| duration(m.chunk_median)),
        ("256 images anywhere, p99", |m| duration(m.chunk_slow)),
    ];
    for (what, figure) in rows {
        row(out, findings, what, figure)?;
    }
    row(out, findings, "loading the library for this", |m| duration(m.load_time))?;
    writeln!(out)
}

/// How a figure of the browser is written.
#[derive(Clone, Copy)]
enum Unit {
    Count,
    Tenths,
    Milliseconds,
    Bytes,
    Megabytes,
}

impl Unit {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "for show")]
    fn text(self, found: f64) -> String {
        let whole = found.max(0.0).round() as u64;
        match self {
            Self::Count | Self::Bytes => grouped(whole),
            Self::Tenths => format!("{found:.1}"),
            Self::Milliseconds => format!("{} ms", grouped(whole)),
            Self::Megabytes => megabytes(whole),
        }
    }
}

/// What is told of the browser: its name here, its names in the script's results, and its unit.
const IN_BROWSER: [(&str, &[&str], Unit); 22] = [
    ("first photo visible", &["firstPhotoMs"], Unit::Milliseconds),
    ("layout of all", &["layoutMs"], Unit::Milliseconds),
    ("bytes of the timeline, compressed", &["skeletonBytes"], Unit::Bytes),
    ("waiting for it", &["skeletonMs"], Unit::Milliseconds),
    ("bytes of scripts, compressed", &["scriptBytes"], Unit::Bytes),
    ("frames per second, scrolling", &["slow", "framesPerSecond"], Unit::Tenths),
    ("95 of 100 frames within, scrolling", &["slow", "frameMs", "p95"], Unit::Milliseconds),
    ("moments without a frame for 50 ms, scrolling", &["slow", "stalls"], Unit::Count),
    ("long tasks, scrolling", &["slow", "longTasks"], Unit::Count),
    ("the longest of them", &["slow", "longestTaskMs"], Unit::Milliseconds),
    ("frames per second, scrolling fast", &["fast", "framesPerSecond"], Unit::Tenths),
    ("95 of 100 frames within, scrolling fast", &["fast", "frameMs", "p95"], Unit::Milliseconds),
    ("moments without a frame for 50 ms, scrolling fast", &["fast", "stalls"], Unit::Count),
    ("long tasks, scrolling fast", &["fast", "longTasks"], Unit::Count),
    ("the longest of them, scrolling fast", &["fast", "longestTaskMs"], Unit::Milliseconds),
    ("a photo visible after a jump, median", &["jumps", "photoMs", "median"], Unit::Milliseconds),
    ("a photo visible after a jump, longest", &["jumps", "photoMs", "longest"], Unit::Milliseconds),
    ("elements of the timeline at first", &["resting", "timelineNodes"], Unit::Count),
    ("most elements while scrolling", &["slow", "timelineNodesMax"], Unit::Count),
    ("elements of the timeline afterwards", &["after", "timelineNodes"], Unit::Count),
    ("memory at first", &["resting", "heapBytes"], Unit::Megabytes),
    ("memory afterwards", &["after", "heapBytes"], Unit::Megabytes),
];

fn write_browser(out: &mut String, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## In the browser\n")?;
    heading(out, findings)?;
    for (what, names, unit) in IN_BROWSER {
        row(out, findings, what, |measured| figure(measured, names, unit))?;
    }
    writeln!(out)
}

/// What Lighthouse looks at, by its names in the script's results.
const AUDITED: [(&str, &str, &str); 4] = [
    ("timeline, on a desk", "timeline", "desk"),
    ("timeline, on a simulated phone", "timeline", "phone"),
    ("signing in, on a desk", "signin", "desk"),
    ("signing in, on a simulated phone", "signin", "phone"),
];

fn write_lighthouse(out: &mut String, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## Lighthouse\n")?;
    writeln!(
        out,
        "| page | images | performance | accessibility | first content | largest content | \
         blocked | layout shift |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    for (what, page, device) in AUDITED {
        for library in &findings.libraries {
            let of = |name, unit| figure(library, &["lighthouse", page, device, name], unit);
            let shift = library
                .browser
                .as_ref()
                .and_then(|browser| browser.number(&["lighthouse", page, device, "layoutShift"]));
            writeln!(
                out,
                "| {what} | {} | {} | {} | {} | {} | {} | {} |",
                grouped(library.images),
                of("performance", Unit::Count),
                of("accessibility", Unit::Count),
                of("firstContentMs", Unit::Milliseconds),
                of("largestContentMs", Unit::Milliseconds),
                of("blockingMs", Unit::Milliseconds),
                shift.map_or(NONE.to_owned(), |shift| format!("{shift:.3}")),
            )?;
        }
    }
    writeln!(out)
}

const NONE: &str = "–";

fn figure(measured: &Measured, names: &[&str], unit: Unit) -> String {
    let found = measured.browser.as_ref().and_then(|browser| browser.number(names));
    found.map_or(NONE.to_owned(), |found| unit.text(found))
}

fn heading(out: &mut String, findings: &Findings) -> std::fmt::Result {
    let sizes: Vec<String> =
        findings.libraries.iter().map(|library| grouped(library.images)).collect();
    writeln!(out, "| images | {} |\n|---|{}", sizes.join(" | "), "---:|".repeat(sizes.len()))
}

fn row(
    out: &mut String,
    findings: &Findings,
    what: &str,
    figure: impl Fn(&Measured) -> String,
) -> std::fmt::Result {
    let cells: Vec<String> = findings.libraries.iter().map(figure).collect();
    writeln!(out, "| {what} | {} |", cells.join(" | "))
}

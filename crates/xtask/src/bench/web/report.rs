//! The results as a document.

use std::fmt::Write as _;

use crate::Plan;
use crate::measure::{Findings, Measured};
use crate::shared::format::{duration, grouped};
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
    }
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in &findings.machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    writeln!(
        out,
        "\nOne user has all images, at even distances over three years, of six shapes. The server \
         is measured in process, through the same functions as the HTTP API, on the embedded \
         engine; the browser is Chromium at 1440 × 900 against the release binary."
    )
}

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

/// What is told of the browser: its name here, its names in the script's results, and its unit.
const IN_BROWSER: [(&str, &[&str], &str); 12] = [
    ("first photo visible", &["firstPhotoMs"], " ms"),
    ("layout of all", &["layoutMs"], " ms"),
    ("bytes of the timeline, compressed", &["skeletonBytes"], ""),
    ("waiting for it", &["skeletonMs"], " ms"),
    ("bytes of scripts, compressed", &["scriptBytes"], ""),
    ("frames per second, scrolling", &["slow", "framesPerSecond"], ""),
    ("long tasks, scrolling", &["slow", "longTasks"], ""),
    ("frames per second, scrolling fast", &["fast", "framesPerSecond"], ""),
    ("long tasks, scrolling fast", &["fast", "longTasks"], ""),
    ("elements of the timeline afterwards", &["after", "timelineNodes"], ""),
    ("bytes of memory at first", &["resting", "heapBytes"], ""),
    ("bytes of memory afterwards", &["after", "heapBytes"], ""),
];

fn write_browser(out: &mut String, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## In the browser\n")?;
    heading(out, findings)?;
    for (what, names, unit) in IN_BROWSER {
        row(out, findings, what, |measured| {
            let found = measured.browser.as_ref().and_then(|browser| browser.number(names));
            found.map_or("–".to_owned(), |found| format!("{}{unit}", grouped(found as u64)))
        })?;
    }
    writeln!(out)
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

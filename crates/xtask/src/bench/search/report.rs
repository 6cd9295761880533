//! The results as a document.

use std::fmt::Write as _;
use std::time::Duration;

use crate::kind::Kind;
use crate::measure::{Findings, Latencies, Measured};
use crate::plan::Plan;
use crate::shared::format::{duration, grouped, megabytes};
use crate::shared::targets::{Target, write_targets};

/// Everything, as Markdown.
pub fn markdown(plan: &Plan, findings: &Findings, targets: &[Target], command: &str) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_all(&mut text, plan, findings, targets, command);
    text
}

fn write_all(
    out: &mut String,
    plan: &Plan,
    findings: &Findings,
    targets: &[Target],
    command: &str,
) -> std::fmt::Result {
    writeln!(out, "# Searching a growing library\n")?;
    writeln!(out, "Written by `{command}`; run it again instead of editing this file.\n")?;
    write_targets(out, targets)?;
    write_times(out, findings, "Medians", |latencies| latencies.at(50))?;
    write_times(out, findings, "The slowest of a hundred (p99)", |latencies| latencies.at(99))?;
    write_times(out, findings, "The slowest of all", Latencies::longest)?;
    write_table(out, findings, "How many were found, on average", |library, kind| {
        let found = library.found.get(&kind)?;
        Some(format!("{:.1}", *found as f64 / plan.requests as f64))
    })?;
    write_conditions(out, plan, findings)
}

fn write_times(
    out: &mut String,
    findings: &Findings,
    title: &str,
    time: impl Fn(&Latencies) -> Duration,
) -> std::fmt::Result {
    write_table(out, findings, title, |library, kind| {
        library.latencies.get(&kind).map(|latencies| duration(time(latencies)))
    })
}

fn write_table(
    out: &mut String,
    findings: &Findings,
    title: &str,
    figure: impl Fn(&Measured, Kind) -> Option<String>,
) -> std::fmt::Result {
    let sizes: Vec<String> =
        findings.libraries.iter().map(|library| grouped(library.images)).collect();
    let columns = "---:|".repeat(sizes.len());
    writeln!(out, "## {title}, by the number of images\n")?;
    writeln!(out, "| first page of 50 | {} |\n|---|{columns}", sizes.join(" | "))?;
    for kind in Kind::ALL {
        let cells: Vec<String> = findings
            .libraries
            .iter()
            .map(|library| figure(library, kind).unwrap_or_else(|| "–".to_owned()))
            .collect();
        writeln!(out, "| {kind} | {} |", cells.join(" | "))?;
    }
    writeln!(out)
}

fn write_conditions(out: &mut String, plan: &Plan, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in &findings.machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    for library in &findings.libraries {
        let (images, time) = (grouped(library.images), duration(library.load_time));
        let read = megabytes(library.read_bytes);
        writeln!(
            out,
            "- {images} images were loaded in {time}; {read} came from the disk while they were \
             searched"
        )?;
    }
    writeln!(
        out,
        "- seed {}, {} requests of each kind\n",
        plan.seed,
        grouped(plan.requests as u64)
    )?;
    writeln!(
        out,
        "In process, through the same functions as the HTTP API, on the embedded engine with its \
         default options and the allocator of the shipped binary, one request after the other; all \
         kinds take turns. Half of the images belong to the user who searches, the others to nine \
         more; a quarter is shared with everybody. A title has two words, of which there is one for \
         every twenty images, one of them often a frequent one, and three in ten have one more \
         word that is the same in all; there is one tag for every five images ({} in the largest \
         library), and every image has two. A beginning is as much of a word, or a tag, as it takes \
         until at most eight begin so, which makes it as selective in every library. Each request \
         is made from an image of the user that is picked at random, so that something is \
         found. What is not selective may come as a short page with a cursor. Before it is asked, \
         a library is closed, synced and opened again, and its files are read once: it is in the \
         machine's memory as far as that has room, as after some time of use.",
        grouped(plan.images / 5)
    )
}

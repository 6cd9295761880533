//! The results as a document.

use std::fmt::Write as _;

use crate::operation::Operation;
use crate::plan::Plan;
use crate::results::{Memory, Results};
use crate::run::Findings;
use crate::shared::format::{duration, grouped, megabytes, rate};
use crate::shared::targets::{Target, write_targets};
use crate::side::Side;

/// Everything, as Markdown. The remarks are what a person has found out about the figures.
pub fn markdown(
    plan: &Plan,
    findings: &Findings,
    targets: &[Target],
    command: &str,
    remarks: &str,
) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_all(&mut text, plan, findings, targets, command, remarks);
    text
}

fn write_all(
    out: &mut String,
    plan: &Plan,
    findings: &Findings,
    targets: &[Target],
    command: &str,
    remarks: &str,
) -> std::fmt::Result {
    writeln!(out, "# The API: Ferrotype, a bare handler, nginx and pict-rs\n")?;
    writeln!(out, "Written by `{command}`; run it again instead of editing this file.\n")?;
    write_targets(out, targets)?;
    write_loads(out, plan, &findings.results)?;
    write_uploads(out, plan, findings)?;
    write_memory(out, &findings.results.memory)?;
    if !remarks.is_empty() {
        writeln!(out, "{}\n", remarks.trim())?;
    }
    write_conditions(out, plan, findings)
}

fn write_loads(out: &mut String, plan: &Plan, results: &Results) -> std::fmt::Result {
    writeln!(out, "## {} images, {} connections\n", grouped(plan.images), plan.connections)?;
    writeln!(
        out,
        "Medians of all rounds, with the extremes in brackets. The server's processor time and the \
         bytes are those of one answer. \"Part\" is Ferrotype's requests in a second as a part of \
         the other's.\n"
    )?;
    writeln!(
        out,
        "| | | requests/s | median | p99 | CPU of the server | bytes | part |\n\
         |---|---|---:|---:|---:|---:|---:|---:|"
    )?;
    for operation in Operation::ALL {
        for side in operation.sides() {
            let figures = (
                results.spread(operation, *side, |load| load.per_second),
                results.spread(operation, *side, |load| load.median),
                results.spread(operation, *side, |load| load.p99),
                results.spread(operation, *side, |load| (load.processor, load.answer_bytes)),
            );
            let (Some(per_second), Some(median), Some(p99), Some(costs)) = figures else {
                continue;
            };
            let (processor, bytes) = costs.median;
            let part = results.ratio(operation, *side).filter(|_| *side != Side::Ferrotype);
            let part = part.map_or(String::new(), |part| format!("{:.0} %", part * 100.0));
            writeln!(
                out,
                "| {operation} | {side} | {} | {} | {} | {} | {} | {part} |",
                per_second.show(rate),
                median.show(duration),
                p99.show(duration),
                duration(processor),
                grouped(bytes),
            )?;
        }
    }
    writeln!(out)
}

fn write_uploads(out: &mut String, plan: &Plan, findings: &Findings) -> std::fmt::Result {
    let (width, height) = plan.photo_size;
    let results = &findings.results;
    writeln!(
        out,
        "## Uploads of photos of {width} × {height}, {} on average\n",
        megabytes(findings.photo_bytes)
    )?;
    writeln!(out, "| | photos/s with all four renditions |\n|---|---:|")?;
    for side in [Side::Ferrotype, Side::PictRs] {
        if let Some(uploads) = results.uploads(side) {
            writeln!(out, "| {side} | {} |", uploads.show(|photos| format!("{photos:.2}")))?;
        }
    }
    let (width, height) = plan.lone_photo_size;
    let within = |percent| results.acknowledged_within(percent).map_or("–".to_owned(), duration);
    writeln!(
        out,
        "\nOne at a time, {width} × {height} and {} on average, acknowledged when it is durable ({} \
         uploads): median {}, p95 {}, slowest {}.\n",
        megabytes(findings.lone_photo_bytes),
        results.acknowledged.len(),
        within(50),
        within(95),
        within(100)
    )
}

fn write_memory(out: &mut String, memory: &Memory) -> std::fmt::Result {
    let Memory { idle, asked, uploading, afterwards, afterwards_own } = *memory;
    writeln!(out, "## Memory of Ferrotype's process\n")?;
    writeln!(out, "| | RSS |\n|---|---:|")?;
    writeln!(out, "| idle, before the first request | {} |", megabytes(idle))?;
    writeln!(out, "| the most while it was asked | {} |", megabytes(asked))?;
    writeln!(out, "| the most, uploads included | {} |", megabytes(uploading))?;
    writeln!(out, "| some seconds after all that | {} |", megabytes(afterwards))?;
    writeln!(
        out,
        "| the same without pages of mapped files, most of them of the table | {} |\n",
        megabytes(afterwards_own)
    )
}

fn write_conditions(out: &mut String, plan: &Plan, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in &findings.machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    writeln!(
        out,
        "- seed {}, {} rounds of {} s for each operation and side, {} rounds of uploads, each after \
         one that is not counted\n",
        plan.seed, plan.rounds, plan.seconds, plan.upload_rounds
    )?;
    writeln!(
        out,
        "The load tool (`wrk`, two threads, keep-alive), the server and whatever it stands on share \
         the cores; the servers that are not asked are idle meanwhile. In every round the sides \
         take turns. A request that fails in any way fails the benchmark. All sides are asked over \
         loopback with requests in random order, made up before the clock starts; titles of PATCH \
         are made up on the way. Latencies are as `wrk` says them: for an answer that took twice the \
         mean or more it adds those that would have been asked for meanwhile.\n"
    )?;
    writeln!(
        out,
        "Ferrotype is `ferrotype serve`, built with the release profile, on the embedded engines \
         with their default options (a change is answered when its log is synced), with API keys, \
         without rate limits, and with a log of warnings only. Its {} images belong to {} users \
         with a key each; they were written into the data folder before the start, one by one as \
         uploads are, as rows with everything that a processed photo has. Each has a thumb of {} \
         on average as an object of its own name; popular ones are {} of them, which fit into the \
         server's memory of pictures, the others do not. Images are asked for by their owners. A PATCH names no \
         version, and writes the image, the search terms of its new title and a row of the change \
         feed.\n",
        grouped(plan.images),
        grouped(plan.users),
        bytes(findings.thumb_bytes),
        grouped(plan.popular)
    )?;
    writeln!(
        out,
        "The bare handler is axum with the same allocator, profile and number of threads in a \
         process of its own. It answers every request with the same bytes, head and body, that \
         Ferrotype once answered with: no rights, no table, no JSON. nginx serves the very files \
         of the thumbs, as Debian configures it (`sendfile`, `tcp_nopush`, a process for each \
         core), but without a log of requests; its answers have fewer headers.\n"
    )?;
    writeln!(
        out,
        "Uploads: {} clients send {} photos a round as forms; the clock stops when all renditions \
         can be had. Ferrotype makes its four default sizes (256 covering the box, 640, 1280 and \
         2048, WebP of quality 80) by itself. pict-rs keeps its rows in sled and its files in a \
         folder, and makes renditions when they are asked for, so that each client asks for \
         `process.webp?thumbnail=` 256, 640, 1280 and 2048 after each of its uploads; `thumbnail` \
         is the faster of its two filters (samples instead of Lanczos), and its quality of WebP is \
         80 too. It calls ImageMagick, ffmpeg and exiftool, as many at a time as it does by default; \
         where only ImageMagick 6 is installed, its programs are called by the name of version 7, \
         which pict-rs expects. Every photo has other bytes, so that nobody knows it already. The photos are made by the harness as for the imaging \
         benchmark, see [testing](../testing.md#photos).",
        plan.uploaders, plan.uploads
    )
}

fn bytes(bytes: usize) -> String {
    format!("{} bytes", grouped(bytes as u64))
}

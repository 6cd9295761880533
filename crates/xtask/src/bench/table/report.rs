//! The results as a document.

use std::fmt::Write as _;

use crate::plan::Plan;
use crate::postgres::SETTINGS;
use crate::results::{Results, Summary};
use crate::run::Findings;
use crate::shared::format::{duration, grouped, megabytes, rate};
use crate::shared::targets::{Target, write_targets};
use crate::store::Side;
use crate::work::Operation;

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
    writeln!(out, "# The table: embedded engine and PostgreSQL\n")?;
    writeln!(out, "Written by `{command}`; run it again instead of editing this file.\n")?;
    write_targets(out, targets)?;
    write_comparison(out, plan, &findings.results)?;
    write_growth(out, plan, &findings.results)?;
    write_conditions(out, plan, findings)
}

fn write_comparison(out: &mut String, plan: &Plan, results: &Results) -> std::fmt::Result {
    let items = plan.items;
    writeln!(out, "## Side by side at {} items\n", grouped(items))?;
    writeln!(
        out,
        "Medians of all rounds, with the slowest and the fastest round in brackets. `×` says how \
         many times as fast the embedded engine is: reads by their median, the rest by what is \
         done in a second.\n"
    )?;
    writeln!(
        out,
        "| operation | embedded: per second | median | p99 | PostgreSQL: per second | median | \
         p99 | × |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    let all = plan.reads().into_iter().chain(plan.writes()).chain([Operation::FirstLoad]);
    for operation in all {
        let cells: Vec<String> = Side::BOTH
            .iter()
            .map(|side| cells(operation, results.summary(operation, items, *side).as_ref()))
            .collect();
        let ratio = results.ratio(operation, items).unwrap_or_default();
        writeln!(out, "| {operation} | {} | {ratio:.2} |", cells.join(" | "))?;
    }
    writeln!(out, "\nIn the mixed load, latencies are of gets; those of its puts:")?;
    for side in Side::BOTH {
        let puts = results.summary(plan.mixed(), items, side).and_then(|s| s.write_latency);
        let puts = puts.unwrap_or_default();
        let (median, p99) = (duration(puts.median), duration(puts.p99));
        writeln!(out, "- {side}: median {median}, p99 {p99}")?;
    }
    writeln!(out, "\n| | embedded | PostgreSQL |\n|---|---:|---:|")?;
    let both = |cell: &dyn Fn(Side) -> String| Side::BOTH.map(cell).join(" | ");
    let reopened = both(&|side| reopened(results, side));
    writeln!(
        out,
        "| first answer after `kill -9` under load (each of {}) | {reopened} |",
        plan.kills
    )?;
    let found = both(&|side| grouped(results.acknowledged.get(&side).copied().unwrap_or(0)));
    writeln!(out, "| writes acknowledged before the kills, all found again | {found} |")?;
    let disk = both(&|side| megabytes(results.disk_bytes.get(&side).copied().unwrap_or(0)));
    writeln!(out, "| on the disk after the bulk load, without logs | {disk} |\n")
}

fn reopened(results: &Results, side: Side) -> String {
    let all = results.reopened.get(&side).into_iter().flatten();
    all.map(|took| duration(*took)).collect::<Vec<_>>().join(", ")
}

fn cells(operation: Operation, summary: Option<&Summary>) -> String {
    let Some(Summary { per_second, median, p99, .. }) = summary else {
        return "– | – | –".to_owned();
    };
    let per_second = per_second.show(rate);
    match operation {
        Operation::FirstLoad | Operation::Load { .. } => format!("{per_second} | – | –"),
        _ => format!("{per_second} | {} | {}", median.show(duration), duration(*p99)),
    }
}

fn write_growth(out: &mut String, plan: &Plan, results: &Results) -> std::fmt::Result {
    let sizes = plan.sizes();
    let (Some(small), Some(large)) = (sizes.first(), sizes.last()) else { return Ok(()) };
    writeln!(out, "## As the table grows\n")?;
    writeln!(
        out,
        "Reads: median. The rest: done in a second. `×`: how many times as slow the largest \
         table is as the smallest.\n"
    )?;
    let names: Vec<String> = sizes.iter().map(|size| grouped(*size)).collect();
    let columns = "---:|".repeat(sizes.len() + 1);
    writeln!(out, "| operation | side | {} | × |\n|---|---|{columns}", names.join(" | "))?;
    for operation in plan.reads().into_iter().chain(plan.writes()) {
        for side in Side::BOTH {
            let cells: Vec<String> = sizes
                .iter()
                .filter_map(|size| results.summary(operation, *size, side))
                .map(|summary| match operation.is_read() {
                    true => duration(summary.median.median),
                    false => rate(summary.per_second.median),
                })
                .collect();
            let growth = results.growth(operation, side, *small, *large).unwrap_or_default();
            let cells = cells.join(" | ");
            writeln!(out, "| {operation} | {side} | {cells} | {growth:.2} |")?;
        }
    }
    writeln!(out)
}

fn write_conditions(out: &mut String, plan: &Plan, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in &findings.machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    let settings: Vec<String> =
        SETTINGS.iter().map(|(name, value)| format!("`{name}={value}`")).collect();
    writeln!(
        out,
        "- seed {}, {} rounds of {} after one that is not counted, each with a warm-up of {}\n",
        plan.seed,
        plan.rounds,
        duration(plan.length().counted),
        duration(plan.length().warm_up)
    )?;
    writeln!(
        out,
        "The items are rows of images as the catalog writes them, about 1.2 KB by DynamoDB's rule, \
         with entries in the owner, feed and container indexes, over up to 1,000 users with 40 \
         images at least. In every round sides and sizes take turns. Requests are made up before \
         the clock starts; both sides hand back whole items, every byte checked, which are decoded \
         when they are looked at: \"read as an image\" is that, by the same code for both sides. \
         The embedded engine runs in this process with its default options (`synchronous=FULL`) \
         and the allocator of the shipped binary (mimalloc). PostgreSQL runs next to it, with \
         `fsync` and `synchronous_commit` on, over TCP on loopback, with a connection for each \
         task and one prepared statement for each operation. The same table there: a primary key \
         on `pk` and `sk`, a column for each index attribute and the version, the rest as CBOR in \
         a `bytea`, a partial index for each index. Its settings: {}. One task alone runs on a \
         runtime of one thread, more on one with a thread for each core.\n",
        settings.join(", ")
    )?;
    writeln!(
        out,
        "In PostgreSQL's favour: autovacuum is off, and it vacuums and makes its checkpoints when \
         nothing is measured, while the embedded engine's checkpoints fall into what is measured; \
         its pages of 20 do not look for a 21st row; before it is killed it has just made a \
         checkpoint. Rows that a round has added are removed after it. Bulk load is `batch_write` \
         of 25 items from 1,024 tasks on the one side, a binary `COPY` on each of two connections \
         on the other, with all indexes in place on both."
    )
}

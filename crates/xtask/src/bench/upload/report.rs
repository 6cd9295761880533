//! The results as a document.

use std::fmt::Write as _;

use crate::measure::{Findings, Plan, Side};
use crate::shared::format::{duration, grouped, rate};
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
    writeln!(out, "# A library on its way in\n")?;
    writeln!(out, "Written by `{command}`; run it again instead of editing this file.\n")?;
    write_targets(out, targets)?;
    let photos = grouped(plan.photos.into());
    writeln!(out, "## {photos} small photos by `ferrotype upload`, {} at once\n", plan.parallel)?;
    writeln!(
        out,
        "Meanwhile the same person looks at their gallery, one request after the other: the shell, who \
         they are, the timeline, the newest images and thumbnails. Renditions are made meanwhile, too.\n"
    )?;
    writeln!(
        out,
        "| limits | time | photos/s | 429 | gallery idle: p50 | p99 | meanwhile: requests | p50 | p99 | refused |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    write_side(out, plan, "on (the default)", &findings.limited)?;
    write_side(out, plan, "off", &findings.free)?;
    writeln!(out, "\n## Conditions\n\n| | |\n|---|---|")?;
    for (name, value) in &findings.facts {
        writeln!(out, "| {name} | {value} |")?;
    }
    Ok(())
}

fn write_side(out: &mut String, plan: &Plan, name: &str, side: &Side) -> std::fmt::Result {
    let per_second = f64::from(plan.photos) / side.took.as_secs_f64().max(f64::EPSILON);
    let [idle50, idle99] = [50, 99].map(|percent| duration(side.idle.at(percent)));
    let [busy50, busy99] = [50, 99].map(|percent| duration(side.busy.at(percent)));
    writeln!(
        out,
        "| {name} | {} | {} | {} | {idle50} | {idle99} | {} | {busy50} | {busy99} | {} |",
        duration(side.took),
        rate(per_second),
        side.told_to_wait,
        grouped(side.busy.count() as u64),
        side.busy.refused,
    )
}

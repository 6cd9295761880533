//! The results as a document.

use std::fmt::Write as _;

use crate::contender::Contender;
use crate::measure::{Round, Scenario};
use crate::photos::Kind;
use crate::plan::{EFFORT, Job, Plan};
use crate::results::Results;
use crate::run::Findings;
use crate::shared::format::{duration, grouped, megabytes, rate};
use crate::shared::spread::Spread;
use crate::shared::targets::{Target, write_targets};
use crate::steps::Step;
use crate::targets::{BEST_CPU_MAX, LARGE_CPU_MAX};

/// Everything, as Markdown.
pub fn markdown(
    plan: &Plan,
    job: &Job,
    findings: &Findings,
    targets: &[Target],
    command: &str,
) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_all(&mut text, plan, job, findings, targets, command);
    text
}

fn write_all(
    out: &mut String,
    plan: &Plan,
    job: &Job,
    findings: &Findings,
    targets: &[Target],
    command: &str,
) -> std::fmt::Result {
    writeln!(out, "# Renditions: Ferrotype and other image libraries\n")?;
    writeln!(out, "Written by `{command}`; run it again instead of editing this file.\n")?;
    write_targets(out, targets)?;
    writeln!(
        out,
        "Medians of all rounds, with the extremes in brackets; `×` is how many times as much as \
         Ferrotype. Memory is the peak of the process divided by the photos in flight. \
         SSIMULACRA2 is the mean over all photos, for {}.\n",
        job.sizes.iter().map(|size| size.name.as_str()).collect::<Vec<_>>().join(" / ")
    )?;
    write_main(out, plan, job, findings)?;
    write_differences(out, job, findings)?;
    write_others(out, plan, job, findings)?;
    write_steps(out, plan, findings)?;
    write_conditions(out, plan, job, findings)
}

/// The kind most photos are, alone and two at a time.
fn write_main(out: &mut String, plan: &Plan, job: &Job, findings: &Findings) -> std::fmt::Result {
    let results = &findings.results;
    let (one, two) = (scenario(Kind::Jpeg, 1), scenario(Kind::Jpeg, 2));
    writeln!(out, "## {}\n", title(plan, findings, Kind::Jpeg))?;
    writeln!(
        out,
        "| | CPU ms per photo | × | photos/s, 1 core | photos/s, 2 cores, 2 in flight | memory, 1 \
         in flight | per photo, 2 in flight | bytes out | × | SSIMULACRA2 |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    for contender in Contender::ALL {
        if results.spread(one, contender, cpu_ms).is_none() {
            continue;
        }
        let cells = [
            spread(results.spread(one, contender, cpu_ms), 0),
            times(results, one, contender, cpu_ms),
            spread(results.spread(one, contender, |round| round.photos_per_second), 2),
            spread(results.spread(two, contender, |round| round.photos_per_second), 2),
            memory(results, one, contender),
            memory(results, two, contender),
            bytes(results, one, contender),
            times(results, one, contender, |round| round.bytes_out),
            scores(job, results, Kind::Jpeg, contender),
        ];
        writeln!(out, "| {contender} | {} |", cells.join(" | "))?;
    }
    writeln!(out)
}

/// How much better or worse each rendition is than another's, photo by photo.
fn write_differences(out: &mut String, job: &Job, findings: &Findings) -> std::fmt::Result {
    writeln!(
        out,
        "SSIMULACRA2 of Ferrotype less that of another, mean over the photos and its standard \
         error:\n"
    )?;
    let names: Vec<&str> = job.sizes.iter().map(|size| size.name.as_str()).collect();
    writeln!(out, "| | {} |", names.join(" | "))?;
    writeln!(out, "|---|{}", "---:|".repeat(names.len()))?;
    for kind in [Kind::Jpeg, Kind::LargeJpeg] {
        for other in Contender::ALL {
            let cells: Vec<String> = names
                .iter()
                .filter_map(|name| findings.results.difference(kind, other, name))
                .map(|(mean, error)| format!("{mean:+.2} ± {error:.2}"))
                .collect();
            if other != Contender::Ferrotype && cells.len() == names.len() {
                writeln!(out, "| {kind}, {other} | {} |", cells.join(" | "))?;
            }
        }
    }
    writeln!(out)?;
    write_rendition_bytes(out, &names, findings)
}

/// A score means little without the bytes it was bought with.
fn write_rendition_bytes(
    out: &mut String,
    names: &[&str],
    findings: &Findings,
) -> std::fmt::Result {
    writeln!(
        out,
        "Bytes of each rendition of a 12 MP JPEG, mean over the photos. Everyone is asked for the same \
         quality. At effort 4, which others use, libwebp reaches more of it in small pictures: 0.7 \
         points on small and 1.1 on thumb, with 3 % less bytes, when Pillow writes the same pixels at \
         effort 4 instead of 2. Ferrotype makes up for that by asking libwebp for up to 1.1 more where \
         pictures are small. At effort 4, thumb would take 7 ms more and small 15, all sizes about as \
         long as everything together takes now.\n"
    )?;
    writeln!(out, "| | {} |", names.join(" | "))?;
    writeln!(out, "|---|{}", "---:|".repeat(names.len()))?;
    for contender in Contender::ALL {
        let cells: Vec<String> = names
            .iter()
            .filter_map(|name| findings.results.mean_bytes(Kind::Jpeg, contender, name))
            .map(grouped)
            .collect();
        if cells.len() == names.len() {
            writeln!(out, "| {contender} | {} |", cells.join(" | "))?;
        }
    }
    writeln!(out)
}

fn write_others(out: &mut String, plan: &Plan, job: &Job, findings: &Findings) -> std::fmt::Result {
    let results = &findings.results;
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Jpeg) {
        if !findings.photo_bytes.contains_key(&kind) {
            continue;
        }
        let one = scenario(kind, 1);
        writeln!(out, "## {}\n", title(plan, findings, kind))?;
        writeln!(
            out,
            "| | CPU ms per photo | × | photos/s, 1 core | memory | bytes out | × | SSIMULACRA2 |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|"
        )?;
        for contender in Contender::ALL {
            if !contender.reads(kind) {
                writeln!(out, "| {contender} | cannot read it | | | | | | |")?;
                continue;
            }
            if results.spread(one, contender, cpu_ms).is_none() {
                continue;
            }
            let cells = [
                spread(results.spread(one, contender, cpu_ms), 0),
                times(results, one, contender, cpu_ms),
                spread(results.spread(one, contender, |round| round.photos_per_second), 2),
                memory(results, one, contender),
                bytes(results, one, contender),
                times(results, one, contender, |round| round.bytes_out),
                scores(job, results, kind, contender),
            ];
            writeln!(out, "| {contender} | {} |", cells.join(" | "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_steps(out: &mut String, plan: &Plan, findings: &Findings) -> std::fmt::Result {
    writeln!(out, "## Where the time goes\n")?;
    writeln!(
        out,
        "A JPEG in Ferrotype, by the processor time of each step: the mean over all photos of the \
         median of {} times.\n",
        plan.rounds
    )?;
    let (small, large) = (steps_of(findings, Kind::Jpeg), steps_of(findings, Kind::LargeJpeg));
    writeln!(out, "| step | 12 MP, ms | share | 48 MP, ms | share |\n|---|---:|---:|---:|---:|")?;
    for step in small {
        let same = large.iter().find(|other| other.name == step.name);
        let cells = |step: &Step| {
            format!("{:.1} | {:.0} %", step.time.as_secs_f64() * 1e3, 100.0 * step.share)
        };
        writeln!(
            out,
            "| {} | {} | {} |",
            step.name,
            cells(step),
            same.map_or("– | –".into(), cells)
        )?;
    }
    writeln!(out)?;
    for kind in [Kind::Jpeg, Kind::LargeJpeg] {
        write_bound(out, findings, kind)?;
    }
    writeln!(
        out,
        "{} shrinks while it decodes, as Ferrotype does where four times as many pixels as needed \
         are there, and has no more to decode and the same to encode with the same two libraries.\n",
        Contender::SharpBest
    )?;
    let probe = findings.probe;
    writeln!(
        out,
        "Probing a 12 MP JPEG takes {} (median; the slowest took {}).\n",
        duration(probe.median),
        duration(probe.slowest)
    )
}

fn steps_of(findings: &Findings, kind: Kind) -> &[Step] {
    findings.steps.get(&kind).map_or(&[], Vec::as_slice)
}

/// What would be left if only the codecs took time.
fn write_bound(out: &mut String, findings: &Findings, kind: Kind) -> std::fmt::Result {
    let share = |start: &str| -> f64 {
        let steps = steps_of(findings, kind).iter().filter(|step| step.name.starts_with(start));
        steps.map(|step| step.share).sum()
    };
    let (decode, encode) = (share("decode"), share("encode"));
    let one = scenario(kind, 1);
    let Some(ours) = findings.results.median(one, Contender::Ferrotype, cpu_ms) else {
        return Ok(());
    };
    let bound = ours * (decode + encode);
    writeln!(
        out,
        "**Lower bound, {kind}.** libwebp takes {:.0} % of it and libjpeg-turbo {:.0} %. If nothing \
         else took any time (no resizing, hashing, turning or placeholder), a photo would still \
         take {bound:.0} of the {ours:.0} ms measured above.{}\n",
        100.0 * encode,
        100.0 * decode,
        match findings.results.median(one, Contender::SharpBest, cpu_ms) {
            Some(sharp) => against_target(kind, bound, sharp, ours * decode, ours * encode),
            None => String::new(),
        }
    )
}

/// What a target that is out of reach would take.
fn against_target(kind: Kind, bound: f64, sharp: f64, decode: f64, encode: f64) -> String {
    let wanted = if kind == Kind::LargeJpeg { LARGE_CPU_MAX } else { BEST_CPU_MAX };
    let target = wanted * sharp;
    let other = Contender::SharpBest;
    let part = bound / sharp;
    if target >= bound {
        return format!(" That is {part:.2} of {other}.");
    }
    format!(
        " That is {part:.2} of {other}, which takes {sharp:.0} ms. The target of {wanted:.2} is \
         {target:.0} ms: after decoding ({decode:.0} ms), {:.0} ms would be left for what libwebp \
         takes {encode:.0} ms for at this effort. The same files cannot be written in that time by \
         the library that both use; it would take less effort, which costs quality or bytes, or \
         another encoder.",
        (target - decode).max(0.0)
    )
}

fn write_conditions(
    out: &mut String,
    plan: &Plan,
    job: &Job,
    findings: &Findings,
) -> std::fmt::Result {
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in &findings.machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    for (contender, version) in &findings.results.versions {
        writeln!(out, "- {contender}: {version}. {}", sentence(contender.way()))?;
    }
    writeln!(
        out,
        "\nEveryone makes the same of every photo: {}; WebP of quality {}, upright, without \
         metadata. libwebp's effort (\"method\") is {EFFORT} for Ferrotype and sharp at its best, 4 \
         for the others. Each contender is a process of its own that is told over a pipe which \
         file to render, answers with the sizes of what it has made, and keeps the renditions in \
         memory; Ferrotype also makes its placeholder, hashes and facts in that time. In each of \
         the {} rounds every contender gets a fresh process for every table above, one after the \
         other in an order that turns; the first photos of a process are not timed. Processor time \
         and peak memory (`VmHWM`) are read from the kernel, including programs started for a \
         photo; cores are assigned by `taskset`. No photo is opened twice by the same name in a \
         process, so that no cache can help.\n",
        sizes(job),
        job.quality,
        plan.rounds
    )?;
    writeln!(
        out,
        "The photos are made by the harness from a seed ({}): overlapping discs with a power law \
         of sizes, which gives the edges and the 1/f spectrum of natural scenes, with texture, \
         partly out of focus, seen by a camera with a lens, less colour than brightness, little \
         noise and sharpened edges; JPEG of quality 95 with 4:2:0 chroma, EXIF, every third held \
         upright (orientation 6). Their statistics are those of 41 photographs, see \
         [testing](../testing.md#photos). The other formats show scenes of the same kinds, \
         upright.\n",
        plan.seed
    )?;
    writeln!(
        out,
        "SSIMULACRA2 compares each rendition with the decoded original, resized straight to that \
         size by the benchmark's own Lanczos filter in floating point, on the sRGB values as they \
         are stored. All contenders resize those values with Lanczos kernels unless told \
         otherwise, and none of their code makes the reference, so it favours none. What covers a \
         box is cut from the middle, which contenders round differently; the cut that fits a \
         contender best counts."
    )
}

fn sentence(text: &str) -> String {
    format!("How: {text}")
}

fn sizes(job: &Job) -> String {
    let size = |size: &crate::plan::Size| {
        let fit = format!("{:?}", size.fit).to_lowercase();
        format!("{} ({}, {fit})", size.name, size.width)
    };
    job.sizes.iter().map(size).collect::<Vec<_>>().join(", ")
}

fn title(plan: &Plan, findings: &Findings, kind: Kind) -> String {
    let (width, height) = match kind {
        Kind::LargeJpeg => (2 * plan.size.0, 2 * plan.size.1),
        _ => plan.size,
    };
    let megapixels = (width * height).div_ceil(1_000_000);
    let bytes = findings.photo_bytes.get(&kind).copied().unwrap_or_default();
    let name = if kind == Kind::LargeJpeg { Kind::Jpeg } else { kind };
    format!("{name} of {megapixels} MP ({width} × {height}, {} on average)", megabytes(bytes))
}

fn scenario(kind: Kind, cores: usize) -> Scenario {
    Scenario { kind, cores }
}

fn cpu_ms(round: &Round) -> f64 {
    round.cpu_seconds * 1e3
}

fn spread(spread: Option<Spread<f64>>, decimals: usize) -> String {
    let number = |number: f64| format!("{number:.decimals$}");
    spread.map_or("–".to_owned(), |spread| spread.show(number))
}

/// How many times as much as Ferrotype.
fn times(
    results: &Results,
    scenario: Scenario,
    contender: Contender,
    value: fn(&Round) -> f64,
) -> String {
    results
        .ratio(scenario, contender, value)
        .map_or("–".to_owned(), |ratio| format!("{:.2}", 1.0 / ratio))
}

fn memory(results: &Results, scenario: Scenario, contender: Contender) -> String {
    let bytes = results.median(scenario, contender, |round| round.memory);
    bytes.map_or("–".to_owned(), |bytes| megabytes(bytes as u64))
}

fn bytes(results: &Results, scenario: Scenario, contender: Contender) -> String {
    let bytes = results.median(scenario, contender, |round| round.bytes_out);
    bytes.map_or("–".to_owned(), rate)
}

fn scores(job: &Job, results: &Results, kind: Kind, contender: Contender) -> String {
    let score = |name: &str| results.score(kind, contender, name);
    let scores = job.sizes.iter().map(|size| score(&size.name));
    scores
        .map(|score| score.map_or("–".to_owned(), |score| format!("{score:.1}")))
        .collect::<Vec<_>>()
        .join(" / ")
}

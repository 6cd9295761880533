//! What was to be reached, and whether it is.

use std::time::Duration;

use crate::contender::Contender::{self, ImageMagick, SharpBest, SharpUsual};
use crate::measure::{Round, Scenario};
use crate::photos::Kind;
use crate::plan::Job;
use crate::results::Results;
use crate::run::Findings;
use crate::shared::format;
use crate::shared::targets::Target;

/// Probing a photo takes at most this long.
const PROBE_MAX: Duration = Duration::from_micros(100);

/// "Equal bytes": what two builds of the same encoder differ by.
const BYTES_EQUAL: f64 = 1.01;

/// "No worse": about the standard error of a mean over the photos, so that less cannot be told
/// from chance; one step of the encoder's quality, from 80 to 79, is nine times as much.
const SCORE_EQUAL: f64 = 0.1;

/// Processor time as a part of that of sharp at its best, for 12 MP.
pub const BEST_CPU_MAX: f64 = 0.53;

/// The same for 48 MP.
pub const LARGE_CPU_MAX: f64 = 0.4;

const ONE: Scenario = Scenario { kind: Kind::Jpeg, cores: 1 };
const TWO: Scenario = Scenario { kind: Kind::Jpeg, cores: 2 };
const LARGE: Scenario = Scenario { kind: Kind::LargeJpeg, cores: 1 };

/// Both sides of every ratio come from the same run.
pub fn judge(job: &Job, findings: &Findings) -> Vec<Target> {
    let results = &findings.results;
    let cpu: fn(&Round) -> f64 = |round| round.cpu_seconds;
    let bytes: fn(&Round) -> f64 = |round| round.bytes_out;
    let memory: fn(&Round) -> f64 = |round| round.memory;
    let at_most = |what: &str, scenario, other: Contender, value, max: f64| {
        let found = results.ratio(scenario, other, value);
        let what = format!("{what}, as a part of {other}");
        Target::at_most(what, max, found, |ratio| format!("{ratio:.3}"))
    };
    let mut targets = vec![
        at_most("12 MP JPEG, CPU per photo", ONE, SharpUsual, cpu, 1.0 / 3.0),
        at_most("12 MP JPEG, bytes", ONE, SharpUsual, bytes, 1.07),
        at_most("12 MP JPEG, CPU per photo", ONE, SharpBest, cpu, BEST_CPU_MAX),
        at_most("12 MP JPEG, bytes", ONE, SharpBest, bytes, BYTES_EQUAL),
        at_most("12 MP JPEG, CPU per photo", ONE, ImageMagick, cpu, 0.25),
        at_most("48 MP JPEG, CPU per photo", LARGE, SharpBest, cpu, LARGE_CPU_MAX),
        throughput(results),
        at_most("peak memory, one photo in flight", ONE, SharpUsual, memory, 0.6),
        at_most("peak memory, one photo in flight", ONE, SharpBest, memory, 0.6),
        at_most("peak memory per photo, two in flight", TWO, SharpUsual, memory, 0.6),
        at_most("peak memory per photo, two in flight", TWO, SharpBest, memory, 0.6),
    ];
    let judged = [(Kind::Jpeg, SharpUsual), (Kind::Jpeg, SharpBest), (Kind::Jpeg, ImageMagick)];
    let judged = judged.into_iter().chain([(Kind::LargeJpeg, SharpBest)]);
    targets.extend(judged.map(|(kind, other)| no_worse(job, results, kind, other)));
    targets.push(probing(findings));
    targets
}

fn throughput(results: &Results) -> Target {
    let found = results.ratio(TWO, SharpUsual, |round| round.photos_per_second);
    let what = format!("12 MP JPEG, photos/s on two cores, times {SharpUsual}");
    Target::at_least(what, 2.5, found, |ratio| format!("{ratio:.2} ×"))
}

/// The rendition that compares worst.
fn no_worse(job: &Job, results: &Results, kind: Kind, other: Contender) -> Target {
    let differences = job.sizes.iter().filter_map(|size| {
        let ours = results.score(kind, Contender::Ferrotype, &size.name)?;
        Some((ours - results.score(kind, other, &size.name)?, &size.name))
    });
    let worst = differences.min_by(|a, b| a.0.total_cmp(&b.0));
    Target {
        what: format!("{kind}, SSIMULACRA2 of the worst rendition next to {other}"),
        wanted: format!("≥ −{SCORE_EQUAL}"),
        found: worst.map_or("nothing".to_owned(), |(worst, name)| format!("{worst:+.2} ({name})")),
        met: worst.is_some_and(|(worst, _)| worst >= -SCORE_EQUAL),
    }
}

fn probing(findings: &Findings) -> Target {
    Target {
        what: "probe of a 12 MP JPEG, median".to_owned(),
        wanted: format!("< {}", format::duration(PROBE_MAX)),
        found: format::duration(findings.probe.median),
        met: findings.probe.median < PROBE_MAX,
    }
}

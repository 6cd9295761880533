//! The whole benchmark, in order: take photos, judge what is made of them, measure.
//!
//! Every figure comes from rounds in which the contenders take turns, so that whatever else the
//! machine does falls on all of them alike.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::contender::Contender;
use crate::measure::{Scenario, measure};
use crate::photos::{Kind, Photos};
use crate::plan::{Job, Plan};
use crate::quality;
use crate::results::Results;
use crate::shared::machine::{self, Facts};
use crate::shared::say;
use crate::steps::{self, Step};

/// Probes of each photo.
const PROBES: usize = 200;

/// What was found, and where.
pub struct Findings {
    pub machine: Facts,
    pub results: Results,
    /// The mean size of the photos of each kind, in bytes.
    pub photo_bytes: BTreeMap<Kind, u64>,
    pub probe: ProbeTime,
    /// Where the time goes, of JPEG photos.
    pub steps: BTreeMap<Kind, Vec<Step>>,
}

#[derive(Clone, Copy, Debug)]
pub struct ProbeTime {
    pub median: Duration,
    pub slowest: Duration,
}

/// Runs everything with its files inside this folder, and removes them.
pub fn run(plan: &Plan, parent: &Path) -> Outcome<Findings> {
    let folder = tempfile::Builder::new().prefix("ferrotype-bench-").tempdir_in(parent)?;
    let job = Job::of_default_sizes();
    let contenders = plan.contenders;
    for contender in contenders {
        contender.command(&job, 1)?;
    }
    let mut machine = machine::facts()?;
    let sets = sets(plan, folder.path())?;
    let mut results = Results::default();
    run_rounds(plan, &job, &sets, contenders, &mut results)?;
    machine.push(("load after the rounds", machine::load()));
    let probe = probe_time(&sets)?;
    let jpegs = sets.iter().filter(|photos| matches!(photos.kind, Kind::Jpeg | Kind::LargeJpeg));
    let steps = jpegs
        .map(|photos| Ok((photos.kind, steps::measure(plan.rounds, photos)?)))
        .collect::<Outcome<_>>()?;
    for photos in &sets {
        say(format_args!("judging the renditions of the {} photos", photos.kind));
        quality::judge(&job, contenders, photos, folder.path(), &mut results)?;
    }
    let photo_bytes = sets.iter().map(|photos| (photos.kind, photos.mean_bytes())).collect();
    Ok(Findings { machine, results, photo_bytes, probe, steps })
}

/// The photos to render.
fn sets(plan: &Plan, folder: &Path) -> Outcome<Vec<Photos>> {
    if let Some(own) = &plan.own {
        return Ok(vec![Photos::of_others(plan, own, folder)?]);
    }
    let alone = plan.contenders == Contender::ALONE;
    let kinds: &[Kind] = match plan.only_jpeg {
        true => &[Kind::Jpeg],
        false if alone => Kind::OWN.as_slice(),
        false => Kind::ALL.as_slice(),
    };
    let mut sets = Vec::new();
    for kind in kinds {
        say(format_args!("taking the {kind} photos"));
        sets.push(Photos::write(plan, *kind, folder)?);
    }
    Ok(sets)
}

/// Every contender does everything, round after round; the order turns, so that nobody always
/// follows the same one.
fn run_rounds(
    plan: &Plan,
    job: &Job,
    sets: &[Photos],
    contenders: &[Contender],
    results: &mut Results,
) -> Outcome {
    let kinds: Vec<Kind> = sets.iter().map(|photos| photos.kind).collect();
    let mut turn = contenders.to_vec();
    for round in 1..=plan.rounds {
        turn.rotate_left(1);
        for scenario in Scenario::all(&kinds) {
            let Scenario { kind, cores } = scenario;
            say(format_args!("round {round} of {}: {kind}, {cores} in flight", plan.rounds));
            let Some(photos) = sets.iter().find(|photos| photos.kind == kind) else { continue };
            for contender in turn.iter().copied().filter(|contender| contender.reads(kind)) {
                let (version, shown) = measure(contender, job, photos, scenario)
                    .map_err(|error| format!("{contender}, {kind}: {error}"))?;
                say(format_args!(
                    "  {contender}: {:.0} ms of CPU per photo",
                    shown.cpu_seconds * 1e3
                ));
                results.add_round(scenario, contender, shown);
                results.versions.insert(contender, version);
            }
        }
    }
    Ok(())
}

fn probe_time(sets: &[Photos]) -> Outcome<ProbeTime> {
    let mut times = Vec::new();
    for photos in sets.iter().filter(|photos| photos.kind == Kind::Jpeg) {
        for photo in photos.paths(false) {
            let bytes = fs::read(photo)?;
            for _ in 0..PROBES {
                let started = Instant::now();
                std::hint::black_box(imaging::probe(std::hint::black_box(&bytes))?);
                times.push(started.elapsed());
            }
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().ok_or("nothing was probed")?;
    Ok(ProbeTime { median, slowest: times.last().copied().unwrap_or(median) })
}

//! One round: a fresh process of one contender, one kind of photos.

use std::fs;

use crate::Outcome;
use crate::contender::Contender;
use crate::photos::{Kind, Photos};
use crate::plan::Job;
use crate::worker::Worker;

/// What is measured in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scenario {
    pub kind: Kind,
    /// Cores, and photos in flight.
    pub cores: usize,
}

/// What one round has shown.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    pub photos_per_second: f64,
    /// Seconds of processor time per photo.
    pub cpu_seconds: f64,
    /// The most memory per photo in flight, in bytes.
    pub memory: f64,
    /// Bytes of all renditions of a photo.
    pub bytes_out: f64,
}

impl Scenario {
    /// One photo after the other for every kind; and two at once, for the kind most photos are.
    pub fn all(kinds: &[Kind]) -> Vec<Self> {
        let alone = kinds.iter().map(|kind| Self { kind: *kind, cores: 1 });
        let together = kinds.iter().filter(|kind| **kind == Kind::Jpeg);
        alone.chain(together.map(|kind| Self { kind: *kind, cores: 2 })).collect()
    }
}

/// Renders all photos in a new process and tells its version too. The first photos a process
/// renders are not timed, but count for its memory.
pub fn measure(
    contender: Contender,
    job: &Job,
    photos: &Photos,
    scenario: Scenario,
) -> Outcome<(String, Round)> {
    let cores = cores()?;
    let used = cores.get(..scenario.cores).ok_or("the benchmark needs two cores")?;
    let in_flight = scenario.cores;
    let mut worker = Worker::start(&contender.command(job, in_flight)?, used)?;
    worker.render(&vec![photos.warm_up.as_path(); in_flight], in_flight)?;
    let paths = photos.paths(in_flight > 1);
    let usage = worker.render(&paths, in_flight)?;
    let count = paths.len() as f64;
    // A program started for each photo is what takes the memory, not what has started it.
    let children = usage.answers.iter().filter_map(|answer| answer.child_peak_kib).max();
    let memory = match children {
        Some(kib) => (kib * 1024) as f64,
        None => worker.peak_memory()? as f64 / in_flight as f64,
    };
    let made = usage.answers.iter().flat_map(|answer| &answer.sizes);
    let round = Round {
        photos_per_second: count / usage.elapsed.as_secs_f64(),
        cpu_seconds: usage.processor.as_secs_f64() / count,
        memory,
        bytes_out: made.map(|made| made.bytes).sum::<u64>() as f64 / count,
    };
    Ok((worker.version.clone(), round))
}

/// The cores this process may use.
pub fn cores() -> Outcome<Vec<usize>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let mut cores = Vec::new();
    for range in list.ok_or("no list of cores in /proc")?.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        cores.extend(first.parse::<usize>()?..=last.parse()?);
    }
    Ok(cores)
}

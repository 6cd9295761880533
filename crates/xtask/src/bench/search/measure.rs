//! Filling libraries and asking them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::kind::Kind;
use crate::library::{Dataset, Library};
use crate::plan::Plan;
use crate::shared::dice::Dice;
use crate::shared::format::{duration, grouped};
use crate::shared::machine::{self, Facts};
use crate::shared::say;

/// Requests of each kind before any is counted.
const WARM_UP: usize = 20;

/// What was found, and where.
#[derive(Debug)]
pub struct Findings {
    pub machine: Facts,
    pub libraries: Vec<Measured>,
}

/// One library.
#[derive(Debug)]
pub struct Measured {
    pub images: u64,
    pub load_time: Duration,
    /// What was not in memory while it was asked.
    pub read_bytes: u64,
    pub latencies: BTreeMap<Kind, Latencies>,
    /// How much was found with all requests of a kind.
    pub found: BTreeMap<Kind, usize>,
}

/// How long requests of one kind took, the shortest first.
#[derive(Clone, Debug)]
pub struct Latencies(Vec<Duration>);

impl Latencies {
    pub fn at(&self, percent: usize) -> Duration {
        let last = self.0.len().saturating_sub(1);
        self.0.get(self.0.len() * percent / 100).or(self.0.get(last)).copied().unwrap_or_default()
    }

    pub fn longest(&self) -> Duration {
        self.0.last().copied().unwrap_or_default()
    }
}

/// `keep` names a folder where libraries stay, so that the same ones can be asked again.
pub fn run(plan: &Plan, folder: &Path, keep: Option<&Path>) -> Outcome<Findings> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut machine = machine::facts()?;
    let data = tempfile::tempdir_in(folder)?;
    machine.extend(machine::disk_facts(data.path())?);
    let mut libraries = Vec::new();
    for images in plan.sizes() {
        let name = format!("{images}-{}", plan.seed);
        let library = keep.unwrap_or(data.path()).join(&name);
        fs::create_dir_all(&library)?;
        libraries.push(runtime.block_on(measure(plan, images, &library))?);
        if keep.is_none() {
            fs::remove_dir_all(&library)?;
        }
    }
    Ok(Findings { machine, libraries })
}

async fn measure(plan: &Plan, images: u64, folder: &Path) -> Outcome<Measured> {
    let dataset = Dataset { seed: plan.seed, images };
    let load_time = Library::fill(dataset, folder).await?;
    let library = Library::open(dataset, folder).await?;
    say(format_args!("{} images are loaded in {}", grouped(images), duration(load_time)));
    let read_before = machine::read_bytes()?;
    let mut taken: BTreeMap<Kind, Vec<Duration>> = BTreeMap::new();
    let mut all_found: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut dice = Dice::new(plan.seed ^ 0x5E, images);
    // All kinds take turns, so that whatever else the machine does falls on all of them alike.
    for round in 0..WARM_UP.min(plan.requests) + plan.requests {
        for kind in plan.kinds() {
            let request = kind.request(&library, &mut dice)?;
            let started = Instant::now();
            let found = request.send(&library).await?;
            let took = started.elapsed();
            kind.check(found)?;
            if round >= WARM_UP.min(plan.requests) {
                taken.entry(kind).or_default().push(took);
                *all_found.entry(kind).or_default() += found;
            }
        }
    }
    let sorted = |(kind, mut taken): (Kind, Vec<Duration>)| {
        taken.sort_unstable();
        (kind, Latencies(taken))
    };
    let read_bytes = machine::read_bytes()?.saturating_sub(read_before);
    let latencies = taken.into_iter().map(sorted).collect();
    Ok(Measured { images, load_time, read_bytes, latencies, found: all_found })
}

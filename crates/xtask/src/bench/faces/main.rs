//! Finding faces next to OpenCV, and grouping a million of them: `cargo xtask bench faces`.
//!
//! With `--lfw <folder>` it measures instead how often it is right, on a folder of labelled faces in
//! the layout of LFW. `cargo test` runs everything with very little data, so that it keeps working.

mod accuracy;
mod finding;
mod grouping;
mod labelled;
mod picture;
mod report;
mod rows;
#[path = "../shared/mod.rs"]
mod shared;
mod smoke;
mod targets;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use crate::shared::format::duration;
use crate::shared::machine;
use crate::shared::repository::{hand_in, repository};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const DOCUMENT: &str = "docs/benchmarks/faces.md";
const PERSONS: u32 = 100_000;

/// Measures finding and grouping faces, or with --lfw how often both are right.
#[derive(Parser)]
#[command(name = "cargo xtask bench faces")]
struct Arguments {
    /// Photos that both sides look at, in each round
    #[arg(long, default_value_t = 20)]
    photos: usize,
    /// Rounds, in which both sides take turns
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Persons of the largest library, each of ten faces; smaller ones have a tenth and a hundredth
    #[arg(long, default_value_t = PERSONS)]
    persons: u32,
    /// A folder of labelled faces: name/name_0001.jpg and, for verification, pairs.txt
    #[arg(long)]
    lfw: Option<PathBuf>,
    /// Where the results go, from the repository's root [default: docs/benchmarks/faces.md for
    /// 100,000 persons, else only to the terminal]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Succeed even if a target is missed
    #[arg(long)]
    report_only: bool,
    /// What `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    shared::start(own, || bench(&Arguments::parse()), smoke::run)
}

/// What runs in a process of its own, so that its memory can be told.
fn own(arguments: &[String]) -> Option<Outcome> {
    // As the binary does.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    match arguments {
        [what, rest @ ..] if what == finding::OWN => Some(finding::look(rest)),
        [what, rest @ ..] if what == rows::OWN => Some(rows::work(rest)),
        [what, rest @ ..] if what == grouping::OWN => Some(grouping::group(rest)),
        _ => None,
    }
}

fn bench(arguments: &Arguments) -> Outcome {
    if let Some(folder) = &arguments.lfw {
        let found = accuracy::measure(folder)?;
        let targets = targets::of_accuracy(&found);
        let text = report::accuracy(&found, &targets);
        return hand_in(&text, arguments.out.clone(), &targets, arguments.report_only);
    }
    let (started, mut machine) = (Instant::now(), machine::facts()?);
    let photos = arguments.photos.max(2);
    let finding = finding::measure(photos, arguments.rounds.max(1))?;
    let worked = rows::measure(photos)?;
    let sizes = [arguments.persons / 100, arguments.persons / 10, arguments.persons];
    let grouping = grouping::measure(&sizes)?;
    machine.push(("duration of the run", duration(started.elapsed())));
    let targets = targets::of_cost(&finding, &grouping);
    let text = report::cost(&command(arguments), &machine, &finding, &worked, &grouping, &targets);
    hand_in(&text, out(arguments), &targets, arguments.report_only)
}

/// What repeats this run.
fn command(arguments: &Arguments) -> String {
    let Arguments { photos, rounds, persons, .. } = arguments;
    format!("cargo xtask bench faces --photos {photos} --rounds {rounds} --persons {persons}")
}

fn out(arguments: &Arguments) -> Option<PathBuf> {
    let whole = || (arguments.persons == PERSONS).then(|| DOCUMENT.into());
    arguments.out.clone().or_else(whole).map(|out| repository().join(out))
}

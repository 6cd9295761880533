//! Ferrotype's renditions next to those of other image libraries: `cargo xtask bench imaging`.
//!
//! `cargo test` runs the same with Ferrotype alone and small photos, so that it keeps working.

mod contender;
mod ferrotype;
mod measure;
mod photos;
mod plan;
mod quality;
mod reference;
mod report;
mod results;
mod run;
#[path = "../shared/mod.rs"]
mod shared;
mod smoke;
mod steps;
mod targets;
mod worker;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::contender::Contender;
use crate::plan::{Job, Plan};
use crate::shared::repository::{hand_in, repository};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const ROUNDS: usize = 5;
const DOCUMENT: &str = "docs/benchmarks/imaging.md";

/// Compares Ferrotype's renditions with those of sharp, pyvips, ImageMagick and Pillow.
#[derive(Parser)]
#[command(name = "cargo xtask bench imaging")]
struct Arguments {
    /// Rounds in which every contender renders all photos
    #[arg(long, default_value_t = ROUNDS)]
    rounds: usize,
    /// JPEG photos of 12 MP
    #[arg(long, default_value_t = Plan::PHOTOS)]
    photos: usize,
    /// JPEG photos of 48 MP, and photos of each other format
    #[arg(long, default_value_t = Plan::OTHERS)]
    others: usize,
    /// Other photos than usual
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Render the JPEG photos of this folder instead (at most `--photos`), to see how far those
    /// made by the harness are from yours
    #[arg(long)]
    own: Option<PathBuf>,
    /// Compare with sharp only, which most targets are about
    #[arg(long)]
    only_sharp: bool,
    /// Take JPEG photos of 12 MP only: minutes instead of half an hour
    #[arg(long)]
    only_jpeg: bool,
    /// Where the photos are kept while they are rendered
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
    /// Where the results go, from the repository's root [default: docs/benchmarks/imaging.md for
    /// a run with all photos and rounds, else only to the terminal]
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
    shared::start(
        |arguments| match arguments {
            [command, in_flight] if command == ferrotype::WORKER_COMMAND => {
                Some(ferrotype::work(in_flight))
            }
            _ => None,
        },
        || bench(&Arguments::parse()),
        smoke::run,
    )
}

fn bench(arguments: &Arguments) -> Outcome {
    let Arguments { rounds, photos, others, seed, .. } = *arguments;
    let size = Plan::SIZE;
    let plan = Plan {
        rounds: rounds.max(1),
        seed,
        size,
        photos: photos.max(1),
        others: others.max(1),
        own: arguments.own.clone(),
        only_jpeg: arguments.only_jpeg,
        contenders: if arguments.only_sharp { &Contender::SHARP } else { &Contender::ALL },
    };
    let job = Job::of_default_sizes();
    let findings = run::run(&plan, &arguments.folder)?;
    let targets = targets::judge(&job, &findings);
    let text = report::markdown(&plan, &job, &findings, &targets, &command(&plan));
    hand_in(&text, out(arguments), &targets, arguments.report_only)
}

/// What repeats this run.
fn command(plan: &Plan) -> String {
    let Plan { rounds, photos, others, seed, .. } = plan;
    format!(
        "cargo xtask bench imaging --rounds {rounds} --photos {photos} --others {others} --seed {seed}"
    )
}

fn out(arguments: &Arguments) -> Option<PathBuf> {
    let Arguments { rounds, photos, others, .. } = *arguments;
    let whole = arguments.own.is_none()
        && !arguments.only_sharp
        && !arguments.only_jpeg
        && rounds >= ROUNDS
        && photos >= Plan::PHOTOS
        && others >= Plan::OTHERS;
    let out = arguments.out.clone().or_else(|| whole.then(|| DOCUMENT.into()));
    out.map(|out| repository().join(out))
}

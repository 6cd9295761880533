//! Searches as the library grows: `cargo xtask bench search`.
//!
//! `cargo test` runs the same with very little data, so that it keeps working.

mod kind;
mod library;
mod measure;
mod plan;
mod report;
#[path = "../shared/mod.rs"]
mod shared;
mod smoke;
mod targets;
mod vocabulary;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::plan::Plan;
use crate::shared::repository::{hand_in, repository};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const IMAGES: u64 = 1_000_000;
const DOCUMENT: &str = "docs/benchmarks/search.md";

/// Measures searches, suggestions and lists in libraries of three sizes.
#[derive(Parser)]
#[command(name = "cargo xtask bench search")]
struct Arguments {
    /// Images of the largest library; two smaller ones have a hundredth and a tenth of them
    #[arg(long, default_value_t = IMAGES)]
    images: u64,
    /// Requests of every kind, in every library
    #[arg(long, default_value_t = 500)]
    requests: usize,
    /// Asks only requests whose names contain this, such as "tag"
    #[arg(long)]
    only: Option<String>,
    /// Repeats a run with the same data
    #[arg(long)]
    seed: Option<u64>,
    /// Where the libraries are kept while they are measured
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
    /// Keeps the libraries in this folder, and asks those again that are there for the same seed
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Where the results go, from the repository's root [default: docs/benchmarks/search.md for
    /// 1,000,000 images and all requests, else only to the terminal]
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
    shared::start(|_| None, || bench(&Arguments::parse()), smoke::run)
}

fn bench(arguments: &Arguments) -> Outcome {
    let plan = Plan {
        images: arguments.images,
        requests: arguments.requests.max(1),
        seed: arguments.seed.unwrap_or_else(rand::random),
        only: arguments.only.clone(),
    };
    if plan.sizes().is_empty() {
        return Err(format!("--images must be {} at least", Plan::IMAGES_MIN).into());
    }
    if plan.kinds().next().is_none() {
        return Err("no kind of request has a name that contains what --only says".into());
    }
    eprintln!("bench: repeat with --seed {}", plan.seed);
    let findings = measure::run(&plan, &arguments.folder, arguments.keep.as_deref())?;
    let targets = targets::judge(&plan, &findings);
    let text = report::markdown(&plan, &findings, &targets, &command(&plan));
    hand_in(&text, out(arguments), &targets, arguments.report_only)
}

/// What repeats this run.
fn command(plan: &Plan) -> String {
    let Plan { images, requests, seed, only } = plan;
    let only = only.as_ref().map(|only| format!(" --only {only:?}")).unwrap_or_default();
    format!("cargo xtask bench search --images {images} --requests {requests} --seed {seed}{only}")
}

fn out(arguments: &Arguments) -> Option<PathBuf> {
    let is_whole = arguments.images == IMAGES && arguments.only.is_none();
    let whole = || is_whole.then(|| DOCUMENT.into());
    arguments.out.clone().or_else(whole).map(|out| repository().join(out))
}

//! The gallery as the library grows: `cargo xtask bench web`.
//!
//! The server's side is measured in process, the browser's by `web/bench/timeline.mjs` in Chromium
//! against the release binary. `cargo test` runs the server's side with very little data, so that it
//! keeps working.

mod browser;
mod library;
mod measure;
mod report;
#[path = "../shared/mod.rs"]
mod shared;
mod smoke;
mod targets;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::shared::repository::{hand_in, repository};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const IMAGES: u64 = 1_000_000;
const DOCUMENT: &str = "docs/benchmarks/web.md";

/// Measures the timeline of two libraries, in the server and in a browser.
#[derive(Parser)]
#[command(name = "cargo xtask bench web")]
struct Arguments {
    /// Images of the larger library; the smaller one has a tenth of them
    #[arg(long, default_value_t = IMAGES)]
    images: u64,
    /// Repeats a run with the same data
    #[arg(long)]
    seed: Option<u64>,
    /// Where the libraries are kept while they are measured
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
    /// Where the results go, from the repository's root [default: docs/benchmarks/web.md for
    /// 1,000,000 images, else only to the terminal]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Measure the server alone
    #[arg(long)]
    no_browser: bool,
    /// Succeed even if a target is missed
    #[arg(long)]
    report_only: bool,
    /// What `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Images of the larger library.
    pub images: u64,
    /// What the images are made from.
    pub seed: u64,
    /// Whether a browser is asked, too.
    pub browser: bool,
}

impl Plan {
    /// The libraries: a tenth, and all of the images.
    pub fn sizes(&self) -> [u64; 2] {
        [(self.images / 10).max(1), self.images.max(1)]
    }
}

fn main() -> ExitCode {
    shared::start(|_| None, || bench(&Arguments::parse()), smoke::run)
}

fn bench(arguments: &Arguments) -> Outcome {
    let plan = Plan {
        images: arguments.images,
        seed: arguments.seed.unwrap_or_else(rand::random),
        browser: !arguments.no_browser,
    };
    eprintln!("bench: repeat with --seed {}", plan.seed);
    let findings = measure::run(&plan, &arguments.folder)?;
    let targets = targets::judge(&findings);
    let text = report::markdown(&plan, &findings, &targets);
    hand_in(&text, out(arguments), &targets, arguments.report_only)
}

fn out(arguments: &Arguments) -> Option<PathBuf> {
    let whole = || (arguments.images == IMAGES).then(|| DOCUMENT.into());
    arguments.out.clone().or_else(whole).map(|out| repository().join(out))
}

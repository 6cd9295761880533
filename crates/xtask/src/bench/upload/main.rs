//! A whole library on its way in: `cargo xtask bench upload`. Many small photos by `ferrotype upload`
//! over loopback, once with the limits that a server has by itself and once without any, while the
//! same person looks at their gallery.
//!
//! `cargo test` runs the same with few photos, so that it keeps working.

mod gallery;
mod measure;
mod photos;
mod report;
mod server;
#[path = "../shared/mod.rs"]
mod shared;
mod smoke;
mod targets;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::measure::Plan;
use crate::shared::repository::{hand_in, repository};

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const PHOTOS: u32 = 50_000;
const DOCUMENT: &str = "docs/benchmarks/upload.md";

/// Measures how long many small photos take, and what the gallery does meanwhile.
#[derive(Parser)]
#[command(name = "cargo xtask bench upload")]
struct Arguments {
    /// Photos on each side
    #[arg(long, default_value_t = PHOTOS)]
    photos: u32,
    /// Photos on their way at once
    #[arg(long, default_value_t = 4)]
    parallel: u8,
    /// Requests of the gallery while nothing is uploaded
    #[arg(long, default_value_t = 1000)]
    idle_requests: usize,
    /// Where the data is kept while it is measured
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
    /// The binary to measure [default: the one of this repository, built like this program]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Where the results go, from the repository's root [default: docs/benchmarks/upload.md for
    /// 50,000 photos, else only to the terminal]
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
    let binary = match &arguments.binary {
        Some(binary) => binary.canonicalize()?,
        None => server::build()?,
    };
    let plan = Plan {
        photos: arguments.photos.max(1),
        parallel: arguments.parallel.max(1),
        idle_requests: arguments.idle_requests.max(1),
    };
    let findings = measure::run(&plan, &binary, &arguments.folder)?;
    let targets = targets::judge(&findings);
    let Plan { photos, parallel, .. } = plan;
    let command = format!("cargo xtask bench upload --photos {photos} --parallel {parallel}");
    let text = report::markdown(&plan, &findings, &targets, &command);
    let whole = || (arguments.photos == PHOTOS).then(|| DOCUMENT.into());
    let out = arguments.out.clone().or_else(whole).map(|out| repository().join(out));
    hand_in(&text, out, &targets, arguments.report_only)
}

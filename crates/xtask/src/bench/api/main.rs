//! The API under load next to what bounds it from above: `cargo xtask bench api`.
//!
//! `cargo test` runs the same with very little data, so that it keeps working.

mod bare;
mod client;
mod library;
mod load;
mod operation;
mod photos;
mod plan;
mod report;
mod requests;
mod results;
mod run;
mod servers;
#[path = "../shared/mod.rs"]
mod shared;
mod side;
mod smoke;
mod targets;
mod uploads;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::operation::Operation;
use crate::plan::Plan;
use crate::shared::repository::{hand_in, repository};
use crate::side::Side;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const DOCUMENT: &str = "docs/benchmarks/api.md";
/// What was found out about the figures, for the report.
const REMARKS: &str = include_str!("remarks.txt");

/// Compares Ferrotype's API with a bare handler, nginx and pict-rs.
#[derive(Parser)]
#[command(name = "cargo xtask bench api")]
struct Arguments {
    /// Images that the server has
    #[arg(long, default_value_t = Plan::IMAGES)]
    images: u64,
    /// Rounds of every operation, on every side
    #[arg(long, default_value_t = Plan::ROUNDS)]
    rounds: usize,
    /// How many seconds a round of one operation on one side lasts
    #[arg(long, default_value_t = Plan::SECONDS)]
    seconds: u64,
    /// Rounds of uploads
    #[arg(long, default_value_t = Plan::UPLOAD_ROUNDS)]
    upload_rounds: usize,
    /// Other images and photos than usual
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Ask for this and nothing else, and upload nothing; may be given several times
    #[arg(long, value_name = "OPERATION")]
    only: Vec<Operation>,
    /// Compare with the bare handler only, which needs nothing installed but wrk
    #[arg(long)]
    only_own: bool,
    /// Another binary than the one of this repository
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Where everything is kept while it is measured
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
    /// Where the results go, from the repository's root [default: docs/benchmarks/api.md for a
    /// whole run, else only to the terminal]
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
            [command, port, folder] if command == bare::COMMAND => Some(bare::serve(port, folder)),
            _ => None,
        },
        || bench(&Arguments::parse()),
        smoke::run,
    )
}

fn bench(arguments: &Arguments) -> Outcome {
    let Arguments { images, rounds, seconds, upload_rounds, seed, .. } = *arguments;
    let whole = Plan::whole();
    let only = &arguments.only;
    let plan = Plan {
        operations: if only.is_empty() { whole.operations } else { only.clone() },
        with_uploads: only.is_empty(),
        images: images.max(whole.popular),
        rounds: rounds.max(1),
        seconds: seconds.max(1),
        upload_rounds: upload_rounds.max(1),
        seed,
        sides: if arguments.only_own { &Side::OWN } else { &Side::ALL },
        ..whole
    };
    let findings = run::run(&plan, arguments.binary.as_deref(), &arguments.folder)?;
    let targets = targets::judge(&findings.results, findings.lone_photo_bytes);
    let text = report::markdown(&plan, &findings, &targets, &command(&plan), REMARKS);
    hand_in(&text, out(arguments), &targets, arguments.report_only)
}

/// What repeats this run.
fn command(plan: &Plan) -> String {
    let Plan { images, rounds, seconds, upload_rounds, seed, .. } = plan;
    format!(
        "cargo xtask bench api --images {images} --rounds {rounds} --seconds {seconds} \
         --upload-rounds {upload_rounds} --seed {seed}"
    )
}

fn out(arguments: &Arguments) -> Option<PathBuf> {
    let whole = !arguments.only_own
        && arguments.only.is_empty()
        && arguments.binary.is_none()
        && arguments.images >= Plan::IMAGES
        && arguments.rounds >= Plan::ROUNDS
        && arguments.seconds >= Plan::SECONDS
        && arguments.upload_rounds >= Plan::UPLOAD_ROUNDS;
    let out = arguments.out.clone().or_else(|| whole.then(|| DOCUMENT.into()));
    out.map(|out| repository().join(out))
}

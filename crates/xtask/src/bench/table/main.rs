//! The embedded engine next to PostgreSQL: `cargo xtask bench table`.
//!
//! `cargo test` runs the same with very little data, so that it keeps working.

mod crash;
mod dataset;
mod embedded;
mod measure;
mod plan;
mod postgres;
mod report;
mod results;
mod run;
#[path = "../shared/mod.rs"]
mod shared;
mod smoke;
mod store;
mod tables;
mod targets;
mod work;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::plan::Plan;
use crate::shared::repository::{hand_in, repository};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How everything here ends.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const ITEMS: u64 = 1_000_000;
const DOCUMENT: &str = "docs/benchmarks/table.md";

/// Compares the embedded table engine with PostgreSQL.
#[derive(Parser)]
#[command(name = "cargo xtask bench table")]
struct Arguments {
    /// Items of the largest table; two smaller ones have a hundredth and a tenth of them
    #[arg(long, default_value_t = ITEMS)]
    items: u64,
    /// Rounds of every operation, on every table of both sides
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How long a round lasts
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Repeats a run with the same data
    #[arg(long)]
    seed: Option<u64>,
    /// Where the tables are kept while they are measured
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
    /// Where the results go, from the repository's root [default: docs/benchmarks/table.md for
    /// 1,000,000 items, else only to the terminal]
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
            [command, folder, numbers @ ..] if command == crash::WRITER_COMMAND => {
                Some(write_until_killed(folder, numbers))
            }
            _ => None,
        },
        || bench(&Arguments::parse()),
        smoke::run,
    )
}

fn bench(arguments: &Arguments) -> Outcome {
    let plan = Plan {
        items: arguments.items,
        rounds: arguments.rounds.max(1),
        counted: Duration::try_from_secs_f64(arguments.seconds)?,
        seed: arguments.seed.unwrap_or_else(rand::random),
        writers: Plan::WRITERS,
        updaters: Plan::UPDATERS,
        chunks: 20,
        kills: 3,
    };
    if plan.sizes().is_empty() {
        return Err("--items must be 100 at least".into());
    }
    eprintln!("bench: repeat with --seed {}", plan.seed);
    let findings = run::run(&plan, &arguments.folder)?;
    let targets = targets::judge(&plan, &findings.results);
    let text = report::markdown(&plan, &findings, &targets, &command(&plan));
    hand_in(&text, out(arguments), &targets, arguments.report_only)
}

/// What repeats this run.
fn command(plan: &Plan) -> String {
    let Plan { items, rounds, counted, seed, .. } = plan;
    let seconds = counted.as_secs_f64();
    format!(
        "cargo xtask bench table --items {items} --rounds {rounds} --seconds {seconds} --seed {seed}"
    )
}

fn out(arguments: &Arguments) -> Option<PathBuf> {
    let whole = || (arguments.items == ITEMS).then(|| DOCUMENT.into());
    arguments.out.clone().or_else(whole).map(|out| repository().join(out))
}

fn write_until_killed(folder: &str, numbers: &[String]) -> Outcome {
    let numbers: Vec<u64> =
        numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let numbers = <[u64; 4]>::try_from(numbers).map_err(|_| "the writer takes four numbers")?;
    crash::write_until_killed(Path::new(folder), numbers)
}

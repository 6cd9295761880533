//! Development only: checks of the repository itself, and benchmarks.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod tidy;

/// Tasks for those who work on Ferrotype.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compare the repository with what its documents and policies say
    Tidy {
        /// Another repository than this one
        #[arg(long)]
        root: Option<PathBuf>,
    },
    /// Run a benchmark; without a name, list them
    Bench {
        /// Which one
        name: Option<String>,
        /// What it is to be told
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Tidy { root } => run_tidy(root),
        Task::Bench { name, arguments } => bench::run(name.as_deref(), &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run_tidy(root: Option<PathBuf>) -> Result<(), Box<dyn Error>> {
    let here = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.unwrap_or_else(here).canonicalize()?;
    let report = tidy::tidy(&root)?;
    for note in &report.notes {
        println!("note: {note}");
    }
    for finding in &report.findings {
        println!("error: {finding}");
    }
    if report.findings.is_empty() {
        println!("tidy: nothing to complain about");
        return Ok(());
    }
    Err(format!("tidy: {} findings", report.findings.len()).into())
}

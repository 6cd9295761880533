//! What the benchmarks have in common: the machine, the images, numbers for people, targets.

#![allow(dead_code, reason = "each benchmark uses some of it")]

use std::process::ExitCode;

use crate::Outcome;

pub mod bulk_load;
pub mod dice;
pub mod format;
pub mod images;
pub mod machine;
pub mod photo_file;
pub mod repository;
pub mod smoke;
pub mod spread;
pub mod targets;

/// Runs the benchmark, or does what else it was started for: `own` for a process of its own, the
/// smoke test as part of `cargo test`. `--help` is for whoever parses the arguments, too.
pub fn start(
    own: impl FnOnce(&[String]) -> Option<Outcome>,
    bench: impl FnOnce() -> Outcome,
    smoke: impl FnOnce(&[String]) -> Outcome,
) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_asked_for =
        || arguments.iter().any(|argument| argument == "--bench" || argument == "--help");
    let done = match own(&arguments) {
        Some(done) => done,
        None if is_asked_for() => bench(),
        None => smoke(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Tells whoever waits how far it is.
pub fn say(what: std::fmt::Arguments<'_>) {
    eprintln!("bench: {what}");
}

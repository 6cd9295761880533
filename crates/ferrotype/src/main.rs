//! Ferrotype, an image service in one binary: configuration and commands.
//!
//! This is the only crate that names engines; whatever it opens it hands on behind the traits
//! of the crates below.

mod backup_folder;
mod blob_copy;
mod build_info;
mod cli;
mod commands;
mod config;
mod data_folder;
mod doctor;
mod engines;
mod failure;
mod http_client;
mod logging;
mod metadata;
mod metrics_text;
mod output;
mod people;
mod probe;
mod room_keeper;
mod signals;
mod upload;
mod use_cases;
mod workers;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::failure::Failure;

/// Rows become many small values; this allocator takes a third less time for them than the
/// system's (ADR 2).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long work that nobody waits for any more may hold up the end of the process.
const LEFTOVERS_TIMEOUT: Duration = Duration::from_secs(1);

/// Threads that wait for files. Each keeps some memory for as long as the process lives, and a
/// disk is not faster for more of them.
const WAITING_THREADS_MAX: usize = 64;

fn main() -> ExitCode {
    use_small_pages();
    let arguments = cli::Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            for line in failure.to_string().lines() {
                eprintln!("error: {line}");
            }
            failure.exit_code()
        }
    }
}

/// The allocator asks the system for pages of 2 MB, of which a server that waits for requests keeps
/// dozens that are all but empty. Where it cannot be told, it only takes more memory.
fn use_small_pages() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

fn run(arguments: &cli::Arguments) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(WAITING_THREADS_MAX)
        .build()
        .map_err(|error| Failure::Start(format!("starting threads: {error}")))?;
    let done = runtime.block_on(commands::run(arguments));
    runtime.shutdown_timeout(LEFTOVERS_TIMEOUT);
    done
}

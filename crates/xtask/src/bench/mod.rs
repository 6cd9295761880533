//! Benchmarks by name. Each is a bench target of this package in a folder here, because it must
//! be built optimised and needs much that checking the repository does not.

use std::error::Error;
use std::process::Command;

/// How a benchmark ends.
type Outcome = Result<(), Box<dyn Error>>;

/// What a benchmark is called, as a target of this package, and what it measures.
struct Bench {
    name: &'static str,
    about: &'static str,
}

const BENCHES: &[Bench] = &[
    Bench { name: "imaging", about: "renditions next to sharp, pyvips, ImageMagick and Pillow" },
    Bench { name: "table", about: "the embedded table engine next to PostgreSQL" },
];

/// Runs the benchmark of this name with these arguments, or lists all.
///
/// # Errors
/// When there is no such benchmark, or it fails.
pub fn run(name: Option<&str>, arguments: &[String]) -> Outcome {
    let Some(name) = name else {
        for bench in BENCHES {
            println!("{:12} {}", bench.name, bench.about);
        }
        return Ok(());
    };
    match BENCHES.iter().find(|bench| bench.name == name) {
        Some(bench) => run_target(bench.name, arguments),
        None => {
            Err(format!("no benchmark is called {name:?}; `cargo xtask bench` lists them").into())
        }
    }
}

fn run_target(name: &str, arguments: &[String]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let status = Command::new(cargo)
        .args(["bench", "--quiet", "--package", env!("CARGO_PKG_NAME"), "--bench", name, "--"])
        .args(arguments)
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("the benchmark {name} failed").into()) }
}

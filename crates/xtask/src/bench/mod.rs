//! Benchmarks by name, each a module of its own here.

use std::error::Error;

/// How a benchmark ends.
type Outcome = Result<(), Box<dyn Error>>;

/// What a benchmark is called, what it measures, and how it is started.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Outcome,
}

const BENCHES: &[Bench] = &[];

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
        Some(bench) => (bench.run)(arguments),
        None => {
            Err(format!("no benchmark is called {name:?}; `cargo xtask bench` lists them").into())
        }
    }
}

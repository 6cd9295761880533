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
    /// How cargo is to build it.
    build: &'static [&'static str],
}

/// Without what other packages need.
const ALONE: &[&str] = &["--package", env!("CARGO_PKG_NAME")];
/// As the binary is built that it measures, so that both share all dependencies.
const LIKE_THE_BINARY: &[&str] = &["--workspace", "--profile", "release"];

const BENCHES: &[Bench] = &[
    Bench {
        name: "api",
        about: "the API next to a bare handler, nginx and pict-rs",
        build: LIKE_THE_BINARY,
    },
    Bench {
        name: "faces",
        about: "finding faces next to OpenCV, grouping a million, and how often both are right",
        build: ALONE,
    },
    Bench {
        name: "imaging",
        about: "renditions next to sharp, pyvips, ImageMagick and Pillow",
        build: ALONE,
    },
    Bench {
        name: "search",
        about: "searches as the library grows to a million images",
        build: LIKE_THE_BINARY,
    },
    Bench { name: "table", about: "the embedded table engine next to PostgreSQL", build: ALONE },
    Bench {
        name: "upload",
        about: "many small photos by `ferrotype upload`, while their owner looks at the gallery",
        build: LIKE_THE_BINARY,
    },
    Bench {
        name: "web",
        about: "the gallery as the library grows to a million images",
        build: LIKE_THE_BINARY,
    },
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
        Some(bench) => run_target(bench, arguments),
        None => {
            Err(format!("no benchmark is called {name:?}; `cargo xtask bench` lists them").into())
        }
    }
}

fn run_target(bench: &Bench, arguments: &[String]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let status = Command::new(cargo)
        .args(["bench", "--quiet", "--bench", bench.name])
        .args(bench.build)
        .arg("--")
        .args(arguments)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the benchmark {} failed", bench.name).into())
    }
}

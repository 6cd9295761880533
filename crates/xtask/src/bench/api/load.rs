//! Load by `wrk`, the same for all.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::Outcome;
use crate::plan::Plan;
use crate::shared::repository::{program, script};

/// Threads of the load tool: one for each core, as all servers have.
const THREADS: usize = 2;

/// What one load has shown.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub per_second: f64,
    pub median: Duration,
    pub p99: Duration,
    /// Bytes of an answer, with its head.
    pub answer_bytes: u64,
}

/// What `load.lua` says at the end.
#[derive(Deserialize)]
struct Said {
    requests: u64,
    micros: u64,
    bytes: u64,
    failed: u64,
    median: u64,
    p99: u64,
}

/// Asks a server for what a file says, by all connections at once, and fails if any answer does.
pub fn load(plan: &Plan, endpoint: &str, requests: &Path, seed: u64) -> Outcome<Load> {
    let output = Command::new(program(&["wrk"], "test")?)
        .arg(format!("-t{THREADS}"))
        .arg(format!("-c{}", plan.connections))
        .arg(format!("-d{}s", plan.seconds))
        .args(["--timeout", "10s", "-s"])
        .arg(script("load.lua"))
        .arg(endpoint)
        .arg("--")
        .arg(requests)
        .arg((seed % 1_000_000).to_string())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let said = text.lines().find_map(|line| line.strip_prefix("result "));
    let said: Said = match said {
        Some(said) => serde_json::from_str(said)?,
        None => {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("wrk said nothing of use:\n{text}{errors}").into());
        }
    };
    if said.failed > 0 || said.requests == 0 {
        let Said { failed, requests, .. } = said;
        return Err(format!("{failed} of {requests} requests to {endpoint} failed:\n{text}").into());
    }
    Ok(Load {
        per_second: said.requests as f64 / Duration::from_micros(said.micros).as_secs_f64(),
        median: Duration::from_micros(said.median),
        p99: Duration::from_micros(said.p99),
        answer_bytes: said.bytes / said.requests,
    })
}

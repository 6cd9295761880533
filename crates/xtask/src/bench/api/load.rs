//! Load by `wrk`, the same for all.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use testkit::servers::Program;

use crate::Outcome;
use crate::plan::Plan;
use crate::shared::machine::processor_time;
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
    /// Processor time of the server for an answer.
    pub processor: Duration,
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
pub fn load(plan: &Plan, server: &Program, requests: &Path, seed: u64) -> Outcome<Load> {
    let endpoint = server.endpoint();
    let before = processor_time_of_all(server.pid())?;
    let output = Command::new(program(&["wrk"], "test")?)
        .arg(format!("-t{THREADS}"))
        .arg(format!("-c{}", plan.connections))
        .arg(format!("-d{}s", plan.seconds))
        .args(["--timeout", "10s", "-s"])
        .arg(script("load.lua"))
        .arg(&endpoint)
        .arg("--")
        .arg(requests)
        .arg((seed % 1_000_000).to_string())
        .output()?;
    let processor = processor_time_of_all(server.pid())?.saturating_sub(before);
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
        processor: processor / u32::try_from(said.requests)?,
    })
}

/// Of a process and those that it has started, such as nginx's.
fn processor_time_of_all(pid: u32) -> Outcome<Duration> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
    let mut sum = processor_time(pid)?;
    for child in children.split_ascii_whitespace() {
        sum += processor_time(child.parse()?)?;
    }
    Ok(sum)
}

//! What the figures were measured on.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::Outcome;
use crate::format::duration;
use crate::measure::Latency;

/// Writes and syncs of the probe.
const PROBES: usize = 200;
const PROBE_BYTES: [u8; 8192] = [0x5A; 8192];

/// Facts by name, in an order to be read.
pub fn facts(folder: &Path, postgres_version: &str) -> Outcome<Vec<(&'static str, String)>> {
    let sync = probe_sync(folder)?;
    Ok(vec![
        ("cores", std::thread::available_parallelism()?.to_string()),
        ("processor", field("/proc/cpuinfo", "model name")),
        ("memory", field("/proc/meminfo", "MemTotal")),
        ("kernel", read("/proc/sys/kernel/osrelease")),
        ("file system", file_system(folder)),
        (
            "fdatasync of 8 KiB",
            format!("median {}, p99 {}", duration(sync.median), duration(sync.p99)),
        ),
        ("load before the run", load()),
        ("SQLite", rusqlite::version().to_owned()),
        ("PostgreSQL", postgres_version.to_owned()),
        ("compiler", said_by("rustc", &["--version"])),
        ("commit", said_by("git", &["describe", "--always", "--dirty", "--abbrev=12"])),
    ])
}

/// How busy the machine is: averages over 1, 5 and 15 minutes.
pub fn load() -> String {
    read("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn probe_sync(folder: &Path) -> Outcome<Latency> {
    let path = folder.join("probe");
    let mut file = File::create(&path)?;
    let mut durations = Vec::with_capacity(PROBES);
    for _ in 0..PROBES {
        let started = Instant::now();
        file.write_all(&PROBE_BYTES)?;
        file.sync_data()?;
        durations.push(started.elapsed());
    }
    fs::remove_file(path)?;
    Ok(Latency::of(durations))
}

fn read(path: &str) -> String {
    fs::read_to_string(path).map_or("unknown".to_owned(), |text| text.trim().to_owned())
}

fn field(path: &str, name: &str) -> String {
    let text = read(path);
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or("unknown", |line| line.trim_start_matches([':', ' ', '\t'])).to_owned()
}

/// The kind of the file system on the longest mount point above the folder.
fn file_system(folder: &Path) -> String {
    let mounts = read("/proc/mounts");
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    });
    mounts
        .filter(|(point, _)| folder.starts_with(point))
        .max_by_key(|(point, _)| point.len())
        .map_or("unknown", |(_, kind)| kind)
        .to_owned()
}

fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.ok().filter(|said| !said.is_empty()).unwrap_or("unknown".to_owned())
}

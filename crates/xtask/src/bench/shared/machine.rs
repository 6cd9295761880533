//! What the figures were measured on.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::format::duration;
use crate::Outcome;

/// Facts by name, in an order to be read.
pub type Facts = Vec<(&'static str, String)>;

/// In which the kernel gives processor time: the same on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Writes and syncs of the probe.
const PROBES: usize = 200;
const PROBE_BYTES: [u8; 8192] = [0x5A; 8192];

/// What every benchmark tells.
pub fn facts() -> Outcome<Facts> {
    Ok(vec![
        ("cores", std::thread::available_parallelism()?.to_string()),
        ("processor", field("/proc/cpuinfo", "model name")),
        ("memory", field("/proc/meminfo", "MemTotal")),
        ("kernel", read("/proc/sys/kernel/osrelease")),
        ("load before the run", load()),
        ("compiler", said_by("rustc", &["--version"])),
        ("commit", said_by("git", &["describe", "--always", "--dirty", "--abbrev=12"])),
    ])
}

/// What those tell that write to a disk: what it is, and how fast it keeps something.
pub fn disk_facts(folder: &Path) -> Outcome<Facts> {
    let durations = probe_sync(folder)?;
    let at = |percent: usize| durations.get(PROBES * percent / 100).copied().unwrap_or_default();
    let sync = format!("median {}, p99 {}", duration(at(50)), duration(at(99)));
    Ok(vec![("file system", file_system(folder)), ("fdatasync of 8 KiB", sync)])
}

/// How busy the machine is: averages over 1, 5 and 15 minutes.
pub fn load() -> String {
    read("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A figure of a process's memory by the kernel's name for it, such as `VmRSS`, in bytes.
pub fn memory_of(pid: u32, figure: &str) -> Outcome<u64> {
    let text = field(&format!("/proc/{pid}/status"), figure);
    let kib = text.trim_end_matches(" kB").parse::<u64>();
    Ok(kib.map_err(|_| format!("no {figure} of process {pid} in /proc"))? * 1024)
}

/// What this process has had read from disks, pages of mapped files included.
pub fn read_bytes() -> Outcome<u64> {
    let text = field("/proc/self/io", "read_bytes");
    Ok(text.parse().map_err(|_| "no read_bytes in /proc/self/io")?)
}

/// Processor time of all threads of a process, and of the processes that it has started and that
/// have ended.
pub fn processor_time(pid: u32) -> Outcome<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The second field is the program's name in brackets, which may contain anything.
    let (_, fields) = stat.rsplit_once(')').ok_or("no name in /proc")?;
    let ticks = fields.split_ascii_whitespace().skip(11).take(4);
    let ticks: u32 = ticks.map(str::parse::<u32>).sum::<Result<_, _>>()?;
    Ok(TICK * ticks)
}

/// What a program prints, in one line; to ask for its version.
pub fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let said = output.map(|output| {
        // Some say their version as if it were an error.
        let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        String::from_utf8_lossy(&text).lines().next().unwrap_or_default().trim().to_owned()
    });
    said.ok().filter(|said| !said.is_empty()).unwrap_or("unknown".to_owned())
}

/// How long each sync took, in order.
fn probe_sync(folder: &Path) -> Outcome<Vec<Duration>> {
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
    durations.sort_unstable();
    Ok(durations)
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

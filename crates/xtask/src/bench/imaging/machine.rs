//! What the figures were measured on.

use std::fs;
use std::process::Command;

use crate::Outcome;

/// Facts by name, in an order to be read.
pub fn facts() -> Outcome<Vec<(&'static str, String)>> {
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

/// How busy the machine is: averages over 1, 5 and 15 minutes.
pub fn load() -> String {
    read("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn read(path: &str) -> String {
    fs::read_to_string(path).map_or("unknown".to_owned(), |text| text.trim().to_owned())
}

fn field(path: &str, name: &str) -> String {
    let text = read(path);
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or("unknown", |line| line.trim_start_matches([':', ' ', '\t'])).to_owned()
}

fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.ok().filter(|said| !said.is_empty()).unwrap_or("unknown".to_owned())
}

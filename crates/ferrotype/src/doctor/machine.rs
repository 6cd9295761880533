//! What the machine allows this process.

use std::fs;

use rustix::process::{Resource, getrlimit};

use super::Finding;
use crate::config::Config;
use crate::output::shown_bytes;

/// Files that are open besides connections: the table, blobs, pipes.
const OTHER_FILES: u64 = 256;

/// Compares the memory for decoding and for answers with that of the machine.
pub(super) fn check_memory(config: &Config) -> Finding {
    const CHECK: &str = "memory";
    // Files are held while they are looked at, and decoded next to that.
    let parts = [
        ("images.memory", config.images.memory_bytes),
        ("images.file_size_max", config.images.file_bytes_max),
        ("http.answer_memory", config.http.answers.bytes),
    ];
    let wanted = parts.iter().fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
    let parts = parts.map(|(name, bytes)| format!("{name} ({})", shown_bytes(bytes))).join(" and ");
    let Some(there) = memory_bytes() else {
        let found = format!("{parts} are allowed; how much there is cannot be known here");
        return Finding::warning(CHECK, found).remedy("see that there is twice as much");
    };
    let found = format!("{parts} of {} that there are", shown_bytes(there));
    let remedy = "make images.memory or http.answer_memory smaller, or give it more memory";
    if wanted > there / 10 * 9 {
        return Finding::problem(CHECK, found).remedy(remedy);
    }
    if wanted > there / 2 {
        return Finding::warning(CHECK, found).remedy(remedy);
    }
    Finding::ok(CHECK, found)
}

/// Compares the files that may be open with the connections that are allowed.
pub(super) fn check_open_files(config: &Config) -> Finding {
    const CHECK: &str = "open files";
    let wanted = (config.http.limits.connections as u64).saturating_add(OTHER_FILES);
    match getrlimit(Resource::Nofile).current {
        None => Finding::ok(CHECK, "as many as wanted"),
        Some(allowed) if allowed >= wanted => Finding::ok(CHECK, format_args!("{allowed} allowed")),
        Some(allowed) => {
            let found = format!(
                "{allowed} are allowed, and http.connections ({}) may need {wanted}",
                config.http.limits.connections
            );
            Finding::warning(CHECK, found).remedy(
                "raise the limit (`ulimit -n`, LimitNOFILE of systemd), or lower http.connections",
            )
        }
    }
}

/// The memory of this machine, or of the container that this process is in.
fn memory_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text))?;
    let container = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    Some(container.map_or(machine, |container: u64| container.min(machine)))
}

fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_what_linux_says() {
        let text = "MemTotal:       16384256 kB\nMemFree:         1 kB\n";
        assert_eq!(total(text), Some(16_384_256 * 1024));
        assert_eq!(total("MemFree: 1 kB"), None);
        assert!(memory_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }
}

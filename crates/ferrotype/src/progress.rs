//! How far a command has come that takes long: in place on a terminal, elsewhere a line when a step
//! begins and another one every few seconds. Both go to standard error, so that what the command
//! answers stays apart.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::backup_folder::BlobCount;
use crate::output::shown_bytes;

/// Shows how far the steps of a command have come.
pub struct Progress {
    bar: ProgressBar,
    has_lines: bool,
}

/// One step, which is told how far it has come.
pub struct Step {
    bar: ProgressBar,
    name: &'static str,
    unit: Unit,
    lines: Option<Lines>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Rows of the table.
    Rows,
    /// Files.
    Files,
}

/// When the last line was said.
#[derive(Default)]
struct Lines(Mutex<Option<Instant>>);

/// Often enough to see that it goes on, in a log that is read later.
const INTERVAL: Duration = Duration::from_secs(5);
const REDRAWN: Duration = Duration::from_millis(200);

impl Progress {
    /// Begins to show something, unless nothing is to be shown.
    pub fn new(quiet: bool) -> Self {
        let on_terminal = io::stderr().is_terminal() && !quiet;
        let target = match on_terminal {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3}% {msg}") {
            bar.set_style(style);
        }
        if on_terminal {
            bar.enable_steady_tick(REDRAWN);
        }
        Self { bar, has_lines: !quiet && !on_terminal }
    }

    /// A step, which counts from the beginning.
    pub fn step(&self, name: &'static str, unit: Unit) -> Step {
        Step { bar: self.bar.clone(), name, unit, lines: self.has_lines.then(Lines::default) }
    }

    /// Shows nothing any more.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Also where a command fails.
impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

impl Step {
    /// So much of all is done; of all that nobody has counted yet, if that is 0.
    pub fn at(&self, done: u64, all: u64) {
        self.show(done, all, || text(self.name, self.unit, done, all));
    }

    /// So many of all files are done.
    pub fn at_files(&self, done: BlobCount, all: BlobCount) {
        self.show(done.size_bytes, all.size_bytes, || {
            let files = text(self.name, Unit::Files, done.count, all.count);
            let (done, all) = (shown_bytes(done.size_bytes), shown_bytes(all.size_bytes));
            format!("{files}, {done} of {all}")
        });
    }

    fn show(&self, done: u64, all: u64, text: impl Fn() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_length(all.max(1));
            self.bar.set_position(done);
            self.bar.set_message(text());
        }
        if self.lines.as_ref().is_some_and(Lines::is_due) {
            eprintln!("{}", text());
        }
    }
}

fn text(name: &str, unit: Unit, done: u64, all: u64) -> String {
    let shown = |count: u64| match unit {
        Unit::Bytes => shown_bytes(count),
        Unit::Rows | Unit::Files => count.to_string(),
    };
    let unit = match unit {
        Unit::Bytes => "",
        Unit::Rows => " rows",
        Unit::Files => " files",
    };
    match all {
        0 => format!("{name}: {}{unit}", shown(done)),
        all => format!("{name}: {} of {}{unit}", shown(done), shown(all)),
    }
}

impl Lines {
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= INTERVAL);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_where_it_is() {
        assert_eq!(text("copying", Unit::Bytes, 1 << 20, 3 << 20), "copying: 1MB of 3MB");
        assert_eq!(text("checking", Unit::Rows, 7, 70), "checking: 7 of 70 rows");
        assert_eq!(text("counting files", Unit::Files, 7, 0), "counting files: 7 files");
    }

    #[test]
    fn lines_come_at_once_and_then_every_few_seconds() {
        let lines = Lines::default();
        assert!(lines.is_due());
        assert!(!lines.is_due());
        let long_ago = Instant::now().checked_sub(INTERVAL);
        *lines.0.lock().unwrap() = long_ago;
        assert!(lines.is_due());
    }
}

//! What the user sees meanwhile: a bar on a terminal, a line for each file elsewhere.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::say;

/// Shows how far everything has come.
pub(super) struct Progress {
    bar: ProgressBar,
    lines: bool,
    wait: Mutex<Wait>,
}

/// Since when nothing gets on, and when that was last said.
#[derive(Debug, Default)]
struct Wait {
    since: Option<Instant>,
    said: Option<Instant>,
}

/// Shorter pauses are not worth a word.
const UNSAID: Duration = Duration::from_secs(2);
/// How often it is said again.
const SAID_AGAIN: Duration = Duration::from_secs(30);

/// How far one file has come, as shown.
pub(super) struct FileProgress<'a> {
    progress: &'a Progress,
    shown_bytes: u64,
}

const REDRAWN: Duration = Duration::from_millis(200);

impl Progress {
    /// Begins to show how these bytes are sent, unless nothing is to be shown.
    pub(super) fn new(size_bytes: u64, quiet: bool) -> Self {
        let on_terminal = io::stderr().is_terminal() && !quiet;
        let target = match on_terminal {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(size_bytes), target);
        let style =
            "{bar:30} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta} {msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        if on_terminal {
            bar.enable_steady_tick(REDRAWN);
        }
        Self { bar, lines: !quiet, wait: Mutex::default() }
    }

    /// Says what became of a file.
    pub(super) fn line(&self, outcome: &str, file: &Path, more: &str) {
        if self.lines {
            self.bar.suspend(|| say!("{outcome:<13} {}{more}", file.display()));
        }
    }

    /// Says something that has to be known, also by those who want to see nothing.
    pub(super) fn warn(&self, text: &str) {
        self.bar.suspend(|| eprintln!("warning: {text}"));
    }

    /// Says what happens now.
    pub(super) fn message(&self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    /// Says that the server is waited for, and why, unless that is over in a moment.
    pub(super) fn wait(&self, reason: &str, pause: Duration) {
        self.message(&format!("(waiting for the server: {reason})"));
        let now = Instant::now();
        let mut wait = self.wait.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *wait.since.get_or_insert(now);
        let is_new = wait.said.is_none_or(|said| now - said >= SAID_AGAIN);
        if is_new && now - since + pause >= UNSAID {
            wait.said = Some(now);
            self.bar.suspend(|| eprintln!("waiting for the server: {reason}"));
        }
    }

    /// Something got on again.
    pub(super) fn go_on(&self) {
        let mut wait = self.wait.lock().unwrap_or_else(PoisonError::into_inner);
        if wait.since.take().is_some() {
            wait.said = None;
            self.message("");
        }
    }

    /// Shows a file from its beginning.
    pub(super) fn file(&self) -> FileProgress<'_> {
        FileProgress { progress: self, shown_bytes: 0 }
    }

    /// So many bytes more have been sent.
    pub(super) fn counter(&self) -> impl Fn(u64) + Send + 'static + use<> {
        let bar = self.bar.clone();
        move |bytes| bar.inc(bytes)
    }

    /// Shows nothing any more.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl FileProgress<'_> {
    /// So many bytes are known to have come, whatever was sent.
    pub(super) fn set(&mut self, bytes: u64, sent: u64) {
        let shown = self.shown_bytes + sent;
        match bytes.checked_sub(shown) {
            Some(more) => self.progress.bar.inc(more),
            None => self.progress.bar.dec(shown - bytes),
        }
        self.shown_bytes = bytes;
    }
}

//! Log lines go to standard error, so that standard output is for what a command answers.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::{LogConfig, LogFormat};

/// Starts to log. A process can do this once; later calls change nothing.
pub fn start(config: &LogConfig) {
    let filter = EnvFilter::new(&config.filter);
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match config.format {
        LogFormat::Text => lines.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    // Only tests of one process can have been first.
    drop(started);
}

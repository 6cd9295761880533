//! `ferrotype config show`

use crate::config::{RawConfig, SETTINGS};
use crate::output::say;

/// Prints every setting, its value and where that comes from.
pub fn show(raw: &RawConfig) {
    for setting in SETTINGS {
        let line = match raw.get(setting) {
            None => "(not set)".to_owned(),
            Some(raw) if setting.secret => format!("(hidden)  # {}", raw.origin),
            Some(raw) => format!("{:?}  # {}", raw.text, raw.origin),
        };
        say!("{} = {line}", setting.key);
    }
}

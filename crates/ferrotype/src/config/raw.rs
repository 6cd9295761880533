//! Texts and where they come from, before anybody asks what they mean.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::setting::{Setting, find_setting};
use super::{ConfigError, SettingFlags, environment, file};

/// The configuration as it was written down.
#[derive(Debug, Default)]
pub struct RawConfig {
    values: BTreeMap<&'static str, Raw>,
    /// The file that was read, if any.
    pub file: Option<PathBuf>,
    /// What may be a mistake but need not be.
    pub warnings: Vec<String>,
}

/// A value as it was written down; it may be a secret, so debug output does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Raw {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The setting's default.
    Default,
    /// A line of the configuration file.
    File {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        variable: String,
    },
    /// A flag.
    Flag {
        /// Its name, without the dashes before it.
        name: String,
    },
}

/// What the process was started with.
pub struct Surroundings {
    /// Where it was started.
    pub working_folder: PathBuf,
    /// Its environment.
    pub environment: Vec<(OsString, OsString)>,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_this_process() -> Self {
        // Relative paths then stay relative, which is as good.
        let working_folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Self { working_folder, environment: std::env::vars_os().collect() }
    }
}

/// The name of the configuration file that is looked for.
const FILE_NAME: &str = "ferrotype.toml";

impl RawConfig {
    /// Collects everything that was said: what makes sense, and what does not, because it means no
    /// setting or cannot be read.
    pub fn collect(
        named_file: Option<&Path>,
        flags: &SettingFlags,
        surroundings: &Surroundings,
    ) -> (Self, Vec<ConfigError>) {
        let mut raw = Self::default();
        let mut errors = Vec::new();
        let mut spoken = environment::read(&surroundings.environment);
        for (setting, value) in flags.values() {
            spoken.values.push((setting, value));
        }

        let data_folder = spoken.values.iter().rev().find(|(s, _)| s.key == "data_folder");
        let data_folder = data_folder.map(|(_, value)| value.text.as_str());
        if let Some(path) = find_file(named_file, data_folder, &surroundings.working_folder) {
            let read = file::read(&path);
            errors.extend(read.errors);
            raw.values.extend(read.values.into_iter().map(|(setting, raw)| (setting.key, raw)));
            raw.file = Some(path);
        }
        errors.extend(spoken.errors);
        raw.values.extend(spoken.values.into_iter().map(|(setting, raw)| (setting.key, raw)));
        raw.warnings = spoken.warnings;
        (raw, errors)
    }

    /// What a setting was set to, or its default.
    pub fn get(&self, setting: &Setting) -> Option<Raw> {
        let default = |text: &str| Raw { text: text.to_owned(), origin: Origin::Default };
        self.values.get(setting.key).cloned().or_else(|| setting.default.map(default))
    }

    /// The same by key; none also for a key that does not exist.
    pub fn find(&self, key: &str) -> Option<Raw> {
        find_setting(key).and_then(|setting| self.get(setting))
    }
}

/// What one source said.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    pub(super) values: Vec<(&'static Setting, Raw)>,
    pub(super) errors: Vec<ConfigError>,
    pub(super) warnings: Vec<String>,
}

/// The file that was named, or the first that is there.
fn find_file(
    named: Option<&Path>,
    data_folder: Option<&str>,
    working_folder: &Path,
) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let data_folder = data_folder.or_else(|| find_setting("data_folder")?.default)?;
    let candidates = [PathBuf::from(FILE_NAME), Path::new(data_folder).join(FILE_NAME)];
    candidates.into_iter().find(|path| working_folder.join(path).is_file())
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { file, line } => write!(f, "{}:{line}", file.display()),
            Self::Environment { variable } => write!(f, "environment variable {variable}"),
            Self::Flag { name } => write!(f, "flag --{name}"),
        }
    }
}

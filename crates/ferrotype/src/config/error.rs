use std::fmt;
use std::io;
use std::path::PathBuf;

use super::raw::Origin;

/// What is wrong with the configuration, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {}: {source}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not TOML.
    #[error("{origin} is not valid TOML: {message}")]
    Syntax {
        /// Where it stops making sense.
        origin: Origin,
        /// What is wrong there.
        message: String,
    },
    /// There is no such setting.
    #[error("{origin}: there is no setting {key:?}{}", did_you_mean(suggestion.as_deref()))]
    Unknown {
        /// What it was called.
        key: String,
        /// Where it is set.
        origin: Origin,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// A value is not possible.
    #[error("setting {key} is {shown} ({origin}); it must be {allowed}")]
    Wrong {
        /// The setting.
        key: &'static str,
        /// The value, unless it is secret.
        shown: String,
        /// Where it is set.
        origin: Origin,
        /// What is possible.
        allowed: String,
    },
    /// A value is needed and there is none.
    #[error("setting {key} is not set, but needed {reason}")]
    Missing {
        /// The setting.
        key: &'static str,
        /// What needs it.
        reason: String,
    },
}

/// Everything that is wrong with the configuration.
#[derive(Debug)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl std::error::Error for ConfigErrors {}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        Self(vec![error])
    }
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

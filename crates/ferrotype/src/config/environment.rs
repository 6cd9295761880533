//! Settings from environment variables.

use std::ffi::OsString;

use super::ConfigError;
use super::raw::{Origin, Raw, Spoken};
use super::setting::{SETTINGS, Setting, VARIABLE_PREFIX};
use super::suggest::suggest;

/// Read by the command line and by `ferrotype upload`; no settings.
const OTHERS: [&str; 3] = ["FERROTYPE_CONFIG", "FERROTYPE_SERVER", "FERROTYPE_KEY"];

/// Reads all variables that are ours. An empty one is not set.
///
/// Others may set variables with our prefix: Kubernetes does so for a service called
/// ferrotype. So an unknown one is an error only when it looks like a slip.
pub(super) fn read(environment: &[(OsString, OsString)]) -> Spoken {
    let mut spoken = Spoken::default();
    for (name, value) in environment {
        let Some(name) = name.to_str().filter(|name| name.starts_with(VARIABLE_PREFIX)) else {
            continue;
        };
        if OTHERS.contains(&name) {
            continue;
        }
        match SETTINGS.iter().find(|setting| setting.variable() == name) {
            Some(setting) => read_value(setting, name, value, &mut spoken),
            None => refuse(name, &mut spoken),
        }
    }
    spoken
}

fn read_value(setting: &'static Setting, name: &str, value: &OsString, spoken: &mut Spoken) {
    let origin = Origin::Environment { variable: name.to_owned() };
    match value.to_str() {
        Some("") => {}
        Some(text) => spoken.values.push((setting, Raw { text: text.to_owned(), origin })),
        None => spoken.errors.push(ConfigError::Wrong {
            key: setting.key,
            shown: "not Unicode".to_owned(),
            origin,
            allowed: "text in UTF-8".to_owned(),
        }),
    }
}

fn refuse(name: &str, spoken: &mut Spoken) {
    let unprefixed = |name: &str| name.strip_prefix(VARIABLE_PREFIX).unwrap_or(name).to_owned();
    let known = SETTINGS.iter().map(|setting| unprefixed(&setting.variable()));
    match suggest(&unprefixed(name), known) {
        Some(suggestion) => spoken.errors.push(ConfigError::Unknown {
            key: name.to_owned(),
            origin: Origin::Environment { variable: name.to_owned() },
            suggestion: Some(format!("{VARIABLE_PREFIX}{suggestion}")),
        }),
        None => {
            spoken.warnings.push(format!("environment variable {name} is no setting; ignored"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(name: &str, value: &str) -> Spoken {
        read(&[(name.into(), value.into()), ("PATH".into(), "/bin".into())])
    }

    #[test]
    fn a_variable_sets_its_setting() {
        let spoken = read_one("FERROTYPE_TABLE_ENGINE", "dynamodb");
        let (setting, raw) = &spoken.values[0];
        assert_eq!((setting.key, raw.text.as_str()), ("table.engine", "dynamodb"));
        assert_eq!(raw.origin.to_string(), "environment variable FERROTYPE_TABLE_ENGINE");
    }

    #[test]
    fn an_empty_variable_is_not_set() {
        let spoken = read_one("FERROTYPE_LISTEN", "");
        assert!(spoken.values.is_empty() && spoken.errors.is_empty());
    }

    #[test]
    fn a_slip_is_an_error_with_a_suggestion() {
        let error = read_one("FERROTYPE_LISTN", "x").errors.remove(0).to_string();
        assert!(error.contains("did you mean FERROTYPE_LISTEN?"), "{error}");
    }

    #[test]
    fn variables_of_others_are_only_worth_a_warning() {
        let spoken = read_one("FERROTYPE_PORT_8080_TCP", "tcp://10.0.0.1:8080");
        assert!(spoken.errors.is_empty());
        assert_eq!(spoken.warnings.len(), 1);
    }
}

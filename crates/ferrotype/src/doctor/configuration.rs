//! Where settings come from, and which of them are wrong or do nothing.

use super::Finding;
use crate::config::{ConfigError, Origin, RawConfig, SETTINGS, Setting, shown};

const CHECK: &str = "configuration";

/// Looks at what was written down.
pub(super) fn check(raw: &RawConfig, errors: &[ConfigError]) -> Vec<Finding> {
    let mut findings = vec![file(raw), settings(raw)];
    findings.extend(errors.iter().map(|error| Finding::problem(CHECK, error)));
    findings.extend(raw.warnings.iter().map(|warning| Finding::warning(CHECK, warning)));
    findings.extend(idle(raw));
    findings
}

fn file(raw: &RawConfig) -> Finding {
    match &raw.file {
        Some(file) => Finding::ok(CHECK, format_args!("the file {}", file.display())),
        None => {
            Finding::ok(CHECK, "no file; there is no ferrotype.toml here or in the data folder")
        }
    }
}

fn settings(raw: &RawConfig) -> Finding {
    let set: Vec<String> = set_settings(raw)
        .map(|(setting, text, origin)| {
            let value = if setting.secret { "(hidden)".to_owned() } else { shown(&text) };
            format!("{} = {value} ({origin})", setting.key)
        })
        .collect();
    match set.as_slice() {
        [] => Finding::ok("settings", "all are defaults"),
        set => Finding::ok("settings", set.join(", ")),
    }
}

fn set_settings(raw: &RawConfig) -> impl Iterator<Item = (&'static Setting, String, Origin)> {
    SETTINGS.iter().filter_map(|setting| {
        let value = raw.get(setting)?;
        (value.origin != Origin::Default).then_some((setting, value.text, value.origin))
    })
}

/// Settings that are set and change nothing because of others: usually one of the two was
/// forgotten.
fn idle(raw: &RawConfig) -> Vec<Finding> {
    let text = |key: &str| raw.find(key).map(|raw| raw.text).unwrap_or_default();
    let is = |key: &str, value: &str| text(key) == value;
    let because = |key: &str| -> Option<&'static str> {
        let on_dynamodb = is("table.engine", "dynamodb");
        let on_s3 = is("blob.engine", "s3");
        if key.starts_with("table.dynamodb.") && !on_dynamodb {
            return Some("table.engine is not \"dynamodb\"");
        }
        if matches!(key, "table.sweep_interval" | "table.checkpoints") && on_dynamodb {
            return Some("table.engine is \"dynamodb\"");
        }
        if key.starts_with("blob.s3.") && !on_s3 {
            return Some("blob.engine is not \"s3\"");
        }
        if key == "data_folder" && on_dynamodb && on_s3 {
            return Some("rows are in DynamoDB and objects in S3");
        }
        if key.starts_with("oidc.") && text("oidc.issuer").is_empty() {
            return Some("oidc.issuer is not set");
        }
        if key.starts_with("rate_limits.")
            && key != "rate_limits.enabled"
            && is("rate_limits.enabled", "false")
        {
            return Some("rate_limits.enabled is false");
        }
        if key == "proxy_header" && text("trusted_proxies").is_empty() {
            return Some("trusted_proxies is not set");
        }
        None
    };
    set_settings(raw)
        .filter_map(|(setting, _, origin)| {
            let because = because(setting.key)?;
            let found = format!("{} ({origin}) has no effect: {because}", setting.key);
            Some(Finding::warning(CHECK, found).remedy("remove it, or set the other one"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::config::{SettingFlags, Surroundings};
    use crate::doctor::Status;

    fn findings(environment: &[(&str, &str)]) -> Vec<Finding> {
        let environment =
            environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let surroundings = Surroundings { working_folder: PathBuf::from("/nowhere"), environment };
        let (raw, errors) = RawConfig::collect(None, &SettingFlags::default(), &surroundings);
        check(&raw, &errors)
    }

    #[test]
    fn settings_are_told_with_their_place_and_secrets_are_not() {
        let found = findings(&[
            ("FERROTYPE_LOG_LEVEL", "debug"),
            ("FERROTYPE_OIDC_CLIENT_SECRET", "hush"),
            ("FERROTYPE_OIDC_ISSUER", "https://me:hush@id.example.org"),
        ]);
        let text: String = found.iter().map(|finding| format!("{finding}\n")).collect();
        assert!(text.contains("log.level = \"debug\" (environment variable FERROTYPE_LOG_LEVEL)"));
        assert!(text.contains("oidc.client_secret = (hidden)"), "{text}");
        assert!(!text.contains("hush"), "{text}");
    }

    #[test]
    fn what_has_no_effect_is_told() {
        let found = findings(&[
            ("FERROTYPE_BLOB_S3_BUCKET", "photos"),
            ("FERROTYPE_TABLE_DYNAMODB_NAME", "photos"),
            ("FERROTYPE_RATE_LIMITS_ENABLED", "false"),
            ("FERROTYPE_RATE_LIMITS_USER", "7"),
            ("FERROTYPE_PROXY_HEADER", "forwarded"),
            ("FERROTYPE_OIDC_LABEL", "us"),
        ]);
        let idle = found.iter().filter(|finding| finding.found.contains("has no effect"));
        assert_eq!(idle.clone().count(), 5, "{found:?}");
        assert!(idle.clone().all(|finding| finding.status == Status::Warning));
    }

    #[test]
    fn slips_are_problems_and_variables_of_others_are_warnings() {
        let found = findings(&[("FERROTYPE_LISTN", "x"), ("FERROTYPE_PORT_80_TCP", "x")]);
        let status =
            |text: &str| found.iter().find(|finding| finding.found.contains(text)).unwrap().status;
        assert_eq!(status("FERROTYPE_LISTN"), Status::Problem);
        assert_eq!(status("FERROTYPE_PORT_80_TCP"), Status::Warning);
        let settings = ["FERROTYPE_KEY", "FERROTYPE_SERVER"];
        let ours = findings(&settings.map(|name| (name, "hush")));
        assert!(ours.iter().all(|finding| finding.status == Status::Ok), "{ours:?}");
    }
}

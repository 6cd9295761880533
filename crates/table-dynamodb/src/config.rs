//! Where the table is, as whom to use it, and how patiently.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use table::{Clock, SystemClock};

use crate::OpenError;

/// Everything needed to reach a table.
#[derive(Clone, Debug)]
pub struct Config {
    /// The table's name.
    pub table: String,
    /// The AWS region; `None` takes it from the environment or the AWS profile.
    pub region: Option<String>,
    /// Another server than Amazon's, as `http://host:port`.
    pub endpoint: Option<String>,
    /// Whom to act as.
    pub credentials: Credentials,
    /// How long a connection may take to be made.
    pub connect_timeout: Duration,
    /// How often and how long to try.
    pub retry: RetryPolicy,
    /// What tells which items have expired.
    pub clock: Arc<dyn Clock>,
}

/// Whom to act as.
#[derive(Clone)]
pub enum Credentials {
    /// The usual AWS chain: environment, profile, web identity, container, instance.
    Chain,
    /// A key given outright.
    Static {
        /// Access key id.
        access_key_id: String,
        /// Secret access key.
        secret_access_key: String,
        /// Session token of temporary credentials.
        session_token: Option<String>,
    },
}

/// How often and how long an operation is tried. All bounds hold at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first one included.
    pub attempts_max: u32,
    /// How long one attempt may take.
    pub attempt_timeout: Duration,
    /// How long all attempts and the pauses between them may take together.
    pub total_timeout: Duration,
    /// The pause after the first attempt, at most; it doubles from then on.
    pub backoff_first: Duration,
    /// No pause is longer than this.
    pub backoff_max: Duration,
}

/// DynamoDB remembers the token of a transaction for ten minutes. Retrying longer could
/// apply it twice, so we stay well below.
const TOTAL_TIMEOUT_MAX: Duration = Duration::from_secs(5 * 60);

impl Config {
    /// The table of this name, with everything else as usual on AWS.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table: table.into(),
            region: None,
            endpoint: None,
            credentials: Credentials::Chain,
            connect_timeout: Duration::from_secs(3),
            retry: RetryPolicy::default(),
            clock: Arc::new(SystemClock),
        }
    }

    /// Where requests go, for messages.
    pub(crate) fn shown_endpoint(&self) -> String {
        match (&self.endpoint, &self.region) {
            (Some(endpoint), _) => endpoint.clone(),
            (None, Some(region)) => format!("Amazon DynamoDB in {region}"),
            (None, None) => "Amazon DynamoDB".to_owned(),
        }
    }

    pub(crate) fn validate(&self) -> Result<(), OpenError> {
        let name_is_valid = (3..=255).contains(&self.table.len())
            && self.table.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
        if !name_is_valid {
            return Err(OpenError::Config(format!(
                "the table name {:?} must have 3 to 255 of the characters a-z A-Z 0-9 _ . -",
                self.table
            )));
        }
        if let Some(endpoint) = &self.endpoint
            && !endpoint.starts_with("http://")
            && !endpoint.starts_with("https://")
        {
            return Err(OpenError::Config(format!(
                "the endpoint {endpoint:?} must begin with http:// or https://"
            )));
        }
        self.retry.validate()
    }
}

impl RetryPolicy {
    fn validate(&self) -> Result<(), OpenError> {
        if self.attempts_max == 0 {
            return Err(OpenError::Config("attempts_max must be at least 1".to_owned()));
        }
        if self.total_timeout > TOTAL_TIMEOUT_MAX {
            return Err(OpenError::Config(format!(
                "total_timeout is {:?}; it must be at most {TOTAL_TIMEOUT_MAX:?}",
                self.total_timeout
            )));
        }
        Ok(())
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts_max: 12,
            attempt_timeout: Duration::from_secs(5),
            total_timeout: Duration::from_secs(20),
            backoff_first: Duration::from_millis(25),
            backoff_max: Duration::from_secs(2),
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain => f.write_str("Chain"),
            Self::Static { access_key_id, .. } => f
                .debug_struct("Static")
                .field("access_key_id", access_key_id)
                .finish_non_exhaustive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_work_is_refused_by_name() {
        let refused = |config: Config, what: &str| {
            let error = config.validate().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        };
        refused(Config::new("a b"), "\"a b\"");
        let endpoint = Some("localhost:8000".to_owned());
        refused(Config { endpoint, ..Config::new("table") }, "\"localhost:8000\"");
        let retry = RetryPolicy { total_timeout: Duration::from_secs(900), ..Default::default() };
        refused(Config { retry, ..Config::new("table") }, "total_timeout");
        let retry = RetryPolicy { attempts_max: 0, ..Default::default() };
        refused(Config { retry, ..Config::new("table") }, "attempts_max");
        assert!(Config::new("table").validate().is_ok());
    }

    #[test]
    fn secrets_are_not_shown() {
        let credentials = Credentials::Static {
            access_key_id: "AKID".to_owned(),
            secret_access_key: "hush".to_owned(),
            session_token: Some("hush".to_owned()),
        };
        assert!(!format!("{credentials:?}").contains("hush"));
    }
}

//! The client: with an HTTPS stack of our choice, and with the SDK's own retries off, because
//! they know neither our bounds nor which changes must not be made twice.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Builder, Region, SharedHttpClient, StalledStreamProtectionConfig,
};
use aws_smithy_http_client::tls;

use crate::fault::Fault;
use crate::{Config, Credentials};

/// Why a table cannot be opened or created, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The configuration cannot work.
    #[error("wrong DynamoDB configuration: {0}")]
    Config(String),
    /// Nobody answers.
    #[error(
        "{endpoint} does not answer ({reason}); check the endpoint, the region and the network"
    )]
    Unreachable {
        /// Where we tried.
        endpoint: String,
        /// What happened.
        reason: String,
    },
    /// The credentials are missing, wrong or expired.
    #[error(
        "{endpoint} does not accept the credentials ({reason}); set AWS_ACCESS_KEY_ID and \
         AWS_SECRET_ACCESS_KEY, or a profile, or a role"
    )]
    Credentials {
        /// Where we tried.
        endpoint: String,
        /// What happened.
        reason: String,
    },
    /// The credentials do not suffice.
    #[error(
        "not permitted at {endpoint} ({reason}); see docs/operations/dynamodb.md for the \
         permissions needed"
    )]
    Denied {
        /// Where we tried.
        endpoint: String,
        /// What happened.
        reason: String,
    },
    /// There is no such table.
    #[error("there is no table {table:?} at {endpoint}; run `ferrotype table create`")]
    MissingTable {
        /// The table's name.
        table: String,
        /// Where we looked.
        endpoint: String,
    },
    /// The table lacks indexes.
    #[error("table {table:?} lacks the indexes {indexes:?}; run `ferrotype table create`")]
    MissingIndexes {
        /// The table's name.
        table: String,
        /// The names of the indexes.
        indexes: Vec<String>,
    },
    /// The table was not made for us.
    #[error("table {table:?} is not one of ours: {difference}; choose another table name")]
    Different {
        /// The table's name.
        table: String,
        /// What differs.
        difference: String,
    },
    /// The table or an index is still being made.
    #[error("table {table:?} is not ready yet: {reason}; try again later")]
    NotReady {
        /// The table's name.
        table: String,
        /// What we wait for.
        reason: String,
    },
    /// The server refused for another reason.
    #[error("{endpoint} refused: {reason}")]
    Refused {
        /// Where we tried.
        endpoint: String,
        /// What the server said.
        reason: String,
    },
}

impl OpenError {
    /// What a fault means for opening the table.
    pub(crate) fn from_fault(fault: Fault, config: &Config) -> Self {
        let endpoint = config.shown_endpoint();
        match fault {
            Fault::Unreachable(reason) | Fault::Lost(reason) | Fault::Throttled(reason) => {
                Self::Unreachable { endpoint, reason }
            }
            Fault::Credentials(reason) => Self::Credentials { endpoint, reason },
            Fault::Denied(reason) => Self::Denied { endpoint, reason },
            Fault::NoTable => Self::MissingTable { table: config.table.clone(), endpoint },
            Fault::Rejected { code, message } => {
                Self::Refused { endpoint, reason: format!("{code}: {message}") }
            }
            Fault::Conflict | Fault::InProgress => Self::NotReady {
                table: config.table.clone(),
                reason: "somebody else is changing it".to_owned(),
            },
            Fault::Final(error) => Self::Refused { endpoint, reason: error.to_string() },
        }
    }
}

/// The region that servers other than Amazon's are told when none is configured; they take any.
const REGION_ELSEWHERE: &str = "us-east-1";

/// Makes the client. Nothing is sent yet.
pub(crate) async fn connect(config: &Config) -> Result<Client, OpenError> {
    config.validate()?;
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .http_client(http_client(config))
        .retry_config(RetryConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .timeout_config(TimeoutConfig::builder().connect_timeout(config.connect_timeout).build());
    if let Some(region) = region(config) {
        loader = loader.region(Region::new(region));
    }
    if let Credentials::Static { access_key_id, secret_access_key, session_token } =
        &config.credentials
    {
        loader = loader.credentials_provider(aws_credential_types::Credentials::new(
            access_key_id,
            secret_access_key,
            session_token.clone(),
            None,
            "configuration",
        ));
    }
    let found = loader.load().await;
    if found.region().is_none() {
        return Err(OpenError::Config("no region is set; set it or AWS_REGION".to_owned()));
    }
    let mut builder = Builder::from(&found);
    if let Some(endpoint) = &config.endpoint {
        builder.set_endpoint_url(Some(endpoint.clone()));
    }
    Ok(Client::from_conf(builder.build()))
}

/// The region to use, if it need not be searched for: at servers other than Amazon's the
/// search would end with asking an instance service that is not there.
fn region(config: &Config) -> Option<String> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    config.region.clone().or_else(|| {
        config.endpoint.as_ref()?;
        variable("AWS_REGION")
            .or_else(|| variable("AWS_DEFAULT_REGION"))
            .or_else(|| Some(REGION_ELSEWHERE.to_owned()))
    })
}

fn http_client(config: &Config) -> SharedHttpClient {
    // A pooled connection that a server or a NAT has forgotten costs a lost request.
    const POOL_IDLE: Duration = Duration::from_secs(20);
    let builder = aws_smithy_http_client::Builder::new().pool_idle_timeout(POOL_IDLE);
    let plain = config.endpoint.as_deref().is_some_and(|url| url.starts_with("http://"));
    // The AWS chain may need HTTPS although the table does not.
    if plain && matches!(config.credentials, Credentials::Static { .. }) {
        builder.build_http()
    } else {
        builder
            .tls_provider(tls::Provider::Rustls(tls::rustls_provider::CryptoMode::Ring))
            .build_https()
    }
}

//! What the tests of this crate share: tables on the test servers.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each test file uses a part of it, and tests may panic"
)]

pub mod canned;

use std::sync::Arc;
use std::time::Duration;

use table::conformance::{Fixture, schema};
use table::{Clock as _, ManualClock, SystemClock};
use table_dynamodb::{Config, CreateOptions, Credentials, DynamoTable, RetryPolicy};
use testkit::servers::{ACCESS_KEY_ID, REGION, SECRET_ACCESS_KEY};

/// The configuration of a table on a test server.
pub fn config(endpoint: impl Into<String>, table: impl Into<String>) -> Config {
    Config {
        region: Some(REGION.to_owned()),
        endpoint: Some(endpoint.into()),
        credentials: Credentials::Static {
            access_key_id: ACCESS_KEY_ID.to_owned(),
            secret_access_key: SECRET_ACCESS_KEY.to_owned(),
            session_token: None,
        },
        ..Config::new(table)
    }
}

/// A table name that nobody else uses.
pub fn new_name() -> String {
    format!("test-{:016x}", rand::random::<u64>())
}

pub async fn create(config: &Config) {
    DynamoTable::create(config, &schema(), &CreateOptions::default()).await.unwrap();
}

/// The table, with a connection of its own: connections belong to the runtime of one test.
pub async fn open(config: Config) -> Arc<DynamoTable> {
    Arc::new(DynamoTable::open(config, schema()).await.unwrap())
}

/// A fixture on a table that exists.
///
/// Its clock stands a day ahead, so that no server removes what has not expired by it, nor
/// what has before the case looked.
pub async fn fixture(config: Config) -> Fixture {
    let clock = ManualClock::at(SystemClock.now_seconds() + 24 * 60 * 60);
    let config = Config { clock: Arc::new(clock.clone()), ..config };
    Fixture::new(open(config).await, clock)
}

/// Small pauses and tight bounds, so that tests of failure take no longer than they must.
pub fn impatient() -> RetryPolicy {
    RetryPolicy {
        attempts_max: 5,
        attempt_timeout: Duration::from_secs(2),
        total_timeout: Duration::from_secs(5),
        backoff_first: Duration::from_millis(2),
        backoff_max: Duration::from_millis(20),
    }
}

/// The table that the environment names, on the endpoint that it names.
pub fn external_config() -> Config {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let endpoint = variable("FERROTYPE_DYNAMODB_ENDPOINT").unwrap_or_else(|| {
        panic!(
            "set FERROTYPE_DYNAMODB_ENDPOINT to http://host:port, or to `aws` for Amazon's own, \
             and the usual AWS variables; or leave the feature external-endpoint out"
        )
    });
    let table = variable("FERROTYPE_DYNAMODB_TABLE");
    let table = table.unwrap_or_else(|| "ferrotype-conformance".to_owned());
    Config { endpoint: (endpoint != "aws").then_some(endpoint), ..Config::new(table) }
}

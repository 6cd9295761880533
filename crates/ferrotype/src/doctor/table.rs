//! The table: whether it is there, what form it has, and whether it answers.

use std::sync::Arc;
use std::time::Duration;

use catalog::{Catalog, PageRequest, SetUp};
use table_dynamodb::{DynamoTable, RetryPolicy};
use table_embedded::{Checkpoints, OpenError, TABLE_FILE, format_of};

use super::Finding;
use super::data_folder::is_ours;
use super::neighbour::Neighbour;
use crate::config::Config;
use crate::control::{self, Standing};
use crate::data_folder::DataFolder;
use crate::engines::{TableEngine, open_embedded};
use crate::failure::Failure;
use crate::probe;

const CHECK: &str = "table";
/// An operator who asks waits less patiently than a server that runs.
const RETRY: RetryPolicy = RetryPolicy {
    attempts_max: 3,
    attempt_timeout: Duration::from_secs(4),
    total_timeout: Duration::from_secs(10),
    backoff_first: Duration::from_millis(100),
    backoff_max: Duration::from_secs(1),
};

/// What was found, and who has an account, if the table could be asked.
pub(super) type Examined = (Vec<Finding>, Option<Standing>);

/// Looks at the table in the data folder. The one of a running server is left to it.
pub(super) async fn check_embedded(
    config: &Config,
    checkpoints: Checkpoints,
    neighbour: &Neighbour,
) -> Examined {
    let folder = DataFolder::new(&config.data_folder);
    let table = folder.table();
    if !table.join(TABLE_FILE).exists() {
        let found = format!("there is none yet in {}; the first start makes it", table.display());
        let nobody = Standing { is_set_up: false, has_users: false };
        return (vec![Finding::ok(CHECK, found)], Some(nobody));
    }
    let format = match format_of(&table) {
        Ok(format) => format,
        Err(error) => return (vec![Finding::problem(CHECK, error)], None),
    };
    let what = format!("embedded in {}, format {format}", table.display());
    if !is_ours(&table) {
        let found = format!("{what}; it belongs to another user and is not opened");
        return (vec![Finding::warning(CHECK, found).remedy("run this as its owner")], None);
    }
    let control = folder.control();
    match open_embedded(folder, checkpoints).await {
        Ok(opened) => {
            let engine = TableEngine::Embedded(Arc::new(opened));
            let (finding, standing) = ask(&engine, &what).await;
            engine.close().await;
            (vec![finding], standing)
        }
        Err(Failure::EmbeddedTable(OpenError::Locked { pid, .. })) => {
            let standing = control::find_standing(&control).await;
            (vec![in_use(config, &what, pid, neighbour)], standing)
        }
        Err(failure) => (vec![Finding::problem(CHECK, failure)], None),
    }
}

fn in_use(config: &Config, what: &str, pid: Option<u32>, neighbour: &Neighbour) -> Finding {
    let by = pid.map_or(String::new(), |pid| format!(" (process {pid})"));
    let found = format!("{what}; in use by a running server{by}");
    match neighbour {
        Neighbour::Ferrotype(readiness) => match readiness.problem() {
            None => Finding::ok(CHECK, format_args!("{found}, which is ready")),
            Some(problem) => {
                Finding::problem(CHECK, format_args!("{found}, which says: {problem}"))
                    .remedy("its log says what is wrong")
            }
        },
        _ => Finding::warning(
            CHECK,
            format_args!("{found}, which does not answer at {}", config.listen),
        )
        .remedy("ask with the configuration that it was started with, such as the same --listen"),
    }
}

/// Looks at the table in DynamoDB.
pub(super) async fn check_dynamodb(config: &table_dynamodb::Config) -> Examined {
    let config = table_dynamodb::Config { retry: RETRY, ..config.clone() };
    let place = match (&config.endpoint, &config.region) {
        (Some(endpoint), _) => endpoint.clone(),
        (None, Some(region)) => format!("Amazon DynamoDB in {region}"),
        (None, None) => "Amazon DynamoDB".to_owned(),
    };
    let what = format!("{:?} at {place} has its keys and indexes", config.table);
    let table = match DynamoTable::open(config, catalog::schema()).await {
        Ok(table) => Arc::new(table),
        Err(error) => return (vec![Finding::problem(CHECK, error)], None),
    };
    let expiry = check_expiry(&table).await;
    let (finding, standing) = ask(&TableEngine::DynamoDb(table), &what).await;
    (vec![finding, expiry], standing)
}

async fn check_expiry(table: &DynamoTable) -> Finding {
    const CHECK: &str = "time to live";
    let remedy = "run `ferrotype table create`";
    match table.find_expiry_attribute().await {
        Ok(Some(attribute)) if attribute == table::TTL => Finding::ok(CHECK, "it is on"),
        Ok(Some(other)) => {
            let found = format!("it goes by attribute {other:?}, not by {:?}", table::TTL);
            Finding::problem(CHECK, found).remedy("switch it off in DynamoDB; then create again")
        }
        Ok(None) => Finding::warning(CHECK, "it is off, so expired rows stay").remedy(remedy),
        Err(error) => Finding::warning(CHECK, format_args!("it cannot be known: {error}"))
            .remedy("see docs/operations/dynamodb.md for the permissions needed"),
    }
}

/// Reads, writes nothing the way of all writes, and looks for accounts.
async fn ask(engine: &TableEngine, what: &str) -> (Finding, Option<Standing>) {
    if let Err(problem) = probe::check_table(engine).await {
        return (Finding::problem(CHECK, format_args!("{what}, but: {problem}")), None);
    }
    match find_standing(&Catalog::new(engine.shared())).await {
        Ok(standing) => {
            (Finding::ok(CHECK, format_args!("{what}, and it answers")), Some(standing))
        }
        Err(error) => (Finding::problem(CHECK, format_args!("{what}, but: {error}")), None),
    }
}

async fn find_standing(catalog: &Catalog) -> catalog::Result<Standing> {
    Ok(Standing {
        is_set_up: catalog.find_set_up().await? == SetUp::Done,
        has_users: !catalog.list_users(&PageRequest::first(1)).await?.entries.is_empty(),
    })
}

//! Whether everything is set up rightly and can be reached, and what to do if not.
//!
//! Looks at what is there and creates nothing: where something does not exist yet, it says who
//! makes it. What it has to write to find out, it removes again. It shows no secret.

mod blobs;
mod configuration;
mod data_folder;
mod finding;
mod identity;
mod machine;
mod neighbour;
mod people;
mod public_url;
mod table;

use std::path::Path;

use catalog::SetUp;

pub use self::finding::{Finding, Status};
use self::neighbour::Neighbour;
use crate::config::{Config, RawConfig, SettingFlags, Surroundings, TableConfig};

/// Makes all checks that the configuration allows, in the order in which their findings help.
pub async fn examine(
    named_file: Option<&Path>,
    flags: &SettingFlags,
    surroundings: &Surroundings,
) -> Vec<Finding> {
    let (raw, mut errors) = RawConfig::collect_all(named_file, flags, surroundings);
    let config = Config::validate(&raw).map_err(|more| errors.extend(more.0)).ok();
    let mut findings = configuration::check(&raw, &errors);
    match config {
        Some(config) => findings.extend(examine_surroundings(&config).await),
        None => findings.push(
            Finding::warning("other checks", "they need a configuration that makes sense")
                .remedy("correct the settings above and ask again"),
        ),
    }
    findings
}

async fn examine_surroundings(config: &Config) -> Vec<Finding> {
    let neighbour = Neighbour::find(config.listen).await;
    let mut findings = vec![machine::check_memory(config), machine::check_open_files(config)];
    findings.extend(data_folder::check(config));
    let (table, set_up) = match &config.table {
        TableConfig::Embedded { checkpoints, .. } => {
            table::check_embedded(config, *checkpoints, &neighbour).await
        }
        TableConfig::DynamoDb(dynamodb) => table::check_dynamodb(dynamodb).await,
    };
    findings.extend(table);
    findings.extend(blobs::check(config).await);
    findings.push(people::check(config).await);
    findings.push(administrator(config, set_up, &neighbour).await);
    findings.push(neighbour.finding(config.listen));
    findings.push(public_url::check(config).await);
    findings.extend(identity::check(config).await);
    findings
}

/// Whether somebody can administer it. Asked of the running server where the table is its own.
async fn administrator(config: &Config, set_up: Option<SetUp>, neighbour: &Neighbour) -> Finding {
    const CHECK: &str = "administrator";
    let is_done = match set_up {
        Some(set_up) => Some(set_up == SetUp::Done),
        None if neighbour.is_ferrotype() => neighbour::is_set_up_done(config.listen).await,
        None => None,
    };
    match is_done {
        Some(true) => Finding::ok(CHECK, "there is one"),
        Some(false) => Finding::warning(CHECK, "there is none yet").remedy(
            "open the set-up link that `ferrotype serve` prints when it starts, or run \
             `ferrotype user add EMAIL --role administrator`",
        ),
        None => Finding::warning(CHECK, "it cannot be known without the table")
            .remedy("see what is said about the table"),
    }
}

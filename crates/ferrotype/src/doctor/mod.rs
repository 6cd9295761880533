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

pub use self::finding::{Finding, Status};
use self::neighbour::Neighbour;
use crate::config::{Config, RawConfig, SettingFlags, Surroundings, TableConfig};
use crate::control::Standing;

/// Makes all checks that the configuration allows, in the order in which their findings help.
pub async fn examine(
    named_file: Option<&Path>,
    flags: &SettingFlags,
    surroundings: &Surroundings,
) -> Vec<Finding> {
    let (raw, errors) = RawConfig::collect(named_file, flags, surroundings);
    // What makes sense is enough to look at the rest.
    let config = Config::validate(&raw, Vec::new()).ok();
    let errors = Config::validate(&raw, errors).err().map(|errors| errors.0).unwrap_or_default();
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
    let (table, standing) = match &config.table {
        TableConfig::Embedded { checkpoints, .. } => {
            table::check_embedded(config, *checkpoints, &neighbour).await
        }
        TableConfig::DynamoDb(dynamodb) => table::check_dynamodb(dynamodb).await,
    };
    findings.extend(table);
    findings.extend(blobs::check(config).await);
    findings.push(people::check(config).await);
    findings.push(administrator(config, standing, &neighbour).await);
    findings.push(neighbour.finding(config.listen));
    findings.push(public_url::check(config).await);
    findings.extend(identity::check(config).await);
    findings
}

/// Whether somebody can administer it. Asked of the running server where the table is its own.
async fn administrator(
    config: &Config,
    standing: Option<Standing>,
    neighbour: &Neighbour,
) -> Finding {
    const CHECK: &str = "administrator";
    let standing = match standing {
        None if neighbour.is_ferrotype() => neighbour::find_standing(config.listen).await,
        known => known,
    };
    let Some(Standing { is_set_up, has_users }) = standing else {
        return Finding::warning(CHECK, "it cannot be known without the table")
            .remedy("see what is said about the table");
    };
    match (is_set_up, has_users) {
        (true, _) => Finding::ok(CHECK, "there is one"),
        (false, true) => Finding::warning(CHECK, "there are accounts, but no administrator's")
            .remedy(
                "run `ferrotype user role EMAIL administrator`, or open the set-up link that \
                 `ferrotype serve` prints when it starts",
            ),
        (false, false) => Finding::warning(CHECK, "there is none yet").remedy(
            "open the set-up link that `ferrotype serve` prints when it starts, or run \
             `ferrotype user add EMAIL --role administrator`",
        ),
    }
}

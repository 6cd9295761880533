//! `ferrotype table create` and `ferrotype table check`

use table_dynamodb::{CreateOptions, DynamoTable};
use table_embedded::check_folder;

use crate::config::{Config, TableConfig};
use crate::data_folder::DataFolder;
use crate::engines::open_embedded;
use crate::failure::Failure;
use crate::output::say;

/// Creates the table, or adds what it lacks.
pub async fn create(config: &Config) -> Result<(), Failure> {
    match &config.table {
        TableConfig::Embedded { checkpoints, .. } => {
            let folder = DataFolder::new(&config.data_folder);
            open_embedded(folder.clone(), *checkpoints).await?.close().await;
            say!("the table in {} is ready", folder.table().display());
        }
        TableConfig::DynamoDb(dynamodb) => create_dynamodb(dynamodb).await?,
    }
    Ok(())
}

async fn create_dynamodb(config: &table_dynamodb::Config) -> Result<(), Failure> {
    let report = DynamoTable::create(config, &catalog::schema(), &CreateOptions::default()).await?;
    if report.created {
        say!("created table {:?}", config.table);
    }
    for index in &report.indexes_added {
        say!("added index {index:?}");
    }
    for feature in &report.features {
        say!("on: {feature}");
    }
    for warning in &report.warnings {
        say!("warning: {warning}");
    }
    say!("table {:?} is ready", config.table);
    Ok(())
}

/// Looks for damage. DynamoDB guards its own data; there, keys and indexes are compared.
pub async fn check(config: &Config) -> Result<(), Failure> {
    match &config.table {
        TableConfig::Embedded { .. } => check_embedded(config).await,
        TableConfig::DynamoDb(dynamodb) => {
            DynamoTable::open((**dynamodb).clone(), catalog::schema()).await?;
            say!("table {:?} has the keys and indexes it should have", dynamodb.table);
            Ok(())
        }
    }
}

async fn check_embedded(config: &Config) -> Result<(), Failure> {
    let folder = DataFolder::new(&config.data_folder).table();
    let shown = folder.display().to_string();
    let checked = tokio::task::spawn_blocking(move || check_folder(&folder, &catalog::schema()));
    let checked = checked.await.map_err(|error| Failure::Start(format!("the check: {error}")))?;
    let report = checked?;
    for problem in &report.problems {
        say!("{problem}");
    }
    if !report.is_sound() {
        return Err(Failure::CheckFailed(format!(
            "the table in {shown} has {} problems; stop the server and restore the last backup \
             into another folder",
            report.problems.len()
        )));
    }
    say!("{} items and {} index entries, all sound", report.items, report.index_entries);
    Ok(())
}

//! `ferrotype table create` and `ferrotype table check`

use table_dynamodb::{CreateOptions, DynamoTable};
use table_embedded::{OpenError, check_folder_telling};

use crate::config::{Config, TableConfig};
use crate::data_folder::DataFolder;
use crate::engines::open_embedded;
use crate::failure::Failure;
use crate::output::say;
use crate::progress::{Progress, Unit};

/// Creates the table, or adds what it lacks.
pub async fn create(config: &Config) -> Result<(), Failure> {
    match &config.table {
        TableConfig::Embedded { checkpoints, .. } => {
            let folder = DataFolder::new(&config.data_folder);
            match open_embedded(folder.clone(), *checkpoints).await {
                // Whoever has it has made it.
                Err(Failure::EmbeddedTable(OpenError::Locked { .. })) => {}
                opened => opened?.close().await,
            }
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
pub async fn check(config: &Config, quiet: bool) -> Result<(), Failure> {
    match &config.table {
        TableConfig::Embedded { .. } => check_embedded(config, quiet).await,
        TableConfig::DynamoDb(dynamodb) => {
            DynamoTable::open((**dynamodb).clone(), catalog::schema()).await?;
            say!("table {:?} has the keys and indexes it should have", dynamodb.table);
            Ok(())
        }
    }
}

async fn check_embedded(config: &Config, quiet: bool) -> Result<(), Failure> {
    let folder = DataFolder::new(&config.data_folder).table();
    let shown = folder.display().to_string();
    let progress = Progress::new(quiet);
    let step = progress.step("checking the table", Unit::Rows);
    let check = move || {
        let tell = |done, all| step.at(done, all);
        check_folder_telling(&folder, &catalog::schema(), &tell)
    };
    let checked = tokio::task::spawn_blocking(check).await;
    progress.end();
    let checked = checked.map_err(|error| Failure::Start(format!("the check: {error}")))?;
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

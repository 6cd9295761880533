//! `ferrotype backup`

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use blob::Blobs;
use model::Timestamp;

use crate::backup_folder::{BackupFolder, FORMAT, Manifest, TableCopy};
use crate::blob_copy::{Copied, copy_blobs, count_blobs};
use crate::build_info::VERSION;
use crate::config::{BlobConfig, Config, TableConfig};
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::say;
use crate::progress::{Progress, Unit};

/// Copies the table first and then the blobs. A blob is written before the row that names it,
/// so every row of the copy finds its blobs, but for those that are deleted meanwhile.
pub async fn backup(config: &Config, to: &Path, quiet: bool) -> Result<(), Failure> {
    require_embedded(config, "backed up")?;
    let data = DataFolder::new(&config.data_folder);
    let folder = BackupFolder::new(to);
    let _lock = folder.lock().map_err(Failure::Backup)?;
    require_apart(&data, to)?;
    let created = now();
    let progress = Progress::new(quiet);
    let table = copy_table(data.clone(), folder.clone(), &progress).await?;
    let (copied, blobs) = match config.blob {
        BlobConfig::S3(_) => (None, None),
        BlobConfig::Folder => {
            let target = Blobs::open_folder(&folder.blobs()).await?;
            let counting = progress.step("counting files", Unit::Files);
            let counted = count_blobs(&data.blobs(), &|found| counting.at(found.count, 0)).await;
            let all = counted.map_err(Failure::Backup)?;
            let copying = progress.step("copying files", Unit::Files);
            let tell = |done| copying.at_files(done, all);
            let copied = copy_blobs(&data.blobs(), &target, &tell).await;
            let copied = copied.map_err(Failure::Backup)?;
            let looking = progress.step("counting the copies", Unit::Files);
            let counted =
                count_blobs(&folder.blobs(), &|found| looking.at(found.count, all.count)).await;
            let count = counted.map_err(Failure::Backup)?;
            (Some(copied), Some(count))
        }
    };
    let manifest = Manifest { format: FORMAT, version: VERSION.to_owned(), created, table, blobs };
    folder.commit(&manifest).map_err(Failure::Backup)?;
    progress.end();
    say(&manifest, copied, to);
    Ok(())
}

/// Refuses what only the embedded table needs.
pub fn require_embedded(config: &Config, done: &str) -> Result<(), Failure> {
    match &config.table {
        TableConfig::Embedded { .. } => Ok(()),
        TableConfig::DynamoDb(dynamodb) => Err(Failure::Unsuitable(format!(
            "table.engine is \"dynamodb\", and DynamoDB tables are not {done} by this command: \
             `ferrotype table create` switches on point-in-time recovery for table {:?}, which \
             restores it to any second of the last 35 days as a new table \
             (`aws dynamodb restore-table-to-point-in-time`); for blobs in S3, switch on the \
             bucket's versioning",
            dynamodb.table
        ))),
    }
}

async fn copy_table(
    data: DataFolder,
    folder: BackupFolder,
    progress: &Progress,
) -> Result<TableCopy, Failure> {
    let copying = progress.step("copying the table", Unit::Bytes);
    let reading = progress.step("reading the copy", Unit::Bytes);
    let copy = move || {
        let copy = |file: &Path| {
            let tell = |done, all| copying.at(done, all);
            table_embedded::backup_folder_telling(&data.table(), file, &tell)
        };
        folder.add_table(copy, &|done, all| reading.at(done, all))
    };
    let copied = tokio::task::spawn_blocking(copy).await;
    copied.map_err(|error| Failure::Backup(error.to_string()))?.map_err(Failure::Backup)
}

/// A backup inside the data folder would be lost with it, and would be copied into itself.
fn require_apart(data: &DataFolder, to: &Path) -> Result<(), Failure> {
    let full = |path: &Path| -> PathBuf { path.canonicalize().unwrap_or_else(|_| path.to_owned()) };
    let (data, to) = (full(data.path()), full(to));
    if to.starts_with(&data) || data.starts_with(&to) {
        return Err(Failure::Unsuitable(format!(
            "{} and the data folder {} must lie apart; give another folder",
            to.display(),
            data.display()
        )));
    }
    Ok(())
}

fn say(manifest: &Manifest, copied: Option<Copied>, to: &Path) {
    say!("the table: {} bytes in {}", manifest.table.size_bytes, manifest.table.file);
    match copied {
        Some(Copied { new, known }) => say!("blobs: {new} copied, {known} there before"),
        None => say!("blobs are in S3 and stay there; switch on the bucket's versioning"),
    }
    say!("backup complete in {}", to.display());
}

fn now() -> Timestamp {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}

//! `ferrotype restore`

use std::path::Path;

use blob::Blobs;
use table_embedded::RestoreStep;

use super::backup::require_embedded;
use crate::backup_folder::{BackupFolder, BlobCount, Manifest};
use crate::blob_copy::{copy_blobs, count_blobs};
use crate::config::{BlobConfig, Config};
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::say;
use crate::progress::{Progress, Unit};

/// Verifies a backup and fills an empty data folder from it. If anything fails, the folder is
/// empty again; if the process is killed, `serve` refuses the folder.
pub async fn restore(config: &Config, from: &Path, quiet: bool) -> Result<(), Failure> {
    require_embedded(config, "restored")?;
    let data = DataFolder::new(&config.data_folder);
    let folder = BackupFolder::new(from);
    let manifest = folder.load().map_err(Failure::Restore)?;
    let progress = Progress::new(quiet);
    verify(&folder, &manifest, &config.blob, &progress).await?;
    data.prepare()?;
    data.require_empty()?;
    let begun = data.begin_restore();
    begun.map_err(|source| Failure::DataFolder { folder: data.path().to_owned(), source })?;
    if let Err(failure) = fill(&data, &folder, &manifest, &progress).await {
        if let Err(error) = data.undo_restore() {
            tracing::error!(%error, "what was restored so far could not be removed");
        }
        return Err(failure);
    }
    progress.end();
    let ended = data.end_restore();
    ended.map_err(|source| Failure::DataFolder { folder: data.path().to_owned(), source })?;
    say!("restored the backup of {} into {}", manifest.created, data.path().display());
    Ok(())
}

/// Makes sure that the backup is whole before anything is written.
async fn verify(
    folder: &BackupFolder,
    manifest: &Manifest,
    blob: &BlobConfig,
    progress: &Progress,
) -> Result<(), Failure> {
    let (checked, table) = (folder.clone(), manifest.table.clone());
    let reading = progress.step("reading the table", Unit::Bytes);
    run(move || checked.verify_table(&table, &|done, all| reading.at(done, all))).await?;
    match (manifest.blobs, blob) {
        (None, BlobConfig::S3(_)) => Ok(()),
        (Some(expected), BlobConfig::Folder) => {
            let counting = progress.step("counting files", Unit::Files);
            let tell = |found: BlobCount| counting.at(found.count, expected.count);
            let found = count_blobs(&folder.blobs(), &tell).await.map_err(Failure::Restore)?;
            require_same(expected, found, "the backup is damaged: it")
        }
        (None, BlobConfig::Folder) => Err(Failure::Unsuitable(
            "the backup has no blobs, because they were in S3; set blob.engine to \"s3\""
                .to_owned(),
        )),
        (Some(_), BlobConfig::S3(_)) => Err(Failure::Unsuitable(
            "the backup has blobs, which are restored into a folder only; set blob.engine to \
             \"folder\""
                .to_owned(),
        )),
    }
}

async fn fill(
    data: &DataFolder,
    folder: &BackupFolder,
    manifest: &Manifest,
    progress: &Progress,
) -> Result<(), Failure> {
    let (file, target) = (folder.table(&manifest.table), data.table());
    let checking = progress.step("checking the table", Unit::Rows);
    let copying = progress.step("copying the table", Unit::Bytes);
    run(move || {
        let tell = |step, done, all| match step {
            RestoreStep::Check => checking.at(done, all),
            RestoreStep::Copy => copying.at(done, all),
        };
        let restored = table_embedded::restore_telling(&file, &target, &catalog::schema(), &tell);
        restored.map_err(|error| error.to_string())
    })
    .await?;
    if let Some(expected) = manifest.blobs {
        let blobs = Blobs::open_folder(&data.blobs()).await?;
        let copying = progress.step("copying files", Unit::Files);
        let tell = |done| copying.at_files(done, expected);
        copy_blobs(&folder.blobs(), &blobs, &tell).await.map_err(Failure::Restore)?;
        let counting = progress.step("counting the copies", Unit::Files);
        let tell = |found: BlobCount| counting.at(found.count, expected.count);
        let found = count_blobs(&data.blobs(), &tell).await.map_err(Failure::Restore)?;
        require_same(expected, found, "not all blobs were copied: the data folder")?;
    }
    Ok(())
}

fn require_same(expected: BlobCount, found: BlobCount, what: &str) -> Result<(), Failure> {
    if expected == found {
        return Ok(());
    }
    Err(Failure::Restore(format!(
        "{what} has {} blobs of {} bytes, not {} of {} bytes",
        found.count, found.size_bytes, expected.count, expected.size_bytes
    )))
}

/// Runs work that waits for the disk.
async fn run(work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Result<(), Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Failure::Restore(error.to_string()))?.map_err(Failure::Restore)
}

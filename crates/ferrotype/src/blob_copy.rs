//! Copies of a folder of blobs. The source is only read, so that it may be on a read-only
//! medium; the copy is written by the blob store, durably and never half.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;

use blob::{BlobKey, Blobs, PutLimits};
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt, TryStreamExt};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;

use crate::backup_folder::BlobCount;

/// What a copy did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Objects that were copied now.
    pub new: u64,
    /// Objects of the same size that were there before.
    pub known: u64,
}

/// How many objects are copied at a time: each waits for the disk several times.
const AT_ONCE: usize = 16;
const CHUNK_BYTES: usize = 256 * 1024;

/// Copies all blobs below `from` that `to` does not have in the same size.
///
/// Left out are renditions made on demand, which may be dropped at any time, and objects
/// that are deleted while this goes on. `tell` is told what has been gone through.
pub async fn copy_blobs(
    from: &Path,
    to: &Blobs,
    tell: &(dyn Fn(BlobCount) + Sync),
) -> Result<Copied, String> {
    let copies = walk(from).map(|found| async {
        let (key, path) = found?;
        copy_one(&key, &path, to).await
    });
    let mut copies = pin!(copies.buffer_unordered(AT_ONCE));
    let mut copied = Copied::default();
    let mut gone_through = BlobCount::default();
    while let Some((outcome, size_bytes)) = copies.try_next().await? {
        gone_through.count += 1;
        gone_through.size_bytes += size_bytes;
        tell(gone_through);
        match outcome {
            Outcome::New => copied.new += 1,
            Outcome::Known => copied.known += 1,
            Outcome::Gone => {}
        }
    }
    Ok(copied)
}

/// Counts all blobs in a folder that [`copy_blobs`] would copy. `tell` is told how far it has come.
pub async fn count_blobs(
    folder: &Path,
    tell: &(dyn Fn(BlobCount) + Sync),
) -> Result<BlobCount, String> {
    let mut count = BlobCount::default();
    let mut found = pin!(walk(folder));
    while let Some((_, path)) = found.try_next().await? {
        let metadata = tokio::fs::metadata(&path).await;
        let metadata = metadata.map_err(|error| cannot_read(&path, &error))?;
        count.count += 1;
        count.size_bytes += metadata.len();
        tell(count);
    }
    Ok(count)
}

enum Outcome {
    New,
    Known,
    Gone,
}

async fn copy_one(key: &BlobKey, path: &Path, to: &Blobs) -> Result<(Outcome, u64), String> {
    let file = match tokio::fs::File::open(path).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Outcome::Gone, 0)),
        opened => opened.map_err(|error| cannot_read(path, &error))?,
    };
    let metadata = file.metadata().await.map_err(|error| cannot_read(path, &error))?;
    let size_bytes = metadata.len();
    match to.head(key).await {
        Ok(meta) if meta.size_bytes == size_bytes && !may_change(key) => {
            return Ok((Outcome::Known, size_bytes));
        }
        Ok(_) | Err(blob::Error::NotFound { .. }) => {}
        Err(error) => return Err(error.to_string()),
    }
    let mut limits = PutLimits::at_most(size_bytes);
    limits.size_bytes = Some(size_bytes);
    to.put(key, chunks(file), &limits).await.map_err(|error| error.to_string())?;
    Ok((Outcome::New, size_bytes))
}

/// Whether other bytes may come to stand at this key. Of everything else, the same length is the
/// same object.
fn may_change(key: &BlobKey) -> bool {
    matches!(key, BlobKey::Sidecar(_))
}

fn chunks(file: tokio::fs::File) -> BoxStream<'static, io::Result<Bytes>> {
    let read = |mut file: tokio::fs::File| async move {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let read = (&mut file).take(CHUNK_BYTES as u64).read_to_end(&mut chunk).await?;
        Ok((read > 0).then(|| (Bytes::from(chunk), file)))
    };
    stream::try_unfold(file, read).boxed()
}

/// The objects in a folder, found by a thread that may wait for the disk.
fn walk(folder: &Path) -> impl Stream<Item = Result<(BlobKey, PathBuf), String>> + use<> {
    let (send, receive) = mpsc::channel(2 * AT_ONCE);
    let root = folder.to_owned();
    // Ends by itself: when all is found, or when nobody listens any more.
    tokio::task::spawn_blocking(move || {
        if let Err((path, error)) = walk_folder(&root, &root, &send) {
            let _ = send.blocking_send(Err(cannot_read(&path, &error)));
        }
    });
    stream::unfold(receive, |mut receive| async { Some((receive.recv().await?, receive)) })
}

type Found = mpsc::Sender<Result<(BlobKey, PathBuf), String>>;

fn walk_folder(root: &Path, folder: &Path, send: &Found) -> Result<(), (PathBuf, io::Error)> {
    let failed = |error| (folder.to_owned(), error);
    let entries = match fs::read_dir(folder) {
        // Nothing was ever stored, or the last object in it was just deleted.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed)?,
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            walk_folder(root, &path, send)?;
        } else if kind.is_file()
            && let Some(key) = key_of(root, &path)
            && send.blocking_send(Ok((key, path))).is_err()
        {
            return Ok(());
        }
    }
    Ok(())
}

/// The key of an object; none for other people's files and for what need not be kept.
fn key_of(root: &Path, path: &Path) -> Option<BlobKey> {
    let key = path.strip_prefix(root).ok()?.to_str()?.parse().ok()?;
    match key {
        BlobKey::Transform { .. } => None,
        key => Some(key),
    }
}

fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

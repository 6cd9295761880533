use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use object_store::path::Path;

use super::failure::classify;
use super::staging::StagedFile;
use super::{Inner, blocking};
use crate::{Error, Result, Upload};

/// Enough bytes to be worth a trip to a blocking thread.
const BUFFERED_BYTES: usize = 256 * 1024;

/// An object that is being written into the folder.
///
/// Dropping it at any point removes its temporary file, which is how a cancelled request
/// leaves nothing behind.
pub(super) struct FolderUpload {
    inner: Arc<Inner>,
    path: Path,
    /// Absent only while a blocking thread has it, and after that thread has failed.
    file: Option<StagedFile>,
    buffer: Vec<Bytes>,
    buffered_bytes: usize,
}

impl FolderUpload {
    pub(super) async fn start(inner: Arc<Inner>, path: Path) -> Result<Self> {
        let staging = Arc::clone(&inner);
        let action = action(&path);
        let file =
            blocking(move || staging.staging.create().map_err(|e| classify(&action, &e))).await?;
        Ok(Self { inner, path, file: Some(file), buffer: Vec::new(), buffered_bytes: 0 })
    }

    async fn flush(&mut self) -> Result<()> {
        let chunks = std::mem::take(&mut self.buffer);
        self.buffered_bytes = 0;
        let file = self.take_file()?;
        let action = action(&self.path);
        let written = blocking(move || match file.write(&chunks) {
            Ok(()) => Ok(file),
            Err(error) => Err(classify(&action, &error)),
        });
        self.file = Some(written.await?);
        Ok(())
    }

    fn take_file(&mut self) -> Result<StagedFile> {
        self.file.take().ok_or_else(|| Error::Failed {
            action: action(&self.path),
            cause: "an earlier write of the same object has failed".to_owned(),
        })
    }
}

#[async_trait]
impl Upload for FolderUpload {
    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.buffered_bytes += bytes.len();
        self.buffer.push(bytes);
        if self.buffered_bytes >= BUFFERED_BYTES { self.flush().await } else { Ok(()) }
    }

    async fn publish(mut self: Box<Self>) -> Result<()> {
        let chunks = std::mem::take(&mut self.buffer);
        let file = self.take_file()?;
        let Self { inner, path, .. } = *self;
        blocking(move || {
            let publish = || {
                file.write(&chunks)?;
                let staged = file.finish()?;
                inner.place_over(&staged, &path)
            };
            publish().map_err(|error| classify(&action(&path), &error))
        })
        .await
    }

    async fn discard(mut self: Box<Self>) {
        let file = self.file.take();
        // Dropping the file removes it, which is not for an async thread to do.
        let _ = blocking(move || {
            drop(file);
            Ok(())
        })
        .await;
    }
}

fn action(path: &Path) -> String {
    format!("writing {path}")
}

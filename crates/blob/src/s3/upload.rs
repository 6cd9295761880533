use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{
    Attributes, MultipartUpload, ObjectStore, PutMultipartOptions, PutOptions, PutPayload,
    PutPayloadMut,
};

use super::failure::classify;
use crate::{Result, Upload};

/// The size of a part, and the most that is held in memory per upload. S3 takes parts from
/// 5 MiB and up to 10,000 of them, so this is enough for objects of 80 GB.
const PART_BYTES: usize = 8 * 1024 * 1024;

/// An object on its way into a bucket: in one request if it is small, in parts otherwise.
pub(super) struct S3Upload {
    store: Arc<AmazonS3>,
    path: Path,
    attributes: Attributes,
    buffer: PutPayloadMut,
    parts: Option<Parts>,
}

impl S3Upload {
    pub(super) fn new(store: Arc<AmazonS3>, path: Path, attributes: Attributes) -> Self {
        Self { store, path, attributes, buffer: PutPayloadMut::new(), parts: None }
    }

    async fn send_part(&mut self) -> Result<()> {
        let parts = match self.parts.take() {
            Some(parts) => self.parts.insert(parts),
            None => {
                let options = PutMultipartOptions {
                    attributes: self.attributes.clone(),
                    ..Default::default()
                };
                let started = self.store.put_multipart_opts(&self.path, options).await;
                let started = started.map_err(|e| classify(&self.action(), &e))?;
                self.parts.insert(Parts(Some(started)))
            }
        };
        let part: PutPayload = std::mem::take(&mut self.buffer).into();
        if let Some(upload) = &mut parts.0 {
            upload.put_part(part).await.map_err(|e| classify(&self.action(), &e))?;
        }
        Ok(())
    }

    fn action(&self) -> String {
        format!("writing {}", self.path)
    }
}

#[async_trait]
impl Upload for S3Upload {
    async fn write(&mut self, mut bytes: Bytes) -> Result<()> {
        while !bytes.is_empty() {
            // A full buffer is sent only when more comes, so that what fits into one part
            // goes in one request, and the last part is never empty.
            if self.buffer.content_length() == PART_BYTES {
                self.send_part().await?;
            }
            let room = PART_BYTES - self.buffer.content_length();
            self.buffer.push(bytes.split_to(room.min(bytes.len())));
        }
        Ok(())
    }

    async fn publish(mut self: Box<Self>) -> Result<()> {
        if self.parts.is_none() {
            let payload = std::mem::take(&mut self.buffer).into();
            let options = PutOptions { attributes: self.attributes.clone(), ..Default::default() };
            let put = self.store.put_opts(&self.path, payload, options).await;
            return put.map(drop).map_err(|e| classify(&self.action(), &e));
        }
        let sent = self.send_part().await;
        let action = self.action();
        match self.parts.take() {
            Some(mut parts) => {
                let done = match sent {
                    Ok(()) => parts.complete().await.map_err(|e| classify(&action, &e)),
                    Err(error) => Err(error),
                };
                if done.is_err() {
                    parts.abort().await;
                }
                done
            }
            None => sent,
        }
    }

    async fn discard(mut self: Box<Self>) {
        if let Some(mut parts) = self.parts.take() {
            parts.abort().await;
        }
    }
}

/// An upload in parts that is aborted unless it is completed, so that nobody pays for parts
/// of objects that will never be. A crash still leaves them: buckets need the usual
/// lifecycle rule for incomplete uploads.
struct Parts(Option<Box<dyn MultipartUpload>>);

impl Parts {
    async fn complete(&mut self) -> object_store::Result<()> {
        if let Some(upload) = &mut self.0 {
            upload.complete().await?;
        }
        self.0 = None;
        Ok(())
    }

    async fn abort(&mut self) {
        // Only taken when done, so that a cancelled abort is finished by `drop`.
        if let Some(upload) = &mut self.0 {
            warn_if_failed(upload.abort().await);
        }
        self.0 = None;
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        // A cancelled request cannot wait, so the abort goes on without it, for as long as
        // the retry limit allows.
        if let Some(mut upload) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move { warn_if_failed(upload.abort().await) });
        }
    }
}

fn warn_if_failed(aborted: object_store::Result<()>) {
    if let Err(error) = aborted {
        tracing::warn!(%error, "parts of an unfinished S3 upload stay behind");
    }
}

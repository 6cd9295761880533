//! Reading an original back: to see what it is, and to make renditions of it.

use blob::BlobKey;
use futures::TryStreamExt;

use crate::studio::Held;
use crate::{Error, Result, Service};

impl Service {
    /// A whole object, once there is memory for it.
    pub(crate) async fn load_file(&self, key: &BlobKey) -> Result<Held> {
        let size_bytes = self.blobs().head(key).await?.size_bytes;
        self.settings().limits.check_bytes(size_bytes)?;
        let memory = self.studio().admit_file(size_bytes).await?;
        let mut body = self.blobs().get(key, None).await?.body;
        let size = usize::try_from(size_bytes).map_err(Error::internal)?;
        let mut bytes = Vec::with_capacity(size);
        while let Some(chunk) = body.try_next().await? {
            // The object may have been replaced since by a longer one.
            if bytes.len() + chunk.len() > size {
                return Err(Error::internal(format!("{key} changed while it was read")));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(Held::new(bytes, memory))
    }
}

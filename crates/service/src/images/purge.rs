//! Removing an image for good: hidden first, then its objects, then its rows.

use catalog::{Begun, Held};
use model::ImageId;

use crate::work::{Done, Task};
use crate::{Result, Service};

impl Service {
    /// What a worker does who has claimed it. May be repeated at any point.
    pub(crate) async fn purge(&self, task: &Task, image: ImageId) -> Result<Done> {
        if self.catalog().begin_purge(&*task.held().await, image, self.now()).await? == Begun::Lost
        {
            return Ok(Done::Lost);
        }
        self.delete_blobs(image).await?;
        match self.catalog().finish_purge(&*task.held().await, image, self.now()).await? {
            Held::Still => Ok(Done::Finished),
            Held::Lost => Ok(Done::Lost),
        }
    }
}

use model::{Image, ImageId};
use table::{Item, VERSION, Value};

use crate::entries::image_of;
use crate::{Result, row};

/// An image that was found and not read yet. Who has kept something of this version need not
/// read it at all.
#[derive(Clone, Debug)]
pub struct UnreadImage {
    id: ImageId,
    version: i64,
    item: Item,
}

impl UnreadImage {
    pub(crate) fn of(item: Item) -> Result<Self> {
        let id = image_of(&item.key)?;
        let version = match item.attributes.value(VERSION) {
            Some(Value::N(number)) => number.as_i64(),
            _ => None,
        };
        // What has no version is not ours, which shows when it is read.
        Ok(Self { id, version: version.unwrap_or(-1), item })
    }

    /// Which image.
    pub fn id(&self) -> ImageId {
        self.id
    }

    /// Which version of it.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// The image.
    ///
    /// # Errors
    /// When the row is damaged.
    pub fn read(&self) -> Result<Image> {
        row::entity_of(&self.item)
    }
}

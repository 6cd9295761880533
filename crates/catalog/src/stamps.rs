//! Whether something is still as it was read, for those who keep what they made of it.

use model::{ImageId, UserId};

use crate::{Catalog, keys};

pub use table::Stamp;

/// Something as it is for as long as its stamp is current; for how long is not known if it has
/// none.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamped<T> {
    /// What it is.
    pub value: T,
    /// Its state.
    pub stamp: Option<Stamp>,
}

impl Catalog {
    /// The state of an image, to be asked for before it is read. None if the table cannot tell,
    /// or the image is just being written.
    pub fn image_stamp(&self, image: ImageId) -> Option<Stamp> {
        self.table.watch()?.stamp(&keys::image_partition(image))
    }

    /// The same of a user, with their sessions and API keys.
    pub fn user_stamp(&self, user: UserId) -> Option<Stamp> {
        self.table.watch()?.stamp(&keys::user_partition(user))
    }

    /// Whether nothing was written since. What has a `ttl` may end all the same.
    pub fn is_current(&self, stamp: Stamp) -> bool {
        self.table.watch().is_some_and(|watch| watch.is_current(stamp))
    }
}

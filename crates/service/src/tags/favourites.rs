//! Favourites.

use catalog::{Listed, PageRequest};
use model::{Image, ImageId};

use crate::{Caller, Error, Result, Scope, Service};

/// As for lists of tagged images.
const READS_MAX: usize = 10;

impl Service {
    /// Marks an image that the caller may see as a favourite, or takes the mark away.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such image.
    pub async fn set_favourite(&self, caller: &Caller, image: ImageId, is_one: bool) -> Result<()> {
        caller.require(Scope::Write)?;
        if !is_one {
            return Ok(self.catalog().delete_favourite(image, caller.user).await?);
        }
        let is_seen = !self.find_seen(caller, &[image]).await?.is_empty();
        if is_seen && self.catalog().put_favourite(image, caller.user, self.now()).await? {
            return Ok(());
        }
        Err(Error::NotFound { what: "image" })
    }

    /// The caller's favourites that they may still see, last marked first. A page may be short
    /// although more follows.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_favourites(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        let mut page = page.clone();
        let (limit, mut entries) = (page.limit, Vec::new());
        for _ in 0..READS_MAX {
            page.limit = limit - entries.len();
            let found = self.catalog().list_favourites(caller.user, &page).await?;
            entries.extend(self.all_seen_by(caller, found.entries).await?);
            page.cursor = found.next;
            if page.cursor.is_none() || entries.len() >= limit {
                break;
            }
        }
        Ok(Listed { entries, next: page.cursor })
    }
}

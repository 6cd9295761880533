//! Whoever holds a link.

use model::{Link, UserId};

use super::NO_LINK;
use crate::{Error, Result, Service};

/// Somebody who holds a link that shows something now, and knows its password if it has one.
#[derive(Clone, Debug)]
pub struct Guest {
    link: Link,
}

impl Guest {
    /// The link they hold.
    pub fn link(&self) -> &Link {
        &self.link
    }
}

impl Service {
    /// Lets somebody look who holds a link, for one request.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such link, [`Error::LinkExpired`] if it has ended, and
    /// [`Error::LinkLocked`] if it has a password and `unlocked` does not prove that they know it.
    pub async fn admit_guest(&self, token: &str, unlocked: Option<&str>) -> Result<Guest> {
        let link = self.open_link(token).await?;
        let is_open = match &link.password {
            None => true,
            Some(password) => {
                unlocked.is_some_and(|proof| self.is_unlocked(link.id, password, proof))
            }
        };
        if is_open { Ok(Guest { link }) } else { Err(Error::LinkLocked) }
    }

    /// The link that a token proves, unless it has ended.
    pub(super) async fn open_link(&self, token: &str) -> Result<Link> {
        let id = self.proven_link(token).ok_or(NO_LINK)?;
        let link = self.catalog().find_link(id).await?.ok_or(NO_LINK)?;
        let owner = self.catalog().find_user(link.owner).await?;
        // Who is being erased shows nothing any more, although their rows are still there.
        if owner.is_none_or(|owner| owner.erasing_since.is_some()) {
            return Err(NO_LINK);
        }
        if link.has_ended(self.now()) {
            return Err(Error::LinkExpired);
        }
        Ok(link)
    }

    /// Counts that a guest has opened a link. That its owner looks at it is not counted.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn count_view(&self, guest: &Guest, user: Option<UserId>) -> Result<()> {
        if user != Some(guest.link.owner) {
            self.catalog().count_link_view(guest.link.id).await?;
        }
        Ok(())
    }
}

//! What users may keep.

use catalog::{Listed, PageRequest};
use model::{Quota, User, UserId};

use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// How much a user may keep and how much of it is left, for themselves and administrators.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such user.
    pub async fn find_quota(&self, caller: &Caller, user: UserId) -> Result<Quota> {
        self.require_self_or_administrator(caller, user, Scope::Read)?;
        let found = self.catalog().find_quota(user).await?;
        found.ok_or(Error::NotFound { what: "user" })
    }

    /// Changes how much a user may keep. What they have stays, even if it is more.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such user.
    pub async fn set_quota(
        &self,
        caller: &Caller,
        user: UserId,
        images_max: i64,
        bytes_max: i64,
    ) -> Result<Quota> {
        caller.require_administrator()?;
        for (field, max) in [("imagesMax", images_max), ("bytesMax", bytes_max)] {
            if max < 0 {
                return Err(Error::invalid(field, "a limit is not negative"));
            }
        }
        if !self.catalog().set_quota(user, images_max, bytes_max, self.now()).await? {
            return Err(Error::NotFound { what: "user" });
        }
        self.find_quota(caller, user).await
    }

    /// Users by how many images they may still keep, the fewest first, for administrators.
    pub async fn list_quotas(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<(User, Quota)>> {
        caller.require_administrator()?;
        let Listed { entries, next } = self.catalog().list_quotas(page).await?;
        let ids: Vec<UserId> = entries.iter().map(|(user, _)| *user).collect();
        let users = self.catalog().find_users(&ids).await?;
        let with_user = |(id, quota): (UserId, Quota)| {
            let user = users.iter().find(|user| user.id == id)?;
            Some((user.clone(), quota))
        };
        Ok(Listed { entries: entries.into_iter().filter_map(with_user).collect(), next })
    }
}

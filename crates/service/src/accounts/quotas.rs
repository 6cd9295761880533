//! What users may keep.

use catalog::{Listed, PageRequest};
use model::{ByteRule, Quota, QuotaRule, User, UserId};

use crate::{Caller, Error, Result, Scope, Service};

/// What new accounts may keep, and who decides that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultQuota {
    /// What they may keep.
    pub rule: QuotaRule,
    /// Who has decided it.
    pub source: QuotaSource,
    /// Bytes of the disk that photos are kept on, where that is one of this machine.
    pub disk_bytes: Option<u64>,
}

/// Who has decided what new accounts may keep, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaSource {
    /// The configuration; nobody changes it here.
    Configuration,
    /// An administrator, at set-up or later.
    Administrator,
    /// Nobody.
    BuiltIn,
}

impl Service {
    /// What new accounts may keep, for administrators.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn default_quota(&self, caller: &Caller) -> Result<DefaultQuota> {
        caller.require_administrator()?;
        self.find_default_quota().await
    }

    /// Decides what new accounts may keep. Those that there are keep what they have.
    ///
    /// # Errors
    /// [`Error::SetByConfiguration`] where the configuration decides it.
    pub async fn set_default_quota(
        &self,
        caller: &Caller,
        rule: QuotaRule,
    ) -> Result<DefaultQuota> {
        caller.require_administrator()?;
        self.require_quota_rule(rule)?;
        self.catalog().put_quota_rule(rule).await?;
        self.find_default_quota().await
    }

    /// What an account that is made now may keep.
    pub(super) async fn new_quota(&self) -> Result<Quota> {
        let DefaultQuota { rule, disk_bytes, .. } = self.find_default_quota().await?;
        Ok(rule.quota(disk_bytes))
    }

    /// Refuses a rule that is not to be made here, or that says nothing here.
    pub(super) fn require_quota_rule(&self, rule: QuotaRule) -> Result<()> {
        if self.settings().quota.is_some() {
            return Err(Error::SetByConfiguration { settings: "quota.images and quota.bytes" });
        }
        if rule.images.is_some_and(i64::is_negative) {
            return Err(Error::invalid("imagesMax", "a limit is not negative"));
        }
        match rule.bytes {
            ByteRule::Bytes(bytes) if bytes < 0 => {
                Err(Error::invalid("bytesMax", "a limit is not negative"))
            }
            ByteRule::DiskPercent(_) if self.disk_bytes().is_none() => {
                Err(Error::invalid("diskPercent", "photos are not kept on a disk of this machine"))
            }
            _ => Ok(()),
        }
    }

    async fn find_default_quota(&self) -> Result<DefaultQuota> {
        let (rule, source) = match self.settings().quota {
            Some(rule) => (rule, QuotaSource::Configuration),
            None => match self.catalog().find_quota_rule().await? {
                Some(rule) => (rule, QuotaSource::Administrator),
                None => (QuotaRule::default(), QuotaSource::BuiltIn),
            },
        };
        Ok(DefaultQuota { rule, source, disk_bytes: self.disk_bytes() })
    }

    /// Bytes of the disk that photos are kept on, where that is one of this machine.
    pub fn disk_bytes(&self) -> Option<u64> {
        self.settings().room.as_ref()?.photo_disk_bytes()
    }

    /// How much a user may keep and how much of it is left, for themselves and administrators.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such user.
    pub async fn find_quota(&self, caller: &Caller, user: UserId) -> Result<Quota> {
        self.require_self_or_administrator(caller, user, Scope::Read)?;
        let found = self.catalog().find_quota(user).await?;
        found.ok_or(Error::NotFound { what: "user" })
    }

    /// Changes how much a user may keep, [`Quota::UNLIMITED`] for all that there is room for. What
    /// they have stays, even if it is more.
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
        let (images_max, bytes_max) =
            (images_max.min(Quota::UNLIMITED), bytes_max.min(Quota::UNLIMITED));
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

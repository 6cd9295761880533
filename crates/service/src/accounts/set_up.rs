//! The one-time set-up. There is no default password: who can read the console comes first.

use catalog::{CreatedUser, Entry, NewAccount, PageRequest, SetUp};
use model::{Quota, QuotaRule, Role};

use super::attempts::Counted;
use super::token::{self, EntryKind, Token};
use super::{Client, NewSession, NewUser, Password};
use crate::{Error, Result, Service};

impl Service {
    /// A new set-up token, unless there has ever been an administrator. Tokens made before are
    /// worth nothing from now on.
    pub async fn offer_set_up(&self) -> Result<Option<Token>> {
        let token = Token::for_entry(EntryKind::SetUp);
        let is_open = self.catalog().offer_set_up(&token.hash()?).await?;
        Ok(is_open.then_some(token))
    }

    /// Whether set-up waits to be done.
    pub async fn is_set_up_open(&self) -> Result<bool> {
        Ok(self.catalog().find_set_up().await? != SetUp::Done)
    }

    /// Whether there are accounts, though nobody administers the installation.
    pub async fn has_users(&self) -> Result<bool> {
        Ok(!self.catalog().list_users(&PageRequest::first(1)).await?.entries.is_empty())
    }

    /// Makes the first administrator, who has no limit, and closes set-up, in one step. What
    /// accounts made later may keep is decided with it, if `quota` says so.
    ///
    /// # Errors
    /// [`Error::BadSetUp`] if the token is not the newest, or set-up is done;
    /// [`Error::SetByConfiguration`] if the quota is not to be decided here.
    pub async fn set_up(
        &self,
        token: &str,
        new: &NewUser,
        password: &Password,
        quota: Option<QuotaRule>,
        client: Client<'_>,
    ) -> Result<NewSession> {
        if let Some(address) = client.address {
            self.take_attempt(Counted::SignUp(address)).await?;
        }
        let hash = token::hash_of(token)?;
        // Found by its hash, whose comparison tells nothing about the token; and before the
        // password is hashed, which costs.
        if self.catalog().find_set_up().await? != SetUp::Open(hash.clone()) {
            return Err(Error::BadSetUp);
        }
        if let Some(rule) = quota {
            self.require_quota_rule(rule)?;
        }
        let mut user = self.new_user(new);
        user.role = Role::Administrator;
        user.email_verified = true;
        let password = self.passwords().hash(password, user.created_at).await?;
        let account = NewAccount {
            user: &user,
            quota: Quota::unlimited(),
            password: Some(&password),
            identity: None,
            entry: Entry::SetUp(&hash, quota),
        };
        match self.catalog().create_account(account).await? {
            CreatedUser::Created => self.begin_session(user, client).await,
            CreatedUser::EntryClosed => Err(Error::BadSetUp),
            other => Err(super::users::not_created(other)),
        }
    }
}

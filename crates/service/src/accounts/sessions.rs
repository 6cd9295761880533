//! Sessions of one user, and their password.

use catalog::{Listed, PageRequest};
use model::{Session, Sha256Hex, User, UserId};

use super::Password;
use super::attempts::Counted;
use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// Ends a session, as its holder.
    pub async fn sign_out(&self, caller: &Caller, session: &Sha256Hex) -> Result<()> {
        self.catalog().delete_session(caller.user, session).await?;
        Ok(())
    }

    /// The caller's sessions.
    pub async fn list_sessions(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<Session>> {
        caller.require(Scope::Account)?;
        let user = self.load_user(caller.user).await?;
        Ok(self.catalog().list_sessions(&user, page).await?)
    }

    /// Ends one of the caller's sessions.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none of this hash.
    pub async fn delete_session(&self, caller: &Caller, session: &Sha256Hex) -> Result<()> {
        caller.require(Scope::Account)?;
        let was_there = self.catalog().delete_session(caller.user, session).await?;
        if was_there { Ok(()) } else { Err(Error::NotFound { what: "session" }) }
    }

    /// Ends all of the caller's sessions, but for `kept`.
    pub async fn delete_sessions(&self, caller: &Caller, kept: Option<&Sha256Hex>) -> Result<()> {
        caller.require(Scope::Account)?;
        self.renew(caller.user, None, kept).await
    }

    /// Changes the caller's password, for whoever knows the one before. All other sessions than
    /// `kept` end with it. Who has only ever come through an identity provider has none before.
    ///
    /// # Errors
    /// [`Error::WrongPassword`], or [`Error::TooManyAttempts`].
    pub async fn change_password(
        &self,
        caller: &Caller,
        kept: Option<&Sha256Hex>,
        current: Option<&str>,
        new: &Password,
    ) -> Result<()> {
        caller.require(Scope::Account)?;
        let user = self.load_user(caller.user).await?;
        if let Some(password) = self.catalog().find_password(user.id).await? {
            self.take_attempt(Counted::Email(&user.email)).await?;
            let current = current.unwrap_or_default();
            if !self.passwords().verify(current, Some(&password)).await? {
                return Err(Error::WrongPassword);
            }
            self.forgive_attempt(Counted::Email(&user.email)).await?;
        }
        self.renew(user.id, Some(new), kept).await
    }

    /// Gives somebody a new password and ends all their sessions, as an administrator.
    pub async fn reset_password(
        &self,
        caller: &Caller,
        user: UserId,
        new: &Password,
    ) -> Result<()> {
        caller.require_administrator()?;
        self.renew(user, Some(new), None).await
    }

    async fn renew(
        &self,
        user: UserId,
        password: Option<&Password>,
        kept: Option<&Sha256Hex>,
    ) -> Result<()> {
        let now = self.now();
        let hash = match password {
            Some(password) => Some(self.passwords().hash(password, now).await?),
            None => None,
        };
        let catalog = self.catalog();
        if !catalog.renew_credentials(user, hash.as_ref(), kept, now).await? {
            return Err(Error::NotFound { what: "user" });
        }
        // Only to clear away what counts for nothing any more.
        if let Some(User { generation, .. }) = catalog.find_user(user).await?
            && let Err(error) = catalog.sweep_sessions(user, generation).await
        {
            tracing::warn!(%error, "sessions that have ended were not cleared away");
        }
        Ok(())
    }
}

//! API keys of one user.

use catalog::{Listed, PageRequest};
use model::{ApiKey, Name, Sha256Hex, Timestamp};

use super::token::{Kind, Token};
use crate::{Caller, Error, Result, Scope, Scopes, Service};

/// What an API key shall be.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// What its owner calls it.
    pub name: Name,
    /// What it may do.
    pub scopes: Scopes,
    /// When it ends, if ever.
    pub expires_at: Option<Timestamp>,
}

/// Keys that one user may have.
const KEYS_MAX: usize = 100;

impl Service {
    /// Makes an API key for the caller. Its token is shown now and never again.
    ///
    /// # Errors
    /// [`Error::ScopeMissing`] for a scope that the caller does not have: nobody can make a key
    /// that may do more than they.
    pub async fn create_api_key(
        &self,
        caller: &Caller,
        new: &NewApiKey,
    ) -> Result<(Token, ApiKey)> {
        caller.require(Scope::Account)?;
        for scope in new.scopes.iter() {
            caller.require(scope)?;
        }
        let now = self.now();
        if new.scopes.iter().next().is_none() {
            return Err(Error::invalid("scopes", "name at least one"));
        }
        if new.expires_at.is_some_and(|at| at <= now) {
            return Err(Error::invalid("expiresAt", "that moment has passed"));
        }
        let kept = self.catalog().list_api_keys(caller.user, &PageRequest::first(KEYS_MAX)).await?;
        if kept.entries.len() >= KEYS_MAX {
            let message = format!("there may be {KEYS_MAX} API keys; delete one first");
            return Err(Error::invalid("name", message));
        }
        let token = Token::of_user(Kind::ApiKey, caller.user);
        let key = ApiKey {
            owner: caller.user,
            hash: token.hash()?,
            name: new.name.clone(),
            scopes: new.scopes.iter().map(|scope| scope.to_string()).collect(),
            created_at: now,
            ttl: new.expires_at.map(Timestamp::as_seconds),
        };
        match self.catalog().create_api_key(&key).await? {
            true => Ok((token, key)),
            false => Err(Error::NotFound { what: "user" }),
        }
    }

    /// The caller's API keys.
    pub async fn list_api_keys(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<ApiKey>> {
        caller.require(Scope::Account)?;
        Ok(self.catalog().list_api_keys(caller.user, page).await?)
    }

    /// Takes an API key back.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has none of this hash.
    pub async fn delete_api_key(&self, caller: &Caller, key: &Sha256Hex) -> Result<()> {
        caller.require(Scope::Account)?;
        let was_there = self.catalog().delete_api_key(caller.user, key).await?;
        if was_there { Ok(()) } else { Err(Error::NotFound { what: "API key" }) }
    }
}

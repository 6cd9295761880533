//! Who sent a token.

use model::{Sha256Hex, User};

use super::token::{self, Claimed, Kind};
use crate::{Caller, Error, Result, Scope, Service};

/// Somebody who has proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authenticated {
    /// Who asks.
    pub caller: Caller,
    /// Their account.
    pub user: User,
    /// How they proved it.
    pub proof: Proof,
}

/// How somebody has proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By the session with this hash.
    Session(Sha256Hex),
    /// By the API key with this hash.
    ApiKey(Sha256Hex),
    /// By an identity provider's word.
    Identity,
}

impl Proof {
    /// The session, if it is one.
    pub fn session(&self) -> Option<&Sha256Hex> {
        match self {
            Self::Session(hash) => Some(hash),
            Self::ApiKey(_) | Self::Identity => None,
        }
    }
}

impl Service {
    /// Whose session or API key this is. Costs one call to the table.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] if it is nobody's, or not any more.
    pub async fn authenticate(&self, token: &str) -> Result<Authenticated> {
        let Claimed { kind, user, hash } = token::parse(token).ok_or(Error::Unauthenticated)?;
        let found = match kind {
            Kind::Session => {
                let found = self.catalog().find_session(user, &hash).await?;
                found.map(|(_, user)| {
                    let caller = Caller::new(user.id, user.role);
                    Authenticated { caller, user, proof: Proof::Session(hash) }
                })
            }
            Kind::ApiKey => {
                let found = self.catalog().find_api_key_and_user(user, &hash).await?;
                found.map(|(key, user)| {
                    // Scopes that this version does not know allow nothing.
                    let scopes = key.scopes.iter().filter_map(|s| s.parse::<Scope>().ok());
                    let scopes = scopes.collect();
                    let caller = Caller { user: user.id, role: user.role, scopes };
                    Authenticated { caller, user, proof: Proof::ApiKey(hash) }
                })
            }
        };
        found.ok_or(Error::Unauthenticated)
    }
}

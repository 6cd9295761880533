//! Who sent a token.

use std::sync::Arc;

use catalog::Stamp;
use model::{Sha256Hex, User};
use quick_cache::sync::Cache;

use super::token::{self, Claimed, Kind};
use crate::{Caller, Error, Result, Scope, Service};

/// Somebody who has proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authenticated {
    /// Who asks.
    pub caller: Caller,
    /// Their account.
    pub user: Arc<User>,
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
    /// Whose session or API key this is. Costs one call to the table, unless nothing of the user
    /// was written since the last time.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] if it is nobody's, or not any more.
    pub async fn authenticate(&self, token: &str) -> Result<Authenticated> {
        let claimed = token::parse(token).ok_or(Error::Unauthenticated)?;
        if let Some(known) = self.known_tokens().get(&claimed.hash)
            && self.is_still(&known)
        {
            return Ok(known.authenticated);
        }
        let stamp = self.catalog().user_stamp(claimed.user);
        let found = self.find_claimed(&claimed).await?;
        let (authenticated, ttl) = found.ok_or(Error::Unauthenticated)?;
        if let Some(stamp) = stamp {
            let known = KnownToken { authenticated: authenticated.clone(), ttl, stamp };
            self.known_tokens().insert(claimed.hash, known);
        }
        Ok(authenticated)
    }

    /// Whoever a token's claim is true of, and when it ends.
    async fn find_claimed(
        &self,
        claimed: &Claimed,
    ) -> Result<Option<(Authenticated, Option<i64>)>> {
        let Claimed { kind, user, hash } = claimed;
        let hash = hash.clone();
        let catalog = self.catalog();
        Ok(match kind {
            Kind::Session => catalog.find_session(*user, &hash).await?.map(|(session, user)| {
                let caller = Caller::new(user.id, user.role);
                let proof = Proof::Session(hash);
                (Authenticated { caller, user: Arc::new(user), proof }, Some(session.ttl))
            }),
            Kind::ApiKey => {
                catalog.find_api_key_and_user(*user, &hash).await?.map(|(key, user)| {
                    // Scopes that this version does not know allow nothing.
                    let scopes =
                        key.scopes.iter().filter_map(|s| s.parse::<Scope>().ok()).collect();
                    let caller = Caller { user: user.id, role: user.role, scopes };
                    let proof = Proof::ApiKey(hash);
                    (Authenticated { caller, user: Arc::new(user), proof }, key.ttl)
                })
            }
        })
    }

    fn is_still(&self, known: &KnownToken) -> bool {
        known.ttl.is_none_or(|ttl| ttl >= self.now().as_seconds())
            && self.catalog().is_current(known.stamp)
    }
}

/// A token that was found to be somebody's, as long as nothing of theirs is written.
#[derive(Clone)]
pub(crate) struct KnownToken {
    authenticated: Authenticated,
    ttl: Option<i64>,
    stamp: Stamp,
}

/// The tokens used last, by their hashes.
pub(crate) type KnownTokens = Cache<Sha256Hex, KnownToken>;

/// More than that are hardly in use at a time; each takes about half a kilobyte.
pub(crate) const KNOWN_TOKENS_MAX: usize = 4096;

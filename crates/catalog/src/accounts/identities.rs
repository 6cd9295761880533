//! Who users are for identity providers.

use model::{Identity, Sha256Hex, User, UserId};
use table::{Action, Condition, Item, Key, Query};

use crate::paging::PageRequest;
use crate::{Catalog, Listed, Result, keys, row};

/// How linking an identity ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Linked {
    /// It is theirs now.
    Linked,
    /// It is somebody's already.
    Taken,
    /// There is no such user.
    NoUser,
}

impl Catalog {
    /// The user whom a provider knows by this identity.
    pub async fn find_user_by_identity(&self, hash: &Sha256Hex) -> Result<Option<User>> {
        let identity: Option<Identity> = self.find(&keys::identity(hash)).await?;
        match identity {
            Some(identity) => self.find_user(identity.user).await,
            None => Ok(None),
        }
    }

    /// Adds an identity to a user.
    pub async fn link_identity(&self, identity: &Identity) -> Result<Linked> {
        let [put_identity, put_name] = put(identity)?;
        let check_user = Action::check(keys::profile(identity.user))
            .when(Condition::Present)
            .when(Condition::Lacks("erasingSince".to_owned()));
        let outcome = self.table.transact(vec![put_identity, put_name, check_user]).await?;
        Ok(match (outcome.is_done(), outcome.refusal(0)) {
            (true, _) => Linked::Linked,
            (false, Some(_)) => Linked::Taken,
            (false, None) => Linked::NoUser,
        })
    }

    /// The identities of a user.
    pub async fn list_identities(
        &self,
        user: UserId,
        page: &PageRequest,
    ) -> Result<Listed<Identity>> {
        let query = Query::partition(keys::user_partition(user)).prefix(keys::IDENTITIES);
        self.list_entities(query, page).await
    }
}

/// The row by which an identity is found, and the one by which the user's are.
pub(super) fn put(identity: &Identity) -> Result<[Action; 2]> {
    let row = |key: Key| -> Result<Action> {
        let attributes = row::attributes_of(&key, identity)?;
        Ok(Action::put(Item::of(key, attributes)))
    };
    let found = row(keys::identity(&identity.hash))?.when(Condition::Absent);
    Ok([found, row(keys::identity_of(identity.user, &identity.hash))?])
}

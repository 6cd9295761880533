//! Passkeys, and the challenges they answer.
//!
//! All that is known of a passkey is in its owner's partition. Whoever signs in tells only the
//! passkey, so a row elsewhere says whose it is; the two are written and removed together.

use model::{Name, Passkey, Sha256Hex, Timestamp, User, UserId};
use table::{Action, Condition, Item, Query, TTL, Transacted};

use crate::paging::PageRequest;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Error, Listed, Result, keys, row};

/// How adding a passkey ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CreatedPasskey {
    /// It lets its owner in from now on.
    Created,
    /// It is somebody's already.
    Taken,
    /// Its owner has as many as they may have.
    TooMany,
    /// There is no such user.
    NoUser,
}

const USER: &str = "user";
const COUNT: &str = "count";
const SIGN_COUNT: &str = "signCount";

impl Catalog {
    /// Keeps a challenge for a user, or for whoever wants to sign in, until it is answered or its
    /// time is over. Tells whether there is such a user.
    pub async fn put_challenge(
        &self,
        user: Option<UserId>,
        hash: &Sha256Hex,
        ends_at: Timestamp,
    ) -> Result<bool> {
        let row = Item::new(keys::challenge(user, hash)).with(TTL, ends_at.as_seconds());
        let mut actions = vec![Action::put(row)];
        actions.extend(user.map(check_user));
        Ok(self.table.transact(actions).await?.is_done())
    }

    /// Uses a challenge up. Tells whether there was one: of all who answer it, one is told so.
    pub async fn take_challenge(&self, user: Option<UserId>, hash: &Sha256Hex) -> Result<bool> {
        let take = Action::delete(keys::challenge(user, hash)).when(Condition::Present);
        Ok(self.table.transact(vec![take]).await?.is_done())
    }

    /// Adds a passkey to its owner, who may have `max` of them.
    pub async fn create_passkey(&self, passkey: &Passkey, max: i64) -> Result<CreatedPasskey> {
        until_settled!(self.try_create_passkey(passkey, max).await)
    }

    async fn try_create_passkey(
        &self,
        passkey: &Passkey,
        max: i64,
    ) -> Result<Attempt<CreatedPasskey>> {
        let Passkey { user, hash, .. } = passkey;
        let key = keys::passkey_of(*user, hash);
        let attributes = row::attributes_of(&key, passkey)?;
        let owner = Item::new(keys::passkey(hash)).with(USER, user.to_string());
        let count = keys::passkey_count(*user);
        let has_count = self.table.get(&count).await?.is_some();
        let fits = if has_count { Condition::at_most(COUNT, max - 1) } else { Condition::Absent };
        let actions = vec![
            Action::put(owner).when(Condition::Absent),
            check_user(*user),
            Action::update(count).add(COUNT, 1).when(fits),
            Action::put(Item::of(key, attributes)),
        ];
        Ok(match &self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(CreatedPasskey::Created),
            refused if refused.refusal(0).is_some() => Attempt::Settled(CreatedPasskey::Taken),
            refused if refused.refusal(1).is_some() => Attempt::Settled(CreatedPasskey::NoUser),
            // Their first one was added meanwhile.
            Transacted::Refused(_) if !has_count => Attempt::Raced,
            Transacted::Refused(_) => Attempt::Settled(CreatedPasskey::TooMany),
        })
    }

    /// The passkey with this hash and whom it lets in.
    pub async fn find_passkey(&self, hash: &Sha256Hex) -> Result<Option<(Passkey, User)>> {
        let Some(owner) = self.table.get(&keys::passkey(hash)).await? else { return Ok(None) };
        let user = owner.str(USER).and_then(|user| user.parse().ok());
        let user: UserId = user.ok_or_else(|| Error::bad_row(&owner.key, "it names no user"))?;
        let rows = [keys::passkey_of(user, hash), keys::profile(user)];
        let rows = self.table.batch_get(&rows).await?;
        // While they are erased, one of them may be gone.
        let [Some(passkey), Some(user)] = rows.as_slice() else { return Ok(None) };
        let user: User = row::entity_of(user)?;
        if user.erasing_since.is_some() {
            return Ok(None);
        }
        Ok(Some((row::entity_of(passkey)?, user)))
    }

    /// A user's passkeys.
    pub async fn list_passkeys(&self, user: UserId, page: &PageRequest) -> Result<Listed<Passkey>> {
        let query = Query::partition(keys::user_partition(user)).prefix(keys::PASSKEYS);
        self.list_entities(query, page).await
    }

    /// Remembers that a passkey was used. Tells whether it was: not if it was removed, or used
    /// somewhere else, since it was read.
    pub async fn record_passkey_use(
        &self,
        before: &Passkey,
        sign_count: i64,
        backed_up: bool,
        now: Timestamp,
    ) -> Result<bool> {
        let used = Action::update(keys::passkey_of(before.user, &before.hash))
            .set(SIGN_COUNT, sign_count)
            .set("backedUp", backed_up)
            .set("lastUsedAt", now.to_string())
            .when(Condition::equals(SIGN_COUNT, before.sign_count));
        Ok(self.table.transact(vec![used]).await?.is_done())
    }

    /// Gives a passkey another name; `None` if the user has no such passkey.
    pub async fn rename_passkey(
        &self,
        user: UserId,
        hash: &Sha256Hex,
        name: &Name,
    ) -> Result<Option<Passkey>> {
        let key = keys::passkey_of(user, hash);
        let rename =
            Action::update(key.clone()).set("name", name.to_string()).when(Condition::Present);
        match self.table.transact(vec![rename]).await?.is_done() {
            true => self.find(&key).await,
            false => Ok(None),
        }
    }

    /// Takes a passkey from a user. Tells whether they had it.
    pub async fn delete_passkey(&self, user: UserId, hash: &Sha256Hex) -> Result<bool> {
        let actions = vec![
            Action::delete(keys::passkey_of(user, hash)).when(Condition::Present),
            Action::delete(keys::passkey(hash)),
            // Not to be made anew while they are erased.
            Action::update(keys::passkey_count(user)).add(COUNT, -1).when(Condition::Present),
        ];
        Ok(self.table.transact(actions).await?.is_done())
    }
}

/// That there is a user who is to stay.
fn check_user(user: UserId) -> Action {
    Action::check(keys::profile(user))
        .when(Condition::Present)
        .when(Condition::Lacks("erasingSince".to_owned()))
}

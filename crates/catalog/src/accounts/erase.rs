//! The beginning and the end of an account's end. What lies between, a worker does: everything
//! that belongs to the user goes first, and their own rows go last.

use model::{ChangeKind, Entity, Role, Subject, Timestamp, User, UserId, Work, WorkKind};
use table::{Action, Condition, Key, Query, TableExt, Transacted};

use super::dismiss_administrator;
use crate::retry::{Attempt, until_settled};
use crate::users::{record, user_row};
use crate::work::{remove_held, work_row};
use crate::{Catalog, Held, Result, changes, keys, row};

/// Whether an account is being erased now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum BegunErase {
    /// Yes; nobody can sign in any more, and the work waits to be done.
    Begun(User),
    /// No: nobody could administer the installation any more.
    LastAdministrator,
    /// There is no such user.
    NoUser,
}

impl Catalog {
    /// Shuts a user out and adds the work that erases them. May be repeated.
    pub async fn begin_erase(&self, user: UserId, now: Timestamp) -> Result<BegunErase> {
        until_settled!(self.try_begin_erase(user, now).await)
    }

    async fn try_begin_erase(&self, user: UserId, now: Timestamp) -> Result<Attempt<BegunErase>> {
        let Some(before) = self.find_user(user).await? else {
            return Ok(Attempt::Settled(BegunErase::NoUser));
        };
        if before.erasing_since.is_some() {
            return Ok(Attempt::Settled(BegunErase::Begun(before)));
        }
        let after = User {
            erasing_since: Some(now),
            // They count as an administrator no longer.
            role: Role::User,
            generation: before.generation + 1,
            updated_at: now,
            version: before.version + 1,
            ..before.clone()
        };
        let (old, new) = (user_row(&before)?, user_row(&after)?);
        let update = row::update(new.key, &old.attributes, &new.attributes);
        let work = Work::new(WorkKind::Erase, Subject::User(user), user, now);
        let mut actions = vec![
            update.when(Condition::version(before.version)),
            Action::put(work_row(&work)?),
            record(&after, ChangeKind::Updated, now)?,
        ];
        if before.role == Role::Administrator {
            actions.push(dismiss_administrator());
        }
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(BegunErase::Begun(after)),
            refused if refused.refusal(0).is_some() => Attempt::Raced,
            Transacted::Refused(_) => Attempt::Settled(BegunErase::LastAdministrator),
        })
    }

    /// Takes the quota from a user who is being erased. From here on no upload of theirs can be
    /// reserved or committed, so what they have only gets less.
    pub async fn revoke_quota(&self, user: UserId) -> Result<()> {
        Ok(self.table.delete(keys::limit(user)).await?)
    }

    /// Removes what lies in a user's partition, and what is named there, but for the profile and
    /// the work that erases them.
    pub async fn remove_user_rows(&self, user: UserId) -> Result<()> {
        let kept = [keys::profile(user).sk, keys::work(Subject::User(user), WorkKind::Erase).sk];
        let query = Query::partition(keys::user_partition(user)).limit(100);
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().start(start)).await?;
            // What is named goes before what names it.
            let links = page.items.iter().filter(|item| item.key.sk.starts_with(keys::LINKS));
            self.remove_named_links(&links.cloned().collect::<Vec<_>>()).await?;
            let found = page.items.into_iter().map(|item| item.key);
            let own: Vec<Key> = found.filter(|key| !kept.contains(&key.sk)).collect();
            let named: Vec<Key> = own.iter().filter_map(|key| named_by(&key.sk)).collect();
            self.remove_rows(&named).await?;
            self.remove_rows(&own).await?;
            start = page.next;
            if start.is_none() {
                return self.remove_timeline(user).await;
            }
        }
    }

    /// Removes the last rows of a user and ends the work, if it is still held.
    pub async fn finish_erase(&self, held: &Work, user: UserId, now: Timestamp) -> Result<Held> {
        let mut actions = vec![remove_held(held)];
        if let Some(profile) = self.find_user(user).await? {
            let address = keys::email(&profile.email);
            if self.find_user_by_email(&profile.email).await?.is_some_and(|found| found.id == user)
            {
                actions.push(Action::delete(address));
            }
            actions.push(Action::delete(keys::profile(user)));
            let entity = Entity::User(user);
            actions.push(changes::record(now, ChangeKind::Deleted, entity, user, None)?);
        }
        let done = self.table.transact(actions).await?.is_done();
        Ok(if done { Held::Still } else { Held::Lost })
    }
}

/// The row elsewhere by which somebody finds what this one of a user is: who they are for a
/// provider, or whose a passkey is.
fn named_by(sk: &str) -> Option<Key> {
    let hash = |prefix: &str| sk.strip_prefix(prefix).and_then(|hash| hash.parse().ok());
    let identity = hash(keys::IDENTITIES).map(|hash| keys::identity(&hash));
    identity.or_else(|| hash(keys::PASSKEYS).map(|hash| keys::passkey(&hash)))
}

//! The beginning of an account's end. A worker does the rest.

use model::{ChangeKind, Role, Subject, Timestamp, User, UserId, Work, WorkKind};
use table::{Action, Condition, Transacted};

use super::dismiss_administrator;
use crate::retry::{Attempt, until_settled};
use crate::users::{record, user_row};
use crate::work::work_row;
use crate::{Catalog, Result, row};

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
}

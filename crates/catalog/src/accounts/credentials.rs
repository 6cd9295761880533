//! Passwords, and the end of all sessions at once.

use model::{ChangeKind, Entity, PasswordHash, Sha256Hex, Timestamp, UserId};
use table::{Action, Condition, Item};

use crate::{Catalog, Result, changes, keys, row};

impl Catalog {
    /// The password of a user, if they have one.
    pub async fn find_password(&self, user: UserId) -> Result<Option<PasswordHash>> {
        self.find(&keys::password(user)).await
    }

    /// Ends all sessions of a user in one step, but for `kept`, and gives them a new password
    /// if there is one. Tells whether there is such a user, and such a session.
    pub async fn renew_credentials(
        &self,
        user: UserId,
        password: Option<&PasswordHash>,
        kept: Option<&Sha256Hex>,
        now: Timestamp,
    ) -> Result<bool> {
        let next_generation = Action::update(keys::profile(user))
            .add("generation", 1)
            .add(table::VERSION, 1)
            .set("updatedAt", now.to_string())
            .when(Condition::Present)
            .when(Condition::Lacks("erasingSince".to_owned()));
        let change = changes::record(now, ChangeKind::Updated, Entity::User(user), user, None)?;
        let mut actions = vec![next_generation, change];
        if let Some(password) = password {
            actions.push(put_password(user, password)?);
        }
        if let Some(kept) = kept {
            let keep = Action::update(keys::session(user, kept)).add("generation", 1);
            actions.push(keep.when(Condition::Present));
        }
        Ok(self.table.transact(actions).await?.is_done())
    }
}

pub(super) fn put_password(user: UserId, password: &PasswordHash) -> Result<Action> {
    let key = keys::password(user);
    let attributes = row::attributes_of(&key, password)?;
    Ok(Action::put(Item::of(key, attributes)))
}

//! Sessions, and who a session or an API key is.

use model::{ApiKey, Session, Sha256Hex, User, UserId};
use serde::de::DeserializeOwned;
use table::{Action, BatchEntry, Condition, Item, Key, Query};

use crate::paging::{PageRequest, collect};
use crate::{Catalog, Listed, Result, keys, row};

impl Catalog {
    /// Begins a session. Tells whether there is such a user, and none of their sessions has
    /// been ended since the session's generation was read.
    pub async fn create_session(&self, session: &Session) -> Result<bool> {
        let key = keys::session(session.user, &session.hash);
        let attributes = row::attributes_of(&key, session)?;
        let actions = vec![
            Action::put(Item::of(key, attributes)).when(Condition::Absent),
            Action::check(keys::profile(session.user))
                .when(Condition::equals("generation", session.generation))
                .when(Condition::Lacks("erasingSince".to_owned())),
        ];
        Ok(self.table.transact(actions).await?.is_done())
    }

    /// The session with this hash and whose it is, unless it has ended.
    pub async fn find_session(
        &self,
        user: UserId,
        hash: &Sha256Hex,
    ) -> Result<Option<(Session, User)>> {
        let found: Option<(Session, User)> =
            self.find_with_user(keys::session(user, hash), user).await?;
        Ok(found.filter(|(session, user)| session.generation == user.generation))
    }

    /// The API key with this hash and whose it is, unless it has ended.
    pub async fn find_api_key_and_user(
        &self,
        user: UserId,
        hash: &Sha256Hex,
    ) -> Result<Option<(ApiKey, User)>> {
        self.find_with_user(keys::api_key(user, hash), user).await
    }

    /// One call to the table: every request of everybody comes through here.
    async fn find_with_user<T: DeserializeOwned>(
        &self,
        key: Key,
        user: UserId,
    ) -> Result<Option<(T, User)>> {
        let rows = self.table.batch_get(&[key, keys::profile(user)]).await?;
        let [Some(row), Some(user)] = rows.as_slice() else { return Ok(None) };
        let user: User = row::entity_of(user)?;
        if user.erasing_since.is_some() {
            return Ok(None);
        }
        Ok(Some((row::entity_of(row)?, user)))
    }

    /// The sessions of a user that have not ended.
    pub async fn list_sessions(&self, user: &User, page: &PageRequest) -> Result<Listed<Session>> {
        let query = Query::partition(keys::user_partition(user.id)).prefix(keys::SESSIONS);
        collect(&*self.table, query, page, |found| async move {
            let sessions = found.items.iter().map(row::entity_of).collect::<Result<Vec<Session>>>();
            let is_current = |session: &Session| session.generation == user.generation;
            sessions.map(|sessions| sessions.into_iter().filter(is_current).collect())
        })
        .await
    }

    /// Ends a session. Tells whether there was one.
    pub async fn delete_session(&self, user: UserId, hash: &Sha256Hex) -> Result<bool> {
        let delete = Action::delete(keys::session(user, hash)).when(Condition::Present);
        Ok(self.table.transact(vec![delete]).await?.is_done())
    }

    /// Removes the rows of sessions that ended with an earlier generation. They count for
    /// nothing; this only clears them away.
    pub async fn sweep_sessions(&self, user: UserId, generation: i64) -> Result<()> {
        let query = Query::partition(keys::user_partition(user)).prefix(keys::SESSIONS);
        let mut start = None;
        loop {
            let page = self.table.query(&query.clone().start(start).limit(SWEPT_AT_ONCE)).await?;
            let mut ended = Vec::new();
            for item in &page.items {
                let session: Session = row::entity_of(item)?;
                if session.generation < generation {
                    ended.push(BatchEntry::Delete(item.key.clone()));
                }
            }
            if !ended.is_empty() {
                self.table.batch_write(ended).await?;
            }
            start = page.next;
            if start.is_none() {
                return Ok(());
            }
        }
    }
}

const SWEPT_AT_ONCE: usize = table::BATCH_WRITE_ENTRIES_MAX;

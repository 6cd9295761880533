//! Attempts at something that may be tried only so often, counted for all servers together.

use std::time::Duration;

use model::{Sha256Hex, Timestamp};
use table::{Action, Condition, Item, TTL, Transacted};

use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Result, keys};

/// Whether there may be one more attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Attempted {
    /// Yes, and it was counted.
    Allowed,
    /// No, not before this moment.
    Exhausted {
        /// When the count starts afresh.
        until: Timestamp,
    },
}

const LEFT: &str = "left";

impl Catalog {
    /// Takes one of `max` attempts that there are within `window` from the first one. Attempts
    /// made at the same time are all counted.
    pub async fn take_attempt(
        &self,
        of: &Sha256Hex,
        max: i64,
        window: Duration,
        now: Timestamp,
    ) -> Result<Attempted> {
        until_settled!(self.try_take_attempt(of, max, window, now).await)
    }

    async fn try_take_attempt(
        &self,
        of: &Sha256Hex,
        max: i64,
        window: Duration,
        now: Timestamp,
    ) -> Result<Attempt<Attempted>> {
        let key = keys::attempts(of);
        let action = match self.table.get(&key).await? {
            None => {
                let ends = now.after(window).as_seconds();
                let first = Item::new(key).with(LEFT, max.saturating_sub(1)).with(TTL, ends);
                Action::put(first).when(Condition::Absent)
            }
            Some(_) => Action::update(key).add(LEFT, -1).when(Condition::at_least(LEFT, 1)),
        };
        Ok(match self.table.transact(vec![action]).await? {
            Transacted::Done => Attempt::Settled(Attempted::Allowed),
            refused => match exhausted_until(&refused) {
                Some(until) => Attempt::Settled(Attempted::Exhausted { until }),
                None => Attempt::Raced,
            },
        })
    }

    /// Gives one attempt back, because it was a good one.
    pub async fn give_back_attempt(&self, of: &Sha256Hex) -> Result<()> {
        let back = Action::update(keys::attempts(of)).add(LEFT, 1).when(Condition::Present);
        let _ = self.table.transact(vec![back]).await?;
        Ok(())
    }

    /// Forgets all attempts.
    pub async fn delete_attempts(&self, of: &Sha256Hex) -> Result<()> {
        let _ = self.table.transact(vec![Action::delete(keys::attempts(of))]).await?;
        Ok(())
    }
}

/// When the attempts start afresh, if none is left. Otherwise somebody else was first, or the
/// count has just ended.
fn exhausted_until(refused: &Transacted) -> Option<Timestamp> {
    let found = refused.refusal(0)?.found.as_ref()?;
    let left = found.get(LEFT).and_then(table::Value::as_i64).unwrap_or_default();
    let ends = found.get(TTL).and_then(table::Value::as_i64)?;
    (left < 1).then(|| Timestamp::from_millis(ends.saturating_mul(1000)))
}

//! Requests that come with a key of their client's, so that a repeated one is told from a new one
//! and answered as the first was.
//!
//! Whoever works on a request holds its key by a claim. A claim that was never ended, because the
//! server was killed, runs out, and the next who asks takes it over: what they make has the same
//! ids, so that nothing is made twice.

use std::time::Duration;

use model::{Timestamp, UserId};
use table::{Action, Condition, Item, TTL, Transacted, Value};

use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Result, keys};

/// How long a repeated request is answered like the first.
pub(crate) const KEY_KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// What a request says, in short.
pub(crate) const REQUEST: &str = "request";
const ANSWER: &str = "answer";
const BEGUN: &str = "begun";
const CLAIM: &str = "claim";
const CLAIM_ENDS: &str = "claimEnds";

/// A request with a key.
#[derive(Clone, Debug)]
pub struct KeyedRequest {
    /// Whose it is; keys are each user's own.
    pub user: UserId,
    /// What tells it from others.
    pub key: String,
    /// What it says, in short.
    pub said: String,
    /// Who works on it, told from all others who may.
    pub claim: String,
    /// For how long nobody else may.
    pub lease: Duration,
}

/// Whether a request is to be worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum ClaimedRequest {
    /// It is, by whoever asked.
    Claimed {
        /// When it was begun for the first time.
        begun: Timestamp,
    },
    /// Somebody works on it, or was killed while they did.
    Running,
    /// It was answered like this.
    Answered(Vec<u8>),
    /// Another request came with the key.
    KeyTaken,
}

impl Catalog {
    /// Claims a request, unless it was answered or is being worked on.
    pub async fn claim_request(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<ClaimedRequest> {
        until_settled!(self.try_claim_request(request, now).await)
    }

    async fn try_claim_request(
        &self,
        request: &KeyedRequest,
        now: Timestamp,
    ) -> Result<Attempt<ClaimedRequest>> {
        let first = claim_row(request, now, now);
        let outcome = self.table.transact(vec![Action::put(first).when(Condition::Absent)]).await?;
        if outcome.is_done() {
            return Ok(Attempt::Settled(ClaimedRequest::Claimed { begun: now }));
        }
        let Some(found) = outcome.refusal(0).and_then(|refusal| refusal.found.as_ref()) else {
            return Ok(Attempt::Raced);
        };
        if let Some(known) = known(found, request, now) {
            return Ok(Attempt::Settled(known));
        }
        let begun = Timestamp::from_millis(found.i64(BEGUN).unwrap_or_else(|| now.as_millis()));
        let held = Condition::equals(CLAIM, found.str(CLAIM).unwrap_or_default());
        // Whoever holds it may have come to an end meanwhile.
        let taken = Action::put(claim_row(request, begun, now))
            .when(held)
            .when(Condition::equals(CLAIM_ENDS, found.i64(CLAIM_ENDS).unwrap_or_default()))
            .when(Condition::Lacks(ANSWER.to_owned()));
        Ok(match self.table.transact(vec![taken]).await? {
            Transacted::Done => Attempt::Settled(ClaimedRequest::Claimed { begun }),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Keeps the answer of a request, if its claim is still held.
    pub async fn answer_request(&self, request: &KeyedRequest, answer: Vec<u8>) -> Result<()> {
        let action = Action::update(keys::idempotency(request.user, &request.key))
            .set(ANSWER, Value::B(answer))
            .when(Condition::equals(CLAIM, request.claim.as_str()));
        let _ = self.table.transact(vec![action]).await?;
        Ok(())
    }

    /// Lets others claim a request at once, if its claim is still held.
    pub async fn leave_request(&self, request: &KeyedRequest) -> Result<()> {
        let action = Action::update(keys::idempotency(request.user, &request.key))
            .set(CLAIM_ENDS, 0)
            .when(Condition::equals(CLAIM, request.claim.as_str()));
        let _ = self.table.transact(vec![action]).await?;
        Ok(())
    }

    /// Frees the key of a request that has changed nothing, if its claim is still held.
    pub async fn forget_request(&self, request: &KeyedRequest) -> Result<()> {
        let action = Action::delete(keys::idempotency(request.user, &request.key))
            .when(Condition::equals(CLAIM, request.claim.as_str()));
        let _ = self.table.transact(vec![action]).await?;
        Ok(())
    }
}

fn claim_row(request: &KeyedRequest, begun: Timestamp, now: Timestamp) -> Item {
    Item::new(keys::idempotency(request.user, &request.key))
        .with(REQUEST, request.said.as_str())
        .with(CLAIM, request.claim.as_str())
        .with(CLAIM_ENDS, now.after(request.lease).as_millis())
        .with(BEGUN, begun.as_millis())
        .with(TTL, begun.after(KEY_KEPT).as_seconds())
}

/// What is known of a request, unless it waits for somebody to work on it.
fn known(found: &Item, request: &KeyedRequest, now: Timestamp) -> Option<ClaimedRequest> {
    if found.str(REQUEST) != Some(request.said.as_str()) {
        return Some(ClaimedRequest::KeyTaken);
    }
    // A first attempt of ours, whose answer was lost.
    if found.str(CLAIM) == Some(request.claim.as_str()) {
        let begun = found.i64(BEGUN).unwrap_or_else(|| now.as_millis());
        return Some(ClaimedRequest::Claimed { begun: Timestamp::from_millis(begun) });
    }
    if let Some(Value::B(answer)) = found.get(ANSWER) {
        return Some(ClaimedRequest::Answered(answer.clone()));
    }
    let ends = found.i64(CLAIM_ENDS).unwrap_or_default();
    (now.as_millis() < ends).then_some(ClaimedRequest::Running)
}

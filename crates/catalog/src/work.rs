//! Work that waits: rows are the queue.
//!
//! `due` is schedule and lease in one. Work is claimed by moving its due time into the
//! future, on condition that nobody else did; if the worker dies, the work is due again by
//! itself. Whoever claimed it holds the version they wrote, and every later step checks it.

use std::time::Duration;

use model::{Subject, Timestamp, Work, WorkKind};
use rand::seq::SliceRandom;
use table::{Action, Condition, Item, Query, SortRange, Transacted};

use crate::paging::PageRequest;
use crate::retry::{Attempt, until_settled};
use crate::schema::{WORK, WORK_PK, WORK_SK};
use crate::{Catalog, Listed, Result, images, keys, row};

/// Who asks for work, and for how long at a time.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Names the worker; different for every process.
    pub worker: String,
    /// How long the work is theirs without a word from them.
    pub lease: Duration,
    /// Pieces of work at most.
    pub limit: usize,
}

/// Whether a worker still held its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Held {
    /// Yes, and the step is done.
    Still,
    /// No; somebody else has taken it over, and nothing was done.
    Lost,
}

/// Work read at once, so that workers who ask at the same time do not all reach for the
/// same piece.
const CANDIDATES: usize = 32;

impl Catalog {
    /// Takes some work of a kind that is due. No two callers get the same.
    pub async fn claim_work(
        &self,
        kind: WorkKind,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Work>> {
        let due = SortRange::To(format!("{now}\u{10FFFF}").into());
        let query = Query::index(WORK, keys::waiting_work(kind)).range(due);
        let page = self.table.query(&query.limit(claim.limit.max(CANDIDATES))).await?;
        let mut candidates: Vec<Work> =
            page.items.iter().map(row::entity_of).collect::<Result<_>>()?;
        if candidates.len() > claim.limit {
            candidates.shuffle(&mut rand::rng());
        }
        let mut claimed = Vec::new();
        for candidate in candidates {
            if claimed.len() == claim.limit {
                break;
            }
            claimed.extend(self.try_claim(&candidate, claim, now).await?);
        }
        Ok(claimed)
    }

    async fn try_claim(
        &self,
        candidate: &Work,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Option<Work>> {
        let mut held = candidate.clone();
        // Unlike for every claim, so that nobody is taken for a former holder.
        held.worker = Some(format!("{}#{:016x}", claim.worker, rand::random::<u64>()));
        held.due = now.after(claim.lease);
        held.attempts += 1;
        let action = rewrite(candidate, &mut held)?.when(Condition::version(candidate.version));
        match self.table.transact(vec![action]).await {
            Ok(Transacted::Done) => Ok(Some(held)),
            // Somebody else was faster; there is other work.
            Ok(Transacted::Refused(_)) | Err(table::Error::Contention) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes the work of a kind that waits for this very subject, due or not. Nothing if there is
    /// none, it is given up, or somebody else works on it.
    pub async fn claim_work_of(
        &self,
        kind: WorkKind,
        subject: Subject,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Option<Work>> {
        let is_free =
            |work: &Work| work.dead_since.is_none() && (work.worker.is_none() || work.due <= now);
        match self.find_work(kind, subject).await?.filter(is_free) {
            Some(candidate) => self.try_claim(&candidate, claim, now).await,
            None => Ok(None),
        }
    }

    /// Keeps held work for another lease. Changes `held` to what must be shown from now on.
    pub async fn renew_work(
        &self,
        held: &mut Work,
        lease: Duration,
        now: Timestamp,
    ) -> Result<Held> {
        let mut renewed = held.clone();
        renewed.due = now.after(lease);
        let action = holding(rewrite(held, &mut renewed)?, held);
        let outcome = self.table.transact(vec![action]).await?;
        if outcome.is_done() {
            *held = renewed;
        }
        Ok(Held::of(&outcome))
    }

    /// Puts held work back, to be tried again at `due`.
    pub async fn retry_work(&self, held: &Work, error: &str, due: Timestamp) -> Result<Held> {
        let mut waiting = held.clone();
        waiting.worker = None;
        waiting.due = due;
        waiting.error = Some(error.to_owned());
        let action = holding(rewrite(held, &mut waiting)?, held);
        Ok(Held::of(&self.table.transact(vec![action]).await?))
    }

    /// Gives held work up; it waits for an administrator.
    pub async fn bury_work(&self, held: &Work, error: &str, now: Timestamp) -> Result<Held> {
        Ok(Held::of(&self.table.transact(vec![bury(held, error, now)?]).await?))
    }

    /// Makes held work of a kind due again, for a caller who knows that whoever held it is gone.
    /// Tells how much there was. `lease` is the longest for which it was held.
    pub async fn free_held_work(
        &self,
        kind: WorkKind,
        lease: Duration,
        now: Timestamp,
    ) -> Result<usize> {
        let last = format!("{}\u{10FFFF}", now.after(lease));
        let leased = SortRange::Between(now.to_string().into(), last.into());
        let mut query = Query::index(WORK, keys::waiting_work(kind)).range(leased);
        let mut freed = 0;
        loop {
            let page = self.table.query(&query).await?;
            for item in &page.items {
                let held: Work = row::entity_of(item)?;
                if held.worker.is_some() {
                    let held = self.retry_work(&held, "its worker was killed", now).await?;
                    freed += usize::from(held == Held::Still);
                }
            }
            match page.next {
                Some(next) => query = query.start(Some(next)),
                None => return Ok(freed),
            }
        }
    }

    /// Ends held work.
    pub async fn finish_work(&self, held: &Work) -> Result<Held> {
        Ok(Held::of(&self.table.transact(vec![remove_held(held)]).await?))
    }

    /// Adds work, unless some of the same kind waits for the same subject already. Tells
    /// whether it waits now; it does not if the image it is about is no more.
    pub async fn put_work(&self, work: &Work) -> Result<bool> {
        until_settled!(self.try_put_work(work).await)
    }

    async fn try_put_work(&self, work: &Work) -> Result<Attempt<bool>> {
        let found = self.find_work(work.kind, work.subject).await?;
        if found.as_ref().is_some_and(|found| found.dead_since.is_none()) {
            return Ok(Attempt::Settled(true));
        }
        let unchanged = found.map_or(Condition::Absent, |dead| Condition::version(dead.version));
        let mut actions = vec![Action::put(work_row(work)?).when(unchanged)];
        if let Subject::Image(image) = work.subject {
            actions.push(images::attach(image));
        }
        let outcome = self.table.transact(actions).await?;
        Ok(match (outcome.is_done(), outcome.refusal(1)) {
            (true, _) => Attempt::Settled(true),
            (false, Some(_)) => Attempt::Settled(false),
            (false, None) => Attempt::Raced,
        })
    }

    /// The work of a kind that waits for this subject.
    pub async fn find_work(&self, kind: WorkKind, subject: Subject) -> Result<Option<Work>> {
        self.find(&keys::work(subject, kind)).await
    }

    /// Work of a kind that is not given up, by when it is due.
    pub async fn list_work(&self, kind: WorkKind, page: &PageRequest) -> Result<Listed<Work>> {
        self.list_entities(Query::index(WORK, keys::waiting_work(kind)), page).await
    }

    /// Work of a kind that was given up, longest dead first.
    pub async fn list_dead_work(&self, kind: WorkKind, page: &PageRequest) -> Result<Listed<Work>> {
        self.list_entities(Query::index(WORK, keys::dead_work(kind)), page).await
    }

    /// Tries dead work again from the start. Tells whether there was any.
    pub async fn revive_work(
        &self,
        kind: WorkKind,
        subject: Subject,
        now: Timestamp,
    ) -> Result<bool> {
        until_settled!(self.try_revive(kind, subject, now).await)
    }

    async fn try_revive(
        &self,
        kind: WorkKind,
        subject: Subject,
        now: Timestamp,
    ) -> Result<Attempt<bool>> {
        let Some(dead) = self.find_work(kind, subject).await?.filter(|w| w.dead_since.is_some())
        else {
            return Ok(Attempt::Settled(false));
        };
        let mut actions = vec![revive(&dead, now)?];
        if let (WorkKind::Process, Subject::Image(image)) = (kind, subject) {
            actions.extend(self.unfail(image, now).await?);
        }
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(true),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }
}

impl Held {
    fn of(outcome: &Transacted) -> Self {
        if outcome.is_done() { Self::Still } else { Self::Lost }
    }
}

/// The row of a piece of work, with its place in the queue.
pub(crate) fn work_row(work: &Work) -> Result<Item> {
    let key = keys::work(work.subject, work.kind);
    let (partition, at) = match work.dead_since {
        None => (keys::waiting_work(work.kind), work.due),
        Some(dead_since) => (keys::dead_work(work.kind), dead_since),
    };
    let place = format!("{at}#{}", key.pk);
    let attributes = row::attributes_of(&key, work)?;
    Ok(Item::of(key, attributes).with(WORK_PK, partition).with(WORK_SK, place))
}

/// The change of a piece of work into another, which gets the next version.
fn rewrite(before: &Work, after: &mut Work) -> Result<Action> {
    after.version = before.version + 1;
    let (old, new) = (work_row(before)?, work_row(after)?);
    Ok(row::update(new.key, &old.attributes, &new.attributes))
}

/// Makes work due from the start, provided that it is as it was read.
pub(crate) fn revive(dead: &Work, now: Timestamp) -> Result<Action> {
    let mut waiting = dead.clone();
    waiting.dead_since = None;
    waiting.attempts = 0;
    waiting.due = now;
    Ok(rewrite(dead, &mut waiting)?.when(Condition::version(dead.version)))
}

/// The same action, provided that the work is still held.
pub(crate) fn holding(action: Action, held: &Work) -> Action {
    let worker = held.worker.clone().unwrap_or_default();
    action.when(Condition::version(held.version)).when(Condition::equals("worker", worker))
}

pub(crate) fn check_held(held: &Work) -> Action {
    holding(Action::check(keys::work(held.subject, held.kind)), held)
}

pub(crate) fn remove_held(held: &Work) -> Action {
    holding(Action::delete(keys::work(held.subject, held.kind)), held)
}

/// Removes work, provided that it is as it was read, whoever holds it.
pub(crate) fn remove(work: &Work) -> Action {
    Action::delete(keys::work(work.subject, work.kind)).when(Condition::version(work.version))
}

pub(crate) fn bury(held: &Work, error: &str, now: Timestamp) -> Result<Action> {
    let mut dead = held.clone();
    dead.worker = None;
    dead.dead_since = Some(now);
    dead.error = Some(error.to_owned());
    Ok(holding(rewrite(held, &mut dead)?, held))
}

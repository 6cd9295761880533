//! What is counted of a library, and the work that groups it.

use std::time::Duration;

use model::{Subject, Timestamp, UserId, Work, WorkKind};
use table::{Action, Condition, Transacted};

use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Held, Result, keys, work};

/// What is counted of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LibraryState {
    /// Counts everything that may change who is who.
    pub changes: i64,
    /// How many faces there are, exactly.
    pub faces: i64,
}

const CHANGES: &str = "changes";
const FACE_COUNT: &str = "faces";
/// How long grouping waits, so that what comes together is grouped together.
const PAUSE: Duration = Duration::from_secs(1);

impl Catalog {
    /// What is counted of a user's library now.
    pub async fn find_library(&self, owner: UserId) -> Result<LibraryState> {
        let row = self.table.get(&keys::library(owner)).await?;
        let count = |name| row.as_ref().and_then(|row| row.i64(name)).unwrap_or(0);
        Ok(LibraryState { changes: count(CHANGES), faces: count(FACE_COUNT) })
    }

    /// Has a user's library grouped again.
    pub async fn put_grouping(&self, owner: UserId, now: Timestamp) -> Result<()> {
        until_settled!({
            match self.want_grouping(owner, 0, now).await {
                Ok(actions) => match self.table.transact(actions).await {
                    Ok(Transacted::Done) => Ok(Attempt::Settled(())),
                    Ok(Transacted::Refused(_)) => Ok(Attempt::Raced),
                    Err(error) => Err(error.into()),
                },
                Err(error) => Err(error),
            }
        })
    }

    /// Ends the work of grouping a library, if nothing has changed since its state was read;
    /// otherwise it is to be done again. Tells whether the work was still held.
    pub async fn finish_grouping(
        &self,
        held: &Work,
        seen: LibraryState,
        now: Timestamp,
    ) -> Result<Held> {
        let unchanged = match seen.changes {
            0 => Condition::Absent,
            changes => Condition::equals(CHANGES, changes),
        };
        let check = Action::check(keys::library(held.owner)).when(unchanged);
        let outcome = self.table.transact(vec![work::remove_held(held), check]).await?;
        match (outcome.is_done(), outcome.refusal(0)) {
            (true, _) => Ok(Held::Still),
            (false, Some(_)) => Ok(Held::Lost),
            (false, None) => self.group_again(held, now).await,
        }
    }

    /// Leaves the work of grouping a library to be done again, as if it had just been found.
    pub async fn group_again(&self, held: &Work, now: Timestamp) -> Result<Held> {
        let fresh = Work::new(held.kind, held.subject, held.owner, now);
        let fresh = Work { version: held.version + 1, ..fresh };
        let again = work::holding(Action::put(work::work_row(&fresh)?), held);
        let outcome = self.table.transact(vec![again]).await?;
        Ok(if outcome.is_done() { Held::Still } else { Held::Lost })
    }

    /// What counts a change of a library, and leaves the work to group it. If the work is there,
    /// even if somebody is at it, it is not done before they have seen this change.
    pub(crate) async fn want_grouping(
        &self,
        owner: UserId,
        more_faces: i64,
        now: Timestamp,
    ) -> Result<Vec<Action>> {
        let count =
            Action::update(keys::library(owner)).add(CHANGES, 1).add(FACE_COUNT, more_faces);
        let subject = Subject::User(owner);
        let work = match self.find_work(WorkKind::Group, subject).await? {
            Some(work) if work.dead_since.is_none() => {
                let key = keys::work(subject, WorkKind::Group);
                Action::check(key).when(Condition::Present).when(Condition::Lacks(DEAD.to_owned()))
            }
            found => {
                let work = Work::new(WorkKind::Group, subject, owner, now.after(PAUSE));
                let unchanged =
                    found.map_or(Condition::Absent, |dead| Condition::version(dead.version));
                Action::put(work::work_row(&work)?).when(unchanged)
            }
        };
        Ok(vec![count, work])
    }
}

const DEAD: &str = "deadSince";

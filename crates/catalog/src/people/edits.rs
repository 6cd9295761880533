//! What was decided about persons.

use model::{PeopleEdit, PeopleEditId, Person, PersonId, Timestamp, UserId};
use table::{Action, Condition, Item, Query, TableExt, Transacted};

use crate::entries::Swap;
use crate::paging::PageRequest;
use crate::persons::{change_person, record_person};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Listed, Result, keys, names, row};

/// How writing a decision down ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decided {
    /// It holds.
    Decided,
    /// Somebody was faster: a person, or the decision itself, is not what it was.
    Changed,
}

impl Catalog {
    /// A decision about persons of a library.
    pub async fn find_people_edit(
        &self,
        owner: UserId,
        edit: PeopleEditId,
    ) -> Result<Option<PeopleEdit>> {
        self.find(&keys::people_edit(owner, edit)).await
    }

    /// What was decided about persons of a library, newest first.
    pub async fn list_people_edits(
        &self,
        owner: UserId,
        page: &PageRequest,
    ) -> Result<Listed<PeopleEdit>> {
        let query = Query::partition(keys::user_partition(owner)).prefix(keys::PEOPLE_EDITS);
        self.list_entities(query.descending(), page).await
    }

    /// Removes what was decided about persons of a library, and who may be the same.
    pub async fn remove_people_rows(&self, owner: UserId) -> Result<()> {
        let query = Query::partition(keys::user_partition(owner)).prefix(keys::PEOPLE_EDITS);
        self.remove_found(query).await?;
        Ok(self.table.delete(keys::likenesses(owner)).await?)
    }

    /// Says of a person that they are not this user, without any decision: the user is no more.
    pub async fn unlink_person(
        &self,
        person: PersonId,
        user: UserId,
        now: Timestamp,
    ) -> Result<()> {
        until_settled!({
            match self.find_person(person).await {
                Ok(Some(before)) if before.user == Some(user) => {
                    let mut after = before.clone();
                    after.user = None;
                    after.version += 1;
                    after.updated_at = now;
                    self.try_unlink(&before, &after, now).await
                }
                Ok(_) => Ok(Attempt::Settled(())),
                Err(error) => Err(error),
            }
        })
    }

    async fn try_unlink(
        &self,
        before: &Person,
        after: &Person,
        now: Timestamp,
    ) -> Result<Attempt<()>> {
        let actions =
            vec![change_person(Some(before), after)?, record_person(Some(before), after, now)?];
        let done = self.table.transact(actions).await?.is_done();
        Ok(if done { Attempt::Settled(()) } else { Attempt::Raced })
    }

    /// Writes a decision down, or that it is undone, together with what it changes of persons: each
    /// as it was, if it was there, and as it is to be. The library is grouped again.
    pub async fn decide(
        &self,
        before: Option<&PeopleEdit>,
        after: &PeopleEdit,
        persons: &[(Option<Person>, Person)],
        now: Timestamp,
    ) -> Result<Decided> {
        until_settled!(self.try_decide(before, after, persons, now).await)
    }

    async fn try_decide(
        &self,
        before: Option<&PeopleEdit>,
        after: &PeopleEdit,
        persons: &[(Option<Person>, Person)],
        now: Timestamp,
    ) -> Result<Attempt<Decided>> {
        let key = keys::people_edit(after.owner, after.id);
        let unchanged = before.map_or(Condition::Absent, |edit| Condition::version(edit.version));
        let item = Item::of(key.clone(), row::attributes_of(&key, after)?);
        let mut swap = Swap::default();
        let grouping = self.want_grouping(after.owner, 0, now).await?;
        let free = grouping.len();
        grouping.into_iter().for_each(|action| swap.guard(action));
        swap.guard(Action::put(item).when(unchanged));
        for (old, new) in persons {
            swap.guard(change_person(old.as_ref(), new)?);
            swap.guard(record_person(old.as_ref(), new, now)?);
            names::exchange_person_words(&mut swap, old.as_ref(), Some(new));
        }
        Ok(match swap.run(&*self.table).await? {
            Transacted::Done => Attempt::Settled(Decided::Decided),
            // Only the work of grouping came or went.
            Transacted::Refused(refusals) if refusals.iter().all(|one| one.action < free) => {
                Attempt::Raced
            }
            Transacted::Refused(_) => Attempt::Settled(Decided::Changed),
        })
    }
}

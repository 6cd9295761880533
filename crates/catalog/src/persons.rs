//! Persons found in the photos.

use std::collections::BTreeSet;

use model::{ChangeKind, Cover, Entity, Person, PersonId, Timestamp, UserId, Work};
use table::{Action, Condition, Item, Key, Query};

use crate::entries::Swap;
use crate::paging::PageRequest;
use crate::retry::{Attempt, until_settled};
use crate::schema::{CONTAINER, CONTAINER_PK, CONTAINER_SK, OWNER, OWNER_PK, OWNER_SK};
use crate::{Catalog, Error, Listed, Result, changes, keys, names, row, work};

const PERSONS: &str = "persons";
const COUNT: &str = "count";

impl Catalog {
    /// The next free person id. No two callers get the same.
    pub async fn next_person_id(&self) -> Result<PersonId> {
        let key = keys::counter(PERSONS);
        let number = self.table.increment(&key, COUNT, 1).await?;
        let number = u64::try_from(number).ok().and_then(PersonId::new);
        number.ok_or_else(|| Error::bad_row(&key, "the counter is not positive"))
    }

    /// Adds somebody unknown to a library.
    pub async fn create_person(&self, owner: UserId, now: Timestamp) -> Result<Person> {
        let person = Person::new(self.next_person_id().await?, owner, now);
        let actions =
            vec![Action::put(person_row(&person)?), record(&person, ChangeKind::Created, now)?];
        let _ = self.table.transact(actions).await?;
        Ok(person)
    }

    /// The person of this id.
    pub async fn find_person(&self, person: PersonId) -> Result<Option<Person>> {
        self.find(&keys::person(person)).await
    }

    /// Who a user is among the persons of their own library. Somebody who was merged since is who
    /// they were merged into.
    pub async fn find_self(&self, user: UserId) -> Result<Option<PersonId>> {
        let known = self.find_user(user).await?.and_then(|user| user.person);
        let Some(known) = known else { return Ok(None) };
        let person = self.find_person(known).await?.filter(|person| person.owner == user);
        Ok(person.map(|person| person.merged_into.unwrap_or(person.id)))
    }

    /// The persons of a library, in the order they were first seen.
    pub async fn list_persons(&self, owner: UserId, page: &PageRequest) -> Result<Listed<Person>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::OWNED_PERSONS);
        self.list_entities(query, page).await
    }

    /// Persons by their ids, without the absent ones.
    pub async fn find_persons(&self, persons: &[PersonId]) -> Result<Vec<Person>> {
        let distinct: BTreeSet<PersonId> = persons.iter().copied().collect();
        let keys: Vec<Key> = distinct.into_iter().map(keys::person).collect();
        self.load_rows(&keys).await?.iter().map(row::entity_of).collect()
    }

    /// The persons that are a user, by what the owners of libraries say.
    pub async fn list_selves(&self, user: UserId, page: &PageRequest) -> Result<Listed<Person>> {
        let query = Query::index(CONTAINER, keys::user_partition(user)).prefix(keys::SELVES);
        self.list_entities(query, page).await
    }

    /// Lets a face stand for a person, as long as the work is held and nobody chose another one.
    /// Their version stays: nobody who is about to change them has to know.
    pub async fn put_cover(
        &self,
        held: &Work,
        person: &Person,
        cover: Option<Cover>,
        now: Timestamp,
    ) -> Result<bool> {
        let after = Person { cover, ..person.clone() };
        let key = keys::person(person.id);
        let update = row::change(&key, person, &after)?;
        let actions = vec![
            work::check_held(held),
            update.when(Condition::version(person.version)),
            record(&after, ChangeKind::Updated, now)?,
        ];
        Ok(self.table.transact(actions).await?.is_done())
    }

    /// Removes a person of `owner`'s library who has no faces. Tells whether they are gone.
    pub async fn delete_person(
        &self,
        person: PersonId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<bool> {
        until_settled!(self.try_delete_person(person, owner, now).await)
    }

    async fn try_delete_person(
        &self,
        person: PersonId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Attempt<bool>> {
        let Some(found) = self.find_person(person).await?.filter(|found| found.owner == owner)
        else {
            return Ok(Attempt::Settled(false));
        };
        if found.face_count != 0 {
            return Ok(Attempt::Settled(false));
        }
        let entity = Entity::Person(person);
        let mut swap = Swap::default();
        swap.guard(
            Action::delete(keys::person(person))
                .when(Condition::version(found.version))
                .when(Condition::equals(FACE_COUNT, 0)),
        );
        if found.is_somebody() {
            swap.guard(changes::record(now, ChangeKind::Deleted, entity, owner, None)?);
        }
        names::exchange_person_words(&mut swap, Some(&found), None);
        let outcome = swap.run(&*self.table).await?;
        Ok(if outcome.is_done() { Attempt::Settled(true) } else { Attempt::Raced })
    }
}

pub(crate) const FACE_COUNT: &str = "faceCount";

/// What makes one person of another; new ones were not there. Whoever made `new` has given it its
/// version, and keeps the count as it was.
pub(crate) fn change_person(old: Option<&Person>, new: &Person) -> Result<Action> {
    let row = person_row(new)?;
    Ok(match old {
        None => Action::put(row).when(Condition::Absent),
        Some(old) => row::update(row.key, &person_row(old)?.attributes, &row.attributes)
            .when(Condition::version(old.version)),
    })
}

/// The row that tells followers of it.
pub(crate) fn record_person(old: Option<&Person>, new: &Person, now: Timestamp) -> Result<Action> {
    let was_there = old.is_some_and(Person::is_somebody);
    let kind = match (was_there, new.is_somebody()) {
        (false, true) => ChangeKind::Created,
        (_, false) => ChangeKind::Deleted,
        (true, true) => ChangeKind::Updated,
    };
    record(new, kind, now)
}

fn person_row(person: &Person) -> Result<Item> {
    let key = keys::person(person.id);
    let attributes = row::attributes_of(&key, person)?;
    let item = Item::of(key, attributes)
        .with(OWNER_PK, keys::user_partition(person.owner))
        .with(OWNER_SK, keys::owned_person(person.id));
    Ok(match person.user.filter(|_| person.is_somebody()) {
        Some(user) => item
            .with(CONTAINER_PK, keys::user_partition(user))
            .with(CONTAINER_SK, format!("{}{}", keys::SELVES, person.id)),
        None => item,
    })
}

fn record(person: &Person, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    let version = (kind != ChangeKind::Deleted).then_some(person.version);
    changes::record(now, kind, Entity::Person(person.id), person.owner, version)
}

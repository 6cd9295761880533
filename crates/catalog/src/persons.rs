//! Persons found in the photos.

use model::{ChangeKind, Entity, FaceId, Name, Person, PersonId, Timestamp, UserId};
use table::{Action, Condition, Item, Query, Transacted};

use crate::edit::{Edited, Owned};
use crate::entries::Swap;
use crate::paging::PageRequest;
use crate::retry::{Attempt, until_settled};
use crate::schema::{OWNER, OWNER_PK, OWNER_SK};
use crate::{Catalog, Error, Listed, Result, changes, keys, names, row};

/// What to change of a person. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct PersonEdit {
    /// What they are called.
    pub name: Option<Option<Name>>,
    /// The face that stands for them.
    pub cover: Option<Option<FaceId>>,
    /// Whether they are left out of lists.
    pub hidden: Option<bool>,
}

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
        let person = Person {
            id: self.next_person_id().await?,
            owner,
            name: None,
            cover: None,
            face_count: 0,
            hidden: false,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let actions =
            vec![Action::put(person_row(&person)?), record(&person, ChangeKind::Created, now)?];
        let _ = self.table.transact(actions).await?;
        Ok(person)
    }

    /// The person of this id.
    pub async fn find_person(&self, person: PersonId) -> Result<Option<Person>> {
        self.find(&keys::person(person)).await
    }

    /// The persons of a library, in the order they were first seen.
    pub async fn list_persons(&self, owner: UserId, page: &PageRequest) -> Result<Listed<Person>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::OWNED_PERSONS);
        self.list_entities(query, page).await
    }

    /// Changes a person of `owner`'s library. With a version, only if they still have it.
    pub async fn edit_person(
        &self,
        person: PersonId,
        owner: UserId,
        version: Option<i64>,
        edit: &PersonEdit,
        now: Timestamp,
    ) -> Result<Edited<Person>> {
        until_settled!(self.try_edit_person(person, owner, version, edit, now).await)
    }

    async fn try_edit_person(
        &self,
        person: PersonId,
        owner: UserId,
        version: Option<i64>,
        edit: &PersonEdit,
        now: Timestamp,
    ) -> Result<Attempt<Edited<Person>>> {
        let before = match Person::admit(self.find_person(person).await?, owner, version) {
            Ok(person) => person,
            Err(end) => return Ok(Attempt::Settled(end)),
        };
        let mut after = edit.apply(&before);
        if after == before {
            return Ok(Attempt::Settled(Edited::Edited(before)));
        }
        after.version += 1;
        after.updated_at = now;
        let (old, new) = (person_row(&before)?, person_row(&after)?);
        let update = row::update(new.key, &old.attributes, &new.attributes);
        let mut swap = Swap::default();
        swap.guard(update.when(Condition::version(before.version)));
        swap.guard(record(&after, ChangeKind::Updated, now)?);
        names::exchange_person_words(&mut swap, Some(&before), Some(&after));
        Ok(match swap.run(&*self.table).await? {
            Transacted::Done => Attempt::Settled(Edited::Edited(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
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
        swap.guard(changes::record(now, ChangeKind::Deleted, entity, owner, None)?);
        names::exchange_person_words(&mut swap, Some(&found), None);
        let outcome = swap.run(&*self.table).await?;
        Ok(if outcome.is_done() { Attempt::Settled(true) } else { Attempt::Raced })
    }
}

pub(crate) const FACE_COUNT: &str = "faceCount";

impl PersonEdit {
    fn apply(&self, person: &Person) -> Person {
        let mut person = person.clone();
        person.name = self.name.clone().unwrap_or(person.name);
        person.cover = self.cover.unwrap_or(person.cover);
        person.hidden = self.hidden.unwrap_or(person.hidden);
        person
    }
}

fn person_row(person: &Person) -> Result<Item> {
    let key = keys::person(person.id);
    let attributes = row::attributes_of(&key, person)?;
    Ok(Item::of(key, attributes)
        .with(OWNER_PK, keys::user_partition(person.owner))
        .with(OWNER_SK, keys::owned_person(person.id)))
}

fn record(person: &Person, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    let version = (kind != ChangeKind::Deleted).then_some(person.version);
    changes::record(now, kind, Entity::Person(person.id), person.owner, version)
}

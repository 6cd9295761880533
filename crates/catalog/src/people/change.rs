//! Giving faces to persons and taking them away.

use std::collections::BTreeMap;

use model::{ChangeKind, Entity, Face, PersonId, Timestamp, UserId, Work};
use table::{Action, Condition, TRANSACTION_ACTIONS_MAX, TableExt, Transacted};

use super::face_row;
use crate::persons::FACE_COUNT;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Result, changes, keys, row, work};

/// A face that becomes another person's, or is known by less from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceChange {
    before: Face,
    after: Face,
}

impl FaceChange {
    /// Makes a face what `edit` makes of it; nothing if that is what it is.
    pub fn of(before: &Face, edit: impl FnOnce(&mut Face)) -> Option<Self> {
        let mut after = before.clone();
        edit(&mut after);
        if after == *before {
            return None;
        }
        after.version = before.version + 1;
        Some(Self { before: before.clone(), after })
    }

    /// The face as it will be.
    pub fn after(&self) -> &Face {
        &self.after
    }
}

/// Actions of a transaction that others than faces and persons take.
const OTHERS: usize = 4;

impl Catalog {
    /// Changes faces of a library, with the counts of their persons, some at a time. With work, only
    /// as long as it is held. Tells whether all could be changed: not if a face or person is no
    /// longer what it was, or the work is lost. Those before it are changed then.
    pub async fn change_faces(
        &self,
        held: Option<&Work>,
        owner: UserId,
        mut changes: Vec<FaceChange>,
        now: Timestamp,
    ) -> Result<bool> {
        // Those of the same persons stand together, so that few counts change at a time.
        changes.sort_by_key(|change| (change.after.person, change.before.person, change.after.id));
        let mut rest = changes.as_slice();
        while !rest.is_empty() {
            let (part, behind) = rest.split_at(part_of(rest));
            rest = behind;
            if !self.change_part(held, owner, part, now).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn change_part(
        &self,
        held: Option<&Work>,
        owner: UserId,
        part: &[FaceChange],
        now: Timestamp,
    ) -> Result<bool> {
        until_settled!({
            match change_actions(held, owner, part, now) {
                Ok(actions) => match self.table.transact(actions).await {
                    Ok(outcome) => Ok(Attempt::Settled(outcome.is_done())),
                    Err(error) => Err(error.into()),
                },
                Err(error) => Err(error),
            }
        })
    }

    /// Removes a face and that its image was looked at, as if nobody ever had.
    pub async fn forget_face(&self, face: &Face, now: Timestamp) -> Result<()> {
        self.remove_face(face, now).await?;
        Ok(self.table.delete(keys::looked_at(face.image)).await?)
    }

    /// Removes a face for good, with its count.
    pub(crate) async fn remove_face(&self, face: &Face, now: Timestamp) -> Result<()> {
        let mut person = face.person;
        until_settled!(self.try_remove_face(face, &mut person, now).await)
    }

    async fn try_remove_face(
        &self,
        face: &Face,
        person: &mut Option<PersonId>,
        now: Timestamp,
    ) -> Result<Attempt<()>> {
        let key = keys::face(face.image, face.id);
        let Some(found) = self.find_face(face.image, face.id).await? else {
            return Ok(Attempt::Settled(()));
        };
        // What was counted last; a person that is missing counts nothing.
        if found.version != face.version && person.is_some() {
            *person = found.person;
        }
        let mut actions = vec![Action::delete(key).when(Condition::version(found.version))];
        actions.extend(self.want_grouping(face.owner, -1, now).await?);
        let at = actions.len();
        actions.extend(person.map(|person| {
            Action::update(keys::person(person)).add(FACE_COUNT, -1).when(Condition::Present)
        }));
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(()),
            refused => {
                if refused.refusal(at).is_some() {
                    *person = None;
                }
                Attempt::Raced
            }
        })
    }
}

/// How many of these changes fit into a transaction, one at least.
fn part_of(changes: &[FaceChange]) -> usize {
    let mut persons = std::collections::BTreeSet::new();
    for (count, change) in changes.iter().enumerate() {
        persons.extend(change.before.person);
        persons.extend(change.after.person);
        let actions = OTHERS + count + 1 + 2 * persons.len();
        if actions > TRANSACTION_ACTIONS_MAX {
            return count.max(1);
        }
    }
    changes.len()
}

fn change_actions(
    held: Option<&Work>,
    owner: UserId,
    part: &[FaceChange],
    now: Timestamp,
) -> Result<Vec<Action>> {
    let mut actions: Vec<Action> = held.map(work::check_held).into_iter().collect();
    let mut counts: BTreeMap<PersonId, i64> = BTreeMap::new();
    for FaceChange { before, after } in part {
        let (old, new) = (face_row(before)?, face_row(after)?);
        let update = row::update(new.key, &old.attributes, &new.attributes);
        actions.push(update.when(Condition::version(before.version)));
        if before.person != after.person {
            before.person.into_iter().for_each(|id| *counts.entry(id).or_default() -= 1);
            after.person.into_iter().for_each(|id| *counts.entry(id).or_default() += 1);
        }
    }
    for (person, more) in counts {
        let count = Action::update(keys::person(person)).add(FACE_COUNT, more);
        actions.push(count.set("updatedAt", now.to_string()).when(Condition::Present));
        let entity = Entity::Person(person);
        actions.push(changes::record(now, ChangeKind::Updated, entity, owner, None)?);
    }
    Ok(actions)
}

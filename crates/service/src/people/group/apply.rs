//! Writing down who is who: only what is not so already, some at a time.

use std::collections::{BTreeMap, BTreeSet};

use catalog::FaceChange;
use model::{Face, FaceId, ImageId, Person, PersonId, Timestamp, User, UserId};

use super::plan::{Plan, Somebody, Whose};
use crate::work::Task;
use crate::{Result, Service, UserEdit};

/// Faces read and changed at once. In between, the worker says that it still works.
const AT_ONCE: usize = 300;

impl Service {
    /// Tells whether everything could be written; if not, something is not as it was read.
    pub(super) async fn apply(
        &self,
        task: &Task,
        owner: UserId,
        plan: &Plan,
        started: Timestamp,
    ) -> Result<bool> {
        let mut ids = Vec::with_capacity(plan.new_persons);
        for _ in 0..plan.new_persons {
            ids.push(self.catalog().create_person(owner, self.now()).await?.id);
        }
        let id_of = |somebody: Somebody| match somebody {
            Somebody::Known(person) => Some(person),
            Somebody::New(n) => ids.get(n).copied(),
        };
        if !self.give_faces(task, owner, plan, id_of).await? {
            return Ok(false);
        }
        self.choose_covers(task, plan, id_of).await?;
        let likenesses = plan.likenesses(id_of);
        let _ = self.catalog().put_likenesses(&*task.held().await, likenesses).await?;
        self.remove_the_faceless(owner, plan, started).await?;
        Ok(true)
    }

    async fn give_faces(
        &self,
        task: &Task,
        owner: UserId,
        plan: &Plan,
        id_of: impl Fn(Somebody) -> Option<PersonId>,
    ) -> Result<bool> {
        let changed: Vec<(FaceId, Whose)> = plan
            .whose
            .iter()
            .filter(|(face, whose)| plan.differs(**face, **whose, &id_of))
            .map(|(face, whose)| (*face, *whose))
            .collect();
        for part in changed.chunks(AT_ONCE) {
            let keys: Vec<(ImageId, FaceId)> = part
                .iter()
                .filter_map(|(face, _)| Some((plan.census.faces.get(face)?.image, *face)))
                .collect();
            let faces = self.catalog().find_faces(&keys).await?;
            if faces.len() < part.len() || !faces.iter().all(|face| plan.read(face)) {
                return Ok(false);
            }
            let faces: BTreeMap<FaceId, Face> =
                faces.into_iter().map(|face| (face.id, face)).collect();
            let changes: Vec<FaceChange> = part
                .iter()
                .filter_map(|(id, whose)| {
                    FaceChange::of(faces.get(id)?, |face| plan.give(face, *whose, &id_of))
                })
                .collect();
            let gone: Vec<(ImageId, FaceId)> = changes
                .iter()
                .filter(|change| change.after().deleted_person.is_some())
                .map(|change| (change.after().image, change.after().id))
                .collect();
            // Before the rows, which else would not lead to them any more.
            self.delete_portraits(gone.into_iter()).await?;
            let (held, now) = (task.held().await, self.now());
            let done = self.catalog().change_faces(Some(&held), owner, changes, now).await?;
            drop(held);
            if !done {
                return Ok(false);
            }
            self.hint_change();
        }
        Ok(true)
    }

    /// The best face of everybody, unless somebody chose one that is still theirs.
    async fn choose_covers(
        &self,
        task: &Task,
        plan: &Plan,
        id_of: impl Fn(Somebody) -> Option<PersonId>,
    ) -> Result<()> {
        let mut best: BTreeMap<PersonId, _> = BTreeMap::new();
        for (somebody, cover) in plan.covers() {
            best.extend(id_of(somebody).map(|person| (person, cover)));
        }
        let known = plan.census.persons.values().filter(|person| person.is_somebody());
        let mut persons: BTreeMap<PersonId, Person> =
            known.map(|person| (person.id, person.clone())).collect();
        let new: Vec<PersonId> =
            best.keys().filter(|person| !persons.contains_key(person)).copied().collect();
        let new = self.catalog().find_persons(&new).await?;
        persons.extend(new.into_iter().map(|person| (person.id, person)));
        for person in persons.values() {
            let chosen = person.cover.filter(|cover| {
                let whose = plan.whose.get(&cover.face);
                cover.chosen && whose == Some(&Whose::Somebodys(Somebody::Known(person.id)))
            });
            let cover = chosen.or_else(|| best.get(&person.id).copied());
            if cover != person.cover {
                let held = task.held().await;
                // Whoever has changed them since had their reason; next time, then.
                self.catalog().put_cover(&held, person, cover, self.now()).await?;
            }
        }
        Ok(())
    }

    /// Persons of whom no face is left go, unless somebody said who they are.
    async fn remove_the_faceless(
        &self,
        owner: UserId,
        plan: &Plan,
        started: Timestamp,
    ) -> Result<()> {
        let with_faces: BTreeSet<PersonId> = plan
            .whose
            .values()
            .filter_map(|whose| match whose {
                Whose::Somebodys(Somebody::Known(person)) => Some(*person),
                _ => None,
            })
            .collect();
        for person in plan.census.persons.values() {
            let is_wanted = person.deleting_since.is_none()
                && (person.name.is_some()
                    || person.user.is_some()
                    || person.merged_into.is_some()
                    || person.created_at >= started
                    || with_faces.contains(&person.id));
            if !is_wanted {
                self.catalog().delete_person(person.id, owner, self.now()).await?;
            }
        }
        Ok(())
    }

    /// The owner of a library is the person in their profile picture, as long as they have not said
    /// otherwise.
    pub(super) async fn recognise_owner(&self, user: &User) -> Result<()> {
        let known = match user.person {
            Some(person) => self.catalog().find_person(person).await?,
            None => None,
        };
        let known = known.and_then(|person| person.merged_into.or(Some(person.id)));
        let person = match (known, user.picture) {
            (Some(person), _) => Some(person),
            (None, Some(picture)) => self.largest_in(picture).await?,
            (None, None) => None,
        };
        if person != user.person {
            let edit = UserEdit { person: Some(person), ..UserEdit::default() };
            let _ = self.catalog().edit_user(user.id, None, &edit, self.now()).await?;
        }
        Ok(())
    }

    async fn largest_in(&self, picture: ImageId) -> Result<Option<PersonId>> {
        let faces = self.catalog().list_image_faces(picture).await?;
        let known = faces.iter().filter(|face| face.person.is_some());
        let largest = known.max_by(|one, other| one.bounds.area().total_cmp(&other.bounds.area()));
        Ok(largest.and_then(|face| face.person))
    }
}

impl Plan {
    /// Whether a face is still as it was read.
    fn read(&self, face: &Face) -> bool {
        self.census.faces.get(&face.id).is_some_and(|known| known.version == face.version)
    }

    fn differs(
        &self,
        face: FaceId,
        whose: Whose,
        id_of: &impl Fn(Somebody) -> Option<PersonId>,
    ) -> bool {
        let Some(known) = self.census.faces.get(&face) else { return false };
        match whose {
            Whose::Nobodys => known.person.is_some(),
            Whose::Deleted(_) => true,
            Whose::Somebodys(somebody) => {
                let person = id_of(somebody);
                let is_unwanted = person.is_some_and(|id| self.census.unrecognised.contains(&id));
                known.person != person || (is_unwanted && known.library.is_some())
            }
        }
    }

    fn give(&self, face: &mut Face, whose: Whose, id_of: &impl Fn(Somebody) -> Option<PersonId>) {
        match whose {
            Whose::Nobodys => {
                face.person = None;
                face.confirmed = false;
            }
            Whose::Deleted(person) => {
                face.person = None;
                face.confirmed = false;
                face.deleted_person = Some(person);
                face.vector = None;
            }
            Whose::Somebodys(somebody) => {
                face.person = id_of(somebody);
                let is_unwanted =
                    face.person.is_some_and(|id| self.census.unrecognised.contains(&id));
                if is_unwanted {
                    face.vector = None;
                }
            }
        }
    }
}

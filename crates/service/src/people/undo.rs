//! What was decided about persons, and undoing it.

use std::collections::BTreeSet;

use catalog::{Listed, PageRequest};
use model::{Face, FaceId, PeopleEdit, PeopleEditId, PeopleEditKind, Person, PersonId};

use super::edit::cover_at;
use super::group::Decisions;
use crate::{Caller, Error, Result, Scope, Service};

const NO_EDIT: Error = Error::NotFound { what: "change of persons" };

impl Service {
    /// What was decided about persons of the caller's own library, newest first.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_people_edits(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<PeopleEdit>> {
        caller.require(Scope::Read)?;
        Ok(self.catalog().list_people_edits(caller.user, page).await?)
    }

    /// Undoes a decision, also if others, or further photos, have come since. To undo it again does
    /// no harm.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, [`Error::Conflict`] if what it was about has been
    /// decided otherwise since, or is gone.
    pub async fn undo_people_edit(
        &self,
        caller: &Caller,
        edit: PeopleEditId,
    ) -> Result<PeopleEdit> {
        caller.require(Scope::Write)?;
        let found = self.catalog().find_people_edit(caller.user, edit).await?;
        let before = found.ok_or(NO_EDIT)?;
        if before.undone_at.is_some() {
            return Ok(before);
        }
        let persons = self.persons_as_before(caller, &before).await?;
        let after = PeopleEdit {
            undone_at: Some(self.now()),
            undone_by: Some(caller.user),
            version: before.version + 1,
            ..before.clone()
        };
        self.decide(Some(&before), &after, &persons).await?;
        self.give_back_faces(caller, &before).await?;
        Ok(after)
    }

    /// What persons have to become again.
    async fn persons_as_before(
        &self,
        caller: &Caller,
        edit: &PeopleEdit,
    ) -> Result<Vec<(Option<Person>, Person)>> {
        match edit.kind {
            PeopleEditKind::Rename
            | PeopleEditKind::Hide
            | PeopleEditKind::Cover
            | PeopleEditKind::Link => self.attribute_as_before(caller, edit).await,
            PeopleEditKind::Merge => self.merged_as_before(caller, edit).await,
            PeopleEditKind::Delete => self.deleted_as_before(caller, edit).await,
            PeopleEditKind::Split
            | PeopleEditKind::Assign
            | PeopleEditKind::Reject
            | PeopleEditKind::Different => Ok(Vec::new()),
        }
    }

    async fn attribute_as_before(
        &self,
        caller: &Caller,
        edit: &PeopleEdit,
    ) -> Result<Vec<(Option<Person>, Person)>> {
        let person = self.own_person(caller, edit.person).await.map_err(|_| gone())?;
        let is_still = |now: Option<String>| match now == edit.after {
            true => Ok(()),
            false => Err(Error::Conflict { current: person.version }),
        };
        let changed = match edit.kind {
            PeopleEditKind::Rename => {
                is_still(person.name.as_ref().map(|name| name.as_str().to_owned()))?;
                let name = edit.before.as_deref().and_then(|name| name.parse().ok());
                self.with_change(&person, |person| person.name = name)
            }
            PeopleEditKind::Hide => {
                is_still(Some(person.hidden.to_string()))?;
                self.with_change(&person, |one| one.hidden = edit.before.as_deref() == Some("true"))
            }
            PeopleEditKind::Cover => {
                let cover = edit.before.as_deref().and_then(cover_at);
                self.with_change(&person, |person| person.cover = cover)
            }
            _ => {
                is_still(person.user.map(|user| user.to_string()))?;
                let user = edit.before.as_deref().and_then(|user| user.parse().ok());
                self.with_change(&person, |person| person.user = user)
            }
        };
        Ok(vec![changed])
    }

    async fn merged_as_before(
        &self,
        caller: &Caller,
        edit: &PeopleEdit,
    ) -> Result<Vec<(Option<Person>, Person)>> {
        let other = edit.other.ok_or_else(gone)?;
        let other = self.catalog().find_person(other).await?;
        let other = other.filter(|other| other.owner == caller.user).ok_or_else(gone)?;
        let mut persons = Vec::new();
        if other.merged_into == Some(edit.person) {
            persons.push(self.with_change(&other, |other| other.merged_into = None));
        }
        // The name they got by it, if they still have it.
        if let (Some(name), Ok(person)) = (&edit.after, self.own_person(caller, edit.person).await)
            && person.name.as_ref().is_some_and(|now| now.as_str() == name)
        {
            persons.push(self.with_change(&person, |person| person.name = None));
        }
        Ok(persons)
    }

    async fn deleted_as_before(
        &self,
        caller: &Caller,
        edit: &PeopleEdit,
    ) -> Result<Vec<(Option<Person>, Person)>> {
        Ok(match self.catalog().find_person(edit.person).await? {
            Some(there) if there.deleting_since.is_none() => Vec::new(),
            Some(going) => vec![self.with_change(&going, |person| person.deleting_since = None)],
            None => {
                let mut person = Person::new(edit.person, caller.user, self.now());
                person.name = edit.before.as_deref().and_then(|name| name.parse().ok());
                vec![(None, person)]
            }
        })
    }

    /// Gives faces back to whom they were, as far as nothing else was said of them since. Grouping
    /// says what becomes of the rest.
    async fn give_back_faces(&self, caller: &Caller, edit: &PeopleEdit) -> Result<()> {
        match (edit.kind, edit.other) {
            (PeopleEditKind::Merge, Some(other)) => {
                let faces = self.merged_faces(edit, other).await?;
                self.change_at_once(caller, &faces, |face| face.person = Some(other)).await
            }
            (PeopleEditKind::Split, Some(new)) => {
                let faces = self.faces_of(new).await?;
                let back = edit.person;
                self.change_at_once(caller, &faces, |face| {
                    face.person = Some(back);
                    face.confirmed = false;
                })
                .await
            }
            (PeopleEditKind::Assign, before) => {
                let faces = self.face_of(edit, Some(edit.person)).await?;
                let before = match before {
                    Some(before) => self.own_person(caller, before).await.ok(),
                    None => None,
                };
                let before = before.map(|before| before.id);
                self.change_at_once(caller, &faces, |face| {
                    face.person = before;
                    face.confirmed = false;
                })
                .await
            }
            (PeopleEditKind::Reject, _) => {
                let person = self.own_person(caller, edit.person).await.ok();
                let Some(person) = person.map(|person| person.id) else { return Ok(()) };
                let faces = self.face_of(edit, None).await?;
                self.change_at_once(caller, &faces, |face| face.person = Some(person)).await
            }
            (PeopleEditKind::Delete, _) => self.give_back_deleted(caller, edit.person).await,
            _ => Ok(()),
        }
    }

    /// The faces that a merge has moved, and that are still where it moved them.
    async fn merged_faces(&self, edit: &PeopleEdit, other: PersonId) -> Result<Vec<Face>> {
        let moved = edit.pins.iter().filter(|pin| pin.person == other);
        let moved: BTreeSet<FaceId> = moved.map(|pin| pin.face).collect();
        let decisions = Decisions::of(&self.all_edits(edit.owner).await?);
        let is_said_otherwise =
            |face: FaceId| decisions.pins.get(&face).is_some_and(|said| *said != other);
        let mut faces = self.faces_of(edit.person).await?;
        faces.retain(|face| moved.contains(&face.id) && !is_said_otherwise(face.id));
        Ok(faces)
    }

    /// The face that a decision is about, if it is still whose that decision made it.
    async fn face_of(&self, edit: &PeopleEdit, whose: Option<PersonId>) -> Result<Vec<Face>> {
        let Some((image, face)) = edit.image.zip(edit.face) else { return Ok(Vec::new()) };
        let found = self.catalog().find_face(image, face).await?;
        Ok(found.filter(|face| face.person == whose).into_iter().collect())
    }

    /// What is known of the faces of a deleted person was deleted, so they are looked at again.
    async fn give_back_deleted(&self, caller: &Caller, person: PersonId) -> Result<()> {
        let mut page = PageRequest::first(super::decide::CHANGED_AT_ONCE);
        loop {
            let Listed { entries, next } = self.catalog().list_deleted_faces(person, &page).await?;
            self.change_at_once(caller, &entries, |face| {
                face.person = Some(person);
                face.deleted_person = None;
                face.confirmed = true;
            })
            .await?;
            for face in &entries {
                self.look_again(face).await?;
            }
            page.cursor = next;
            if page.cursor.is_none() {
                self.hint();
                return Ok(());
            }
        }
    }
}

/// What a decision was about is not there any more.
fn gone() -> Error {
    Error::Conflict { current: 0 }
}

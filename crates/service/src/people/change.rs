//! Who is who, by hand: merging, splitting, giving a face to somebody, taking it away, deleting.

use std::collections::BTreeSet;

use catalog::{Listed, PageRequest};
use model::limits::{FACES_AT_ONCE_MAX, PERSONS_AT_ONCE_MAX};
use model::{Face, FaceId, FacePin, ImageId, PeopleEdit, PeopleEditKind, Person, PersonId};

use super::decide::{CHANGED_AT_ONCE, anchors};
use super::{ChangedPersons, FaceName};
use crate::{Caller, Error, Result, Scope, Service};

impl Service {
    /// Says that other persons are this one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such persons, [`Error::SamePhoto`] if two of them are
    /// in one photo.
    pub async fn merge_persons(
        &self,
        caller: &Caller,
        into: PersonId,
        others: &[PersonId],
    ) -> Result<ChangedPersons> {
        caller.require(Scope::Write)?;
        if others.is_empty() || others.len() > PERSONS_AT_ONCE_MAX {
            let message = format!("1 to {PERSONS_AT_ONCE_MAX} persons at once");
            return Err(Error::invalid("with", message));
        }
        let mut edits = Vec::new();
        for other in others.iter().copied().collect::<BTreeSet<_>>() {
            if other == into {
                return Err(Error::invalid("with", "a person is themselves already"));
            }
            let into = self.own_person(caller, into).await?;
            let other = self.own_person(caller, other).await?;
            edits.push(self.merge(caller, &into, &other).await?);
        }
        self.changed_person(caller, into, edits).await
    }

    async fn merge(&self, caller: &Caller, into: &Person, other: &Person) -> Result<PeopleEdit> {
        let (theirs, its) = (self.faces_of(other.id).await?, self.faces_of(into.id).await?);
        refuse_same_photo(&theirs, &its)?;
        let mut edit = self.new_edit(caller, PeopleEditKind::Merge, into.id);
        edit.other = Some(other.id);
        // Said of whom they were, which holds for whom they are now: so it is known what to undo.
        edit.pins = theirs.iter().map(|face| pin(face.id, other.id)).collect();
        edit.pins.extend(anchors(&its, into.id));
        let mut persons = vec![self.with_change(other, |other| other.merged_into = Some(into.id))];
        // A name is not lost by finding out whose it is.
        if let (None, Some(name)) = (&into.name, &other.name) {
            edit.after = Some(name.as_str().to_owned());
            persons.push(self.with_change(into, |into| into.name = Some(name.clone())));
        }
        if into.user.is_none() && other.user.is_some() && edit.after.is_none() {
            persons.push(self.with_change(into, |into| into.user = other.user));
        }
        self.decide(None, &edit, &persons).await?;
        let into = into.id;
        self.change_at_once(caller, &theirs, |face| face.person = Some(into)).await?;
        Ok(edit)
    }

    /// Says that some faces of a person are those of another one, who is new.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such person, [`Error::Invalid`] if a face is not
    /// theirs, [`Error::SamePhoto`] if two of the faces are in one photo.
    pub async fn split_person(
        &self,
        caller: &Caller,
        person: PersonId,
        faces: &[FaceId],
    ) -> Result<ChangedPersons> {
        caller.require(Scope::Write)?;
        if faces.is_empty() || faces.len() > FACES_AT_ONCE_MAX {
            let message = format!("1 to {FACES_AT_ONCE_MAX} faces at once");
            return Err(Error::invalid("faces", message));
        }
        let person = self.own_person(caller, person).await?;
        let wanted: BTreeSet<FaceId> = faces.iter().copied().collect();
        let all = self.faces_of(person.id).await?;
        let (split, rest): (Vec<Face>, Vec<Face>) =
            all.into_iter().partition(|face| wanted.contains(&face.id));
        if split.len() < wanted.len() {
            return Err(Error::invalid("faces", "one of the faces is not the person's"));
        }
        refuse_repeated_photo(&split)?;
        let new = self.catalog().create_person(caller.user, self.now()).await?;
        let mut edit = self.new_edit(caller, PeopleEditKind::Split, person.id);
        edit.other = Some(new.id);
        edit.pins = split.iter().map(|face| pin(face.id, new.id)).collect();
        edit.pins.extend(anchors(&rest, person.id));
        edit.parts = split.iter().map(|face| pin(face.id, person.id)).collect();
        self.decide(None, &edit, &[]).await?;
        let to = new.id;
        self.change_at_once(caller, &split, |face| {
            face.person = Some(to);
            face.confirmed = true;
        })
        .await?;
        self.changed_person(caller, new.id, vec![edit]).await
    }

    /// Says whose a face is.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such face or person, [`Error::SamePhoto`] if the
    /// person is in the photo already.
    pub async fn assign_face(
        &self,
        caller: &Caller,
        image: ImageId,
        face: FaceId,
        to: FaceName,
    ) -> Result<ChangedPersons> {
        caller.require(Scope::Write)?;
        let face = self.own_face(caller, image, face).await?;
        let before = match face.person {
            Some(person) => self.own_person(caller, person).await.ok(),
            None => None,
        };
        let mut edits = Vec::new();
        let to = match to {
            FaceName::Person(person) => self.own_person(caller, person).await?,
            FaceName::New(name) => {
                let new = self.catalog().create_person(caller.user, self.now()).await?;
                let mut edit = self.new_edit(caller, PeopleEditKind::Rename, new.id);
                edit.after = Some(name.as_str().to_owned());
                let changed = self.with_change(&new, |new| new.name = Some(name));
                let named = changed.1.clone();
                self.decide(None, &edit, &[changed]).await?;
                edits.push(edit);
                named
            }
        };
        let others = self.catalog().list_image_faces(image).await?;
        let is_there = |other: &Face| other.id != face.id && other.person == Some(to.id);
        if others.iter().any(is_there) {
            return Err(Error::SamePhoto);
        }
        let mut edit = self.new_edit(caller, PeopleEditKind::Assign, to.id);
        edit.face = Some(face.id);
        edit.image = Some(image);
        edit.pins = self.anchors_of(to.id).await?;
        edit.pins.push(pin(face.id, to.id));
        if let Some(before) = before.filter(|before| before.id != to.id) {
            edit.other = Some(before.id);
            edit.parts.push(pin(face.id, before.id));
            edit.pins.extend(self.anchors_without(before.id, face.id).await?);
        }
        self.decide(None, &edit, &[]).await?;
        edits.push(edit);
        let to = to.id;
        self.change_at_once(caller, &[face], |face| {
            face.person = Some(to);
            face.confirmed = true;
        })
        .await?;
        self.changed_person(caller, to, edits).await
    }

    /// Says that a face is not that of the person it is said to be.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such face, or it is nobody's.
    pub async fn reject_face(
        &self,
        caller: &Caller,
        image: ImageId,
        face: FaceId,
    ) -> Result<ChangedPersons> {
        caller.require(Scope::Write)?;
        let face = self.own_face(caller, image, face).await?;
        let person = face.person.ok_or(super::NO_PERSON)?;
        let person = self.own_person(caller, person).await?;
        let mut edit = self.new_edit(caller, PeopleEditKind::Reject, person.id);
        edit.face = Some(face.id);
        edit.image = Some(image);
        edit.parts = vec![pin(face.id, person.id)];
        edit.pins = self.anchors_without(person.id, face.id).await?;
        self.decide(None, &edit, &[]).await?;
        self.change_at_once(caller, &[face], |face| {
            face.person = None;
            face.confirmed = false;
        })
        .await?;
        Ok(ChangedPersons { person: None, edits: vec![edit] })
    }

    /// Says that two persons are not the same, however alike they look.
    pub(super) async fn tell_apart(
        &self,
        caller: &Caller,
        one: &Person,
        other: &Person,
    ) -> Result<PeopleEdit> {
        let mut edit = self.new_edit(caller, PeopleEditKind::Different, one.id);
        edit.other = Some(other.id);
        edit.pins = self.anchors_of(one.id).await?;
        edit.pins.extend(self.anchors_of(other.id).await?);
        self.decide(None, &edit, &[]).await?;
        Ok(edit)
    }

    /// Deletes a person with everything by which they could be recognised. Their faces stay
    /// nobody's. With a version, only if they still have that one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such person, [`Error::Conflict`].
    pub async fn delete_person(
        &self,
        caller: &Caller,
        person: PersonId,
        version: Option<i64>,
    ) -> Result<()> {
        caller.require(Scope::Delete)?;
        let person = self.own_person(caller, person).await?;
        if version.is_some_and(|version| version != person.version) {
            return Err(Error::Conflict { current: person.version });
        }
        let mut edit = self.new_edit(caller, PeopleEditKind::Delete, person.id);
        edit.before = person.name.as_ref().map(|name| name.as_str().to_owned());
        let now = self.now();
        let changed = self.with_change(&person, |person| person.deleting_since = Some(now));
        self.decide(None, &edit, &[changed]).await?;
        let page = PageRequest::first(CHANGED_AT_ONCE);
        let Listed { entries: faces, .. } =
            self.catalog().list_person_faces(person.id, &page).await?;
        // Before the rows, which else would not lead to them any more.
        self.delete_portraits(faces.iter().map(|face| (face.image, face.id))).await?;
        let deleted = person.id;
        self.change_at_once(caller, &faces, |face| {
            face.person = None;
            face.confirmed = false;
            face.deleted_person = Some(deleted);
            face.vector = None;
        })
        .await?;
        // What is left, a worker removes.
        self.catalog().delete_person(person.id, caller.user, self.now()).await?;
        Ok(())
    }

    /// The best faces of a person beside one that is not theirs any more.
    async fn anchors_without(&self, person: PersonId, face: FaceId) -> Result<Vec<FacePin>> {
        let mut faces = self.faces_of(person).await?;
        faces.retain(|known| known.id != face);
        Ok(anchors(&faces, person))
    }
}

fn pin(face: FaceId, person: PersonId) -> FacePin {
    FacePin { face, person }
}

/// Two faces of one photo are never one person.
fn refuse_same_photo(some: &[Face], others: &[Face]) -> Result<()> {
    let photos: BTreeSet<ImageId> = some.iter().map(|face| face.image).collect();
    match others.iter().any(|face| photos.contains(&face.image)) {
        true => Err(Error::SamePhoto),
        false => Ok(()),
    }
}

fn refuse_repeated_photo(faces: &[Face]) -> Result<()> {
    let photos: BTreeSet<ImageId> = faces.iter().map(|face| face.image).collect();
    if photos.len() < faces.len() { Err(Error::SamePhoto) } else { Ok(()) }
}

//! What all decisions about persons have in common.

use catalog::{Decided, FaceChange, PageRequest};
use model::{
    Face, FaceId, FacePin, ImageId, Name, PeopleEdit, PeopleEditId, PeopleEditKind, Person,
    PersonId,
};

use super::SeenPerson;
use crate::{Caller, Error, Result, Service};

/// Whose a face shall be.
#[derive(Clone, Debug)]
pub enum FaceName {
    /// A person of the same library.
    Person(PersonId),
    /// Somebody new, who is called this.
    New(Name),
}

/// What a decision has made of persons.
#[derive(Clone, Debug)]
pub struct ChangedPersons {
    /// The one it was about, as they are now, if there is one.
    pub person: Option<SeenPerson>,
    /// What was written down, to be undone.
    pub edits: Vec<PeopleEdit>,
}

/// Faces by which a decision holds on to a person: the best ones, since others may be somebody
/// else's by mistake.
const ANCHORS: usize = 8;
/// Faces that a decision names at most.
const NAMED_MAX: usize = 2000;
const READ_AT_ONCE: usize = 500;
/// Faces that are changed before a request is answered; a worker changes the rest.
pub(super) const CHANGED_AT_ONCE: usize = 300;

impl Service {
    pub(super) fn new_edit(
        &self,
        caller: &Caller,
        kind: PeopleEditKind,
        person: PersonId,
    ) -> PeopleEdit {
        let id = PeopleEditId::new(self.now(), rand::random());
        PeopleEdit::new(id, caller.user, caller.user, kind, person)
    }

    /// Writes a decision down.
    pub(super) async fn decide(
        &self,
        before: Option<&PeopleEdit>,
        edit: &PeopleEdit,
        persons: &[(Option<Person>, Person)],
    ) -> Result<()> {
        match self.catalog().decide(before, edit, persons, self.now()).await? {
            Decided::Decided => {
                self.hint();
                self.hint_change();
                Ok(())
            }
            Decided::Changed => {
                let first = persons.first().map(|(_, person)| person.id);
                let now = match first {
                    Some(person) => self.catalog().find_person(person).await?,
                    None => None,
                };
                let current = now.map_or(0, |person| person.version);
                Err(Error::Conflict { current })
            }
        }
    }

    /// The same person with another version, for [`decide`](Self::decide).
    pub(super) fn with_change(
        &self,
        person: &Person,
        change: impl FnOnce(&mut Person),
    ) -> (Option<Person>, Person) {
        let mut after = person.clone();
        change(&mut after);
        after.version = person.version + 1;
        after.updated_at = self.now();
        (Some(person.clone()), after)
    }

    /// Faces of a person, newest image first, but no more than a decision names.
    pub(super) async fn faces_of(&self, person: PersonId) -> Result<Vec<Face>> {
        let mut faces = Vec::new();
        let mut page = PageRequest::first(READ_AT_ONCE);
        loop {
            let listed = self.catalog().list_person_faces(person, &page).await?;
            // An index may not know yet that one of them is somebody else's.
            let theirs = listed.entries.into_iter().filter(|face| face.person == Some(person));
            faces.extend(theirs);
            page.cursor = listed.next;
            if page.cursor.is_none() || faces.len() >= NAMED_MAX {
                faces.truncate(NAMED_MAX);
                return Ok(faces);
            }
        }
    }

    /// The best faces of a person.
    pub(super) async fn anchors_of(&self, person: PersonId) -> Result<Vec<FacePin>> {
        Ok(anchors(&self.faces_of(person).await?, person))
    }

    /// A face of the caller's own library.
    pub(super) async fn own_face(
        &self,
        caller: &Caller,
        image: ImageId,
        face: FaceId,
    ) -> Result<Face> {
        let found = self.catalog().find_face(image, face).await?;
        let own = found.filter(|face| face.owner == caller.user && face.deleted_person.is_none());
        own.ok_or(super::NO_FACE)
    }

    /// Changes some faces at once, so that whoever decided sees it. What is missed here, because it
    /// is too much or somebody was faster, grouping does: it knows the decision.
    pub(super) async fn change_at_once(
        &self,
        caller: &Caller,
        faces: &[Face],
        edit: impl Fn(&mut Face),
    ) -> Result<()> {
        let changes = faces.iter().take(CHANGED_AT_ONCE);
        let changes: Vec<FaceChange> =
            changes.filter_map(|face| FaceChange::of(face, &edit)).collect();
        self.catalog().change_faces(None, caller.user, changes, self.now()).await?;
        self.hint_change();
        Ok(())
    }

    /// The answer to whoever decided.
    pub(super) async fn changed_person(
        &self,
        caller: &Caller,
        person: PersonId,
        edits: Vec<PeopleEdit>,
    ) -> Result<ChangedPersons> {
        let person = self.own_person(caller, person).await?;
        Ok(ChangedPersons { person: Some(SeenPerson::own(person)), edits })
    }
}

/// The best of some faces, as a person's.
pub(super) fn anchors(faces: &[Face], person: PersonId) -> Vec<FacePin> {
    let mut best: Vec<&Face> = faces.iter().collect();
    best.sort_by(|one, other| {
        let better = other.quality.score.total_cmp(&one.quality.score);
        other.quality.shapes.cmp(&one.quality.shapes).then(better).then(one.id.cmp(&other.id))
    });
    best.into_iter().take(ANCHORS).map(|face| FacePin { face: face.id, person }).collect()
}

//! Everything that decides who is who in a library, in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use catalog::{Listed, PageRequest};
use faces::Vector;
use faces::grouping::{FaceKey, Library, PhotoKey};
use model::{Face, FaceId, ImageId, PeopleEdit, Person, PersonId, UserId};

use super::Decisions;
use crate::{Result, Service};

/// A library.
#[derive(Default)]
pub(super) struct Census {
    /// By id. Their vectors are only in the libraries, so that a face takes little memory.
    pub(super) faces: BTreeMap<FaceId, Known>,
    /// One for each model: vectors of different ones cannot be compared.
    pub(super) libraries: Vec<(String, Library)>,
    pub(super) persons: BTreeMap<PersonId, Person>,
    /// The vectors of the faces that stand for persons with a name.
    pub(super) covers: BTreeMap<FaceId, Vector>,
    pub(super) decisions: Decisions,
    /// Persons by whose faces nobody is to be recognised.
    pub(super) unrecognised: BTreeSet<PersonId>,
}

/// What is known of a face, but for its vector.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) image: ImageId,
    pub(super) person: Option<PersonId>,
    pub(super) is_deleted: bool,
    pub(super) shapes: bool,
    pub(super) score: f32,
    pub(super) version: i64,
    /// Which library has its vector, if it has one.
    pub(super) library: Option<usize>,
}

const AT_ONCE: usize = 500;
/// How often, and after which pause, faces are read again that an index does not show yet.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

impl Service {
    /// Reads a library that has so many faces.
    pub(super) async fn take_census(&self, owner: UserId, faces: i64) -> Result<Census> {
        let persons = self.all_persons(owner).await?;
        let named = persons.values().filter(|person| person.name.is_some());
        let covers: BTreeSet<FaceId> =
            named.filter_map(|person| person.cover).map(|cover| cover.face).collect();
        let mut census = self.read_faces(owner, &covers).await?;
        for _ in 0..LOOKS {
            if i64::try_from(census.faces.len()).unwrap_or(i64::MAX) >= faces {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            census = self.read_faces(owner, &covers).await?;
        }
        census.persons = persons;
        census.decisions = Decisions::of(&self.all_edits(owner).await?);
        census.unrecognised = self.unrecognised_of(census.persons.values()).await?;
        Ok(census)
    }

    async fn read_faces(&self, owner: UserId, covers: &BTreeSet<FaceId>) -> Result<Census> {
        let mut census = Census::default();
        let mut page = PageRequest::first(AT_ONCE);
        loop {
            let Listed { entries, next } = self.catalog().list_library_faces(owner, &page).await?;
            entries.iter().for_each(|face| census.add(face, covers));
            page.cursor = next;
            if page.cursor.is_none() {
                return Ok(census);
            }
        }
    }

    /// All persons of a library, whatever became of them.
    pub(in crate::people) async fn all_persons(
        &self,
        owner: UserId,
    ) -> Result<BTreeMap<PersonId, Person>> {
        let mut persons = BTreeMap::new();
        let mut page = PageRequest::first(AT_ONCE);
        loop {
            let Listed { entries, next } = self.catalog().list_persons(owner, &page).await?;
            persons.extend(entries.into_iter().map(|person| (person.id, person)));
            page.cursor = next;
            if page.cursor.is_none() {
                return Ok(persons);
            }
        }
    }

    /// All decisions about a library, oldest first.
    pub(in crate::people) async fn all_edits(&self, owner: UserId) -> Result<Vec<PeopleEdit>> {
        let mut edits = Vec::new();
        let mut page = PageRequest::first(AT_ONCE);
        loop {
            let Listed { entries, next } = self.catalog().list_people_edits(owner, &page).await?;
            edits.extend(entries);
            page.cursor = next;
            if page.cursor.is_none() {
                edits.reverse();
                return Ok(edits);
            }
        }
    }
}

impl Census {
    pub(super) fn add(&mut self, face: &Face, covers: &BTreeSet<FaceId>) {
        let bytes = face.vector.as_ref().and_then(|vector| vector.0.as_slice().try_into().ok());
        let library = bytes.map(Vector::from_bytes).map(|vector| {
            let at = self.library_of(&face.model);
            if let Some((_, library)) = self.libraries.get_mut(at) {
                let (key, photo) = (key_of(face.id), PhotoKey(face.image.to_bits()));
                library.add(key, photo, vector, face.quality.shapes);
            }
            if covers.contains(&face.id) {
                self.covers.insert(face.id, vector);
            }
            at
        });
        let known = Known {
            image: face.image,
            person: face.person,
            is_deleted: face.deleted_person.is_some(),
            shapes: face.quality.shapes,
            score: face.quality.score as f32,
            version: face.version,
            library,
        };
        self.faces.insert(face.id, known);
    }

    fn library_of(&mut self, model: &str) -> usize {
        let known = self.libraries.iter().position(|(known, _)| known == model);
        known.unwrap_or_else(|| {
            self.libraries.push((model.to_owned(), Library::new()));
            self.libraries.len() - 1
        })
    }
}

pub(super) fn key_of(face: FaceId) -> FaceKey {
    FaceKey(face.to_bits())
}

pub(super) fn face_of(key: FaceKey) -> FaceId {
    FaceId::from_bits(key.0)
}

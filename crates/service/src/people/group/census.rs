//! Everything that decides who is who in a library, in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use catalog::{Listed, PageRequest};
use faces::Vector;
use faces::grouping::FaceKey;
use model::{Face, FaceId, ImageId, PeopleEdit, Person, PersonId, UserId};

use super::Decisions;
use super::kept::Libraries;
use crate::{Result, Service};

/// A library.
#[derive(Default)]
pub(super) struct Census {
    /// By id. Their vectors are only in the libraries, so that a face takes little memory.
    pub(super) faces: BTreeMap<FaceId, Known>,
    pub(super) libraries: Libraries,
    pub(super) persons: BTreeMap<PersonId, Person>,
    /// The vectors of the faces that stand for persons with a name.
    pub(super) covers: BTreeMap<FaceId, Vector>,
    named_covers: BTreeSet<FaceId>,
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
    /// Which library its vector is for, if it has one.
    pub(super) library: Option<usize>,
    /// Whether it is in that library, because somebody may be recognised by it.
    pub(super) is_wanted: bool,
}

const AT_ONCE: usize = 500;
/// How often, and after which pause, faces are read again that an index does not show yet.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

impl Service {
    /// Reads a library that has so many faces.
    pub(super) async fn take_census(&self, owner: UserId, faces: i64) -> Result<Census> {
        let persons = self.all_persons(owner).await?;
        let decisions = Decisions::of(&self.all_edits(owner).await?);
        let unrecognised = self.unrecognised_of(persons.values()).await?;
        let libraries = self.kept_libraries().take(owner);
        let mut census =
            Census { persons, decisions, unrecognised, libraries, ..Census::default() };
        for look in 0.. {
            self.read_faces(owner, &mut census).await?;
            let read = i64::try_from(census.faces.len()).unwrap_or(i64::MAX);
            if read >= faces || look == LOOKS {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(census)
    }

    async fn read_faces(&self, owner: UserId, census: &mut Census) -> Result<()> {
        census.begin();
        let mut page = PageRequest::first(AT_ONCE);
        loop {
            let Listed { entries, next } = self.catalog().list_library_faces(owner, &page).await?;
            entries.iter().for_each(|face| census.add(face));
            page.cursor = next;
            if page.cursor.is_none() {
                census.libraries.keep_only(&census.faces);
                return Ok(());
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
    fn begin(&mut self) {
        self.faces.clear();
        self.covers.clear();
        let named = self.persons.values().filter(|person| person.name.is_some());
        self.named_covers = named.filter_map(|person| Some(person.cover?.face)).collect();
    }

    fn add(&mut self, face: &Face) {
        let is_wanted = !self.is_unwanted(face);
        let offered = self.libraries.offer(face, is_wanted);
        let library = offered.map(|(at, vector)| {
            if self.named_covers.contains(&face.id) {
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
            is_wanted,
        };
        self.faces.insert(face.id, known);
    }

    /// Whether nobody is to be recognised by a face.
    fn is_unwanted(&self, face: &Face) -> bool {
        let person = face.person.map(|person| self.decisions.resolve(person));
        let is_unwanted = |person: PersonId| {
            self.decisions.deleted.contains(&person) || self.unrecognised.contains(&person)
        };
        face.deleted_person.is_some() || person.is_some_and(is_unwanted)
    }
}

pub(super) fn key_of(face: FaceId) -> FaceKey {
    FaceKey(face.to_bits())
}

pub(super) fn face_of(key: FaceKey) -> FaceId {
    FaceId::from_bits(key.0)
}

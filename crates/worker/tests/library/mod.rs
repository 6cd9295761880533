//! A library of painted photos, with workers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use model::{FaceId, ImageId, Person, PersonId, WorkKind};
use service::{Caller, EditPerson, PageRequest, PersonsWanted, SeenPerson};
use worker::Workers;

use crate::painted::{Painted, photo_of};
use crate::world::{World, wait_for};

/// Photos of one user, of which it is known who is in them.
pub struct Library {
    pub w: World,
    pub ada: Caller,
    pub workers: Option<Workers>,
    pub photos: BTreeMap<ImageId, Vec<usize>>,
}

impl Library {
    pub async fn new() -> Self {
        let w = World::new().await.with_people(Painted::people("one")).await;
        let ada = w.user("ada").await;
        let workers = Some(w.workers());
        Self { w, ada, workers, photos: BTreeMap::new() }
    }

    pub async fn add(&mut self, people: &[usize], variation: u32) -> ImageId {
        let image = self.w.upload(&self.ada, photo_of(people, variation)).await.unwrap().image().id;
        self.photos.insert(image, people.to_vec());
        image
    }

    /// Waits until nothing is left to be done.
    pub async fn settle(&self) {
        wait_for("all work to be done", async || {
            for kind in [WorkKind::Process, WorkKind::Faces, WorkKind::Group, WorkKind::Purge] {
                let page = PageRequest::first(1);
                let due = self.w.catalog.list_work(kind, &page).await.unwrap().entries;
                let now = self.w.service.now().after(Duration::from_secs(120));
                if due.iter().any(|work| work.due < now) {
                    return None;
                }
            }
            Some(())
        })
        .await;
    }

    pub async fn persons(&self) -> Vec<SeenPerson> {
        let wanted = PersonsWanted::default();
        let page = PageRequest::first(100);
        self.w.service.list_persons(&self.ada, &wanted, &page).await.unwrap().entries
    }

    /// The person of whoever is in the photos under this number.
    pub async fn person_of(&self, who: usize) -> PersonId {
        let persons = self.all_persons_of(who).await;
        assert_eq!(persons.len(), 1, "{who} is {persons:?}");
        *persons.first().unwrap()
    }

    pub async fn all_persons_of(&self, who: usize) -> BTreeSet<PersonId> {
        let mut persons = BTreeSet::new();
        for (image, people) in &self.photos {
            if people.contains(&who) {
                let face = self.face_of(*image, who).await;
                persons.extend(face.person);
            }
        }
        persons
    }

    pub async fn face_of(&self, image: ImageId, who: usize) -> model::Face {
        let faces = self.w.catalog.list_image_faces(image).await.unwrap();
        let mut people = self.photos[&image].clone();
        people.sort_unstable();
        let mut faces = faces;
        faces.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
        faces[people.iter().position(|one| *one == who).unwrap()].clone()
    }

    pub async fn load(&self, person: PersonId) -> Person {
        self.w.catalog.find_person(person).await.unwrap().unwrap()
    }

    pub async fn call(&self, person: PersonId, name: &str) {
        let name = Some(Some(name.parse().unwrap()));
        let edit = EditPerson { name, ..EditPerson::default() };
        self.w.service.edit_person(&self.ada, person, None, edit).await.unwrap();
    }

    /// Which faces are one person, whatever persons are numbered.
    pub async fn parts(&self) -> BTreeSet<BTreeSet<FaceId>> {
        let mut parts: BTreeMap<PersonId, BTreeSet<FaceId>> = BTreeMap::new();
        for image in self.photos.keys() {
            for face in self.w.catalog.list_image_faces(*image).await.unwrap() {
                parts.entry(face.person.unwrap()).or_default().insert(face.id);
            }
        }
        parts.into_values().collect()
    }

    /// Exactly what is counted must be there.
    pub async fn check_counts(&self) {
        let mut counts: BTreeMap<PersonId, i64> = BTreeMap::new();
        let mut all = 0;
        for image in self.photos.keys() {
            for face in self.w.catalog.list_image_faces(*image).await.unwrap() {
                all += 1;
                face.person.into_iter().for_each(|id| *counts.entry(id).or_default() += 1);
            }
        }
        for (person, count) in counts {
            assert_eq!(self.load(person).await.face_count, count, "{person}");
        }
        assert_eq!(self.w.catalog.find_library(self.ada.user).await.unwrap().faces, all);
    }

    pub async fn stop(&mut self) {
        if let Some(workers) = self.workers.take() {
            workers.stop(Duration::from_secs(60)).await;
        }
    }
}

/// Four people in ten photos.
pub async fn four_people() -> Library {
    let mut library = Library::new().await;
    for variation in 0..3 {
        library.add(&[0, 1], variation).await;
        library.add(&[1, 2], variation).await;
        library.add(&[3], variation).await;
    }
    library.settle().await;
    library
}

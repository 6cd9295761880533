//! A store fails at the Nth call while faces are found, grouped and decided about, for every N,
//! before or after it has acted. Afterwards everybody is who they are, and all is counted once.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod failing;
mod painted;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use failing::{FailingStore, FailingTable};
use model::{ImageId, PersonId, WorkKind};
use painted::{Painted, photo_of};
use service::{Accepts, Caller, Done, Error, Failure, PageRequest, People, Settings};
use testkit::faults::{self, Faults};
use world::World;

/// Longer than any lease, and than any pause before another attempt.
const LATER: Duration = Duration::from_secs(20 * 60);

/// A library of three photos of two people, each of them processed.
struct Library {
    w: World,
    ada: Caller,
    images: Vec<ImageId>,
}

async fn library(faults: &Arc<Faults>) -> Library {
    let stores = (Arc::clone(faults), Arc::clone(faults));
    let w = World::on_stores(
        Settings::default(),
        |table| Arc::new(FailingTable { table, faults: stores.0 }),
        |engine| Arc::new(FailingStore { engine, faults: stores.1 }),
    )
    .await;
    let w = w.with_people(Painted::people("one")).await;
    let ada = w.user("ada").await;
    let mut images = Vec::new();
    for people in [vec![0], vec![1], vec![0, 2]] {
        images.push(w.upload(&ada, photo_of(&people, 1)).await.unwrap().image().id);
    }
    work(&w, WorkKind::Process).await;
    Library { w, ada, images }
}

/// One worker's attempt at what is due, failing as it may, and then long enough for another.
async fn work(w: &World, kind: WorkKind) -> bool {
    let claimed = w.service.claim_tasks(kind, "worker", 10).await.unwrap_or_default();
    let found = !claimed.is_empty();
    for task in claimed {
        if let Err(error) = w.service.do_task(&task).await {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
            let _ = w.service.fail_task(&task, &error).await;
        }
    }
    w.clock.advance(LATER);
    found
}

async fn work_all(w: &World) {
    loop {
        let mut found = false;
        for kind in [WorkKind::Process, WorkKind::Faces, WorkKind::Group, WorkKind::Purge] {
            found |= work(w, kind).await;
        }
        if !found {
            return;
        }
    }
}

/// Who is in which image; and all counts must be right.
async fn persons(library: &Library) -> BTreeMap<ImageId, BTreeSet<PersonId>> {
    let w = &library.w;
    let (mut who, mut counts, mut faces) = (BTreeMap::new(), BTreeMap::new(), 0);
    for image in &library.images {
        for face in w.catalog.list_image_faces(*image).await.unwrap() {
            faces += 1;
            let person = face.person.unwrap();
            *counts.entry(person).or_insert(0_i64) += 1;
            who.entry(*image).or_insert_with(BTreeSet::new).insert(person);
        }
    }
    let page = PageRequest::first(100);
    let listed = w.catalog.list_persons(library.ada.user, &page).await.unwrap().entries;
    let there = listed.iter().filter(|person| person.is_somebody());
    let listed: BTreeMap<_, _> = there.map(|person| (person.id, person.face_count)).collect();
    assert_eq!(listed, counts);
    assert_eq!(w.catalog.find_library(library.ada.user).await.unwrap().faces, faces);
    who
}

/// Opens the portrait of every face.
async fn look_at_everybody(library: &Library) {
    let w = &library.w;
    for image in &library.images {
        for face in w.catalog.list_image_faces(*image).await.unwrap() {
            let name = format!("face-{}.webp", face.id).parse().unwrap();
            let opened = w.service.open_pixels(*image, &name, Accepts::default(), None).await;
            assert_eq!(opened.unwrap().content_type, "image/webp");
        }
    }
}

fn one(persons: &BTreeMap<ImageId, BTreeSet<PersonId>>, image: ImageId) -> PersonId {
    *persons[&image].first().unwrap()
}

#[tokio::test]
async fn everybody_is_found_once() {
    faults::at_every_call(async |faults| {
        let library = library(&faults).await;
        faults.arm();
        work(&library.w, WorkKind::Faces).await;
        work(&library.w, WorkKind::Group).await;
        faults.disarm();
        work_all(&library.w).await;
        let persons = persons(&library).await;
        let all: BTreeSet<PersonId> = persons.values().flatten().copied().collect();
        assert_eq!(all.len(), 3);
        assert!(persons[&library.images[2]].contains(&one(&persons, library.images[0])));
        // Those of one image may be lost between its rows and them; they are made when somebody
        // looks.
        look_at_everybody(&library).await;
        let portraits = library.w.objects().await;
        assert_eq!(portraits.iter().filter(|path| path.contains("/faces/")).count(), 4);
    })
    .await;
}

#[tokio::test]
async fn a_merge_and_its_undoing_are_whole_in_the_end() {
    faults::at_every_call(async |faults| {
        let library = library(&faults).await;
        work_all(&library.w).await;
        let before = persons(&library).await;
        let (zero, other) = (one(&before, library.images[0]), one(&before, library.images[1]));
        let service = &library.w.service;
        faults.arm();
        let merged = service.merge_persons(&library.ada, zero, &[other]).await;
        if let Err(error) = merged {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
        }
        faults.disarm();
        work_all(&library.w).await;
        let page = PageRequest::first(10);
        let edits = service.list_people_edits(&library.ada, &page).await.unwrap().entries;
        let is_merged = one(&persons(&library).await, library.images[1]) == zero;
        assert_eq!(is_merged, edits.len() == 1, "what is written down is done, and nothing else");
        let Some(edit) = edits.first() else { return };
        faults.arm();
        if let Err(error) = service.undo_people_edit(&library.ada, edit.id).await {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
        }
        faults.disarm();
        service.undo_people_edit(&library.ada, edit.id).await.unwrap();
        work_all(&library.w).await;
        assert_eq!(persons(&library).await, before);
    })
    .await;
}

#[tokio::test]
async fn a_deleted_person_is_gone_in_the_end() {
    faults::at_every_call(async |faults| {
        let library = library(&faults).await;
        work_all(&library.w).await;
        let before = persons(&library).await;
        let other = one(&before, library.images[1]);
        faults.arm();
        let deleted = library.w.service.delete_person(&library.ada, other, None).await;
        faults.disarm();
        if let Err(error) = deleted {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
            let again = library.w.service.delete_person(&library.ada, other, None).await;
            assert!(matches!(again, Ok(()) | Err(Error::NotFound { .. })), "{again:?}");
        }
        work_all(&library.w).await;
        assert_eq!(library.w.catalog.find_person(other).await.unwrap(), None);
        let faces = library.w.catalog.list_image_faces(library.images[1]).await.unwrap();
        assert!(faces.iter().all(|face| face.vector.is_none() && face.person.is_none()));
        let portrait = format!("images/{}/faces/", library.images[1]);
        assert!(!library.w.objects().await.iter().any(|path| path.starts_with(&portrait)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_wait_for_models_that_went_away_after_the_start() {
    let installed = testkit::servers::installed("models");
    let folder = tempfile::tempdir().unwrap();
    let bring = || {
        for file in faces::MODEL_FILES {
            std::fs::copy(installed.join(file), folder.path().join(file)).unwrap();
        }
    };
    bring();
    let models = Arc::new(faces::Models::open(folder.path()).unwrap());
    let w = World::new().await.with_people(People::On(models.clone())).await;
    for file in faces::MODEL_FILES {
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    let ada = w.user("ada").await;
    let image = w.upload(&ada, photo_of(&[0], 1)).await.unwrap().image().id;
    work(&w, WorkKind::Process).await;

    let claim = async || w.service.claim_tasks(WorkKind::Faces, "worker", 10).await.unwrap();
    let task = claim().await.remove(0);
    let error = w.service.do_task(&task).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
    assert!(error.to_string().contains("scripts/setup models"), "{error}");
    let ended = w.service.fail_task(&task, &error).await.unwrap();
    assert!(matches!(ended, Failure::Retried(_)), "{ended:?}");
    let waiting = w.catalog.list_work(WorkKind::Faces, &PageRequest::first(10)).await.unwrap();
    assert_eq!(waiting.entries[0].error.as_deref(), Some(error.to_string().as_str()));

    bring();
    w.clock.advance(LATER);
    let task = claim().await.remove(0);
    assert_eq!(w.service.do_task(&task).await.unwrap(), Done::Finished);
    assert!(models.are_loaded());
    let looked = w.catalog.find_looked_at(image).await.unwrap().unwrap();
    assert_eq!(looked.model, models.model());
}

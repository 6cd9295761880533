//! From uploads to persons, by workers: who is who, what was decided, and what is forgotten.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod library;
mod painted;
mod world;

use std::collections::BTreeSet;
use std::time::Duration;

use library::{Library, four_people};
use model::{FaceId, ImageId, PersonId, Subject, Visibility, Work, WorkKind};
use painted::Painted;
use rand::seq::SliceRandom as _;
use service::{EditImage, EditPerson, FaceName, PageRequest};
use worker::{Options, Workers};
use world::wait_for;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_become_persons_with_counts_and_covers() {
    let mut library = four_people().await;
    let persons = library.persons().await;
    assert_eq!(persons.len(), 4);
    let mut counts: Vec<usize> = persons.iter().map(|person| person.count).collect();
    counts.sort_unstable();
    assert_eq!(counts, [3, 3, 3, 6]);
    let anna = library.person_of(1).await;
    let seen = library.w.service.load_person(&library.ada, anna).await.unwrap();
    assert_eq!(seen.count, 6);
    let cover = seen.person.cover.unwrap();
    let page = PageRequest::first(100);
    let images = library.w.service.list_person_images(&library.ada, anna, &page).await.unwrap();
    assert_eq!(images.entries.len(), 6);
    assert!(images.entries.iter().any(|image| image.id == cover.image));
    let objects = library.w.objects().await;
    let portrait = format!("images/{}/faces/{}.webp", cover.image, cover.face);
    assert!(objects.contains(&portrait), "{objects:?}");
    library.check_counts().await;
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_who_depends_neither_on_the_order_nor_on_the_number_of_workers() {
    let mut library = four_people().await;
    for variation in 3..8 {
        library.add(&[0, 2, 3], variation).await;
        library.add(&[5], variation).await;
    }
    library.settle().await;
    let expected = library.parts().await;
    assert_eq!(expected.len(), 5);
    library.stop().await;
    for workers in [1, 4, 4] {
        forget(&library).await;
        let mut images: Vec<ImageId> = library.photos.keys().copied().collect();
        images.shuffle(&mut rand::rng());
        let options = Options {
            poll_interval: Duration::from_millis(20),
            sweep_interval: Duration::ZERO,
            gone_words_interval: Duration::ZERO,
            rendering_max: workers,
            others_max: workers,
            ..Options::default()
        };
        let running: Vec<Workers> = (0..workers)
            .map(|_| {
                Workers::start(
                    &library.w.service,
                    Options { name: rand::random::<u32>().to_string(), ..options.clone() },
                )
            })
            .collect();
        for image in images {
            let subject = Subject::Image(image);
            let now = library.w.service.now();
            let work = Work::new(WorkKind::Faces, subject, library.ada.user, now);
            assert!(library.w.catalog.put_work(&work).await.unwrap());
        }
        library.settle().await;
        assert_eq!(library.parts().await, expected, "{workers} workers");
        library.check_counts().await;
        for workers in running {
            workers.stop(Duration::from_secs(60)).await;
        }
    }
}

/// As if no image had ever been looked at.
async fn forget(library: &Library) {
    let page = PageRequest::first(1000);
    let faces = library.w.catalog.list_library_faces(library.ada.user, &page).await.unwrap();
    for face in faces.entries {
        library.w.catalog.forget_face(&face, library.w.service.now()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_merge_holds_and_can_be_undone_after_further_photos() {
    let mut library = four_people().await;
    let (zero, three) = (library.person_of(0).await, library.person_of(3).await);
    let merged = library.w.service.merge_persons(&library.ada, zero, &[three]).await.unwrap();
    assert_eq!(merged.person.unwrap().count, 6);
    assert_eq!(library.persons().await.len(), 3);
    assert!(library.w.service.load_person(&library.ada, three).await.is_err());
    // More than there were before.
    for variation in 10..16 {
        library.add(&[3], variation).await;
    }
    library.add(&[0], 10).await;
    library.settle().await;
    assert_eq!((library.person_of(3).await, library.person_of(0).await), (zero, zero));
    library.check_counts().await;

    let edit = merged.edits[0].id;
    library.w.service.undo_people_edit(&library.ada, edit).await.unwrap();
    library.settle().await;
    assert_eq!(library.person_of(0).await, zero);
    assert_eq!(library.person_of(3).await, three, "with the photos that came since");
    assert_eq!(library.load(three).await.face_count, 9);
    library.check_counts().await;
    // Once more does no harm.
    library.w.service.undo_people_edit(&library.ada, edit).await.unwrap();
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_are_in_one_photo_are_not_merged() {
    let mut library = four_people().await;
    let (zero, one) = (library.person_of(0).await, library.person_of(1).await);
    let refused = library.w.service.merge_persons(&library.ada, zero, &[one]).await;
    assert!(matches!(refused, Err(service::Error::SamePhoto)));
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn not_this_person_is_remembered_until_it_is_undone() {
    let mut library = four_people().await;
    let zero = library.person_of(0).await;
    let image = *library.photos.iter().find(|(_, people)| people.contains(&0)).unwrap().0;
    let face = library.face_of(image, 0).await;
    let rejected = library.w.service.reject_face(&library.ada, image, face.id).await.unwrap();
    library.settle().await;
    for variation in 20..24 {
        library.add(&[0], variation).await;
        library.settle().await;
        let face = library.face_of(image, 0).await;
        assert_ne!(face.person, Some(zero));
    }
    library.w.service.undo_people_edit(&library.ada, rejected.edits[0].id).await.unwrap();
    library.settle().await;
    assert_eq!(library.person_of(0).await, zero);
    library.check_counts().await;
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faces_are_split_off_and_given_by_hand() {
    let mut library = four_people().await;
    let three = library.person_of(3).await;
    let images: Vec<ImageId> =
        library.photos.iter().filter(|(_, people)| **people == [3]).map(|(id, _)| *id).collect();
    let face = library.face_of(images[0], 3).await;
    let split = library.w.service.split_person(&library.ada, three, &[face.id]).await.unwrap();
    let new = split.person.unwrap().person.id;
    library.settle().await;
    assert_eq!(library.face_of(images[0], 3).await.person, Some(new));
    assert_eq!(library.face_of(images[1], 3).await.person, Some(three));
    library.w.service.undo_people_edit(&library.ada, split.edits[0].id).await.unwrap();
    library.settle().await;
    assert_eq!(library.person_of(3).await, three);
    let is_there = library.w.catalog.find_person(new).await.unwrap().is_some();
    assert!(!is_there, "nobody is left without a face, unless they have a name");

    let name = FaceName::New("Dora".parse().unwrap());
    let given = library.w.service.assign_face(
        &library.ada,
        images[2],
        face_id(&library, images[2]).await,
        name,
    );
    let dora = given.await.unwrap().person.unwrap().person;
    assert_eq!(dora.name.as_ref().unwrap().as_str(), "Dora");
    library.settle().await;
    assert_eq!(library.face_of(images[2], 3).await.person, Some(dora.id));
    assert!(library.face_of(images[2], 3).await.confirmed);
    assert_eq!(library.face_of(images[1], 3).await.person, Some(three));
    // Somebody who is in the photo already is not in it twice.
    let both = *library.photos.iter().find(|(_, people)| **people == [0, 1]).unwrap().0;
    let (zero, one) = (library.person_of(0).await, library.face_of(both, 1).await);
    let to = FaceName::Person(zero);
    let refused = library.w.service.assign_face(&library.ada, both, one.id, to).await;
    assert!(matches!(refused, Err(service::Error::SamePhoto)));
    library.check_counts().await;
    library.stop().await;
}

async fn face_id(library: &Library, image: ImageId) -> FaceId {
    library.face_of(image, 3).await.id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_person_stays_deleted_and_comes_back_when_that_is_undone() {
    let mut library = four_people().await;
    let three = library.person_of(3).await;
    library.call(three, "Grace").await;
    library.w.service.delete_person(&library.ada, three, None).await.unwrap();
    library.settle().await;
    assert_eq!(library.w.catalog.find_person(three).await.unwrap(), None);
    let images: Vec<ImageId> =
        library.photos.iter().filter(|(_, people)| **people == [3]).map(|(id, _)| *id).collect();
    for image in &images {
        let face = library.face_of(*image, 3).await;
        assert_eq!((face.person, face.vector), (None, None));
        let (seen, _) = library.w.service.list_image_faces(&library.ada, *image).await.unwrap();
        assert!(seen.is_empty());
        let prefix = format!("images/{image}/faces/");
        assert!(!library.w.objects().await.iter().any(|path| path.starts_with(&prefix)));
    }
    // Looking again changes nothing.
    library.w.service.rebuild_faces(&library.ada, true).await.unwrap();
    library.settle().await;
    assert_eq!(library.face_of(images[0], 3).await.vector, None);

    let page = PageRequest::first(1);
    let edits = library.w.service.list_people_edits(&library.ada, &page).await.unwrap();
    library.w.service.undo_people_edit(&library.ada, edits.entries[0].id).await.unwrap();
    library.settle().await;
    assert_eq!(library.person_of(3).await, three);
    assert_eq!(library.load(three).await.name.unwrap().as_str(), "Grace");
    assert!(library.face_of(images[0], 3).await.vector.is_some());
    library.check_counts().await;
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_and_decisions_survive_other_models() {
    let mut library = four_people().await;
    let people =
        [library.person_of(0).await, library.person_of(1).await, library.person_of(3).await];
    library.call(people[0], "Anna").await;
    library.call(people[1], "Berta").await;
    let merged =
        library.w.service.merge_persons(&library.ada, people[0], &[people[2]]).await.unwrap();
    let image = *library.photos.iter().find(|(_, people)| **people == [1, 2]).unwrap().0;
    let rejected = library.face_of(image, 1).await;
    library.w.service.reject_face(&library.ada, image, rejected.id).await.unwrap();
    library.settle().await;
    library.stop().await;

    library.w = library.w.with_people(Painted::people("another model")).await;
    library.workers = Some(library.w.workers());
    let queued = library.w.service.rebuild_faces(&library.ada, false).await.unwrap();
    assert_eq!(queued, library.photos.len());
    library.settle().await;
    assert_eq!(library.person_of(0).await, people[0]);
    assert_eq!(library.person_of(3).await, people[0]);
    assert_eq!(library.load(people[0]).await.name.unwrap().as_str(), "Anna");
    assert_eq!(library.load(people[1]).await.name.unwrap().as_str(), "Berta");
    let after = library.face_of(image, 1).await;
    assert_eq!((after.id, after.model.as_str()), (rejected.id, "another model"));
    assert_ne!(after.person, Some(people[1]), "not this person, by any model");
    assert_eq!(library.load(people[1]).await.face_count, 5);
    library.w.service.undo_people_edit(&library.ada, merged.edits[0].id).await.unwrap();
    library.settle().await;
    assert_eq!(library.person_of(3).await, people[2]);
    library.check_counts().await;
    assert_eq!(library.w.service.rebuild_faces(&library.ada, false).await.unwrap(), 0);
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn purged_images_take_their_faces_and_the_unnamed_along() {
    let mut library = four_people().await;
    let (two, three) = (library.person_of(2).await, library.person_of(3).await);
    library.call(three, "Grace").await;
    let gone: Vec<ImageId> = library
        .photos
        .iter()
        .filter(|(_, people)| people.contains(&2) || people.contains(&3))
        .map(|(id, _)| *id)
        .collect();
    for image in &gone {
        library.w.service.trash_image(&library.ada, *image, None).await.unwrap();
        library.photos.remove(image);
    }
    library.w.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
    wait_for("the purge", async || {
        library.w.catalog.find_images(&gone).await.unwrap().is_empty().then_some(())
    })
    .await;
    library.settle().await;
    assert_eq!(library.w.catalog.find_person(two).await.unwrap(), None);
    let grace = library.load(three).await;
    assert_eq!((grace.face_count, grace.cover), (0, None));
    library.check_counts().await;
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn named_persons_are_asked_about_and_never_merged() {
    let mut library = Library::new().await;
    for variation in 0..3 {
        library.add(&[0], variation).await;
        library.add(&[5], variation).await;
    }
    library.settle().await;
    let (anna, dora) = (library.person_of(0).await, library.person_of(5).await);
    assert_ne!(anna, dora);
    let suggested = library.w.service.list_same_persons(&library.ada).await.unwrap();
    assert_eq!(suggested.len(), 1, "{suggested:?}");
    let pair: BTreeSet<PersonId> = suggested[0].persons.iter().map(|seen| seen.person.id).collect();
    assert_eq!(pair, BTreeSet::from([anna, dora]));
    library.call(anna, "Anna").await;
    library.call(dora, "Dora").await;
    library.settle().await;
    assert_eq!(library.w.service.list_same_persons(&library.ada).await.unwrap().len(), 1);
    let answer = library.w.service.answer_same_persons(&library.ada, anna, dora, false);
    let edit = answer.await.unwrap().edits[0].id;
    assert!(library.w.service.list_same_persons(&library.ada).await.unwrap().is_empty());
    library.settle().await;
    assert!(library.w.service.list_same_persons(&library.ada).await.unwrap().is_empty());
    library.w.service.undo_people_edit(&library.ada, edit).await.unwrap();
    library.settle().await;
    let answer = library.w.service.answer_same_persons(&library.ada, anna, dora, true);
    answer.await.unwrap();
    library.settle().await;
    assert_eq!(library.person_of(5).await, anna);
    library.check_counts().await;
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_opts_out_is_forgotten_and_stays_so() {
    let mut library = four_people().await;
    let bob = library.w.user("bob").await;
    let three = library.person_of(3).await;
    let edit = EditPerson { user: Some(Some(bob.user)), ..EditPerson::default() };
    library.w.service.edit_person(&library.ada, three, None, edit).await.unwrap();
    library.settle().await;
    let off = service::UserEdit { unrecognised: Some(true), ..service::UserEdit::default() };
    library.w.service.edit_user(&bob, bob.user, None, off.clone()).await.unwrap();
    library.settle().await;
    let image = *library.photos.iter().find(|(_, people)| **people == [3]).unwrap().0;
    let face = library.face_of(image, 3).await;
    assert_eq!((face.person, &face.vector), (Some(three), &None));
    library.w.service.rebuild_faces(&library.ada, true).await.unwrap();
    library.settle().await;
    assert_eq!(library.face_of(image, 3).await.vector, None, "also when looked at again");
    // Somebody who says so by hand does not bring it back either.
    let new = library.add(&[3], 30).await;
    library.settle().await;
    let face = library.face_of(new, 3).await;
    assert_ne!(face.person, Some(three), "there is nothing to know them by");
    let to = FaceName::Person(three);
    library.w.service.assign_face(&library.ada, new, face.id, to).await.unwrap();
    library.settle().await;
    assert_eq!(library.face_of(new, 3).await.vector, None);

    library.w.service.edit_user(&library.ada, library.ada.user, None, off).await.unwrap();
    library.settle().await;
    let page = PageRequest::first(10);
    let left = library.w.catalog.list_library_faces(library.ada.user, &page).await.unwrap();
    assert!(left.entries.is_empty());
    assert!(library.persons().await.is_empty());
    let edits = library.w.service.list_people_edits(&library.ada, &page).await.unwrap();
    assert!(edits.entries.is_empty());
    assert!(!library.w.objects().await.iter().any(|path| path.contains("/faces/")));
    let new = library.add(&[0, 1], 40).await;
    library.settle().await;
    assert!(library.w.catalog.list_image_faces(new).await.unwrap().is_empty());
    let on = service::UserEdit { unrecognised: Some(false), ..service::UserEdit::default() };
    library.w.service.edit_user(&library.ada, library.ada.user, None, on).await.unwrap();
    wait_for("the images to be looked at again", async || {
        let faces = library.w.catalog.list_image_faces(new).await.unwrap();
        (faces.len() == 2).then_some(())
    })
    .await;
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_see_persons_only_by_photos_that_they_may_see() {
    let mut library = four_people().await;
    let eve = library.w.user("eve").await;
    let (zero, one) = (library.person_of(0).await, library.person_of(1).await);
    let service = library.w.service.clone();
    library.call(one, "Anna").await;
    library.settle().await;
    assert!(service.load_person(&eve, one).await.is_err());
    let (image, _) = library.photos.iter().find(|(_, people)| **people == [0, 1]).unwrap();
    let share = EditImage { visibility: Some(Visibility::Shared), ..EditImage::default() };
    service.edit_image(&library.ada, *image, None, share).await.unwrap();
    let seen = service.load_person(&eve, one).await.unwrap();
    assert_eq!((seen.count, seen.is_owner), (1, false));
    assert_eq!(seen.person.cover.unwrap().image, *image);
    let page = PageRequest::first(10);
    let images = service.list_person_images(&eve, one, &page).await.unwrap().entries;
    assert_eq!(images.iter().map(|image| image.id).collect::<Vec<_>>(), [*image]);
    assert!(service.load_person(&eve, zero).await.is_err(), "who has no name is nobody's affair");
    let (faces, looked) = service.list_image_faces(&eve, *image).await.unwrap();
    assert!(looked);
    let names: Vec<_> =
        faces.iter().map(|seen| seen.person.as_ref().unwrap().name.clone().unwrap()).collect();
    assert_eq!(names, ["Anna".parse().unwrap()]);
    let hide = EditPerson { hidden: Some(true), ..EditPerson::default() };
    service.edit_person(&library.ada, one, None, hide).await.unwrap();
    assert!(service.load_person(&eve, one).await.is_err());
    assert!(service.list_image_faces(&eve, *image).await.unwrap().0.is_empty());
    let late = EditPerson { hidden: Some(false), ..EditPerson::default() };
    assert!(service.edit_person(&eve, one, None, late).await.is_err());
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_profile_picture_says_who_one_is() {
    let mut library = four_people().await;
    let (image, _) = library.photos.iter().find(|(_, people)| **people == [3]).unwrap();
    let picture = service::UserEdit { picture: Some(Some(*image)), ..service::UserEdit::default() };
    let service = library.w.service.clone();
    service.edit_user(&library.ada, library.ada.user, None, picture).await.unwrap();
    library.settle().await;
    let three = library.person_of(3).await;
    let me = service.find_user(&library.ada, library.ada.user).await.unwrap();
    assert_eq!(me.person, Some(three));
    let persons = service.list_my_persons(&library.ada).await.unwrap();
    assert_eq!(persons.iter().map(|seen| seen.person.id).collect::<Vec<_>>(), [three]);
    let page = PageRequest::first(2);
    let first = service.list_photos_with_me(&library.ada, &page).await.unwrap();
    assert_eq!(first.entries.len(), 2);
    let page = PageRequest::after(2, first.next);
    assert_eq!(service.list_photos_with_me(&library.ada, &page).await.unwrap().entries.len(), 1);
    // In the library of somebody else, that one says so, and only what may be seen is shown.
    let bob = library.w.user("bob").await;
    let zero = library.person_of(0).await;
    let edit = EditPerson { user: Some(Some(bob.user)), ..EditPerson::default() };
    service.edit_person(&library.ada, zero, None, edit).await.unwrap();
    assert!(service.list_my_persons(&bob).await.unwrap().is_empty());
    let page = PageRequest::first(10);
    assert!(service.list_photos_with_me(&bob, &page).await.unwrap().entries.is_empty());
    let (shared, _) = library.photos.iter().find(|(_, people)| people.contains(&0)).unwrap();
    let share = EditImage { visibility: Some(Visibility::Shared), ..EditImage::default() };
    service.edit_image(&library.ada, *shared, None, share).await.unwrap();
    assert_eq!(service.list_my_persons(&bob).await.unwrap()[0].count, 1);
    let photos = service.list_photos_with_me(&bob, &page).await.unwrap().entries;
    assert_eq!(photos.iter().map(|image| image.id).collect::<Vec<_>>(), [*shared]);
    library.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_erased_leaves_no_face_behind() {
    let mut library = four_people().await;
    let bob = library.w.user("bob").await;
    let three = library.person_of(3).await;
    library.call(three, "Grace").await;
    let edit = EditPerson { user: Some(Some(bob.user)), ..EditPerson::default() };
    library.w.service.edit_person(&library.ada, three, None, edit).await.unwrap();
    library.settle().await;
    library.w.service.erase_user(&bob, bob.user).await.unwrap();
    wait_for("bob's end", async || {
        library.w.catalog.find_user(bob.user).await.unwrap().is_none().then_some(())
    })
    .await;
    assert_eq!(library.load(three).await.user, None);
    let _root = library.w.user("root").await;
    library.w.service.erase_user(&library.ada, library.ada.user).await.unwrap();
    wait_for("ada's end", async || {
        library.w.catalog.find_user(library.ada.user).await.unwrap().is_none().then_some(())
    })
    .await;
    library.stop().await;
    let rows = library.w.table.scan(&table::Scan::all(1000)).await.unwrap().items;
    let left: Vec<_> = rows
        .iter()
        .map(|row| &row.key)
        .filter(|key| !key.pk.starts_with("CHANGE#"))
        .filter(|key| {
            key.pk.starts_with("PERSON#")
                || key.pk.starts_with("IMAGE#")
                || key.pk == format!("USER#{}", library.ada.user)
                || key.pk == format!("USER#{}", bob.user)
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(library.w.objects().await.is_empty());
}

use std::collections::BTreeSet;

use catalog::{
    FaceChange, FoundFace, Held, Likeness, NewFaces, PageRequest, Recorded, RecordedFaces,
};
use model::{Face, FaceVector, PeopleEdit, PeopleEditKind, Subject, Work, WorkKind};

use super::{World, eventually, expect_list, found_again};

fn found(model: &str, faces: Vec<FoundFace>) -> NewFaces {
    NewFaces { model: model.to_owned(), faces, unrecognised: BTreeSet::new() }
}

async fn record(w: &World, image: model::ImageId, new: &NewFaces) -> RecordedFaces {
    let held = w.claim_faces(image).await;
    match w.catalog.record_faces(&held, image, new, w.now()).await.unwrap() {
        Recorded::Recorded(recorded) => recorded,
        other => panic!("{other:?}"),
    }
}

async fn claim_grouping(w: &World, owner: model::UserId) -> Work {
    let subject = Subject::User(owner);
    let claim = w.claim("grouper");
    let claimed = w.catalog.claim_work_of(WorkKind::Group, subject, &claim, w.now()).await.unwrap();
    claimed.unwrap()
}

pub async fn a_face_that_is_found_again_is_the_same_face(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let first = w.show(image, person).await;
    let other = w.find_one_more_face(image).await;

    let mut again = found_again(&first);
    again.bounds.height *= 1.1;
    let new = w.found_face();
    let faces = vec![new.clone(), found_again(&other), again.clone()];
    let recorded = record(w, image, &found("two", faces)).await;
    assert_eq!(recorded.gone, []);
    let ids: Vec<_> = recorded.faces.iter().map(|face| face.id).collect();
    assert_eq!(ids, [new.id, other.id, first.id]);
    let kept = w.catalog.find_face(image, first.id).await.unwrap().unwrap();
    assert_eq!((kept.person, kept.model.as_str()), (Some(person), "two"));
    assert_eq!((kept.bounds, kept.vector), (again.bounds, Some(FaceVector(vec![4, 5, 6]))));
    assert_eq!(kept.created_at, first.created_at);
    assert_eq!(w.catalog.find_looked_at(image).await.unwrap().unwrap().model, "two");
    assert_eq!(w.catalog.find_person(person).await.unwrap().unwrap().face_count, 1);
    assert_eq!(w.catalog.find_library(ada).await.unwrap().faces, 3);
}

pub async fn what_is_found_no_more_goes_unless_somebody_said_whose_it_is(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let guessed = w.show(image, person).await;
    let said = w.show(image, person).await;
    let said = w.catalog.find_face(image, said.id).await.unwrap().unwrap();
    let confirm = FaceChange::of(&said, |face| face.confirmed = true).unwrap();
    assert!(w.catalog.change_faces(None, ada, vec![confirm], w.now()).await.unwrap());

    let recorded = record(w, image, &found("two", Vec::new())).await;
    assert_eq!(recorded.gone, [guessed.id]);
    let left = w.catalog.list_image_faces(image).await.unwrap();
    assert_eq!(left.iter().map(|face| face.id).collect::<Vec<_>>(), [said.id]);
    assert_eq!((left[0].person, &left[0].vector), (Some(person), &None));
    assert_eq!(w.catalog.find_person(person).await.unwrap().unwrap().face_count, 1);
    assert_eq!(w.catalog.find_library(ada).await.unwrap().faces, 1);

    // Of those by whom nobody is to be recognised, no vector is kept.
    let new = NewFaces { unrecognised: [person].into(), ..found("two", vec![found_again(&said)]) };
    let recorded = record(w, image, &new).await;
    assert_eq!((recorded.faces[0].id, &recorded.faces[0].vector), (said.id, &None));
}

pub async fn nothing_is_recorded_by_a_worker_who_lost_the_work(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let held = w.claim_faces(image).await;
    w.advance(std::time::Duration::from_secs(61));
    let subject = Subject::Image(image);
    let claim = w.claim("another");
    let taken = w.catalog.claim_work_of(WorkKind::Faces, subject, &claim, w.now()).await.unwrap();
    let new = found("one", vec![w.found_face()]);
    let lost = w.catalog.record_faces(&held, image, &new, w.now()).await.unwrap();
    assert_eq!(lost, Recorded::Lost);
    assert_eq!(w.catalog.list_image_faces(image).await.unwrap(), []);
    let done = w.catalog.record_faces(&taken.unwrap(), image, &new, w.now()).await.unwrap();
    assert!(matches!(done, Recorded::Recorded(_)));
}

pub async fn many_faces_change_hands_in_several_steps(w: &World) {
    let ada = w.user("ada").await;
    let mut faces = Vec::new();
    for _ in 0..5 {
        let image = w.upload(ada).await.id;
        let new = found("one", (0..30).map(|_| w.found_face()).collect());
        faces.extend(record(w, image, &new).await.faces);
    }
    let mut persons = Vec::new();
    for _ in 0..40 {
        persons.push(w.catalog.create_person(ada, w.now()).await.unwrap().id);
    }
    let give = |(n, face): (usize, &Face)| {
        FaceChange::of(face, |face| face.person = Some(persons[n % persons.len()])).unwrap()
    };
    let changes: Vec<FaceChange> = faces.iter().enumerate().map(give).collect();
    assert!(w.catalog.change_faces(None, ada, changes, w.now()).await.unwrap());
    let found = w.catalog.find_persons(&persons).await.unwrap();
    assert_eq!(found.len(), 40);
    assert_eq!(found.iter().map(|person| person.face_count).sum::<i64>(), 150);
    assert!(found.iter().all(|person| (3..=4).contains(&person.face_count)));
    assert!(found.iter().all(|person| person.version == 1), "counting is no change");
    let mut all = faces.clone();
    all.sort_by_key(|face| (face.image, face.id));
    let ids: Vec<_> = all.iter().map(|face| face.id).collect();
    expect_list(&ids, 40, async |page| {
        let listed = w.catalog.list_library_faces(ada, &page).await;
        listed.map(|listed| super::map(listed, |face| face.id))
    })
    .await;
}

pub async fn a_face_that_changed_meanwhile_is_left_alone(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let one = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let other = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let face = w.find_one_more_face(image).await;
    w.give(&face, Some(one)).await;
    let late = FaceChange::of(&face, |face| face.person = Some(other)).unwrap();
    assert!(!w.catalog.change_faces(None, ada, vec![late], w.now()).await.unwrap());
    let now = w.catalog.find_face(image, face.id).await.unwrap().unwrap();
    assert_eq!(now.person, Some(one));
    assert_eq!(w.catalog.find_person(other).await.unwrap().unwrap().face_count, 0);
    assert_eq!(FaceChange::of(&now, |face| face.person = Some(one)), None);
    // Nor is anything given to somebody who is no more.
    assert!(w.catalog.delete_person(other, ada, w.now()).await.unwrap());
    let gone = FaceChange::of(&now, |face| face.person = Some(other)).unwrap();
    assert!(!w.catalog.change_faces(None, ada, vec![gone], w.now()).await.unwrap());
}

pub async fn a_library_is_grouped_again_until_nothing_changed_meanwhile(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    w.find_one_more_face(image).await;
    let held = claim_grouping(w, ada).await;
    let seen = w.catalog.find_library(ada).await.unwrap();
    assert_eq!((seen.changes, seen.faces), (1, 1));
    w.find_one_more_face(image).await;
    assert_eq!(w.catalog.finish_grouping(&held, seen, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.catalog.finish_grouping(&held, seen, w.now()).await.unwrap(), Held::Lost);

    let again = claim_grouping(w, ada).await;
    assert_eq!(again.attempts, 1, "it did not fail");
    let seen = w.catalog.find_library(ada).await.unwrap();
    assert_eq!((seen.changes, seen.faces), (2, 2));
    assert_eq!(w.catalog.finish_grouping(&again, seen, w.now()).await.unwrap(), Held::Still);
    let left = w.catalog.find_work(WorkKind::Group, Subject::User(ada)).await.unwrap();
    assert_eq!(left, None);
    w.catalog.put_grouping(ada, w.now()).await.unwrap();
    let left = w.catalog.find_work(WorkKind::Group, Subject::User(ada)).await.unwrap();
    assert!(left.is_some());
}

pub async fn decisions_are_listed_and_undone(w: &World) {
    let ada = w.user("ada").await;
    let person = w.catalog.create_person(ada, w.now()).await.unwrap();
    let mut edits = Vec::new();
    for _ in 0..5 {
        let edit = w.edit(ada, PeopleEditKind::Reject, person.id);
        let _ = w.catalog.decide(None, &edit, &[], w.now()).await.unwrap();
        edits.insert(0, edit);
    }
    expect_list(&edits, 2, async |page| w.catalog.list_people_edits(ada, &page).await).await;
    let before = edits[2].clone();
    let after = PeopleEdit { undone_at: Some(w.now()), version: 2, ..before.clone() };
    let undone = w.catalog.decide(Some(&before), &after, &[], w.now()).await.unwrap();
    assert_eq!(undone, catalog::Decided::Decided);
    let twice = w.catalog.decide(Some(&before), &after, &[], w.now()).await.unwrap();
    assert_eq!(twice, catalog::Decided::Changed);
    assert_eq!(w.catalog.find_people_edit(ada, before.id).await.unwrap(), Some(after));
}

pub async fn faces_go_with_their_image(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    w.show(image.id, person).await;
    w.find_one_more_face(image.id).await;
    let now = w.now();
    let _ = w.catalog.trash_image(image.id, ada, None, now, now).await.unwrap();
    let held = w.claim_for(WorkKind::Purge, image.id).await;
    let _ = w.catalog.begin_purge(&held, image.id, w.now()).await.unwrap();
    assert_eq!(w.catalog.finish_purge(&held, image.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.rows_of(image.id).await, 0);
    assert_eq!(w.catalog.find_person(person).await.unwrap().unwrap().face_count, 0);
    assert_eq!(w.catalog.find_library(ada).await.unwrap().faces, 0);
    let page = PageRequest::first(10);
    eventually(async || {
        let left = w.catalog.list_library_faces(ada, &page).await.unwrap();
        left.entries.is_empty().then_some(())
    })
    .await;
}

pub async fn likenesses_are_kept_by_whoever_holds_the_work(w: &World) {
    let ada = w.user("ada").await;
    let one = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let other = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    w.catalog.put_grouping(ada, w.now()).await.unwrap();
    let held = claim_grouping(w, ada).await;
    let pairs = vec![Likeness { one, other, confidence: 0.75 }];
    assert_eq!(w.catalog.put_likenesses(&held, pairs.clone()).await.unwrap(), Held::Still);
    assert_eq!(w.catalog.find_likenesses(ada).await.unwrap(), pairs);
    let _ = w.catalog.group_again(&held, w.now()).await.unwrap();
    assert_eq!(w.catalog.put_likenesses(&held, Vec::new()).await.unwrap(), Held::Lost);
    assert_eq!(w.catalog.find_likenesses(ada).await.unwrap(), pairs);
}

pub async fn everything_known_of_people_can_be_removed(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let face = w.show(image, person).await;
    w.call(ada, person, Some("Grace")).await;
    w.catalog.forget_face(&face, w.now()).await.unwrap();
    assert_eq!(w.catalog.list_image_faces(image).await.unwrap(), []);
    assert_eq!(w.catalog.find_looked_at(image).await.unwrap(), None);
    assert!(w.catalog.delete_person(person, ada, w.now()).await.unwrap());
    w.catalog.remove_people_rows(ada).await.unwrap();
    let edits = w.catalog.list_people_edits(ada, &PageRequest::first(10)).await.unwrap();
    assert_eq!(edits.entries, []);
}

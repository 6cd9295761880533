use std::collections::BTreeSet;

use catalog::{Decided, PageRequest};
use futures::future::join_all;
use model::{PeopleEditKind, Person, PersonId};

use super::{World, eventually, expect_list, map};

pub async fn person_ids_count_up_and_are_never_the_same(w: &World) {
    let first = w.catalog.next_person_id().await.unwrap();
    assert_eq!(first.to_string(), "person1");
    let ids = join_all((0..16).map(|_| w.catalog.next_person_id())).await;
    let ids: BTreeSet<PersonId> = ids.into_iter().map(Result::unwrap).collect();
    assert_eq!(ids.len(), 16);
    assert!(ids.iter().all(|id| id.number() > 1));
}

pub async fn persons_are_listed_and_renamed(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let mut persons = Vec::new();
    for _ in 0..11 {
        persons.push(w.catalog.create_person(ada, w.now()).await.unwrap().id);
    }
    w.catalog.create_person(bob, w.now()).await.unwrap();
    expect_list(&persons, 4, async |page| {
        w.catalog.list_persons(ada, &page).await.map(|persons| map(persons, |person| person.id))
    })
    .await;
    let before = w.catalog.find_person(persons[0]).await.unwrap().unwrap();
    w.call(ada, persons[0], Some("Grace")).await;
    let grace = w.catalog.find_person(persons[0]).await.unwrap().unwrap();
    assert_eq!((grace.name.unwrap().as_str(), grace.version), ("Grace", before.version + 1));
    let late = Person { name: Some("Eve".parse().unwrap()), ..before.clone() };
    let edit = w.edit(ada, PeopleEditKind::Rename, persons[0]);
    let decided = w.catalog.decide(None, &edit, &[(Some(before), late)], w.now()).await.unwrap();
    assert_eq!(decided, Decided::Changed);
    assert_eq!(w.catalog.find_people_edit(ada, edit.id).await.unwrap(), None);
}

pub async fn images_of_a_person_and_persons_of_an_image(w: &World) {
    let ada = w.user("ada").await;
    let grace = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let alan = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let (mut newest, mut faces) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let image = w.upload(ada).await.id;
        newest.insert(0, image);
        faces.insert(0, w.show(image, grace).await);
    }
    let both = w.show(newest[0], alan).await;
    faces[0] = w.catalog.find_face(newest[0], faces[0].id).await.unwrap().unwrap();
    let images = async |page| {
        w.catalog.list_person_images(grace, &page).await.map(|images| map(images, |i| i.id))
    };
    expect_list(&newest, 2, images).await;
    let in_image = w.catalog.list_image_faces(newest[0]).await.unwrap();
    assert_eq!(in_image, [faces[0].clone(), both]);
    assert_eq!(w.catalog.find_person(grace).await.unwrap().unwrap().face_count, 3);
    expect_list(&faces, 2, async |page| w.catalog.list_person_faces(grace, &page).await).await;

    w.give(&faces[2], None).await;
    assert_eq!(w.catalog.find_person(grace).await.unwrap().unwrap().face_count, 2);
    expect_list(&newest[..2], 2, images).await;
}

pub async fn a_person_with_faces_is_not_deleted(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let grace = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let image = w.upload(ada).await.id;
    let found = w.show(image, grace).await;
    assert!(!w.catalog.delete_person(grace, ada, w.now()).await.unwrap());
    w.give(&found, None).await;
    assert!(!w.catalog.delete_person(grace, bob, w.now()).await.unwrap());
    assert!(w.catalog.delete_person(grace, ada, w.now()).await.unwrap());
    assert_eq!(w.catalog.find_person(grace).await.unwrap(), None);
}

pub async fn a_user_is_found_in_the_libraries_of_others(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let person = w.catalog.create_person(ada, w.now()).await.unwrap();
    let linked = Person { user: Some(bob), version: 2, ..person.clone() };
    let edit = w.edit(ada, PeopleEditKind::Link, person.id);
    let persons = [(Some(person.clone()), linked)];
    let decided = w.catalog.decide(None, &edit, &persons, w.now()).await.unwrap();
    assert_eq!(decided, Decided::Decided);
    let selves = async || {
        let listed = w.catalog.list_selves(bob, &PageRequest::first(10)).await.unwrap();
        listed.entries.into_iter().map(|person| person.id).collect::<Vec<_>>()
    };
    eventually(async || (selves().await == [person.id]).then_some(())).await;
    w.catalog.unlink_person(person.id, bob, w.now()).await.unwrap();
    assert_eq!(w.catalog.find_person(person.id).await.unwrap().unwrap().user, None);
    eventually(async || selves().await.is_empty().then_some(())).await;
}

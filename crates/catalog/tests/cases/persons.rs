use std::collections::BTreeSet;

use catalog::{Edited, PageRequest, PersonEdit, TaggedPerson};
use futures::future::join_all;
use model::{FaceVector, PersonId};

use super::trash::tagging;
use super::{World, expect_list, map};

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
    let named = |name: &str| PersonEdit {
        name: Some(Some(name.parse().unwrap())),
        ..PersonEdit::default()
    };
    let edited = w.catalog.edit_person(persons[0], ada, Some(1), &named("Grace"), w.now()).await;
    let Edited::Edited(grace) = edited.unwrap() else { panic!("not edited") };
    assert_eq!(w.catalog.find_person(persons[0]).await.unwrap().as_ref(), Some(&grace));
    let late = w.catalog.edit_person(persons[0], ada, Some(1), &named("Eve"), w.now()).await;
    assert_eq!(late.unwrap(), Edited::Conflict(grace));
    let stranger = w.catalog.edit_person(persons[0], bob, None, &named("Eve"), w.now()).await;
    assert_eq!(stranger.unwrap(), Edited::NotOwner);
}

pub async fn images_of_a_person_and_persons_of_an_image(w: &World) {
    let ada = w.user("ada").await;
    let grace = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let alan = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let mut newest = Vec::new();
    let mut taggings = Vec::new();
    for _ in 0..3 {
        let image = w.upload(ada).await.id;
        newest.insert(0, image);
        let found = tagging(w, image, grace);
        let vector = FaceVector { model: "sface".to_owned(), embedding: vec![1, 2, 3] };
        let tagged = w.catalog.tag_person(&found, Some(&vector)).await.unwrap();
        assert_eq!(tagged, TaggedPerson::Tagged);
        assert_eq!(w.catalog.tag_person(&found, None).await.unwrap(), TaggedPerson::AlreadyTagged);
        taggings.push(found);
    }
    let both = tagging(w, newest[0], alan);
    let _ = w.catalog.tag_person(&both, None).await.unwrap();
    expect_list(&newest, 2, async |page| {
        w.catalog.list_person_images(grace, &page).await.map(|images| map(images, |i| i.id))
    })
    .await;
    let page = PageRequest::first(10);
    let persons = w.catalog.list_image_persons(newest[0], &page).await.unwrap().entries;
    assert_eq!(persons, [taggings[2].clone(), both]);
    assert_eq!(w.catalog.find_person(grace).await.unwrap().unwrap().face_count, 3);

    let faces = w.catalog.list_faces(grace, &page).await.unwrap().entries;
    assert_eq!(faces.len(), 3);
    assert_eq!((faces[0].0, faces[0].1), (taggings[0].face, newest[2]));
    assert_eq!((faces[0].2.model.as_str(), faces[0].2.embedding.len()), ("sface", 3));

    assert!(w.catalog.untag_person(&taggings[0], w.now()).await.unwrap());
    assert_eq!(w.catalog.list_faces(grace, &page).await.unwrap().entries, faces[1..]);
    assert!(!w.catalog.untag_person(&taggings[0], w.now()).await.unwrap());
    assert_eq!(w.catalog.find_person(grace).await.unwrap().unwrap().face_count, 2);
    expect_list(&newest[..2], 2, async |page| {
        w.catalog.list_person_images(grace, &page).await.map(|images| map(images, |i| i.id))
    })
    .await;
    let nobody = tagging(w, newest[0], PersonId::new(999_999).unwrap());
    assert_eq!(w.catalog.tag_person(&nobody, None).await.unwrap(), TaggedPerson::NoPerson);
}

pub async fn a_person_with_faces_is_not_deleted(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let grace = w.catalog.create_person(ada, w.now()).await.unwrap().id;
    let image = w.upload(ada).await.id;
    let found = tagging(w, image, grace);
    let _ = w.catalog.tag_person(&found, None).await.unwrap();
    assert!(!w.catalog.delete_person(grace, ada, w.now()).await.unwrap());
    w.catalog.untag_person(&found, w.now()).await.unwrap();
    assert!(!w.catalog.delete_person(grace, bob, w.now()).await.unwrap());
    assert!(w.catalog.delete_person(grace, ada, w.now()).await.unwrap());
    assert_eq!(w.catalog.find_person(grace).await.unwrap(), None);
}

//! The table fails at the Nth call, for every N, before or after it has acted. Doing the
//! same again must heal it, with nothing lost, doubled or left behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(dead_code, reason = "the cases are another test's; this one uses their world")]

mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use catalog::{
    Added, AlbumEdit, Begun, BegunErase, Committed, CreatedPasskey, FaceChange, Finished, Held,
    ImageEdit, ImageTags, NewFaces, PageRequest, Recorded, Reserved, SearchOrder, SetTags,
    TagScope, TagVisibility,
};
use model::{
    AlbumRole, Face, ImageStatus, LinkTarget, PeopleEditKind, Person, Subject, Visibility, WorkKind,
};
use table::{
    Action, BatchEntry, Clock, Error, Item, Key, ManualClock, MemoryTable, Page, Query, Result,
    Scan, Schema, SystemClock, Table, Transacted,
};

use testkit::faults::{self, Faults, When};

use cases::World;
use cases::gone_words::{take_out, words, write};
use cases::links::{link, names_in};
use cases::passkeys::{passkey, passkey_rows};
use cases::taken::{at, expect_album, expect_timeline, say};

/// The reference engine, but for one call.
struct FailingTable {
    table: MemoryTable,
    faults: Arc<Faults>,
}

impl FailingTable {
    fn arm(&self) {
        self.faults.arm();
    }

    fn disarm(&self) {
        self.faults.disarm();
    }

    async fn call<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let error = |when| Error::Unavailable {
            message: "it was to fail".to_owned(),
            maybe_written: when == When::After,
        };
        self.faults.call(call, error).await
    }
}

#[async_trait]
impl Table for FailingTable {
    fn schema(&self) -> &Schema {
        self.table.schema()
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>> {
        self.call(self.table.get(key)).await
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        self.call(self.table.batch_get(keys)).await
    }

    async fn query(&self, query: &Query) -> Result<Page> {
        self.call(self.table.query(query)).await
    }

    async fn scan(&self, scan: &Scan) -> Result<Page> {
        self.call(self.table.scan(scan)).await
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted> {
        self.call(self.table.transact(actions)).await
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()> {
        self.call(self.table.batch_write(entries)).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64> {
        self.call(self.table.increment(key, attribute, by)).await
    }
}

/// Runs a scenario with a failure at each of its calls.
async fn at_every_call(scenario: impl AsyncFn(&World, &FailingTable)) {
    faults::at_every_call(async |faults| {
        let clock = ManualClock::at(SystemClock.now_seconds());
        let table = MemoryTable::new(catalog::schema()).with_clock(clock.clone());
        let table = Arc::new(FailingTable { table, faults });
        let world = World::new(table.clone(), clock, None);
        scenario(&world, &table).await;
    })
    .await;
}

/// Does a step again if it failed, as a caller would.
async fn insist<T>(step: impl AsyncFn() -> catalog::Result<T>) -> T {
    match step().await {
        Ok(outcome) => outcome,
        Err(error) => {
            let is_ours = matches!(error, catalog::Error::Table(Error::Unavailable { .. }));
            assert!(is_ours, "{error}");
            step().await.unwrap()
        }
    }
}

#[tokio::test]
async fn an_upload_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let before = w.quota(ada).await;
        let reservation = w.reservation(ada);
        let id = reservation.image.id;
        let received = w.received(id);
        fault.arm();
        let reserved = insist(async || w.catalog.reserve_upload(reservation.clone()).await).await;
        assert!(matches!(reserved, Reserved::Reserved(image) if image.id == id));
        match insist(async || w.catalog.commit_upload(&received, w.now()).await).await {
            Committed::Committed(image) | Committed::NotReserved(Some(image)) => {
                assert_eq!((image.id, image.status), (id, ImageStatus::Processing));
            }
            other => panic!("{other:?}"),
        }
        fault.disarm();
        let after = w.quota(ada).await;
        assert_eq!(after.images_left, before.images_left - 1);
        assert_eq!(after.bytes_left, before.bytes_left - 1000);
    })
    .await;
}

#[tokio::test]
async fn giving_an_upload_back_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let before = w.quota(ada).await;
        let image = w.reserve(ada).await;
        fault.arm();
        let _ = insist(async || w.catalog.release_upload(image.id).await).await;
        fault.disarm();
        assert_eq!(w.quota(ada).await, before);
        assert_eq!(w.rows_of(image.id).await, 0);
    })
    .await;
}

#[tokio::test]
async fn processing_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let image = w.upload(ada).await;
        let held = w.claim_for(WorkKind::Process, image.id).await;
        let made = cases::processed();
        fault.arm();
        let finish = async || w.catalog.finish_processing(&held, image.id, &made, w.now()).await;
        match insist(finish).await {
            // The second time, the first one's success looks like somebody else's.
            Finished::Finished(_) | Finished::Lost => {}
            Finished::Gone => panic!("the image is there"),
        }
        fault.disarm();
        assert_eq!(w.image(image.id).await.status, ImageStatus::Completed);
        let subject = Subject::Image(image.id);
        assert_eq!(w.catalog.find_work(WorkKind::Process, subject).await.unwrap(), None);
    })
    .await;
}

/// Phrases with so many inner words that they do not fit into one transaction.
fn phrases(letter: char) -> ImageTags {
    let phrase = |n: usize| format!("{letter}{n} two three four five").parse().unwrap();
    ImageTags((0..20).map(|n| (phrase(n), TagVisibility::Public)).collect())
}

#[tokio::test]
async fn swapping_many_tags_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let image = w.upload(ada).await.id;
        let set = w.catalog.set_tags(image, ada, &phrases('a'), w.now()).await.unwrap();
        assert_eq!(set, SetTags::Set);
        fault.arm();
        let again = phrases('b');
        let swap = async || w.catalog.set_tags(image, ada, &again, w.now()).await;
        let first = swap().await;
        fault.disarm();
        match first {
            Ok(set) => assert_eq!(set, SetTags::Set),
            // Half done, it is still the one or the other.
            Err(_) => {
                let found = w.catalog.find_tags(image, ada).await.unwrap();
                assert!(found == phrases('a') || found == phrases('b'));
                let visible = async |prefix: &str| {
                    let page = PageRequest::first(10);
                    let everyone = TagScope::Everyone;
                    let hits = w.catalog.list_images_by_tag_prefix(everyone, prefix, &page).await;
                    hits.unwrap().entries.len() == 1
                };
                let (a, b) = (visible("a1").await, visible("b1").await);
                assert!(a != b, "both or none of the old and the new tags are found");
            }
        }
        assert_eq!(insist(swap).await, SetTags::Set);
        assert_eq!(w.catalog.find_tags(image, ada).await.unwrap(), phrases('b'));
        let counts = w.catalog.find_public_tags(&[image]).await.unwrap();
        assert!(counts[0].len() == 20 && counts[0].values().all(|authors| *authors == 1));
        let page = PageRequest::first(10);
        for (prefix, found) in [("a", 0), ("b", 1), ("three", 1)] {
            let hits = w.catalog.list_images_by_tag_prefix(TagScope::Author(ada), prefix, &page);
            assert_eq!(hits.await.unwrap().entries.len(), found, "{prefix}");
        }
    })
    .await;
}

/// Entries for others are written before the image is shared, and go after its end: whoever may see
/// it finds it by every word, wherever that was cut short.
#[tokio::test]
async fn sharing_an_image_of_many_words_heals() {
    at_every_call(async |w, fault| {
        let (ada, bob) = (w.user("ada").await, w.user("bob").await);
        let image = w.upload(ada).await.id;
        w.process(image).await;
        let words: Vec<String> = (0..150).map(|n| format!("word{n}")).collect();
        let description = Some(Some(words.join(" ").parse().unwrap()));
        let long = ImageEdit { description, ..ImageEdit::default() };
        let _ = w.catalog.edit_image(image, ada, None, &long, w.now()).await.unwrap();
        let set = w.catalog.set_tags(image, ada, &phrases('a'), w.now()).await.unwrap();
        assert_eq!(set, SetTags::Set);
        let check = async || {
            let is_shared = w.image(image).await.visibility == Visibility::Shared;
            let expected = if is_shared { vec![image] } else { vec![] };
            for text in ["\"word0\"", "\"word149\"", "word", "a1", "three"] {
                let found = cases::search(w, bob, text, SearchOrder::Newest).await;
                assert_eq!(found, expected, "{text}");
            }
        };
        for visibility in [Visibility::Shared, Visibility::Private] {
            let edit = ImageEdit { visibility: Some(visibility), ..ImageEdit::default() };
            let share = async || w.catalog.edit_image(image, ada, None, &edit, w.now()).await;
            fault.arm();
            let _ = share().await;
            fault.disarm();
            check().await;
            let _ = insist(share).await;
            assert_eq!(w.image(image).await.visibility, visibility);
            check().await;
        }
    })
    .await;
}

/// Whatever a change of its date has come to, an image stands in its timeline and its album where it
/// says itself that it was taken.
#[tokio::test]
async fn changing_a_date_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        w.catalog.prepare_timeline(ada).await.unwrap();
        let (image, other) = (w.upload(ada).await.id, w.upload(ada).await.id);
        say(w, image, ada, Some(at("2024-05-01"))).await;
        say(w, other, ada, Some(at("2023-05-01"))).await;
        let album = w.album(ada, "Travel").await;
        let added = w.catalog.add_to_album(album.id, &[image, other], w.now()).await.unwrap();
        assert_eq!(added, [Added::Added; 2]);
        let edit = ImageEdit { taken: Some(Some(at("2022-05-01"))), ..ImageEdit::default() };
        let change = async || w.catalog.edit_image(image, ada, None, &edit, w.now()).await;
        let check = async || {
            let is_changed = w.image(image).await.taken().unwrap().at == at("2022-05-01");
            let (timeline, in_album) = match is_changed {
                true => ([("2023-05", other), ("2022-05", image)], [image, other]),
                false => ([("2024-05", image), ("2023-05", other)], [other, image]),
            };
            expect_timeline(w, ada, &timeline).await;
            expect_album(w, &album, &in_album).await;
        };
        fault.arm();
        let _ = change().await;
        fault.disarm();
        check().await;
        let _ = insist(change).await;
        assert_eq!(w.image(image).await.taken().unwrap().at, at("2022-05-01"));
        check().await;
    })
    .await;
}

#[tokio::test]
async fn taking_out_gone_words_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let image = w.upload(ada).await;
        for title in ["Red sunset", "Moonrise", "Moonrise at the sea"] {
            write(w, &image, title).await;
        }
        w.advance(Duration::from_secs(2 * 60 * 60));
        fault.arm();
        let _ = insist(async || w.catalog.remove_gone_words(w.now()).await).await;
        fault.disarm();
        assert_eq!(take_out(w).await, 0);
        let said = ["at", "moonrise", "sea", "the"].map(str::to_owned);
        assert_eq!(words(w, image.id).await, said.into());
    })
    .await;
}

#[tokio::test]
async fn deleting_an_album_heals() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let album = w.album(ada, "Gone").await;
        let mut images = Vec::new();
        for _ in 0..3 {
            let image = w.upload(ada).await.id;
            let added = w.catalog.add_to_album(album.id, &[image], w.now()).await.unwrap();
            assert_eq!(added, [Added::Added]);
            images.push(image);
        }
        fault.arm();
        let delete = async || w.catalog.delete_album(album.id, ada, None, w.now()).await;
        let _ = insist(delete).await;
        fault.disarm();
        assert_eq!(w.catalog.find_album(album.id).await.unwrap(), None);
        for image in images {
            assert_eq!(w.catalog.list_image_albums(image).await.unwrap(), []);
        }
    })
    .await;
}

#[tokio::test]
async fn filling_and_emptying_an_album_heals_with_an_exact_count() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let album = w.album(ada, "Full").await;
        let mut images = Vec::new();
        for _ in 0..3 {
            images.push(w.upload(ada).await.id);
        }
        let count = async || w.catalog.find_album(album.id).await.unwrap().unwrap().image_count;
        fault.arm();
        let told = insist(async || w.catalog.add_to_album(album.id, &images, w.now()).await).await;
        // The second time, the first one's success is found there.
        assert!(told == [Added::Added; 3] || told == [Added::AlreadyThere; 3], "{told:?}");
        insist(async || w.catalog.remove_from_album(album.id, &images[..2], w.now()).await).await;
        fault.disarm();
        assert_eq!(count().await, 1);
        assert_eq!(w.catalog.list_image_albums(images[0]).await.unwrap(), []);
        assert_eq!(w.catalog.list_image_albums(images[2]).await.unwrap(), [album.id]);
    })
    .await;
}

#[tokio::test]
async fn nesting_albums_and_letting_members_in_heals() {
    at_every_call(async |w, fault| {
        let (ada, bob) = (w.user("ada").await, w.user("bob").await);
        let (top, other, low) =
            (w.album(ada, "Top").await, w.album(ada, "Other").await, w.album(ada, "Low").await);
        let nest = async |parent| {
            let edit = AlbumEdit { parent: Some(Some(parent)), ..AlbumEdit::default() };
            w.catalog.edit_album(low.id, ada, None, &edit, w.now()).await
        };
        fault.arm();
        let _ = insist(async || nest(top.id).await).await;
        let _ = insist(async || nest(other.id).await).await;
        let role = AlbumRole::Viewer;
        let _ =
            insist(async || w.catalog.put_album_member(other.id, bob, role, w.now()).await).await;
        fault.disarm();
        let album = async |id| w.catalog.find_album(id).await.unwrap().unwrap();
        assert_eq!(album(low.id).await.parent, Some(other.id));
        assert_eq!((album(top.id).await.album_count, album(other.id).await.album_count), (0, 1));
        assert_eq!(album(other.id).await.member_count, 1);
        assert_eq!(w.catalog.find_album_access(&[low.id], bob).await.unwrap().len(), 1);
        fault.arm();
        insist(async || w.catalog.delete_album_member(other.id, bob, w.now()).await).await;
        let _ = insist(async || w.catalog.delete_album(low.id, ada, None, w.now()).await).await;
        fault.disarm();
        assert_eq!((album(other.id).await.album_count, album(other.id).await.member_count), (0, 0));
    })
    .await;
}

#[tokio::test]
async fn purging_heals_and_gives_back_once() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let before = w.quota(ada).await;
        let image = w.upload(ada).await.id;
        let album = w.album(ada, "Album").await;
        let _ = w.catalog.add_to_album(album.id, &[image], w.now()).await.unwrap();
        let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
        w.show(image, person).await;
        let tags = BTreeMap::from([("red sports car".parse().unwrap(), TagVisibility::Public)]);
        let _ = w.catalog.set_tags(image, ada, &ImageTags(tags), w.now()).await.unwrap();
        let now = w.now();
        let _ = w.catalog.trash_image(image, ada, None, now, now).await.unwrap();
        let held = w.claim_for(WorkKind::Purge, image).await;
        fault.arm();
        let begun = insist(async || w.catalog.begin_purge(&held, image, w.now()).await).await;
        assert!(matches!(begun, Begun::Begun(_)), "{begun:?}");
        match insist(async || w.catalog.finish_purge(&held, image, w.now()).await).await {
            Held::Still | Held::Lost => {}
        }
        fault.disarm();
        assert_eq!(w.rows_of(image).await, 0);
        assert_eq!(w.quota(ada).await, before);
        assert_eq!(w.catalog.find_album(album.id).await.unwrap().unwrap().image_count, 0);
        assert_eq!(w.catalog.find_person(person).await.unwrap().unwrap().face_count, 0);
        assert_eq!(w.catalog.find_library(ada).await.unwrap().faces, 0);
    })
    .await;
}

#[tokio::test]
async fn faces_are_recorded_and_given_whole_or_not_at_all() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let image = w.upload(ada).await.id;
        let person = w.catalog.create_person(ada, w.now()).await.unwrap().id;
        let held = w.claim_faces(image).await;
        let faces = (0..3).map(|_| w.found_face()).collect();
        let found = NewFaces { model: "one".to_owned(), faces, unrecognised: BTreeSet::new() };
        fault.arm();
        let recorded =
            insist(async || w.catalog.record_faces(&held, image, &found, w.now()).await).await;
        // Once it has acted, the work is no longer there.
        assert!(matches!(recorded, Recorded::Recorded(_) | Recorded::Lost), "{recorded:?}");
        let faces = insist(async || w.catalog.list_image_faces(image).await).await;
        assert_eq!(faces.len(), 3);
        let give = |face: &Face| FaceChange::of(face, |face| face.person = Some(person)).unwrap();
        let changes: Vec<_> = faces.iter().map(give).collect();
        let change = async || w.catalog.change_faces(None, ada, changes.clone(), w.now()).await;
        let _ = insist(change).await;
        fault.disarm();
        assert_eq!(w.catalog.find_person(person).await.unwrap().unwrap().face_count, 3);
        assert_eq!(w.catalog.find_library(ada).await.unwrap().faces, 3);
        let work = w.catalog.find_work(WorkKind::Group, Subject::User(ada)).await.unwrap();
        assert!(work.is_some());
    })
    .await;
}

#[tokio::test]
async fn a_decision_and_what_it_changes_are_written_together() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let before = w.catalog.create_person(ada, w.now()).await.unwrap();
        let edit = w.edit(ada, PeopleEditKind::Rename, before.id);
        let after = Person { name: Some("Grace".parse().unwrap()), version: 2, ..before.clone() };
        let persons = [(Some(before.clone()), after.clone())];
        fault.arm();
        let decide = async || w.catalog.decide(None, &edit, &persons, w.now()).await;
        let _ = insist(decide).await;
        fault.disarm();
        assert_eq!(w.catalog.find_people_edit(ada, edit.id).await.unwrap(), Some(edit));
        assert_eq!(w.catalog.find_person(before.id).await.unwrap(), Some(after));
    })
    .await;
}

#[tokio::test]
async fn links_go_with_what_they_show_and_leave_nothing() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let (image, album) = (w.upload(ada).await.id, w.album(ada, "Album").await);
        let links = [
            link(w, ada, LinkTarget::Image(image)).await.id,
            link(w, ada, LinkTarget::Album(album.id)).await.id,
            link(w, ada, LinkTarget::Album(album.id)).await.id,
        ];
        let now = w.now();
        let _ = w.catalog.trash_image(image, ada, None, now, now).await.unwrap();
        let held = w.claim_for(WorkKind::Purge, image).await;
        let _ = w.catalog.begin_purge(&held, image, w.now()).await.unwrap();
        fault.arm();
        let _ = insist(async || w.catalog.finish_purge(&held, image, w.now()).await).await;
        let _ = insist(async || w.catalog.delete_album(album.id, ada, None, w.now()).await).await;
        fault.disarm();
        for link in links {
            assert_eq!(w.catalog.find_link(link).await.unwrap(), None);
        }
        for partition in
            [format!("IMAGE#{image}"), format!("ALBUM#{}", album.id), format!("USER#{ada}")]
        {
            assert_eq!(names_in(w, partition).await, 0);
        }
    })
    .await;
}

#[tokio::test]
async fn passkeys_are_counted_exactly_and_go_with_their_user() {
    at_every_call(async |w, fault| {
        let ada = w.user("ada").await;
        let (first, second) = (passkey(w, ada, 1), passkey(w, ada, 2));
        fault.arm();
        for passkey in [&first, &second] {
            let created = insist(async || w.catalog.create_passkey(passkey, 2).await).await;
            // Whoever was not told that it was added is told that it is there.
            assert!(matches!(created, CreatedPasskey::Created | CreatedPasskey::Taken));
        }
        let _ = insist(async || w.catalog.delete_passkey(ada, &first.hash).await).await;
        fault.disarm();
        // There is room for exactly one.
        let third = w.catalog.create_passkey(&passkey(w, ada, 3), 2).await.unwrap();
        assert_eq!(third, CreatedPasskey::Created);
        let fourth = w.catalog.create_passkey(&passkey(w, ada, 4), 2).await.unwrap();
        assert_eq!(fourth, CreatedPasskey::TooMany);
        let begun = w.catalog.begin_erase(ada, w.now()).await.unwrap();
        assert!(matches!(begun, BegunErase::Begun(_)));
        fault.arm();
        insist(async || w.catalog.remove_user_rows(ada).await).await;
        fault.disarm();
        assert_eq!(passkey_rows(w).await, Vec::<String>::new());
    })
    .await;
}

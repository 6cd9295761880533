//! What the catalog promises, as cases over any engine.

pub mod accounts;
pub mod albums;
pub mod changes;
pub mod gone_words;
pub mod images;
pub mod links;
pub mod members;
pub mod nesting;
pub mod passkeys;
pub mod people;
pub mod persons;
pub mod requests;
pub mod search;
pub mod tags;
pub mod timeline;
pub mod trash;
pub mod uploads;
pub mod users;
pub mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use catalog::{
    Catalog, Claim, Committed, CreatedAlbum, CreatedUser, Cursor, Decided, FaceChange, Finished,
    FoundFace, Listed, NewFaces, PageRequest, Processed, Received, Recorded, Reservation, Reserved,
    Search, SearchOrder,
};
use model::{
    Album, AlbumId, Email, Face, FaceBox, FaceId, FaceQuality, FaceVector, Facts, Image, ImageId,
    MediaType, Original, PeopleEdit, PeopleEditId, PeopleEditKind, Person, PersonId, Quota, Role,
    Subject, Timestamp, User, UserId, Work, WorkKind,
};
use table::{ManualClock, Query, Table};

/// A catalog on some engine, with a clock that only the test moves.
pub struct World {
    pub catalog: Catalog,
    pub table: Arc<dyn Table>,
    clock: ManualClock,
    millis: AtomicI64,
    _folder: Option<tempfile::TempDir>,
}

impl World {
    pub fn new(
        table: Arc<dyn Table>,
        clock: ManualClock,
        folder: Option<tempfile::TempDir>,
    ) -> Self {
        let now = table::Clock::now_seconds(&clock) * 1000;
        Self {
            catalog: Catalog::new(table.clone()),
            table,
            clock,
            millis: AtomicI64::new(now),
            _folder: folder,
        }
    }

    /// A moment later than all before.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.fetch_add(1, Ordering::SeqCst))
    }

    pub fn advance(&self, duration: Duration) {
        self.clock.advance_seconds(i64::try_from(duration.as_secs()).unwrap());
        self.millis.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub async fn user(&self, name: &str) -> UserId {
        self.user_with(name, Quota::default()).await
    }

    pub async fn user_with(&self, name: &str, quota: Quota) -> UserId {
        let user = self.new_user(name);
        let created = self.catalog.create_user(&user, quota).await.unwrap();
        assert_eq!(created, CreatedUser::Created);
        user.id
    }

    pub fn new_user(&self, name: &str) -> User {
        let now = self.now();
        let id = UserId::new(now, rand::random());
        User::new(id, email(name), name.parse().unwrap(), Role::User, now)
    }

    pub fn new_image(&self, owner: UserId) -> Image {
        let now = self.now();
        Image::pending(ImageId::new(now, rand::random()), owner, now)
    }

    pub fn reservation(&self, owner: UserId) -> Reservation {
        Reservation {
            image: self.new_image(owner),
            bytes: 1000,
            expires_at: self.now().after(Duration::from_secs(3600)),
            idempotency_key: None,
            said: None,
        }
    }

    pub async fn reserve(&self, owner: UserId) -> Image {
        match self.catalog.reserve_upload(self.reservation(owner)).await.unwrap() {
            Reserved::Reserved(image) => image,
            other => panic!("{other:?}"),
        }
    }

    /// What arrives for an image: 1,000 bytes unlike all others.
    pub fn received(&self, image: ImageId) -> Received {
        let unique: [u64; 4] = rand::random();
        let sha256: String = unique.iter().map(|part| format!("{part:016x}")).collect();
        Received {
            image,
            original: Original { size_bytes: 1000, sha256: sha256.parse().unwrap() },
            media_type: MediaType::Jpeg,
            expires_at: None,
            keep_duplicate: false,
        }
    }

    /// An image that has been received and waits to be processed.
    pub async fn upload(&self, owner: UserId) -> Image {
        let image = self.reserve(owner).await;
        self.commit(&self.received(image.id)).await
    }

    pub async fn commit(&self, received: &Received) -> Image {
        match self.catalog.commit_upload(received, self.now()).await.unwrap() {
            Committed::Committed(image) => image,
            other => panic!("{other:?}"),
        }
    }

    pub fn claim(&self, worker: &str) -> Claim {
        Claim { worker: worker.to_owned(), lease: Duration::from_secs(60), limit: 10 }
    }

    /// Claims the work of a kind for one image, waiting until the index shows it.
    pub async fn claim_for(&self, kind: WorkKind, image: ImageId) -> Work {
        let claimed = eventually(async || {
            let work = self.catalog.claim_work(kind, &self.claim("tester"), self.now()).await;
            work.unwrap().into_iter().find(|work| work.subject == Subject::Image(image))
        });
        claimed.await
    }

    /// Processes an image.
    pub async fn process(&self, image: ImageId) -> Image {
        let work = self.claim_for(WorkKind::Process, image).await;
        let outcome =
            self.catalog.finish_processing(&work, image, &processed(), self.now()).await.unwrap();
        match outcome {
            Finished::Finished(image) => image,
            Finished::Lost | Finished::Gone => panic!("the work was lost"),
        }
    }

    /// Claims the work of finding the faces of an image.
    pub async fn claim_faces(&self, image: ImageId) -> Work {
        let owner = self.image(image).await.owner;
        let work = Work::new(WorkKind::Faces, Subject::Image(image), owner, self.now());
        assert!(self.catalog.put_work(&work).await.unwrap());
        let claim = self.claim("tester");
        let claimed =
            self.catalog.claim_work_of(work.kind, work.subject, &claim, self.now()).await.unwrap();
        claimed.unwrap()
    }

    /// Finds one more face in an image.
    pub async fn find_one_more_face(&self, image: ImageId) -> Face {
        let known = self.catalog.list_image_faces(image).await.unwrap();
        let mut faces: Vec<FoundFace> = known.iter().map(found_again).collect();
        let new = self.found_face();
        faces.push(new.clone());
        let held = self.claim_faces(image).await;
        let found = NewFaces { model: "one".to_owned(), faces, unrecognised: BTreeSet::new() };
        let recorded = self.catalog.record_faces(&held, image, &found, self.now()).await.unwrap();
        let Recorded::Recorded(recorded) = recorded else { panic!("{recorded:?}") };
        recorded.faces.into_iter().find(|face| face.id == new.id).unwrap()
    }

    /// A face that no other overlaps.
    pub fn found_face(&self) -> FoundFace {
        let left = rand::random::<f64>() * 0.9;
        FoundFace {
            id: FaceId::new(self.now(), rand::random()),
            bounds: FaceBox { left, top: 0.25, width: 0.000_5, height: 0.125 },
            landmarks: vec![0.25; 10],
            confidence: 0.875,
            quality: FaceQuality { score: 0.5, shapes: true },
            vector: FaceVector(vec![1, 2, 3]),
        }
    }

    /// Finds a face in an image and gives it to a person.
    pub async fn show(&self, image: ImageId, person: PersonId) -> Face {
        let face = self.find_one_more_face(image).await;
        self.give(&face, Some(person)).await
    }

    /// Gives a face to a person, or takes it away.
    pub async fn give(&self, face: &Face, person: Option<PersonId>) -> Face {
        let face = self.catalog.find_face(face.image, face.id).await.unwrap().unwrap();
        let change = FaceChange::of(&face, |face| face.person = person).unwrap();
        let after = change.after().clone();
        let changes = vec![change];
        let done = self.catalog.change_faces(None, face.owner, changes, self.now()).await.unwrap();
        assert!(done);
        after
    }

    /// Says what a person is called.
    pub async fn call(&self, owner: UserId, person: PersonId, name: Option<&str>) {
        let before = self.catalog.find_person(person).await.unwrap().unwrap();
        let name = name.map(|name| name.parse().unwrap());
        let after = Person { name, version: before.version + 1, ..before.clone() };
        let edit = self.edit(owner, PeopleEditKind::Rename, person);
        let persons = [(Some(before), after)];
        let decided = self.catalog.decide(None, &edit, &persons, self.now()).await.unwrap();
        assert_eq!(decided, Decided::Decided);
    }

    pub fn edit(&self, owner: UserId, kind: PeopleEditKind, person: PersonId) -> PeopleEdit {
        PeopleEdit::new(PeopleEditId::new(self.now(), rand::random()), owner, owner, kind, person)
    }

    pub async fn album(&self, owner: UserId, title: &str) -> Album {
        let now = self.now();
        let id = AlbumId::new(now, rand::random());
        let album = Album::new(id, owner, title.parse().unwrap(), now);
        assert_eq!(self.catalog.create_album(&album).await.unwrap(), CreatedAlbum::Created);
        album
    }

    pub async fn quota(&self, user: UserId) -> Quota {
        self.catalog.find_quota(user).await.unwrap().unwrap()
    }

    pub async fn image(&self, image: ImageId) -> Image {
        self.catalog.find_image(image).await.unwrap().unwrap()
    }

    /// How many rows the image's partition has.
    pub async fn rows_of(&self, image: ImageId) -> usize {
        let query = Query::partition(format!("IMAGE#{image}")).limit(1000);
        self.table.query(&query).await.unwrap().items.len()
    }
}

/// What finds a face that is known already.
pub fn found_again(face: &Face) -> FoundFace {
    FoundFace {
        id: FaceId::new(face.created_at, rand::random()),
        bounds: face.bounds,
        landmarks: face.landmarks.clone(),
        confidence: face.confidence,
        quality: face.quality,
        vector: FaceVector(vec![4, 5, 6]),
    }
}

pub fn email(name: &str) -> Email {
    format!("{name}@example.org").parse().unwrap()
}

pub fn processed() -> Processed {
    let facts = Facts {
        width: 4000,
        height: 3000,
        animated: false,
        shown: model::Shown::Whole,
        thumbhash: None,
        color: None,
        perceptual_hash: None,
    };
    Processed { facts, exif: None, renditions: BTreeMap::new(), next: Vec::new() }
}

/// Asks again and again until there is an answer; indexes may lag.
pub async fn eventually<T, F: Future<Output = Option<T>>>(ask: impl Fn() -> F) -> T {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < deadline, "it did not come true in time");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Reads a list, page by page, until it is as expected.
pub async fn expect_list<T, F>(expected: &[T], limit: usize, list: impl Fn(PageRequest) -> F)
where
    T: PartialEq + std::fmt::Debug,
    F: Future<Output = catalog::Result<Listed<T>>>,
{
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let found = all_pages(limit, &list).await;
        if found == expected {
            return;
        }
        assert!(Instant::now() < deadline, "expected {expected:?}, found {found:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// All entries of a list; every page but the last must be full.
pub async fn all_pages<T, F>(limit: usize, list: impl Fn(PageRequest) -> F) -> Vec<T>
where
    F: Future<Output = catalog::Result<Listed<T>>>,
{
    let mut entries = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let page = list(PageRequest::after(limit, cursor)).await.unwrap();
        assert!(page.next.is_none() || page.entries.len() == limit, "a page is short");
        entries.extend(page.entries);
        cursor = page.next;
        if cursor.is_none() {
            return entries;
        }
    }
}

/// Searches until what is found is as expected.
pub async fn expect_search(w: &World, user: UserId, text: &str, expected: &[ImageId]) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let found = search(w, user, text, SearchOrder::Newest).await;
        if found == expected {
            return;
        }
        assert!(Instant::now() < deadline, "{text:?}: expected {expected:?}, found {found:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Everything that is found by a search, two at a time. Pages may be short.
pub async fn search(w: &World, user: UserId, text: &str, order: SearchOrder) -> Vec<ImageId> {
    let query = text.parse().unwrap_or_else(|bad| panic!("{text:?}: {bad}"));
    let search = Search { user, query: &query, order, sees_exif: false };
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let page = PageRequest::after(2, cursor);
        let listed = w.catalog.search_images(&search, &page).await.unwrap();
        assert!(listed.entries.len() <= 2);
        found.extend(listed.entries.into_iter().map(|image| image.id));
        cursor = listed.next;
        if cursor.is_none() {
            return found;
        }
    }
}

/// The same list with every entry turned into something else.
pub fn map<T, U>(listed: Listed<T>, turn: impl Fn(T) -> U) -> Listed<U> {
    Listed { entries: listed.entries.into_iter().map(turn).collect(), next: listed.next }
}

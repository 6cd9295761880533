//! Who is told of what happens, when, and from where on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use base64::Engine as _;
use blob::Blobs;
use catalog::Catalog;
use model::{
    Album, AlbumId, Change, Entity, External, Image, ImageId, Role, Timestamp, UserId, Visibility,
};
use service::{Caller, Clock, Error, Parts, Scope, Service, Settings, Since, SystemClock};
use table::MemoryTable;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);

#[derive(Debug)]
struct ManualClock(AtomicI64);

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

struct World {
    service: Service,
    catalog: Catalog,
    clock: Arc<ManualClock>,
    _folder: TempDir,
}

impl World {
    /// The clock starts with the real time, by which the table lets changes expire.
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock(AtomicI64::new(SystemClock.now().as_millis())));
        let catalog = Catalog::new(Arc::new(MemoryTable::new(catalog::schema())));
        let parts = Parts {
            catalog: catalog.clone(),
            blobs: Blobs::open_folder(folder.path()).await.unwrap(),
            clock: clock.clone(),
            settings: Settings::default(),
            people: service::People::default(),
        };
        let service = Service::open(parts).await.unwrap();
        Self { service, catalog, clock, _folder: folder }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn advance(&self, duration: Duration) {
        self.clock.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }

    fn user(&self) -> Caller {
        Caller::new(UserId::new(self.now(), rand::random()), Role::User)
    }

    async fn album(&self, owner: &Caller) -> Entity {
        let (id, now) = (AlbumId::new(self.now(), rand::random()), self.now());
        let album = Album::new(id, owner.user, "Summer".parse().unwrap(), now);
        let created = self.catalog.create_album(&album).await.unwrap();
        assert_eq!(created, catalog::CreatedAlbum::Created);
        Entity::Album(id)
    }

    async fn image(&self, owner: &Caller, visibility: Visibility) -> Entity {
        let id = ImageId::new(self.now(), rand::random());
        let mut image = Image::pending(id, owner.user, self.now());
        image.visibility = visibility;
        let (source, unique_id) = ("test".to_owned(), id.to_string());
        image.external = Some(External { source, unique_id, file_id: None, set_name: None });
        let _ = self.catalog.create_external_image(&image).await.unwrap();
        Entity::Image(id)
    }

    async fn seen(&self, caller: &Caller) -> Vec<Entity> {
        let page = self.service.list_changes(caller, Since::Oldest, 100).await.unwrap();
        entities(&page.changes)
    }
}

fn entities(changes: &[Change]) -> Vec<Entity> {
    changes.iter().map(|change| change.entity).collect()
}

#[tokio::test]
async fn one_sees_ones_own_and_what_others_share_and_administrators_see_all() {
    let w = World::new().await;
    let (ada, bob) = (w.user(), w.user());
    let album = w.album(&ada).await;
    w.advance(MINUTE);
    let private = w.image(&ada, Visibility::Private).await;
    w.advance(MINUTE);
    let shared = w.image(&ada, Visibility::Shared).await;
    w.advance(MINUTE);
    assert_eq!(w.seen(&ada).await, [album, private, shared]);
    assert_eq!(w.seen(&bob).await, [shared]);
    let admin = Caller::new(w.user().user, Role::Administrator);
    assert_eq!(w.seen(&admin).await, [album, private, shared]);
    let limited = Caller { scopes: [Scope::Read].into_iter().collect(), ..admin };
    assert_eq!(w.seen(&limited).await, [shared], "the key does not allow more");
    let blind = Caller { scopes: [Scope::Write].into_iter().collect(), ..ada };
    let refused = w.service.list_changes(&blind, Since::Oldest, 10).await;
    assert!(matches!(refused, Err(Error::ScopeMissing { scope: Scope::Read })));
}

#[tokio::test]
async fn a_page_goes_on_behind_what_the_caller_may_not_see() {
    let w = World::new().await;
    let (ada, bob) = (w.user(), w.user());
    for _ in 0..250 {
        w.album(&ada).await;
    }
    w.advance(MINUTE);
    let mine = w.album(&bob).await;
    w.advance(MINUTE);
    let page = w.service.list_changes(&bob, Since::Oldest, 10).await.unwrap();
    let (mut found, mut next, mut more) = (entities(&page.changes), page.next, page.more);
    while more {
        let page = w.service.list_changes(&bob, Since::Cursor(&next), 10).await.unwrap();
        found.extend(entities(&page.changes));
        (next, more) = (page.next, page.more);
    }
    assert_eq!(found, [mine]);
}

#[tokio::test]
async fn what_has_not_settled_is_told_to_followers_but_not_in_pages() {
    let w = World::new().await;
    let ada = w.user();
    let mut follower = w.service.follow_changes(&ada, Since::Now).unwrap();
    assert_eq!(follower.next().await.unwrap().changes, []);
    let album = w.album(&ada).await;
    assert_eq!(w.seen(&ada).await, []);
    let told = follower.next().await.unwrap();
    assert_eq!(entities(&told.changes), [album]);
    assert_eq!(follower.next().await.unwrap().changes, [], "once");

    // Whoever breaks off here goes on from before it, since something earlier may still appear.
    let mut again = w.service.follow_changes(&ada, Since::Cursor(&told.next)).unwrap();
    assert_eq!(entities(&again.next().await.unwrap().changes), [album]);
    w.advance(MINUTE);
    assert_eq!(w.seen(&ada).await, [album]);
    let settled = follower.next().await.unwrap();
    let mut after = w.service.follow_changes(&ada, Since::Cursor(&settled.next)).unwrap();
    assert_eq!(
        after.next().await.unwrap().changes,
        [],
        "once it has settled, it does not come again"
    );
}

#[tokio::test]
async fn a_follower_to_whom_nothing_happens_can_go_on_after_months() {
    let w = World::new().await;
    let ada = w.user();
    let mut follower = w.service.follow_changes(&ada, Since::Now).unwrap();
    let mut next = follower.next().await.unwrap().next;
    for _ in 0..10 {
        w.advance(MINUTE * 60 * 24 * 10);
        next = w.service.list_changes(&ada, Since::Cursor(&next), 10).await.unwrap().next;
    }
    let album = w.album(&ada).await;
    w.advance(MINUTE);
    let page = w.service.list_changes(&ada, Since::Cursor(&next), 10).await.unwrap();
    assert_eq!(entities(&page.changes), [album]);
}

#[tokio::test]
async fn cursors_of_lists_are_sealed_to_user_and_list() {
    let w = World::new().await;
    let (ada, bob) = (w.user().user, w.user().user);
    let cursor = service::Cursor::from_text("some-place.with_dots");
    let sealed = w.service.seal_cursor(ada, "images?order=newest", &cursor);
    assert_eq!(w.service.open_cursor(ada, "images?order=newest", &sealed).unwrap(), cursor);
    let shown = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(&sealed).unwrap();
    assert!(!String::from_utf8_lossy(&shown).contains("place"), "nobody can read it");
    let first = if sealed.starts_with('A') { "B" } else { "A" };
    let changed = format!("{first}{}", &sealed[1..]);
    for (user, list, text) in [
        (bob, "images?order=newest", sealed.clone()),
        (ada, "images?order=oldest", sealed.clone()),
        (ada, "images?order=newest", changed),
        (ada, "images?order=newest", format!("{sealed}A")),
        (ada, "images?order=newest", "some-place".to_owned()),
        (ada, "images?order=newest", String::new()),
    ] {
        let opened = w.service.open_cursor(user, list, &text);
        assert!(matches!(opened, Err(Error::BadCursor)), "{text}");
    }
}

//! What it costs to find out whether somebody may see an image: the same however many albums,
//! members and images there are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(dead_code, reason = "the cases are another test's; this one uses their world")]

mod cases;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use catalog::{Added, AlbumEdit, Timeline};
use model::limits::ALBUM_DEPTH_MAX;
use model::{Album, AlbumRole, Image, ImageId, ImageStatus, TimelineOrder, UserId};
use table::{
    Action, BatchEntry, Clock, Item, Key, ManualClock, MemoryTable, Page, Query, Result, Scan,
    Schema, SystemClock, Table, Transacted,
};

use cases::World;

/// The reference engine, and how many rows were asked for.
struct CountingTable {
    table: MemoryTable,
    calls: AtomicUsize,
    rows: AtomicUsize,
}

impl CountingTable {
    fn count(&self, rows: usize) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.rows.fetch_add(rows, Ordering::SeqCst);
    }
}

#[async_trait]
impl Table for CountingTable {
    fn schema(&self) -> &Schema {
        self.table.schema()
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>> {
        self.count(1);
        self.table.get(key).await
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        self.count(keys.len());
        self.table.batch_get(keys).await
    }

    async fn query(&self, query: &Query) -> Result<Page> {
        let page = self.table.query(query).await?;
        self.count(page.items.len());
        Ok(page)
    }

    async fn scan(&self, scan: &Scan) -> Result<Page> {
        self.table.scan(scan).await
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted> {
        self.table.transact(actions).await
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()> {
        self.table.batch_write(entries).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64> {
        self.table.increment(key, attribute, by).await
    }
}

struct Library {
    world: World,
    table: Arc<CountingTable>,
}

impl Library {
    fn new() -> Self {
        let clock = ManualClock::at(SystemClock.now_seconds());
        let table = MemoryTable::new(catalog::schema()).with_clock(clock.clone());
        let (calls, rows) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let table = Arc::new(CountingTable { table, calls, rows });
        Self { world: World::new(table.clone(), clock, None), table }
    }

    async fn add(&self, album: &Album, image: ImageId) {
        let w = &self.world;
        let added = w.catalog.add_to_album(album.id, &[image], w.now()).await.unwrap();
        assert_eq!(added, [Added::Added]);
    }

    async fn let_in(&self, album: &Album, user: UserId) {
        let w = &self.world;
        let _ =
            w.catalog.put_album_member(album.id, user, AlbumRole::Viewer, w.now()).await.unwrap();
    }

    /// Whether a user sees an image, and the calls and rows that it took to know.
    async fn cost(&self, image: ImageId, user: UserId) -> (bool, usize, usize) {
        self.table.calls.store(0, Ordering::SeqCst);
        self.table.rows.store(0, Ordering::SeqCst);
        let seen = self.world.catalog.find_seen_in_albums(&[image], user).await.unwrap();
        let (calls, rows) = (&self.table.calls, &self.table.rows);
        (!seen.is_empty(), calls.load(Ordering::SeqCst), rows.load(Ordering::SeqCst))
    }
}

#[tokio::test]
async fn seeing_an_image_costs_the_same_however_many_albums_there_are() {
    let library = Library::new();
    let w = &library.world;
    let (ada, bob, eve) = (w.user("ada").await, w.user("bob").await, w.user("eve").await);
    let (inside, alone) = (w.upload(ada).await.id, w.upload(ada).await.id);
    let album = w.album(ada, "Family").await;
    library.add(&album, inside).await;
    library.let_in(&album, bob).await;
    // The entry; the album and the membership, which are looked for where there is none, too.
    let expected = [(true, 2, 3), (false, 2, 3), (false, 2, 2)];
    let costs = async || {
        [
            library.cost(inside, bob).await,
            library.cost(inside, eve).await,
            library.cost(alone, bob).await,
        ]
    };
    assert_eq!(costs().await, expected);
    for n in 0..100 {
        let more = w.album(ada, &format!("Album {n}")).await;
        library.let_in(&more, bob).await;
        let image = w.upload(ada).await.id;
        library.add(&more, image).await;
        library.add(&album, image).await;
    }
    for n in 0..100 {
        let member = w.user(&format!("member{n}")).await;
        library.let_in(&album, member).await;
    }
    assert_eq!(costs().await, expected);
}

#[tokio::test]
async fn nesting_costs_one_read_for_each_level() {
    let library = Library::new();
    let w = &library.world;
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let top = w.album(ada, "Top").await;
    let mut lowest = top.clone();
    for _ in 1..ALBUM_DEPTH_MAX {
        let below = w.album(ada, "Below").await;
        let edit = AlbumEdit { parent: Some(Some(lowest.id)), ..AlbumEdit::default() };
        let _ = w.catalog.edit_album(below.id, ada, None, &edit, w.now()).await.unwrap();
        lowest = below;
    }
    let image = w.upload(ada).await.id;
    library.add(&lowest, image).await;
    library.let_in(&top, bob).await;
    let (calls, rows) = (1 + ALBUM_DEPTH_MAX, 1 + 2 * ALBUM_DEPTH_MAX);
    assert_eq!(library.cost(image, bob).await, (true, calls, rows));
}

#[tokio::test]
async fn a_timeline_of_many_images_is_known_without_reading_them() {
    const IMAGES: usize = 3_000;
    let library = Library::new();
    let w = &library.world;
    let ada = w.user("ada").await;
    let start = w.now();
    let image = |n: u64| {
        let at = start.after(Duration::from_secs(n * 20));
        let mut image = Image::pending(ImageId::new(at, u128::from(n)), ada, at);
        image.status = ImageStatus::Completed;
        image.uploaded_at = Some(at);
        image
    };
    let images: Vec<Image> = (0..IMAGES as u64).map(image).collect();
    w.catalog.load_images(&images).await.unwrap();
    let order = TimelineOrder::Uploaded;
    let load = async |known: Option<&Arc<Timeline>>| {
        library.table.rows.store(0, Ordering::SeqCst);
        let timeline = w.catalog.load_timeline(ada, order, known).await.unwrap().unwrap();
        (timeline, library.table.rows.load(Ordering::SeqCst))
    };
    let (first, rows) = load(None).await;
    assert!(first.count() == IMAGES && rows >= IMAGES, "{rows}");
    // One row for each month, what was made of it, and that all is counted.
    let months = first.months.len();
    let (again, rows) = load(None).await;
    assert!(again.count() == IMAGES && rows <= 2 * months + 1, "{rows}");
    // An hour has 180 images and is one of 17.
    let trashed = images[IMAGES / 2].id;
    let purge_at = w.now().after(Duration::from_secs(3600));
    let _ = w.catalog.trash_image(trashed, ada, None, purge_at, w.now()).await.unwrap();
    let (after, rows) = load(Some(&again)).await;
    assert!(after.count() == IMAGES - 1 && rows <= 250, "{rows}");
    let (_, rows) = load(Some(&after)).await;
    assert!(rows <= months + 1, "{rows}");
}

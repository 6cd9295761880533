//! That nobody learns from how the table is asked, and so from how long an answer takes, whether
//! somebody else has an image.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use blob::Blobs;
use catalog::{Catalog, ImageTags, TagVisibility};
use model::{Image, ImageId, ImageStatus, Role, Timestamp, UserId};
use service::{Caller, Clock as _, EditImage, NewUser, Parts, Service, Settings, SystemClock};
use table::{
    Action, BatchEntry, Item, Key, MemoryTable, Page, Query, Result, Scan, Schema, Table,
    Transacted,
};
use tempfile::TempDir;

/// The reference engine, and what it was asked, without names.
struct ListeningTable {
    table: MemoryTable,
    calls: Mutex<Vec<String>>,
}

impl ListeningTable {
    fn hear(&self, call: impl Into<String>) {
        self.calls.lock().unwrap().push(call.into());
    }
}

#[async_trait]
impl Table for ListeningTable {
    fn schema(&self) -> &Schema {
        self.table.schema()
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>> {
        self.hear("get");
        self.table.get(key).await
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        self.hear(format!("get {}", keys.len()));
        self.table.batch_get(keys).await
    }

    async fn query(&self, query: &Query) -> Result<Page> {
        self.hear(format!("query {:?}", query.index));
        self.table.query(query).await
    }

    async fn scan(&self, scan: &Scan) -> Result<Page> {
        self.hear("scan");
        self.table.scan(scan).await
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted> {
        self.hear(format!("transact {}", actions.len()));
        self.table.transact(actions).await
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()> {
        self.hear(format!("write {}", entries.len()));
        self.table.batch_write(entries).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64> {
        self.hear("increment");
        self.table.increment(key, attribute, by).await
    }
}

struct World {
    service: Service,
    table: Arc<ListeningTable>,
    _folder: TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let table = MemoryTable::new(catalog::schema());
        let table = Arc::new(ListeningTable { table, calls: Mutex::default() });
        let parts = Parts {
            catalog: Catalog::new(Arc::<ListeningTable>::clone(&table)),
            blobs: Blobs::open_folder(folder.path()).await.unwrap(),
            clock: Arc::new(SystemClock),
            settings: Settings::default(),
            people: service::People::default(),
        };
        Self { service: Service::open(parts).await.unwrap(), table, _folder: folder }
    }

    async fn user(&self, name: &str) -> Caller {
        let new = NewUser {
            email: format!("{name}@example.org").parse().unwrap(),
            name: name.parse().unwrap(),
        };
        let made = self.service.create_user(&Caller::operator(), &new, Role::User, None).await;
        Caller::new(made.unwrap().id, Role::User)
    }

    /// A private image that is ready, or in the trash.
    async fn image(&self, owner: UserId, trashed_at: Option<Timestamp>) -> ImageId {
        let now = SystemClock.now();
        let mut image = Image::pending(new_id(), owner, now);
        image.uploaded_at = Some(now);
        image.status = ImageStatus::Completed;
        image.title = Some("Nobody's business".parse().unwrap());
        image.trashed_at = trashed_at;
        let id = image.id;
        Catalog::new(Arc::<ListeningTable>::clone(&self.table))
            .load_images(&[image])
            .await
            .unwrap();
        id
    }

    /// What the table is asked when somebody tries a thing with an image, and how it ends.
    async fn trace(&self, caller: &Caller, image: ImageId, what: &str) -> (Vec<String>, String) {
        self.table.calls.lock().unwrap().clear();
        let end = try_it(&self.service, caller, image, what).await;
        // What was asked for may name the image; nothing else may.
        let end = end.replace(&image.to_string(), "<image>");
        (std::mem::take(&mut *self.table.calls.lock().unwrap()), end)
    }
}

fn new_id() -> ImageId {
    ImageId::new(SystemClock.now(), rand::random())
}

const THINGS: [&str; 13] = [
    "load",
    "batch get",
    "edit",
    "hide",
    "trash",
    "purge",
    "restore",
    "read tags",
    "tag",
    "tag many",
    "mark as favourite",
    "list its albums",
    "complete its upload",
];

async fn try_it(service: &Service, caller: &Caller, image: ImageId, what: &str) -> String {
    let tags = ImageTags([("harbour".parse().unwrap(), TagVisibility::Public)].into());
    let titled = EditImage { title: Some(None), ..EditImage::default() };
    let hidden = EditImage { visibility: Some(model::Visibility::Private), ..EditImage::default() };
    match what {
        "load" => format!("{:?}", service.load_image(caller, image).await),
        "batch get" => {
            // Among others, which are asked for with it.
            let ids = [new_id(), image, new_id()];
            format!("{:?}", service.find_images(caller, &ids).await)
        }
        "edit" => format!("{:?}", service.edit_image(caller, image, Some(1), titled).await),
        "hide" => format!("{:?}", service.edit_image(caller, image, None, hidden).await),
        "trash" => format!("{:?}", service.trash_image(caller, image, None).await),
        "purge" => format!("{:?}", service.purge_image(caller, image, None).await),
        "restore" => format!("{:?}", service.restore_image(caller, image).await),
        "read tags" => format!("{:?}", service.load_tags(caller, image).await),
        "tag" => format!("{:?}", service.set_tags(caller, image, &tags).await),
        "tag many" => format!("{:?}", service.set_many_tags(caller, &[(image, tags)]).await),
        "mark as favourite" => {
            format!("{:?}", service.set_favourite(caller, image, true).await)
        }
        "list its albums" => format!("{:?}", service.list_image_albums(caller, image).await),
        "complete its upload" => format!("{:?}", service.complete_upload(caller, image).await),
        other => panic!("nobody can {other}"),
    }
}

#[tokio::test]
async fn somebody_elses_image_looks_like_none_to_whoever_counts_the_calls() {
    let world = World::new().await;
    let (ada, eve) = (world.user("ada").await, world.user("eve").await);
    let private = world.image(ada.user, None).await;
    let trashed = world.image(ada.user, Some(SystemClock.now())).await;
    for thing in THINGS {
        let nothing = world.trace(&eve, new_id(), thing).await;
        assert!(!nothing.0.is_empty(), "{thing}: the table was not asked at all");
        for image in [private, trashed] {
            assert_eq!(world.trace(&eve, image, thing).await, nothing, "{thing}");
        }
        // Whoever owns it gets further, so the comparison can tell something.
        if !matches!(thing, "complete its upload") {
            let owners = world.trace(&ada, world.image(ada.user, None).await, thing).await;
            assert_ne!(owners.1, nothing.1, "{thing}");
        }
    }
}

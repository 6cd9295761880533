//! A service with its stores in a folder of its own, and workers on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use blob::{Blobs, Engine};
use bytes::Bytes;
use catalog::Catalog;
use model::{Email, Image, ImageId, ImageStatus, Quota, Role, Timestamp, User, UserId};
use service::{Caller, Clock, NewImage, Parts, People, Service, Settings, SystemClock, Uploaded};
use table::Table;
use table_embedded::{EmbeddedTable, Options as TableOptions};
use tempfile::TempDir;
use worker::{Options, Workers};

pub struct World {
    pub service: Service,
    pub catalog: Catalog,
    pub table: Arc<dyn Table>,
    pub blobs: Blobs,
    pub clock: Arc<ShiftedClock>,
    _folder: TempDir,
}

/// The machine's clock, with what the test has added to it.
#[derive(Debug, Default)]
pub struct ShiftedClock(AtomicI64);

impl ShiftedClock {
    pub fn advance(&self, duration: Duration) {
        self.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for ShiftedClock {
    fn now(&self) -> Timestamp {
        let shift = Duration::from_millis(self.0.load(Ordering::SeqCst).unsigned_abs());
        SystemClock.now().after(shift)
    }
}

impl table::Clock for ShiftedClock {
    fn now_seconds(&self) -> i64 {
        Clock::now(self).as_seconds()
    }
}

impl World {
    pub async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    pub async fn with(settings: Settings) -> Self {
        Self::on(settings, |table| table).await
    }

    /// With something between the service and its table.
    pub async fn on(
        settings: Settings,
        wrap: impl FnOnce(Arc<dyn Table>) -> Arc<dyn Table>,
    ) -> Self {
        Self::on_stores(settings, wrap, |engine| engine).await
    }

    /// With something between the service and its stores.
    pub async fn on_stores(
        settings: Settings,
        wrap: impl FnOnce(Arc<dyn Table>) -> Arc<dyn Table>,
        wrap_blobs: impl FnOnce(Arc<dyn Engine>) -> Arc<dyn Engine>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ShiftedClock::default());
        let options = TableOptions::default().with_clock(SharedClock(Arc::clone(&clock)));
        let table =
            EmbeddedTable::open(&folder.path().join("table"), catalog::schema(), options).unwrap();
        let table = wrap(Arc::new(table));
        let catalog = Catalog::new(Arc::clone(&table));
        let blobs = Blobs::open_folder(&folder.path().join("blobs")).await.unwrap();
        let blobs = blobs.wrapped(wrap_blobs);
        let parts = Parts {
            catalog: catalog.clone(),
            blobs: blobs.clone(),
            clock: clock.clone(),
            settings,
            people: People::default(),
        };
        let service = Service::open(parts).await.unwrap();
        Self { service, catalog, table, blobs, clock, _folder: folder }
    }

    /// The same stores with something that finds faces.
    pub async fn with_people(self, people: People) -> Self {
        let (catalog, blobs, clock) =
            (self.catalog.clone(), self.blobs.clone(), self.clock.clone());
        let settings = self.service.settings().clone();
        let parts = Parts { catalog, blobs, clock, settings, people };
        Self { service: Service::open(parts).await.unwrap(), ..self }
    }

    /// The same stores with other settings.
    pub async fn restarted(self, settings: Settings) -> Self {
        let (catalog, blobs, clock) =
            (self.catalog.clone(), self.blobs.clone(), self.clock.clone());
        let people = self.service.people().clone();
        let parts = Parts { catalog, blobs, clock, settings, people };
        Self { service: Service::open(parts).await.unwrap(), ..self }
    }

    pub fn workers(&self) -> Workers {
        self.workers_that(|_| ())
    }

    /// Workers with other options than usual.
    pub fn workers_that(&self, change: impl FnOnce(&mut Options)) -> Workers {
        let mut options = Options {
            poll_interval: Duration::from_millis(20),
            sweep_interval: Duration::ZERO,
            gone_words_interval: Duration::ZERO,
            ..Options::default()
        };
        change(&mut options);
        Workers::start(&self.service, options)
    }

    pub async fn user(&self, name: &str) -> Caller {
        self.user_with(name, Quota::default()).await
    }

    pub async fn user_with(&self, name: &str, quota: Quota) -> Caller {
        let now = Clock::now(&*self.clock);
        let email: Email = format!("{name}@example.org").parse().unwrap();
        let id = UserId::new(now, rand::random());
        let user = User::new(id, email, name.parse().unwrap(), Role::Administrator, now);
        let _ = self.catalog.create_user(&user, quota).await.unwrap();
        Caller::new(user.id, user.role)
    }

    pub async fn upload(&self, caller: &Caller, bytes: Vec<u8>) -> service::Result<Uploaded> {
        self.service.upload(caller, NewImage::default(), body(bytes)).await
    }

    pub async fn image(&self, id: ImageId) -> Image {
        self.catalog.find_image(id).await.unwrap().unwrap()
    }

    /// Waits until workers are done with an image.
    pub async fn processed(&self, id: ImageId) -> Image {
        wait_for("the image to be processed", async || {
            let image = self.catalog.find_image(id).await.unwrap()?;
            (image.status != ImageStatus::Processing).then_some(image)
        })
        .await
    }

    pub async fn objects(&self) -> Vec<String> {
        let page = self.blobs.list_page(&blob::BlobPrefix::All, None, 1000).await.unwrap();
        page.objects.into_iter().map(|object| object.path).collect()
    }

    pub async fn images_left(&self, caller: &Caller) -> i64 {
        self.catalog.find_quota(caller.user).await.unwrap().unwrap().images_left
    }
}

/// The clock of the table is the clock of the service.
#[derive(Debug)]
struct SharedClock(Arc<ShiftedClock>);

impl table::Clock for SharedClock {
    fn now_seconds(&self) -> i64 {
        table::Clock::now_seconds(&*self.0)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "tests hand over what they have made")]
pub fn body(
    bytes: Vec<u8>,
) -> impl futures::Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + 'static {
    let chunks: Vec<_> = bytes.chunks(10_000).map(|chunk| Ok(chunk.to_vec().into())).collect();
    futures::stream::iter(chunks)
}

pub async fn wait_for<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(std::time::Instant::now() < deadline, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A JPEG that is like no other.
pub fn photo(seed: u64) -> Vec<u8> {
    let (width, height) = (640, 480);
    let photo = testkit::photos::take(seed, width, height);
    let image = turbojpeg::Image {
        pixels: photo.rgb.as_slice(),
        width,
        pitch: width * 3,
        height,
        format: turbojpeg::PixelFormat::RGB,
    };
    turbojpeg::compress(image, 85, turbojpeg::Subsamp::Sub2x2).unwrap().to_vec()
}

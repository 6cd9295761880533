//! An archive of thousands of files takes the memory of one piece, and breaks off when a file does.
//! In a process of its own, since its memory is looked at.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use blob::{Access, ByteRange, ContentType, Engine, Listed, Meta, Opened, Path, SignedUrl, Upload};
use bytes::Bytes;
use catalog::{Added, Committed, Received, Reservation, Reserved};
use futures::StreamExt;
use futures::future::join_all;
use futures::stream::{self, BoxStream};
use model::{Album, AlbumId, Image, ImageId, MediaType, Original, Quota, Timestamp};
use service::{Caller, Settings};
use world::World;

const FILES: usize = 3000;
const FILE_BYTES: u64 = 128 << 10;
const PIECE_BYTES: usize = 16 << 10;
/// The archive has hundreds of megabytes; what is remembered of 3,000 files has less than one.
const GROWTH_MAX_BYTES: u64 = 24 << 20;

/// A store whose every object is made of zeros, which counts what is read of it.
#[derive(Debug)]
struct Zeros {
    inner: Arc<dyn Engine>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    open: AtomicI64,
    open_max: AtomicI64,
    /// Bytes that were read and not yet handed on.
    ahead: AtomicI64,
    ahead_max: AtomicI64,
    /// Objects opened until the one that breaks off; none if 0.
    breaks_at: AtomicU64,
    opened: AtomicU64,
}

impl Counts {
    fn open(&self) -> bool {
        self.open_max.fetch_max(self.open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        self.opened.fetch_add(1, Ordering::SeqCst) + 1 == self.breaks_at.load(Ordering::SeqCst)
    }

    fn read(&self, bytes: usize) {
        let bytes = i64::try_from(bytes).unwrap();
        self.ahead_max
            .fetch_max(self.ahead.fetch_add(bytes, Ordering::SeqCst) + bytes, Ordering::SeqCst);
    }

    fn handed_on(&self, bytes: usize) {
        self.ahead.fetch_sub(i64::try_from(bytes).unwrap(), Ordering::SeqCst);
    }
}

/// Counts down when the body it belongs to is dropped.
struct Open(Arc<Counts>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

fn meta() -> Meta {
    Meta { size_bytes: FILE_BYTES, modified: Timestamp::EPOCH }
}

#[async_trait]
impl Engine for Zeros {
    async fn get(&self, _: &Path, _: Option<&ByteRange>) -> blob::Result<Opened> {
        let breaks = self.counts.open();
        let open = Open(Arc::clone(&self.counts));
        let pieces = FILE_BYTES / PIECE_BYTES as u64;
        let body = stream::iter(0..pieces).map(move |piece| {
            if breaks && piece == pieces / 2 {
                return Err(blob::Error::Interrupted { cause: "the disk has gone".to_owned() });
            }
            open.0.read(PIECE_BYTES);
            Ok(Bytes::from(vec![0; PIECE_BYTES]))
        });
        Ok(Opened { meta: meta(), range: 0..FILE_BYTES, body: Box::pin(body) })
    }

    async fn head(&self, _: &Path) -> blob::Result<Meta> {
        Ok(meta())
    }

    async fn start(
        &self,
        path: &Path,
        kind: Option<&ContentType>,
    ) -> blob::Result<Box<dyn Upload>> {
        self.inner.start(path, kind).await
    }

    async fn put_new(
        &self,
        path: &Path,
        bytes: Bytes,
        kind: Option<&ContentType>,
    ) -> blob::Result<blob::Written> {
        self.inner.put_new(path, bytes, kind).await
    }

    async fn delete(&self, paths: Vec<Path>) -> blob::Result<()> {
        self.inner.delete(paths).await
    }

    fn list(&self, prefix: &Path, after: Option<&str>) -> BoxStream<'static, blob::Result<Listed>> {
        self.inner.list(prefix, after)
    }

    async fn copy(&self, from: &Path, to: &Path) -> blob::Result<()> {
        self.inner.copy(from, to).await
    }

    async fn rename(&self, from: &Path, to: &Path) -> blob::Result<()> {
        self.inner.rename(from, to).await
    }

    async fn sign(
        &self,
        path: &Path,
        access: &Access,
        expires_at: Timestamp,
    ) -> blob::Result<SignedUrl> {
        self.inner.sign(path, access, expires_at).await
    }
}

/// An image without any bytes but in its row.
async fn image(w: &World, owner: &Caller) -> ImageId {
    let now = w.service.now();
    let image = Image::pending(ImageId::new(now, rand::random()), owner.user, now);
    let id = image.id;
    let (expires_at, idempotency_key) = (now.after(std::time::Duration::from_secs(3600)), None);
    let reservation = Reservation { image, bytes: 1, expires_at, idempotency_key, said: None };
    let reserved = w.catalog.reserve_upload(reservation).await.unwrap();
    assert!(matches!(reserved, Reserved::Reserved(_)));
    let unique: [u64; 4] = rand::random();
    let sha256: String = unique.iter().map(|part| format!("{part:016x}")).collect();
    let size_bytes = i64::try_from(FILE_BYTES).unwrap();
    let received = Received {
        image: id,
        original: Original { size_bytes, sha256: sha256.parse().unwrap() },
        media_type: MediaType::Jpeg,
        expires_at: None,
        keep_duplicate: false,
    };
    let committed = w.catalog.commit_upload(&received, now).await.unwrap();
    assert!(matches!(committed, Committed::Committed(_)));
    id
}

async fn album(w: &World, owner: &Caller, images: usize) -> AlbumId {
    let now = w.service.now();
    let id = AlbumId::new(now, rand::random());
    let album = Album::new(id, owner.user, "Everything".parse().unwrap(), now);
    let created = w.catalog.create_album(&album).await.unwrap();
    assert_eq!(created, catalog::CreatedAlbum::Created);
    for start in (0..images).step_by(100) {
        let some = join_all((start..images.min(start + 100)).map(|_| image(w, owner))).await;
        let added = w.catalog.add_to_album(id, &some, now).await.unwrap();
        assert!(added.iter().all(|end| *end == Added::Added));
    }
    id
}

async fn world() -> (World, Arc<Counts>, Caller) {
    let counts = Arc::new(Counts::default());
    let given = Arc::clone(&counts);
    let wrap = move |inner| -> Arc<dyn Engine> { Arc::new(Zeros { inner, counts: given }) };
    let w = World::on_stores(Settings::default(), |table| table, wrap).await;
    let ada = w.user_with("ada", Quota::new(1 << 20, 1 << 50)).await;
    (w, counts, ada)
}

/// What the process has in memory, in bytes.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib << 10
}

#[tokio::test]
async fn thousands_of_files_take_the_memory_of_one_piece() {
    let (w, counts, ada) = world().await;
    let album = album(&w, &ada, FILES).await;
    let archive = w.service.archive_album(&ada, album).await.unwrap();
    assert_eq!(archive.filename, "Everything.zip");
    let before = resident_bytes();
    let (mut length, mut peak) = (0, before);
    let mut body = archive.body;
    while let Some(piece) = body.next().await {
        let piece = piece.unwrap();
        length += piece.len() as u64;
        if piece.len() == PIECE_BYTES {
            counts.handed_on(piece.len());
        }
        if length % (1 << 20) < PIECE_BYTES as u64 {
            peak = peak.max(resident_bytes());
        }
    }
    assert_eq!(length, archive.size_bytes);
    assert!(length > FILES as u64 * FILE_BYTES);
    assert_eq!(counts.opened.load(Ordering::SeqCst), FILES as u64);
    assert_eq!(counts.open_max.load(Ordering::SeqCst), 1, "one file is open at a time");
    let ahead = counts.ahead_max.load(Ordering::SeqCst);
    assert_eq!(ahead, i64::try_from(PIECE_BYTES).unwrap(), "nothing is read ahead");
    let growth = peak - before;
    println!("{} MiB of archive, {} KiB of memory", length >> 20, growth >> 10);
    assert!(growth < GROWTH_MAX_BYTES, "{} MiB more", growth >> 20);
}

#[tokio::test]
async fn a_file_that_breaks_off_breaks_the_archive_off() {
    let (w, counts, ada) = world().await;
    let album = album(&w, &ada, 5).await;
    counts.breaks_at.store(3, Ordering::SeqCst);
    let archive = w.service.archive_album(&ada, album).await.unwrap();
    let pieces: Vec<_> = archive.body.collect().await;
    let (last, before) = pieces.split_last().unwrap();
    assert!(last.is_err() && before.iter().all(Result::is_ok));
    let length: usize = before.iter().map(|piece| piece.as_ref().unwrap().len()).sum();
    assert!((length as u64) < archive.size_bytes);
    assert_eq!(counts.open.load(Ordering::SeqCst), 0, "and it is closed");
}

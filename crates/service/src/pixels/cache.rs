//! Small pictures that are asked for often, in memory.

use std::time::{Duration, Instant};

use blob::{BlobKey, Meta};
use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// Pictures larger than this are not kept.
pub(crate) const CACHED_BYTES_MAX: u64 = 128 << 10;
/// Memory for all of them.
const TOTAL_BYTES: u64 = 32 << 20;
/// What a picture takes beside its bytes, about.
const OVERHEAD_BYTES: u64 = 256;
/// Other servers may replace or remove pictures; after this one looks again.
const KEPT: Duration = Duration::from_secs(60);

/// Remembers pictures for a while.
pub(crate) struct PixelCache(Cache<BlobKey, Kept, ByBytes>);

#[derive(Clone)]
struct Kept {
    meta: Meta,
    bytes: Bytes,
    since: Instant,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<BlobKey, Kept> for ByBytes {
    fn weight(&self, _: &BlobKey, kept: &Kept) -> u64 {
        kept.bytes.len() as u64 + OVERHEAD_BYTES
    }
}

impl PixelCache {
    pub(crate) fn new() -> Self {
        let expected = usize::try_from(TOTAL_BYTES / (16 << 10)).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(expected, TOTAL_BYTES, ByBytes))
    }

    pub(crate) fn get(&self, key: &BlobKey) -> Option<(Meta, Bytes)> {
        let kept = self.0.get(key).filter(|kept| kept.since.elapsed() < KEPT)?;
        Some((kept.meta, kept.bytes))
    }

    pub(crate) fn put(&self, key: BlobKey, meta: Meta, bytes: Bytes) {
        self.0.insert(key, Kept { meta, bytes, since: Instant::now() });
    }

    /// Forgets all pictures of an image.
    pub(crate) fn forget(&self, image: model::ImageId) {
        self.0.retain(|key, _| key.image() != Some(image));
    }
}

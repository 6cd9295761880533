//! Things to put, and how to look at what was put.

use std::convert::Infallible;

use blob::{BlobKey, Blobs, Fetched, PutLimits};
use bytes::{Bytes, BytesMut};
use futures::{Stream, TryStreamExt, stream};
use model::{ImageId, Timestamp};

pub const ROOMY: u64 = 64 * 1024 * 1024;

pub fn image(number: u128) -> ImageId {
    ImageId::new(Timestamp::from_millis(1_754_040_262_159), number)
}

pub fn original(number: u128) -> BlobKey {
    BlobKey::Original(image(number))
}

pub fn upload(number: u128) -> BlobKey {
    BlobKey::Upload(image(number))
}

pub fn rendition(number: u128, size: &str) -> BlobKey {
    let format = model::RenditionFormat::Webp;
    BlobKey::Rendition { image: image(number), size: size.parse().unwrap(), format }
}

pub fn roomy() -> PutLimits {
    PutLimits::at_most(ROOMY)
}

/// Bytes that differ everywhere, so that a lost, doubled or swapped piece shows.
pub fn noise(len: usize) -> Bytes {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ len as u64;
    let mut bytes = BytesMut::with_capacity(len + 8);
    while bytes.len() < len {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(len);
    bytes.freeze()
}

/// The bytes in pieces whose lengths go round in `lens`.
pub fn pieces(mut bytes: Bytes, lens: &[usize]) -> Vec<Bytes> {
    let mut pieces = Vec::new();
    for len in lens.iter().cycle() {
        if bytes.is_empty() {
            break;
        }
        pieces.push(bytes.split_to((*len).min(bytes.len())));
    }
    pieces
}

pub fn sent(pieces: Vec<Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    stream::iter(pieces.into_iter().map(Ok))
}

pub async fn put(blobs: &Blobs, key: &BlobKey, bytes: &Bytes) {
    blobs.put_bytes(key, bytes.clone(), &roomy()).await.unwrap();
}

pub async fn read(fetched: Fetched) -> Bytes {
    let pieces: Vec<Bytes> = fetched.body.try_collect().await.unwrap();
    pieces.concat().into()
}

pub async fn content(blobs: &Blobs, key: &BlobKey) -> Bytes {
    read(blobs.get(key, None).await.unwrap()).await
}

pub async fn is_absent(blobs: &Blobs, key: &BlobKey) -> bool {
    let listed = blobs.list(&blob::BlobPrefix::All, None).map_ok(|listed| listed.path);
    let listed: Vec<String> = listed.try_collect().await.unwrap();
    let head = blobs.head(key).await;
    matches!(head, Err(blob::Error::NotFound { .. })) && !listed.contains(&key.to_string())
}

//! Images that cannot be shown, or not all of them, are kept; what is no image is not.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use blob::BlobKey;
use model::{ImageStatus, MediaType, Shown};
use service::{Error, NewImage, Settings, Uploaded};
use world::{World, body, photo};

/// An image of a kind that nothing here reads.
fn unread() -> Vec<u8> {
    [&b"II\xbc\x01\x08\0\0\0"[..], &[7; 200]].concat()
}

fn only_shown() -> NewImage {
    NewImage { only_shown: true, ..NewImage::default() }
}

#[tokio::test]
async fn an_image_that_cannot_be_shown_is_kept_and_says_why() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let uploaded = w.upload(&ada, unread()).await.unwrap();
    let Uploaded::Created(image) = uploaded else { panic!("{uploaded:?}") };
    assert_eq!((image.status, image.media_type), (ImageStatus::Processing, Some(MediaType::Jxr)));
    let _workers = w.workers();
    let image = w.processed(image.id).await;
    assert_eq!(image.status, ImageStatus::Failed);
    let why = image.error.unwrap();
    assert!(why.contains("image/jxr") && why.contains("not read"), "{why}");
    assert!(image.renditions.is_empty());
    let kept = w.blobs.head(&BlobKey::Original(image.id)).await.unwrap();
    assert_eq!(kept.size_bytes, unread().len() as u64);
}

#[tokio::test]
async fn who_wants_only_what_can_be_shown_is_told_at_once() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let left = w.images_left(&ada).await;
    let cut = photo(1)[..100].to_vec();
    for file in [unread(), cut] {
        let refused = w.service.upload(&ada, only_shown(), body(file)).await;
        assert!(matches!(refused, Err(Error::Image(_))), "{refused:?}");
    }
    assert_eq!(w.images_left(&ada).await, left);
    assert_eq!(w.objects().await, Vec::<String>::new());
    let uploaded = w.service.upload(&ada, only_shown(), body(photo(1))).await.unwrap();
    assert!(matches!(uploaded, Uploaded::Created(_)));
}

#[tokio::test]
async fn what_takes_too_much_memory_is_kept() {
    let mut settings = Settings::default();
    settings.limits.decoded_bytes = 1 << 20;
    settings.render.limits = settings.limits;
    let w = World::with(settings).await;
    let ada = w.user("ada").await;
    let image = w.upload(&ada, photo(1)).await.unwrap().image().clone();
    let _workers = w.workers();
    let image = w.processed(image.id).await;
    assert_eq!(image.status, ImageStatus::Failed);
    assert!(image.error.unwrap().contains("memory"));
}

#[tokio::test]
async fn a_file_that_ends_early_shows_what_is_there() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let image = w.upload(&ada, bytes[..bytes.len() * 2 / 3].to_vec()).await.unwrap();
    let id = image.image().id;
    let _workers = w.workers();
    let image = w.processed(id).await;
    assert_eq!((image.status, image.error), (ImageStatus::Completed, None));
    assert_eq!(image.facts.unwrap().shown, Shown::Incomplete);
    assert_eq!(image.renditions.len(), 4);
}

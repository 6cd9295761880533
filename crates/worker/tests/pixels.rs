//! Pictures: signed, negotiated, on demand.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use std::time::Duration;

use futures::TryStreamExt;
use model::{ImageId, RenditionFormat};
use service::{Accepts, ByteRange, Caller, Error, OpenedPixels, PixelBody, PixelName, Signature};
use world::{World, photo};

const BROWSER: Accepts = Accepts { avif: true, webp: true };
const PLAIN: Accepts = Accepts { avif: false, webp: false };

fn name(text: &str) -> PixelName {
    text.parse().unwrap()
}

async fn bytes_of(opened: OpenedPixels) -> Vec<u8> {
    match opened.body {
        PixelBody::Bytes(bytes) => bytes.to_vec(),
        PixelBody::Stream(body) => body.try_collect::<Vec<_>>().await.unwrap().concat(),
    }
}

async fn world_with_image() -> (World, Caller, ImageId) {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let workers = w.workers();
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    w.processed(image).await;
    let _ = workers.stop(Duration::from_secs(60)).await;
    (w, ada, image)
}

#[tokio::test]
async fn a_signature_is_for_one_picture_until_it_ends() {
    let (w, _, image) = world_with_image().await;
    let thumb = name("thumb");
    let path = w.service.pixel_path(image, &thumb);
    assert_eq!(path, w.service.pixel_path(image, &thumb), "caches can keep it");
    let (start, query) = path.split_once("?e=").unwrap();
    assert_eq!(start, format!("/i/{image}/thumb"));
    let (expires, proof) = query.split_once("&s=").unwrap();
    let given = Signature::parse(expires, proof, false).unwrap();
    assert!(w.service.check_signature(image, &thumb, &given));
    assert!(w.service.seconds_left(&given) >= 3600);

    assert!(!w.service.check_signature(image, &name("original"), &given));
    assert!(!w.service.check_signature(image, &name("thumb.jpeg"), &given));
    let other = ImageId::new(model::Timestamp::from_millis(1), 1);
    assert!(!w.service.check_signature(other, &thumb, &given));
    let longer = Signature { expires: given.expires + 1, ..given.clone() };
    assert!(!w.service.check_signature(image, &thumb, &longer));
    w.clock.advance(Duration::from_secs(2 * 3600 + 1));
    assert!(!w.service.check_signature(image, &thumb, &given));
}

#[tokio::test]
async fn renditions_are_sent_as_they_are_or_as_the_client_takes_them() {
    let (w, _, image) = world_with_image().await;
    let opened = w.service.open_pixels(image, &name("thumb"), BROWSER, None).await.unwrap();
    assert_eq!(opened.content_type, "image/webp");
    let etag = opened.etag();
    let webp = bytes_of(opened).await;
    assert_eq!(imaging::sniff(&webp), Some(model::MediaType::Webp));
    // Again from memory.
    let again = w.service.open_pixels(image, &name("thumb"), BROWSER, None).await.unwrap();
    assert_eq!((again.etag(), bytes_of(again).await), (etag, webp.clone()));

    let opened = w.service.open_pixels(image, &name("thumb"), PLAIN, None).await.unwrap();
    assert_eq!(opened.content_type, "image/jpeg");
    let jpeg = imaging::probe(&bytes_of(opened).await).unwrap();
    assert_eq!((jpeg.width, jpeg.height), (256, 256));

    let part = ByteRange::Span(4..12);
    let opened = w.service.open_pixels(image, &name("thumb"), BROWSER, Some(&part)).await.unwrap();
    assert_eq!(opened.range, 4..12);
    assert_eq!(bytes_of(opened).await, webp[4..12]);
    let beyond = ByteRange::From(webp.len() as u64);
    let refused = w.service.open_pixels(image, &name("thumb"), BROWSER, Some(&beyond)).await;
    assert!(matches!(refused, Err(Error::BadRange { .. })));
}

#[tokio::test]
async fn a_thousand_who_ask_for_the_same_at_once_get_one_rendering() {
    let (w, _, image) = world_with_image().await;
    let demand = name("w128-h64-cover");
    let asked = (0..1000).map(|_| w.service.open_pixels(image, &demand, BROWSER, None));
    let opened = futures::future::join_all(asked).await;
    let etags: std::collections::BTreeSet<_> =
        opened.into_iter().map(|opened| opened.unwrap().etag()).collect();
    assert_eq!(etags.len(), 1, "made once, so written once");
    let made = format!("transforms/{image}/w128-h64-cover-q80.webp");
    assert!(w.objects().await.contains(&made));
}

#[tokio::test]
async fn only_what_is_offered_is_made() {
    let (w, _, image) = world_with_image().await;
    for refused in ["w127", "w128-q81", "w128.avif", "w128-cover"] {
        let opened = w.service.open_pixels(image, &name(refused), BROWSER, None).await;
        assert!(matches!(opened, Err(Error::Image(_))), "{refused}");
    }
    let avif = w.service.open_pixels(image, &name("thumb.avif"), BROWSER, None).await;
    assert!(matches!(avif, Err(Error::Invalid { .. })));
    let unknown = w.service.open_pixels(image, &name("huge"), BROWSER, None).await;
    assert!(matches!(unknown, Err(Error::NotFound { .. })));
    let nobody = ImageId::new(model::Timestamp::from_millis(1), 1);
    for what in ["thumb", "original", "w128", "thumb.jpeg"] {
        let opened = w.service.open_pixels(nobody, &name(what), BROWSER, None).await;
        assert!(matches!(opened, Err(Error::NotFound { .. })), "{what}");
    }
}

#[tokio::test]
async fn the_original_is_byte_for_byte_and_its_owners() {
    let (w, ada, image) = world_with_image().await;
    let bob = w.user("bob").await;
    let opened = w.service.open_pixels(image, &PixelName::original(), PLAIN, None).await.unwrap();
    assert_eq!(opened.content_type, "image/jpeg");
    assert_eq!(bytes_of(opened).await, photo(1));
    let share = service::EditImage {
        visibility: Some(model::Visibility::Shared),
        ..service::EditImage::default()
    };
    w.service.edit_image(&ada, image, None, share).await.unwrap();
    w.service.check_pixels(&bob, image, &name("thumb")).await.unwrap();
    let refused = w.service.check_pixels(&bob, image, &PixelName::original()).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    w.service.check_pixels(&ada, image, &PixelName::original()).await.unwrap();
}

#[tokio::test]
async fn nothing_is_served_of_an_image_that_was_removed_for_good() {
    let (w, ada, image) = world_with_image().await;
    let _ = w.service.open_pixels(image, &name("thumb"), BROWSER, None).await.unwrap();
    let _ = w.service.open_pixels(image, &name("w128"), BROWSER, None).await.unwrap();
    w.service.purge_image(&ada, image, None).await.unwrap();
    let workers = w.workers();
    world::wait_for("the objects to go", async || w.objects().await.is_empty().then_some(())).await;
    for what in ["thumb", "w128", "original", "thumb.jpeg"] {
        let opened = w.service.open_pixels(image, &name(what), BROWSER, None).await;
        assert!(matches!(opened, Err(Error::NotFound { .. })), "{what}");
    }
    let _ = workers.stop(Duration::from_secs(60)).await;
    assert_eq!(name("thumb.jpeg").format, Some(RenditionFormat::Jpeg));
}

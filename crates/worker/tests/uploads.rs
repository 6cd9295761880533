//! Uploads that come in pieces, and uploads straight to storage.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use std::time::Duration;

use model::ImageStatus;
use service::{Begun, Caller, Error, NewImage, PieceChecksum, Resumed, Settings, Uploaded};
use sha2::Digest;
use world::{World, body, photo, wait_for};

async fn begin(w: &World, caller: &Caller, bytes: &[u8]) -> model::ImageId {
    let new = NewImage { size_bytes: Some(bytes.len() as u64), ..NewImage::default() };
    match w.service.begin_upload(caller, &new).await.unwrap() {
        Begun::Reserved(image) => image.id,
        Begun::Repeated(image) => panic!("{image:?}"),
    }
}

async fn offset(w: &World, caller: &Caller, image: model::ImageId) -> u64 {
    w.service.load_resumable(caller, image).await.unwrap().offset
}

#[tokio::test]
async fn pieces_become_an_image_and_nothing_else_stays() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let (first, second) = bytes.split_at(20_000);
    let kept = w.service.resume_upload(&ada, image, 0, None, body(first.to_vec())).await.unwrap();
    assert_eq!(kept, Resumed::Kept { offset: 20_000 });
    assert_eq!(offset(&w, &ada, image).await, 20_000);

    let wrong = w.service.resume_upload(&ada, image, 19_999, None, body(second.to_vec())).await;
    assert_eq!(wrong.unwrap(), Resumed::WrongOffset { offset: 20_000 });

    let done =
        w.service.resume_upload(&ada, image, 20_000, None, body(second.to_vec())).await.unwrap();
    let Resumed::Complete(Uploaded::Created(created)) = done else { panic!("{done:?}") };
    assert_eq!((created.id, created.status), (image, ImageStatus::Processing));
    assert_eq!(created.original.unwrap().sha256, imaging::sha256(&bytes));
    assert_eq!(created.upload, None);
    assert_eq!(w.objects().await, [format!("images/{image}/original")]);
}

#[tokio::test]
async fn what_came_before_the_connection_broke_is_kept() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let cut = futures::stream::iter([
        Ok(bytes::Bytes::copy_from_slice(&bytes[..12_345])),
        Err("the connection was reset"),
    ]);
    let broken = w.service.resume_upload(&ada, image, 0, None, cut).await;
    assert!(matches!(broken, Err(Error::Interrupted { .. })));
    assert_eq!(offset(&w, &ada, image).await, 12_345);
    let rest = body(bytes[12_345..].to_vec());
    let done = w.service.resume_upload(&ada, image, 12_345, None, rest).await.unwrap();
    assert!(matches!(done, Resumed::Complete(Uploaded::Created(_))), "{done:?}");
}

#[tokio::test]
async fn a_piece_that_is_not_what_its_checksum_says_is_not_kept() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let piece = bytes[..5000].to_vec();
    let wrong = Some(PieceChecksum::Sha256([7; 32]));
    let refused = w.service.resume_upload(&ada, image, 0, wrong, body(piece.clone())).await;
    assert_eq!(refused.unwrap(), Resumed::WrongChecksum);
    assert_eq!(offset(&w, &ada, image).await, 0);
    assert_eq!(w.objects().await, [""; 0]);
    let right = Some(PieceChecksum::Sha256(sha2::Sha256::digest(&piece).into()));
    let kept = w.service.resume_upload(&ada, image, 0, right, body(piece)).await.unwrap();
    assert_eq!(kept, Resumed::Kept { offset: 5000 });
}

#[tokio::test]
async fn of_two_who_send_the_same_piece_one_is_kept() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let send = || w.service.resume_upload(&ada, image, 0, None, body(bytes[..5000].to_vec()));
    let (one, other) = futures::join!(send(), send());
    let kept = [&one, &other].iter().filter(|sent| sent.is_ok()).count();
    assert!(kept >= 1, "{one:?} {other:?}");
    assert_eq!(offset(&w, &ada, image).await, 5000);
}

#[tokio::test]
async fn more_bytes_than_announced_and_no_image_at_all_are_refused() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let left = w.images_left(&ada).await;
    let image = begin(&w, &ada, &[0; 1000]).await;
    let refused = w.service.resume_upload(&ada, image, 0, None, body(vec![0; 1001])).await;
    assert!(matches!(refused, Err(Error::BytesDiffer { .. })), "{refused:?}");
    let refused = w.service.resume_upload(&ada, image, 0, None, body(vec![0; 1000])).await;
    assert!(matches!(refused, Err(Error::Image(_))), "{refused:?}");
    assert_eq!((w.images_left(&ada).await, w.objects().await.len()), (left, 0));
    let gone = w.service.load_resumable(&ada, image).await;
    assert!(matches!(gone, Err(Error::NotFound { .. })));
}

#[tokio::test]
async fn nobody_else_sees_or_feeds_an_upload_and_its_owner_can_cancel_it() {
    let w = World::new().await;
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let left = w.images_left(&ada).await;
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let missing = |result: Result<(), Error>| matches!(result, Err(Error::NotFound { .. }));
    assert!(missing(w.service.load_resumable(&bob, image).await.map(drop)));
    let fed = w.service.resume_upload(&bob, image, 0, None, body(bytes.clone())).await;
    assert!(missing(fed.map(drop)));
    assert!(missing(w.service.cancel_upload(&bob, image).await));
    let _ = w.service.resume_upload(&ada, image, 0, None, body(bytes[..100].to_vec())).await;
    w.service.cancel_upload(&ada, image).await.unwrap();
    assert_eq!((w.images_left(&ada).await, w.objects().await.len()), (left, 0));
}

#[tokio::test]
async fn parts_of_an_upload_that_was_given_up_go_away() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let _ = w.service.resume_upload(&ada, image, 0, None, body(bytes[..100].to_vec())).await;
    assert_eq!(w.objects().await.len(), 1);
    let workers = w.workers();
    w.clock.advance(w.service.settings().upload_time + Duration::from_secs(1));
    wait_for("the parts to go", async || w.objects().await.is_empty().then_some(())).await;
    let _ = workers.stop(Duration::from_secs(60)).await;
}

/// The path and query of a URL.
fn parts_of(url: &str) -> (&str, &str) {
    let path = url.strip_prefix("http://photos.example.org").unwrap();
    path.split_once('?').unwrap()
}

#[tokio::test]
async fn a_file_sent_to_a_signed_url_becomes_an_image_when_completed() {
    let storage_url = Some("http://photos.example.org/storage/".to_owned());
    let w = World::with(Settings { storage_url, ..Settings::default() }).await;
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let bytes = photo(1);
    let image = begin(&w, &ada, &bytes).await;
    let signed = w.service.sign_upload(&ada, image).await.unwrap();
    assert!(w.service.sign_upload(&bob, image).await.is_err());
    let missing = w.service.complete_upload(&ada, image).await;
    assert!(matches!(missing, Err(Error::BytesMissing)), "{missing:?}");

    let (path, query) = parts_of(signed.url.as_str());
    let forged = query.replace('=', "=1");
    let refused = w.service.receive_signed(path, &forged, body(bytes.clone())).await;
    assert!(matches!(refused, Err(Error::BadSignature)));
    w.service.receive_signed(path, query, body(bytes.clone())).await.unwrap();

    assert!(matches!(w.service.complete_upload(&bob, image).await, Err(Error::NotFound { .. })));
    let done = w.service.complete_upload(&ada, image).await.unwrap();
    let Uploaded::Created(created) = &done else { panic!("{done:?}") };
    assert_eq!(created.original.as_ref().unwrap().sha256, imaging::sha256(&bytes));
    let again = w.service.complete_upload(&ada, image).await.unwrap();
    assert!(matches!(again, Uploaded::Repeated(_)));

    // Whoever still has the URL can send, and changes nothing.
    w.service.receive_signed(path, query, body(vec![0; 10])).await.unwrap();
    assert_eq!(w.service.sweep_orphans().await.unwrap().removed, 1);
    w.clock.advance(Duration::from_secs(2 * 60 * 60));
    let late = w.service.receive_signed(path, query, body(bytes)).await;
    assert!(matches!(late, Err(Error::BadSignature)));
}

#[tokio::test]
async fn what_is_sent_straight_to_storage_must_be_what_was_announced() {
    let storage_url = Some("http://photos.example.org/storage/".to_owned());
    let w = World::with(Settings { storage_url, ..Settings::default() }).await;
    let ada = w.user("ada").await;
    let left = w.images_left(&ada).await;
    let image = begin(&w, &ada, &photo(1)).await;
    let signed = w.service.sign_upload(&ada, image).await.unwrap();
    let (path, query) = parts_of(signed.url.as_str());
    w.service.receive_signed(path, query, body(photo(2)[..900].to_vec())).await.unwrap();
    let refused = w.service.complete_upload(&ada, image).await;
    assert!(matches!(refused, Err(Error::BytesDiffer { .. })), "{refused:?}");
    assert_eq!((w.images_left(&ada).await, w.objects().await.len()), (left, 0));
}

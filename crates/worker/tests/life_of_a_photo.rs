//! From its bytes to its renditions, and to nothing: with real stores, real files and real workers.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use std::time::Duration;

use blob::BlobKey;
use catalog::{Order, PageRequest};
use model::{FailureCode, ImageStatus, Quota, Visibility, WorkKind};
use service::{EditImage, Error, NewImage, OwnedBy, Settings, Uploaded};
use table::Key;
use world::{World, body, photo, wait_for};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn a_photo_gets_its_renditions() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let bytes = photo(1);
    let uploaded = w.upload(&ada, bytes.clone()).await.unwrap();
    let Uploaded::Created(image) = uploaded else { panic!("{uploaded:?}") };
    assert_eq!(image.status, ImageStatus::Processing);
    assert_eq!(image.original.unwrap().sha256, imaging_sha256(&bytes));

    let workers = w.workers();
    let image = w.processed(image.id).await;
    assert_eq!((image.status, image.error), (ImageStatus::Completed, None));
    let sides: Vec<_> =
        image.renditions.iter().map(|(name, r)| (name.as_str(), r.width, r.height)).collect();
    let full = (640, 480);
    assert_eq!(
        sides,
        [
            ("large", full.0, full.1),
            ("medium", full.0, full.1),
            ("small", full.0, full.1),
            ("thumb", 256, 256)
        ]
    );
    for (size, rendition) in &image.renditions {
        let key =
            BlobKey::Rendition { image: image.id, size: size.clone(), format: rendition.format };
        let stored = w.blobs.head(&key).await.unwrap().size_bytes;
        assert_eq!(i64::try_from(stored).unwrap(), rendition.size_bytes);
    }
    assert_eq!(workers.stop(DAY).await, worker::Stopped::Wholly);
}

#[tokio::test]
async fn the_same_bytes_are_kept_once_and_the_second_copy_leaves_nothing() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let first = w.upload(&ada, photo(1)).await.unwrap().image().clone();
    let left = w.images_left(&ada).await;
    let again = w.upload(&ada, photo(1)).await.unwrap();
    assert_eq!(again, Uploaded::Duplicate(w.image(first.id).await));
    assert_eq!(w.images_left(&ada).await, left);
    assert_eq!(w.objects().await, [format!("images/{}/original", first.id)]);
    let bob = w.user("bob").await;
    assert!(matches!(w.upload(&bob, photo(1)).await, Ok(Uploaded::Created(_))));
}

#[tokio::test]
async fn what_is_no_image_or_breaks_off_leaves_nothing_and_costs_nothing() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let left = w.images_left(&ada).await;
    let refused = w.upload(&ada, b"plain text, however long it may be, is no image".into()).await;
    assert!(matches!(refused, Err(Error::Image(imaging::Error::Unsupported { .. }))));

    let cut =
        futures::stream::iter([Ok(bytes::Bytes::from(photo(1))), Err("the connection was reset")]);
    let refused = w.service.upload(&ada, NewImage::default(), cut).await;
    assert!(matches!(refused, Err(Error::Interrupted { .. })), "{refused:?}");

    let announced = NewImage { size_bytes: Some(7), ..NewImage::default() };
    let refused = w.service.upload(&ada, announced, body(photo(1))).await;
    assert!(matches!(refused, Err(Error::BytesDiffer { .. })), "{refused:?}");

    let wrong = NewImage { sha256: Some("0".repeat(64).parse().unwrap()), ..NewImage::default() };
    let refused = w.service.upload(&ada, wrong, body(photo(1))).await;
    assert!(matches!(refused, Err(Error::BytesDiffer { .. })), "{refused:?}");

    assert_eq!(w.objects().await, [""; 0]);
    assert_eq!(w.images_left(&ada).await, left);
    assert!(w.catalog.list_work(WorkKind::Expire, &all()).await.unwrap().entries.is_empty());
}

#[tokio::test]
async fn a_quota_is_never_overdrawn_by_uploads_at_once() {
    let w = World::new().await;
    let ada = w.user_with("ada", Quota::new(3, 1 << 30)).await;
    let uploads = (0..8).map(|seed| w.upload(&ada, photo(seed)));
    let uploaded = futures::future::join_all(uploads).await;
    let kept = uploaded.iter().filter(|uploaded| uploaded.is_ok()).count();
    assert_eq!((kept, w.images_left(&ada).await), (3, 0));
    assert_eq!(w.objects().await.len(), 3);
    let refused = uploaded.into_iter().filter_map(Result::err);
    assert!(refused.into_iter().all(|error| matches!(error, Error::NoImagesLeft(_))));
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_image_and_one_that_never_ended_is_replaced() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let new = NewImage { idempotency_key: Some("once".to_owned()), ..NewImage::default() };
    let left = w.images_left(&ada).await;
    // A server that was killed in the middle leaves a reservation behind.
    let _ = w.service.begin_upload(&ada, &new).await.unwrap();
    assert_eq!(w.images_left(&ada).await, left - 1);
    let first = w.service.upload(&ada, new.clone(), body(photo(1))).await.unwrap();
    assert!(matches!(first, Uploaded::Created(_)));
    assert_eq!(w.images_left(&ada).await, left - 1);
    let again = w.service.upload(&ada, new.clone(), body(photo(1))).await.unwrap();
    assert_eq!(again, Uploaded::Repeated(first.image().clone()));
    let other = w.service.upload(&ada, new, body(photo(2))).await;
    assert!(matches!(other, Err(Error::KeyTaken)), "{other:?}");
    assert_eq!(w.objects().await.len(), 1);
}

#[tokio::test]
async fn an_upload_that_never_comes_is_given_back() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let left = w.images_left(&ada).await;
    let _ = w.service.begin_upload(&ada, &NewImage::default()).await.unwrap();
    let workers = w.workers();
    w.clock.advance(w.service.settings().upload_time + Duration::from_secs(1));
    wait_for("the quota to come back", async || (w.images_left(&ada).await == left).then_some(()))
        .await;
    let _ = workers.stop(DAY).await;
}

#[tokio::test]
async fn a_damaged_file_fails_at_once_and_can_be_tried_again_by_an_administrator() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    // What passed the probe may still not be there.
    let mut damaged = photo(1);
    damaged.truncate(300);
    let limits = blob::PutLimits::at_most(1 << 20);
    let key = BlobKey::Original(image);
    w.blobs.put_bytes(&key, damaged.into(), &limits).await.unwrap();

    let workers = w.workers();
    let failed = w.processed(image).await;
    assert_eq!(failed.status, ImageStatus::Failed);
    let (code, why) = failed.failure().unwrap();
    assert!(
        matches!(code, FailureCode::TruncatedImage | FailureCode::DamagedImage),
        "{code:?}: {why}"
    );
    let dead = w.service.list_dead_work(&ada, WorkKind::Process, &all()).await.unwrap().entries;
    assert_eq!((dead.len(), dead[0].work.attempts), (1, 1));
    assert_eq!(dead[0].image.as_ref().map(|image| image.id), Some(image));
    assert_eq!(dead[0].owner.as_ref().map(|owner| owner.id), Some(ada.user));

    w.blobs.put_bytes(&key, photo(1).into(), &limits).await.unwrap();
    let subject = dead[0].work.subject;
    w.service.revive_work(&ada, WorkKind::Process, subject).await.unwrap();
    assert_eq!(w.processed(image).await.status, ImageStatus::Completed);
    assert!(w.service.revive_work(&ada, WorkKind::Process, subject).await.is_err());
    let _ = workers.stop(DAY).await;
}

/// What kills every process that takes it up must not be taken up for ever.
#[tokio::test]
async fn a_photo_that_nobody_survives_is_given_up() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let image = w.upload(&ada, photo(1)).await.unwrap().image().clone();
    for _ in 0..10 {
        let tasks = w.service.claim_tasks(WorkKind::Process, "doomed", 1).await.unwrap();
        assert_eq!(tasks.len(), 1, "it is tried often: a restart may have been to blame");
        drop(tasks);
        assert_eq!(w.service.free_tasks_of_the_dead().await.unwrap(), 1);
    }
    let workers = w.workers();
    let failed = w.processed(image.id).await;
    assert_eq!(failed.status, ImageStatus::Failed);
    assert_eq!(failed.failure().unwrap().0, FailureCode::ProcessingFailed);

    let administrator = service::Caller::operator();
    let dead = w.service.list_dead_work(&administrator, WorkKind::Process, &all()).await.unwrap();
    let why = dead.entries[0].work.error.clone().unwrap();
    assert!(why.contains("begun 10 times"), "{why}");
    let subject = model::Subject::Image(image.id);
    w.service.revive_work(&administrator, WorkKind::Process, subject).await.unwrap();
    let done = wait_for("its renditions", async || {
        Some(w.image(image.id).await).filter(|image| image.status == ImageStatus::Completed)
    });
    done.await;
    assert_eq!(workers.stop(DAY).await, worker::Stopped::Wholly);
}

#[tokio::test]
async fn what_is_thrown_away_can_be_brought_back_until_it_is_gone_for_good() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let left = w.images_left(&ada).await;
    let workers = w.workers();
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    w.processed(image).await;

    w.service.trash_image(&ada, image, None).await.unwrap();
    assert!(own(&w, &ada).await.is_empty());
    w.service.restore_image(&ada, image).await.unwrap();
    assert_eq!(own(&w, &ada).await, [image]);

    w.service.trash_image(&ada, image, None).await.unwrap();
    w.clock.advance(w.service.settings().trash_time + Duration::from_secs(1));
    wait_for("the image to be purged", async || {
        (w.images_left(&ada).await == left && w.objects().await.is_empty()).then_some(())
    })
    .await;
    assert!(w.service.restore_image(&ada, image).await.is_err());
    assert!(w.service.load_image(&ada, image).await.is_err());
    let _ = workers.stop(DAY).await;
}

#[tokio::test]
async fn others_see_only_what_is_shared_and_not_where_it_was_taken() {
    let w = World::new().await;
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let workers = w.workers();
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    let image = w.processed(image).await;
    assert!(matches!(w.service.load_image(&bob, image.id).await, Err(Error::NotFound { .. })));
    let edit = EditImage { title: Some(None), ..EditImage::default() };
    let edited = w.service.edit_image(&bob, image.id, None, edit).await;
    assert!(matches!(edited, Err(Error::NotFound { .. })));
    let trashed = w.service.trash_image(&bob, image.id, None).await;
    assert!(matches!(trashed, Err(Error::NotFound { .. })));

    let share = EditImage { visibility: Some(Visibility::Shared), ..EditImage::default() };
    w.service.edit_image(&ada, image.id, Some(image.version), share.clone()).await.unwrap();
    let lost = w.service.edit_image(&ada, image.id, Some(image.version), share).await;
    assert!(matches!(lost, Err(Error::Conflict { current }) if current == image.version + 1));
    assert_eq!(w.service.load_image(&bob, image.id).await.unwrap().exif, None);
    let adas = OwnedBy::User(ada.user);
    let listed = w.service.list_images(&bob, adas, Order::Newest, &all()).await.unwrap();
    assert_eq!(listed.entries.len(), 1);
    assert_eq!(w.service.list_feed(&bob, &all()).await.unwrap().entries.len(), 1);
    let _ = workers.stop(DAY).await;
}

#[tokio::test]
async fn objects_without_rows_are_swept_and_others_stay() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    let nobody = model::ImageId::new(model::Timestamp::from_millis(1), 1);
    let limits = blob::PutLimits::at_most(10);
    for key in [BlobKey::Original(nobody), BlobKey::Upload(nobody)] {
        w.blobs.put_bytes(&key, "bytes".into(), &limits).await.unwrap();
    }
    let swept = w.service.sweep_orphans().await.unwrap();
    assert_eq!((swept.objects, swept.removed), (3, 2));
    assert_eq!(w.objects().await, [format!("images/{image}/original")]);
}

#[tokio::test]
async fn a_size_added_later_is_made_for_all() {
    let mut settings = Settings::default();
    settings.sizes.retain(|size| size.name().as_str() == "thumb");
    let w = World::with(settings.clone()).await;
    let ada = w.user("ada").await;
    let workers = w.workers();
    let mut images = Vec::new();
    for seed in 0..3 {
        images.push(w.upload(&ada, photo(seed)).await.unwrap().image().id);
    }
    for image in &images {
        assert_eq!(w.processed(*image).await.renditions.len(), 1);
    }
    let _ = workers.stop(DAY).await;

    let w = w.restarted(Settings::default()).await;
    assert_eq!(w.service.make_missing_sizes(&ada).await.unwrap(), 3);
    assert_eq!(w.service.progress(&ada).await.unwrap().waiting, 3);
    let workers = w.workers();
    wait_for("all sizes", async || {
        (w.service.progress(&ada).await.unwrap().waiting == 0).then_some(())
    })
    .await;
    for image in &images {
        assert_eq!(w.image(*image).await.renditions.len(), 4);
    }
    assert_eq!(w.service.make_missing_sizes(&ada).await.unwrap(), 0);
    let _ = workers.stop(DAY).await;
}

#[tokio::test]
async fn several_workers_do_everything_once_and_a_stopped_one_puts_back_what_it_holds() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let mut images = Vec::new();
    for seed in 0..6 {
        images.push(w.upload(&ada, photo(seed)).await.unwrap().image().id);
    }
    let hasty = w.workers();
    let _ = hasty.stop(Duration::ZERO).await;
    let both = [w.workers(), w.workers()];
    for image in &images {
        let image = w.processed(*image).await;
        // Received, processed: two changes, however many workers tried.
        assert_eq!((image.status, image.version), (ImageStatus::Completed, 3));
    }
    for workers in both {
        assert_eq!(workers.stop(DAY).await, worker::Stopped::Wholly);
    }
}

async fn own(w: &World, caller: &service::Caller) -> Vec<model::ImageId> {
    let listed = w.service.list_images(caller, OwnedBy::Me, Order::Newest, &all()).await.unwrap();
    listed.entries.into_iter().map(|image| image.id).collect()
}

fn all() -> PageRequest {
    PageRequest::first(100)
}

fn imaging_sha256(bytes: &[u8]) -> model::Sha256Hex {
    imaging::sha256(bytes)
}

#[tokio::test]
async fn words_that_are_gone_are_taken_out_by_workers() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let uploaded = w.upload(&ada, photo(2)).await.unwrap();
    let Uploaded::Created(image) = uploaded else { panic!("{uploaded:?}") };
    for title in ["Sunset", "Moonrise"] {
        let edit = EditImage { title: Some(Some(title.parse().unwrap())), ..EditImage::default() };
        let _ = w.service.edit_image(&ada, image.id, None, edit).await.unwrap();
    }
    let entry = |word| Key::new(format!("IMAGE#{}", image.id), format!("TERM#{word}"));
    assert!(w.table.get(&entry("sunset")).await.unwrap().is_some());
    w.clock.advance(2 * Duration::from_secs(3600));
    let workers = w.workers_that(|options| {
        options.gone_words_interval = Duration::from_millis(20);
    });
    wait_for("the word to be taken out", async || {
        w.table.get(&entry("sunset")).await.unwrap().is_none().then_some(())
    })
    .await;
    assert!(w.table.get(&entry("moonrise")).await.unwrap().is_some());
    assert_eq!(workers.stop(DAY).await, worker::Stopped::Wholly);
}

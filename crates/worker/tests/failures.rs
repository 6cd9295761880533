//! A store fails at the Nth call, for every N, before or after it has acted: rows and objects
//! alike. Afterwards nothing is lost, doubled or left behind, and doing the same again heals it.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod failing;
mod world;

use std::sync::Arc;
use std::time::Duration;

use blob::BlobKey;
use failing::{FailingStore, FailingTable};
use model::{Image, ImageId, ImageStatus, Role, UserId, WorkKind};
use service::{
    Begun, Caller, Client, EditImage, Error, NewImage, NewUser, Resumed, Settings, Task, Uploaded,
};
use testkit::faults::{self, Faults};
use world::{World, body, photo};

/// Longer than any lease, and than any pause before another attempt.
const LATER: Duration = Duration::from_secs(20 * 60);
/// Longer than what was never completed is kept.
const DAYS: Duration = Duration::from_secs(3 * 24 * 60 * 60);

async fn world(faults: &Arc<Faults>) -> World {
    let settings = Settings {
        storage_url: Some("https://photos.example.org/storage/".to_owned()),
        accounts: cheap_accounts(),
        ..Settings::default()
    };
    let stores = (Arc::clone(faults), Arc::clone(faults));
    World::on_stores(
        settings,
        |table| Arc::new(FailingTable { table, faults: stores.0 }),
        |engine| Arc::new(FailingStore { engine, faults: stores.1 }),
    )
    .await
}

/// Runs a scenario of a user with a failure at each of its calls.
async fn at_every_call(scenario: impl AsyncFn(&World, &Caller, &Faults)) {
    faults::at_every_call(async |faults| {
        let w = world(&faults).await;
        let ada = w.user("ada").await;
        scenario(&w, &ada, &faults).await;
    })
    .await;
}

fn cheap_accounts() -> service::AccountSettings {
    let password_cost = service::PasswordCost::for_tests();
    service::AccountSettings { password_cost, ..service::AccountSettings::default() }
}

/// Does a step until it succeeds, as a caller would, twice at most. A store that does not answer
/// must not look like a mistake of ours or of the caller.
async fn insist<T>(step: impl AsyncFn() -> service::Result<T>) -> T {
    match step().await {
        Ok(outcome) => outcome,
        Err(error) => {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
            step().await.unwrap()
        }
    }
}

/// Does everything that is due, now and for days to come.
async fn settle(w: &World) {
    for _ in 0..4 {
        let mut found = true;
        while found {
            found = false;
            for kind in WorkKind::ALL {
                for task in w.service.claim_tasks(kind, "settler", 10).await.unwrap() {
                    found = true;
                    let done = w.service.do_task(&task).await;
                    assert!(done.is_ok(), "{done:?}");
                }
            }
        }
        w.clock.advance(DAYS);
    }
    w.service.sweep_orphans().await.unwrap();
}

/// The owner has exactly these images, whole, and pays for no more.
async fn assert_keeps(w: &World, caller: &Caller, images: &[ImageId]) {
    settle(w).await;
    let quota = w.catalog.find_quota(caller.user).await.unwrap().unwrap();
    let mut bytes = 0;
    let mut objects = Vec::new();
    for id in images {
        let image = w.image(*id).await;
        assert_eq!((image.status, image.renditions.len()), (ImageStatus::Completed, 4));
        bytes += image.size_bytes();
        objects.extend(objects_of(&image));
    }
    objects.sort();
    assert_eq!(w.objects().await, objects);
    let kept = (quota.images_max - quota.images_left, quota.bytes_max - quota.bytes_left);
    assert_eq!(kept, (i64::try_from(images.len()).unwrap(), bytes));
}

fn objects_of(image: &Image) -> Vec<String> {
    let original = BlobKey::Original(image.id).to_string();
    let renditions = image.renditions.iter().map(|(size, rendition)| {
        let (size, format) = (size.clone(), rendition.format);
        BlobKey::Rendition { image: image.id, size, format }.to_string()
    });
    renditions.chain([original]).collect()
}

fn keyed() -> NewImage {
    NewImage { idempotency_key: Some("once".to_owned()), ..NewImage::default() }
}

#[tokio::test]
async fn an_upload_is_kept_once() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        faults.arm();
        let uploaded = insist(async || w.service.upload(ada, keyed(), body(bytes.clone())).await);
        let image = uploaded.await.image().id;
        faults.disarm();
        assert_keeps(w, ada, &[image]).await;
    })
    .await;
}

#[tokio::test]
async fn an_upload_in_pieces_is_kept_once() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        faults.arm();
        let new = NewImage { size_bytes: Some(bytes.len() as u64), ..keyed() };
        let begun = insist(async || w.service.begin_upload(ada, &new).await).await;
        let Begun::Reserved(image) = begun else { panic!("{begun:?}") };
        let kept = loop {
            let offset = insist(async || w.service.load_resumable(ada, image.id).await).await;
            let from = usize::try_from(offset.offset).unwrap();
            if from == bytes.len() {
                // All had come, and asking has completed it.
                break image.id;
            }
            let to = bytes.len().min(from + 20_000);
            let piece = bytes[from..to].to_vec();
            let sent =
                w.service.resume_upload(ada, image.id, offset.offset, None, body(piece)).await;
            match sent {
                Ok(Resumed::Complete(uploaded)) => break uploaded.image().id,
                Ok(other) => assert!(matches!(other, Resumed::Kept { .. }), "{other:?}"),
                Err(error) => {
                    assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
                    // The last answer may be what was lost.
                    let seen = w.service.load_image(ada, image.id).await.unwrap();
                    if seen.status != ImageStatus::Pending {
                        break image.id;
                    }
                }
            }
        };
        faults.disarm();
        assert_keeps(w, ada, &[kept]).await;
    })
    .await;
}

#[tokio::test]
async fn an_upload_straight_to_storage_is_kept_once() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        faults.arm();
        let new = NewImage { size_bytes: Some(bytes.len() as u64), ..keyed() };
        let begun = insist(async || w.service.begin_upload(ada, &new).await).await;
        let Begun::Reserved(image) = begun else { panic!("{begun:?}") };
        let signed = insist(async || w.service.sign_upload(ada, image.id).await).await;
        let (path, query) = (signed.url.path(), signed.url.query().unwrap());
        insist(async || w.service.receive_signed(path, query, body(bytes.clone())).await).await;
        let done = insist(async || w.service.complete_upload(ada, image.id).await).await;
        assert_eq!(done.image().id, image.id);
        faults.disarm();
        assert_keeps(w, ada, &[image.id]).await;
    })
    .await;
}

#[tokio::test]
async fn a_second_copy_leaves_the_first() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        let first = w.upload(ada, bytes.clone()).await.unwrap().image().id;
        faults.arm();
        let again = insist(async || w.upload(ada, bytes.clone()).await).await;
        faults.disarm();
        assert_eq!(again, Uploaded::Duplicate(w.image(first).await));
        assert_keeps(w, ada, &[first]).await;
    })
    .await;
}

#[tokio::test]
async fn renditions_are_made_by_whoever_comes_next() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        let image = w.upload(ada, bytes.clone()).await.unwrap().image().id;
        faults.arm();
        work_once(w, WorkKind::Process).await;
        faults.disarm();
        assert_keeps(w, ada, &[image]).await;
    })
    .await;
}

#[tokio::test]
async fn an_edit_is_made_once() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        let image = w.upload(ada, bytes.clone()).await.unwrap().image().id;
        let tags = Some(vec!["sea".parse().unwrap(), "sun".parse().unwrap()]);
        let edit =
            EditImage { title: Some(Some("New".parse().unwrap())), tags, ..EditImage::default() };
        faults.arm();
        insist(async || w.service.edit_image(ada, image, None, edit.clone()).await).await;
        faults.disarm();
        let edited = w.image(image).await;
        assert_eq!((edited.title.unwrap().as_str(), edited.tags.len()), ("New", 2));
        assert_keeps(w, ada, &[image]).await;
    })
    .await;
}

#[tokio::test]
async fn what_is_thrown_away_is_removed_once() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        let image = w.upload(ada, bytes.clone()).await.unwrap().image().id;
        work_once(w, WorkKind::Process).await;
        faults.arm();
        let thrown = w.service.purge_image(ada, image, None).await;
        if let Err(error) = thrown {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
            // Whether it was thrown away or not, it is now.
            insist(async || w.service.purge_image(ada, image, None).await).await;
        }
        work_once(w, WorkKind::Purge).await;
        faults.disarm();
        assert_keeps(w, ada, &[]).await;
        assert_eq!(w.catalog.find_image(image).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_user_is_erased_once_and_wholly() {
    let bytes = photo(1);
    at_every_call(async |w, ada, faults| {
        let bob = w.user("bob").await;
        let _ = w.upload(&bob, bytes.clone()).await.unwrap();
        work_once(w, WorkKind::Process).await;
        faults.arm();
        insist(async || w.service.erase_user(ada, bob.user).await).await;
        work_once(w, WorkKind::Erase).await;
        faults.disarm();
        settle(w).await;
        assert_eq!(w.catalog.find_user(bob.user).await.unwrap(), None);
        assert_eq!(w.objects().await, [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn an_invitation_makes_one_account() {
    at_every_call(async |w, ada, faults| {
        let invitation = service::NewInvitation { role: Role::User, email: None };
        let (token, _) = w.service.create_invitation(ada, &invitation).await.unwrap();
        let new =
            NewUser { email: "bob@example.org".parse().unwrap(), name: "Bob".parse().unwrap() };
        let password = "correct horse battery".parse().unwrap();
        let here = Client { address: None, agent: None };
        let sign_up = async || w.service.sign_up(&new, &password, Some(token.as_str()), here).await;
        faults.arm();
        let signed_up = sign_up().await;
        let user: UserId = match signed_up {
            Ok(session) => session.user.id,
            Err(Error::Unavailable { .. }) => match sign_up().await {
                Ok(session) => session.user.id,
                // The first one got through, and only its answer was lost.
                Err(error) => {
                    assert!(matches!(error, Error::EmailTaken | Error::BadInvitation), "{error:?}");
                    let found = w.service.find_user_by_email(ada, &new.email).await;
                    found.unwrap().id
                }
            },
            Err(error) => panic!("{error:?}"),
        };
        faults.disarm();
        assert_eq!(w.service.find_user(ada, user).await.unwrap().email, new.email);
        let again = sign_up().await;
        assert!(matches!(again, Err(Error::EmailTaken | Error::BadInvitation)), "{again:?}");
    })
    .await;
}

/// One worker's attempt at what is due, failing as it may, and then long enough for another.
async fn work_once(w: &World, kind: WorkKind) {
    let claimed: Vec<Task> = w.service.claim_tasks(kind, "worker", 10).await.unwrap_or_default();
    for task in claimed {
        if let Err(error) = w.service.do_task(&task).await {
            assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
            // Nobody hears of it if the table does not answer.
            let _ = w.service.fail_task(&task, &error).await;
        }
    }
    w.clock.advance(LATER);
}

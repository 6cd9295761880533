use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use catalog::{Finished, Held, ImageEdit, PageRequest, Retried};
use futures::future::join_all;
use model::{
    Exif, FailureCode, Gps, ImageStatus, Rendition, RenditionFormat, Subject, Visibility, Work,
    WorkKind,
};

use super::{World, eventually, expect_list, map, processed};

const MINUTE: Duration = Duration::from_secs(60);

pub async fn work_is_claimed_by_one_worker(w: &World) {
    let ada = w.user("ada").await;
    for _ in 0..12 {
        w.upload(ada).await;
    }
    eventually(async || {
        let page = PageRequest::first(100);
        let waiting = w.catalog.list_work(WorkKind::Process, &page).await.unwrap();
        (waiting.entries.len() == 12).then_some(())
    })
    .await;
    let workers: Vec<String> = (0..4).map(|n| format!("worker {n}")).collect();
    let mut claimed = Vec::new();
    while claimed.len() < 12 {
        let rounds = workers.iter().map(|worker| async {
            let mut claim = w.claim(worker);
            claim.limit = 2;
            w.catalog.claim_work(WorkKind::Process, &claim, w.now()).await.unwrap()
        });
        claimed.extend(join_all(rounds).await.into_iter().flatten());
    }
    let mut subjects: Vec<String> =
        claimed.iter().map(|work| format!("{:?}", work.subject)).collect();
    subjects.sort();
    subjects.dedup();
    assert_eq!((claimed.len(), subjects.len()), (12, 12));
    assert!(claimed.iter().all(|work| work.attempts == 1));
    let more = w.catalog.claim_work(WorkKind::Process, &w.claim("late"), w.now()).await.unwrap();
    assert_eq!(more, []);
}

pub async fn a_lease_runs_out_and_another_takes_over(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let dead = w.claim_for(WorkKind::Process, image.id).await;
    w.advance(MINUTE + MINUTE);
    let heir = w.claim_for(WorkKind::Process, image.id).await;
    assert_eq!(heir.attempts, 2);
    let outcome = w.catalog.finish_processing(&dead, image.id, &processed(), w.now()).await;
    assert_eq!(outcome.unwrap(), Finished::Lost);
    assert_eq!(w.catalog.renew_work(&mut dead.clone(), MINUTE, w.now()).await.unwrap(), Held::Lost);
    assert_eq!(w.catalog.finish_work(&dead).await.unwrap(), Held::Lost);
    assert_eq!(w.image(image.id).await.status, ImageStatus::Processing);
    let outcome = w.catalog.finish_processing(&heir, image.id, &processed(), w.now()).await;
    assert!(matches!(outcome.unwrap(), Finished::Finished(_)));
}

pub async fn work_of_workers_that_are_gone_is_due_at_once(w: &World) {
    let ada = w.user("ada").await;
    let one = w.upload(ada).await;
    let dead = w.claim_for(WorkKind::Process, one.id).await;
    let other = w.upload(ada).await;
    let dead_too = w.claim_for(WorkKind::Process, other.id).await;
    // Not held, and not due for long.
    let waiting = w.upload(ada).await;
    let held = w.claim_for(WorkKind::Process, waiting.id).await;
    let later = w.now().after(30 * MINUTE);
    assert_eq!(w.catalog.retry_work(&held, "not now", later).await.unwrap(), Held::Still);

    let freed = AtomicUsize::new(0);
    eventually(async || {
        let more = w.catalog.free_held_work(WorkKind::Process, MINUTE, w.now()).await.unwrap();
        (freed.fetch_add(more, Ordering::SeqCst) + more == 2).then_some(())
    })
    .await;
    let claimed = Mutex::new(Vec::new());
    eventually(async || {
        let claim = w.claim("heir");
        let more = w.catalog.claim_work(WorkKind::Process, &claim, w.now()).await.unwrap();
        let mut claimed = claimed.lock().unwrap();
        claimed.extend(more);
        (claimed.len() == 2).then_some(())
    })
    .await;
    let claimed = claimed.into_inner().unwrap();
    let mut subjects: Vec<_> = claimed.iter().map(|work| work.subject).collect();
    subjects.sort_by_key(|subject| format!("{subject:?}"));
    let mut expected = vec![dead.subject, dead_too.subject];
    expected.sort_by_key(|subject| format!("{subject:?}"));
    assert_eq!(subjects, expected);
    assert_eq!(w.catalog.finish_work(&dead).await.unwrap(), Held::Lost);
}

pub async fn work_of_one_subject_is_claimed_before_it_is_due_but_from_nobody(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let subject = Subject::Image(image.id);
    let claim = async |worker: &str| {
        w.catalog.claim_work_of(WorkKind::Process, subject, &w.claim(worker), w.now()).await
    };
    let held = claim("first").await.unwrap().unwrap();
    assert_eq!(claim("second").await.unwrap(), None);
    let later = w.now().after(MINUTE + MINUTE);
    assert_eq!(w.catalog.retry_work(&held, "not now", later).await.unwrap(), Held::Still);
    assert_eq!(claim("second").await.unwrap().unwrap().attempts, 2);
    w.advance(MINUTE + MINUTE);
    assert_eq!(claim("third").await.unwrap().unwrap().attempts, 3);
    let none = w.catalog.claim_work_of(WorkKind::Purge, subject, &w.claim("any"), w.now()).await;
    assert_eq!(none.unwrap(), None);
}

pub async fn a_renewed_lease_holds(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let mut held = w.claim_for(WorkKind::Process, image.id).await;
    for _ in 0..3 {
        w.advance(MINUTE / 2);
        assert_eq!(w.catalog.renew_work(&mut held, MINUTE, w.now()).await.unwrap(), Held::Still);
        let others = w.catalog.claim_work(WorkKind::Process, &w.claim("other"), w.now()).await;
        assert_eq!(others.unwrap(), []);
    }
    assert_eq!(held.attempts, 1);
    assert_eq!(w.catalog.finish_work(&held).await.unwrap(), Held::Still);
}

pub async fn failed_work_waits_and_then_is_dead_and_revived(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let subject = Subject::Image(image.id);
    let held = w.claim_for(WorkKind::Process, image.id).await;
    let later = w.now().after(MINUTE);
    assert_eq!(w.catalog.retry_work(&held, "cosmic ray", later).await.unwrap(), Held::Still);
    let early = w.catalog.claim_work(WorkKind::Process, &w.claim("early"), w.now()).await.unwrap();
    assert_eq!(early, []);
    w.advance(MINUTE + MINUTE);
    let held = w.claim_for(WorkKind::Process, image.id).await;
    assert_eq!((held.attempts, held.error.as_deref()), (2, Some("cosmic ray")));

    let why = (FailureCode::DamagedImage, "no image");
    let failed = w.catalog.fail_processing(&held, image.id, why, "in a library", w.now()).await;
    let failed = failed.unwrap();
    let Finished::Finished(failed) = failed else { panic!("lost") };
    assert_eq!((failed.status, failed.failure()), (ImageStatus::Failed, Some(why)));
    let dead = w.catalog.find_work(WorkKind::Process, subject).await.unwrap().unwrap();
    assert_eq!(dead.error.as_deref(), Some("in a library"), "administrators are told more");
    expect_list(&[subject], 10, async |page| {
        let dead = w.catalog.list_dead_work(WorkKind::Process, &page).await?;
        Ok(map(dead, |work| work.subject))
    })
    .await;
    w.advance(MINUTE * 60);
    let none = w.catalog.claim_work(WorkKind::Process, &w.claim("ghoul"), w.now()).await.unwrap();
    assert_eq!(none, [], "the dead stay dead by themselves");

    assert!(w.catalog.revive_work(WorkKind::Process, subject, w.now()).await.unwrap());
    assert!(!w.catalog.revive_work(WorkKind::Process, subject, w.now()).await.unwrap());
    assert_eq!(w.image(image.id).await.status, ImageStatus::Processing);
    let image = w.process(image.id).await;
    assert_eq!((image.status, image.error), (ImageStatus::Completed, None));
}

pub async fn a_failed_image_is_tried_again_by_its_owner(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let image = w.upload(ada).await.id;
    let retry = async |owner| w.catalog.retry_image(image, owner, w.now()).await.unwrap();
    assert_eq!(retry(ada).await, Retried::NotFailed);
    let held = w.claim_for(WorkKind::Process, image).await;
    let why = (FailureCode::TooMuchMemory, "too large");
    let ended = w.catalog.fail_processing(&held, image, why, "too large", w.now()).await.unwrap();
    assert!(matches!(ended, Finished::Finished(_)));

    assert_eq!(retry(bob).await, Retried::Missing);
    assert_eq!(w.image(image).await.failure(), Some(why));
    let Retried::Retried(again) = retry(ada).await else { panic!("not tried again") };
    assert_eq!((again.status, again.failure()), (ImageStatus::Processing, None));
    assert_eq!(w.image(image).await, again);
    assert_eq!(retry(ada).await, Retried::NotFailed);
    assert_eq!(w.process(image).await.status, ImageStatus::Completed);
}

pub async fn processing_finishes_once(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let held = w.claim_for(WorkKind::Process, image.id).await;
    let mut made = processed();
    made.next = vec![WorkKind::Faces];
    let outcome = w.catalog.finish_processing(&held, image.id, &made, w.now()).await.unwrap();
    let Finished::Finished(finished) = outcome else { panic!("lost") };
    assert_eq!(finished.status, ImageStatus::Completed);
    assert_eq!(finished.facts, Some(made.facts.clone()));
    assert_eq!(w.image(image.id).await, finished);
    let again = w.catalog.finish_processing(&held, image.id, &made, w.now()).await.unwrap();
    assert_eq!(again, Finished::Lost);
    w.claim_for(WorkKind::Faces, image.id).await;
}

pub async fn an_image_shared_while_processing_appears_when_done(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    let share = ImageEdit { visibility: Some(Visibility::Shared), ..ImageEdit::default() };
    let _ = w.catalog.edit_image(image.id, ada, None, &share, w.now()).await.unwrap();
    assert_eq!(w.catalog.list_feed(&PageRequest::first(10)).await.unwrap().entries, []);
    let image = w.process(image.id).await;
    expect_list(&[image], 10, async |page| w.catalog.list_feed(&page).await).await;
}

pub async fn work_is_added_once_and_only_for_what_is_there(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    w.process(image).await;
    let again = Work::new(WorkKind::Process, Subject::Image(image), ada, w.now());
    assert!(w.catalog.put_work(&again).await.unwrap());
    let held = w.claim_for(WorkKind::Process, image).await;
    assert!(w.catalog.put_work(&again).await.unwrap());
    let still = w.catalog.find_work(WorkKind::Process, again.subject).await.unwrap().unwrap();
    assert_eq!(still, held, "who works on it is not disturbed");

    assert_eq!(w.catalog.bury_work(&held, "broken", w.now()).await.unwrap(), Held::Still);
    let dead = w.catalog.find_work(WorkKind::Process, again.subject).await.unwrap().unwrap();
    assert!(dead.dead_since.is_some() && dead.worker.is_none());
    assert!(w.catalog.put_work(&again).await.unwrap());
    let revived = w.catalog.find_work(WorkKind::Process, again.subject).await.unwrap().unwrap();
    assert_eq!(revived, again);

    let nowhere = Work::new(WorkKind::Process, Subject::Image(w.new_image(ada).id), ada, w.now());
    assert!(!w.catalog.put_work(&nowhere).await.unwrap());
}

pub async fn work_for_an_image_that_is_no_more_ends(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let held = w.claim_for(WorkKind::Process, image).await;
    let now = w.now();
    let _ = w.catalog.trash_image(image, ada, None, now, now).await.unwrap();
    let purge = w.claim_for(WorkKind::Purge, image).await;
    let _ = w.catalog.begin_purge(&purge, image, w.now()).await.unwrap();
    let ended = w.catalog.finish_processing(&held, image, &processed(), w.now()).await.unwrap();
    assert_eq!(ended, Finished::Gone);
    assert_eq!(w.catalog.find_work(WorkKind::Process, held.subject).await.unwrap(), None);
}

pub async fn what_processing_found_is_kept(w: &World) {
    let ada = w.user("ada").await;
    let image = w.upload(ada).await.id;
    let held = w.claim_for(WorkKind::Process, image).await;
    let mut made = processed();
    let rendition = Rendition {
        format: RenditionFormat::Webp,
        quality: Some(80),
        width: 1280,
        height: 960,
        size_bytes: 123_456,
    };
    made.renditions.insert("medium".parse().unwrap(), rendition);
    let gps = Gps { latitude: 46.2, longitude: 6.15, altitude: None };
    let exif = Exif {
        camera: Some("Leica M6".to_owned()),
        iso: Some(400),
        aperture: Some(2.0),
        focal_length: Some(f64::NAN),
        taken_at: Some(w.now()),
        gps: Some(gps),
        ..Exif::default()
    };
    made.read.exif = Some(exif.clone());
    let _ = w.catalog.finish_processing(&held, image, &made, w.now()).await.unwrap();
    let image = w.image(image).await;
    assert_eq!(image.renditions, made.renditions);
    assert_eq!(image.exif, Some(Exif { focal_length: None, ..exif }));
    assert!(image.processed_at.is_some());
}

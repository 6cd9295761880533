use std::time::Duration;

use catalog::{
    Appended, Begun, Committed, Held, Order, Released, Reserved, Restated, TagScope, UploadPart,
};
use futures::future::join_all;
use model::{ImageStatus, Quota, Subject, WorkKind};

use super::{World, all_pages, eventually, expect_list, expect_search, map};

pub async fn an_upload_becomes_an_image(w: &World) {
    let ada = w.user_with("ada", Quota::new(10, 10_000)).await;
    let pending = w.reserve(ada).await;
    assert_eq!(pending.status, ImageStatus::Pending);
    let list = async |page| w.catalog.list_images(ada, Order::Newest, &page).await;
    assert_eq!(all_pages(10, list).await, [], "what has not arrived is not listed");
    assert_eq!((w.quota(ada).await.images_left, w.quota(ada).await.bytes_left), (9, 9_000));

    let image = w.commit(&w.received(pending.id)).await;
    assert_eq!(image.status, ImageStatus::Processing);
    assert_eq!((image.ttl, image.version), (None, 2));
    assert_eq!(w.image(image.id).await, image);
    expect_list(std::slice::from_ref(&image), 10, list).await;
    let subject = Subject::Image(image.id);
    assert!(w.catalog.find_work(WorkKind::Process, subject).await.unwrap().is_some());
    assert!(w.catalog.find_work(WorkKind::Expire, subject).await.unwrap().is_none());
    assert_eq!((w.quota(ada).await.images_left, w.quota(ada).await.bytes_left), (9, 9_000));
}

pub async fn sixty_four_uploads_against_a_limit_of_ten_leave_ten_rows(w: &World) {
    let ada = w.user_with("ada", Quota::new(10, 1 << 30)).await;
    let reservations: Vec<_> = (0..64).map(|_| w.reservation(ada)).collect();
    let ids: Vec<_> = reservations.iter().map(|reservation| reservation.image.id).collect();
    let outcomes = join_all(reservations.into_iter().map(|r| w.catalog.reserve_upload(r))).await;
    let mut reserved = 0;
    for outcome in outcomes {
        match outcome.unwrap() {
            Reserved::Reserved(_) => reserved += 1,
            Reserved::NoImagesLeft(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(reserved, 10);
    assert_eq!(w.catalog.find_images(&ids).await.unwrap().len(), 10);
    assert_eq!(w.quota(ada).await.images_left, 0);
}

pub async fn bytes_are_limited_too(w: &World) {
    let ada = w.user_with("ada", Quota::new(10, 2_500)).await;
    w.reserve(ada).await;
    w.reserve(ada).await;
    let third = w.catalog.reserve_upload(w.reservation(ada)).await.unwrap();
    assert!(matches!(third, Reserved::NoBytesLeft(quota) if quota.bytes_left == 500), "{third:?}");
    assert_eq!(w.quota(ada).await.images_left, 8);
}

pub async fn a_repeated_request_returns_the_first_image(w: &World) {
    let ada = w.user_with("ada", Quota::new(1, 10_000)).await;
    let bob = w.user("bob").await;
    let with_key = |owner| {
        let mut reservation = w.reservation(owner);
        reservation.idempotency_key = Some("again".to_owned());
        reservation
    };
    let first = match w.catalog.reserve_upload(with_key(ada)).await.unwrap() {
        Reserved::Reserved(image) => image,
        other => panic!("{other:?}"),
    };
    // Even though the quota is exhausted by now.
    let second = w.catalog.reserve_upload(with_key(ada)).await.unwrap();
    assert_eq!(second, Reserved::Repeated(first.id));
    let other = w.catalog.reserve_upload(with_key(bob)).await.unwrap();
    assert!(matches!(other, Reserved::Reserved(_)), "keys are each user's own");
}

pub async fn the_same_bytes_are_recognised(w: &World) {
    let ada = w.user("ada").await;
    let bob = w.user("bob").await;
    let first = w.upload(ada).await;
    let again = async |owner| {
        let image = w.reserve(owner).await;
        let mut received = w.received(image.id);
        received.original = first.original.clone().unwrap();
        (image, w.catalog.commit_upload(&received, w.now()).await.unwrap())
    };
    let before = w.quota(ada).await;
    let (copy, outcome) = again(ada).await;
    assert_eq!(outcome, Committed::Duplicate(first.id));
    assert_eq!(w.quota(ada).await, before, "the reservation is given back");
    assert_eq!(w.catalog.find_image(copy.id).await.unwrap(), None);
    // Whoever has lost the answer learns under the upload's own id what became of it.
    let became = async |user, upload| {
        w.catalog.find_uploaded(user, upload).await.unwrap().map(|image| image.id)
    };
    assert_eq!(became(ada, copy.id).await, Some(first.id));
    assert_eq!(became(ada, first.id).await, Some(first.id));
    assert_eq!((became(bob, copy.id).await, became(bob, first.id).await), (None, None));
    let (_, outcome) = again(bob).await;
    assert!(matches!(outcome, Committed::Committed(_)), "another user's copy is their own");
    let sha256 = first.original.clone().unwrap().sha256;
    assert_eq!(w.catalog.find_duplicate(ada, &sha256).await.unwrap(), Some(first.id));
}

pub async fn many_sums_are_looked_up_at_once(w: &World) {
    let (ada, bob) = (w.user("ada").await, w.user("bob").await);
    let first = w.upload(ada).await;
    let of_bob = w.upload(bob).await;
    let sum = |image: &model::Image| image.original.clone().unwrap().sha256;
    let missing = |n: usize| format!("{n:064x}").parse().unwrap();
    let mut sums: Vec<_> = (0..230).map(missing).collect();
    sums.extend([sum(&first), sum(&of_bob), sum(&first)]);
    let found = w.catalog.find_duplicates(ada, &sums).await.unwrap();
    let found: Vec<_> = found.iter().map(|image| image.as_ref().map(|image| image.id)).collect();
    let (missing, last) = found.split_at(230);
    assert!(missing.iter().all(Option::is_none));
    assert_eq!(last, [Some(first.id), None, Some(first.id)]);
}

pub async fn a_wanted_duplicate_is_kept(w: &World) {
    let ada = w.user("ada").await;
    let first = w.upload(ada).await;
    let image = w.reserve(ada).await;
    let mut received = w.received(image.id);
    received.original = first.original.clone().unwrap();
    received.keep_duplicate = true;
    w.commit(&received).await;
    let sha256 = first.original.unwrap().sha256;
    assert_eq!(w.catalog.find_duplicate(ada, &sha256).await.unwrap(), Some(first.id));
}

pub async fn an_upload_that_never_arrives_gives_everything_back(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let image = w.reserve(ada).await;
    let due = w.catalog.claim_work(WorkKind::Expire, &w.claim("w"), w.now()).await.unwrap();
    assert_eq!(due, [], "it has time left");
    w.advance(Duration::from_secs(3601));
    let work = w.claim_for(WorkKind::Expire, image.id).await;
    assert_eq!(work.owner, ada);
    assert_eq!(w.catalog.release_upload(image.id).await.unwrap(), Released::Released);
    assert_eq!(w.catalog.release_upload(image.id).await.unwrap(), Released::NotReserved);
    assert_eq!(w.quota(ada).await, before);
    assert_eq!(w.rows_of(image.id).await, 0);
}

pub async fn a_commit_too_late_is_told_so(w: &World) {
    let ada = w.user("ada").await;
    let image = w.reserve(ada).await;
    let received = w.received(image.id);
    let _ = w.catalog.release_upload(image.id).await.unwrap();
    let late = w.catalog.commit_upload(&received, w.now()).await.unwrap();
    assert_eq!(late, Committed::NotReserved(None));

    // Nor does the row alone keep it alive when it has expired, swept or not.
    let image = w.reserve(ada).await;
    w.advance(Duration::from_secs(3 * 3600));
    let late = w.catalog.commit_upload(&w.received(image.id), w.now()).await.unwrap();
    assert_eq!(late, Committed::NotReserved(None));

    let image = w.upload(ada).await;
    let twice = w.catalog.commit_upload(&w.received(image.id), w.now()).await.unwrap();
    assert_eq!(twice, Committed::NotReserved(Some(image)));
}

pub async fn more_bytes_than_announced_are_counted(w: &World) {
    let ada = w.user_with("ada", Quota::new(10, 10_000)).await;
    for (bytes, left) in [(4_000, 6_000), (500, 5_500)] {
        let image = w.reserve(ada).await;
        let mut received = w.received(image.id);
        received.original.size_bytes = bytes;
        w.commit(&received).await;
        assert_eq!(w.quota(ada).await.bytes_left, left);
    }
}

pub async fn more_bytes_than_allowed_are_refused_and_given_back(w: &World) {
    let ada = w.user_with("ada", Quota::new(10, 3_000)).await;
    let image = w.reserve(ada).await;
    let mut received = w.received(image.id);
    received.original.size_bytes = 3_001;
    let outcome = w.catalog.commit_upload(&received, w.now()).await.unwrap();
    assert!(matches!(outcome, Committed::NoBytesLeft(_)), "{outcome:?}");
    assert_eq!(w.quota(ada).await, Quota::new(10, 3_000));
    assert_eq!(w.rows_of(image.id).await, 0);
}

pub async fn an_unknown_user_cannot_reserve(w: &World) {
    let nobody = w.new_user("nobody").id;
    let reservation = w.reservation(nobody);
    let image = reservation.image.id;
    assert_eq!(w.catalog.reserve_upload(reservation).await.unwrap(), Reserved::NoUser);
    assert_eq!(w.rows_of(image).await, 0);
    assert_eq!(w.catalog.find_quota(nobody).await.unwrap(), None);
}

pub async fn a_temporary_image_disappears_with_everything(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let image = w.reserve(ada).await;
    let mut received = w.received(image.id);
    received.expires_at = Some(w.now().after(Duration::from_secs(600)));
    let image = w.commit(&received).await;
    w.process(image.id).await;
    w.advance(Duration::from_secs(602));
    assert_eq!(w.catalog.find_image(image.id).await.unwrap(), None, "gone before it is swept");
    let work = w.claim_for(WorkKind::Purge, image.id).await;
    let begun = w.catalog.begin_purge(&work, image.id, w.now()).await.unwrap();
    assert_eq!(begun, Begun::Begun(None));
    assert_eq!(w.catalog.finish_purge(&work, image.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.quota(ada).await, before);
    assert_eq!(w.rows_of(image.id).await, 0);
    let sha256 = received.original.sha256;
    assert_eq!(w.catalog.find_duplicate(ada, &sha256).await.unwrap(), None);
    eventually(async || {
        let page = catalog::PageRequest::first(10);
        let listed = w.catalog.list_images(ada, Order::Newest, &page).await.unwrap();
        listed.entries.is_empty().then_some(())
    })
    .await;
}

pub async fn bytes_of_an_image_that_is_going_away_can_be_uploaded_again(w: &World) {
    let ada = w.user("ada").await;
    let first = w.upload(ada).await;
    let now = w.now();
    let _ = w.catalog.trash_image(first.id, ada, None, now, now).await.unwrap();
    let again = w.reserve(ada).await;
    let mut received = w.received(again.id);
    received.original = first.original.clone().unwrap();
    w.commit(&received).await;
    let sha256 = received.original.sha256;
    assert_eq!(w.catalog.find_duplicate(ada, &sha256).await.unwrap(), Some(again.id));

    // Purging the first leaves the second one's checksum alone.
    let work = w.claim_for(WorkKind::Purge, first.id).await;
    let _ = w.catalog.begin_purge(&work, first.id, w.now()).await.unwrap();
    assert_eq!(w.catalog.finish_purge(&work, first.id, w.now()).await.unwrap(), Held::Still);
    assert_eq!(w.catalog.find_duplicate(ada, &sha256).await.unwrap(), Some(again.id));
}

pub async fn a_request_whose_upload_was_given_back_can_be_made_again(w: &World) {
    let ada = w.user("ada").await;
    let mut reservation = w.reservation(ada);
    reservation.idempotency_key = Some("again".to_owned());
    let _ = w.catalog.reserve_upload(reservation.clone()).await.unwrap();
    // The answer was lost: the very same request is not a repetition of another.
    let same = w.catalog.reserve_upload(reservation.clone()).await.unwrap();
    assert!(matches!(same, Reserved::Reserved(image) if image.id == reservation.image.id));
    let _ = w.catalog.release_upload(reservation.image.id).await.unwrap();
    reservation.image = w.new_image(ada);
    let new = w.catalog.reserve_upload(reservation).await.unwrap();
    assert!(matches!(new, Reserved::Reserved(_)), "{new:?}");
}

pub async fn nothing_is_committed_once_it_is_being_cleared_away(w: &World) {
    let ada = w.user("ada").await;
    let before = w.quota(ada).await;
    let image = w.reserve(ada).await;
    w.advance(Duration::from_secs(3601));
    let work = w.claim_for(WorkKind::Expire, image.id).await;
    let late = w.catalog.commit_upload(&w.received(image.id), w.now()).await.unwrap();
    assert_eq!(late, Committed::NotReserved(None));
    let _ = w.catalog.retry_work(&work, "disk is slow", w.now()).await.unwrap();
    let late = w.catalog.commit_upload(&w.received(image.id), w.now()).await.unwrap();
    assert_eq!(late, Committed::NotReserved(None), "not even if the worker gave up");
    assert_eq!(w.catalog.release_upload(image.id).await.unwrap(), Released::Released);
    assert_eq!(w.quota(ada).await, before);
}

pub async fn tags_and_words_that_come_with_an_upload_are_found(w: &World) {
    let ada = w.user("ada").await;
    let mut reservation = w.reservation(ada);
    reservation.image.title = Some("Lake Geneva".parse().unwrap());
    reservation.image.tags = vec!["summer holiday".parse().unwrap()];
    let id = reservation.image.id;
    let _ = w.catalog.reserve_upload(reservation).await.unwrap();
    w.commit(&w.received(id)).await;
    expect_list(&[id], 10, async |page| {
        let hits = w.catalog.list_images_by_tag_prefix(TagScope::Everyone, "holi", &page).await?;
        Ok(map(hits, |hit| hit.image.id))
    })
    .await;
    expect_search(w, ada, "GENE", &[id]).await;
    let mut greedy = w.reservation(ada);
    greedy.image.tags = (0..21).map(|n| format!("tag {n}").parse().unwrap()).collect();
    let outcome = w.catalog.reserve_upload(greedy).await.unwrap();
    assert_eq!(outcome, Reserved::TooManyTags { max: 20 });
}

pub async fn parts_of_an_upload_are_added_in_order_by_one_at_a_time(w: &World) {
    let ada = w.user("ada").await;
    let image = w.reserve(ada).await;
    let part = |part, size_bytes| UploadPart { part, size_bytes };
    let nothing = w.catalog.find_upload_parts(image.id).await.unwrap();
    assert_eq!((nothing.size_bytes(), nothing.version), (0, 0));
    let racers = (1..=8).map(|n| {
        let new = [part(n, 10), part(n + 100, 5)];
        let (catalog, before) = (&w.catalog, &nothing);
        async move { catalog.append_upload_parts(image.id, before, &new).await.unwrap() }
    });
    let outcomes = join_all(racers).await;
    let won = outcomes.iter().filter(|outcome| matches!(outcome, Appended::Appended(_)));
    assert_eq!(won.count(), 1, "{outcomes:?}");
    let first = w.catalog.find_upload_parts(image.id).await.unwrap();
    assert_eq!((first.size_bytes(), first.parts.len()), (15, 2));
    let last = part((1 << 63) - 1, 1);
    let outcome = w.catalog.append_upload_parts(image.id, &first, &[last]).await.unwrap();
    assert!(matches!(outcome, Appended::Appended(parts) if parts.parts[2] == last));

    let _ = w.catalog.release_upload(image.id).await.unwrap();
    let outcome = w.catalog.append_upload_parts(image.id, &first, &[last]).await.unwrap();
    assert_eq!(outcome, Appended::Gone);
    assert_eq!(w.catalog.find_upload_parts(image.id).await.unwrap(), nothing);
}

pub async fn what_is_said_after_the_bytes_is_found_with_the_image(w: &World) {
    let ada = w.user("ada").await;
    let mut image = w.reserve(ada).await;
    image.title = Some("Late".parse().unwrap());
    image.tags = vec!["late".parse().unwrap()];
    let restated = w.catalog.restate_upload(&image, w.now()).await.unwrap();
    assert!(matches!(restated, Restated::Restated(now) if now.title == image.title));
    let received = w.received(image.id);
    let committed = w.catalog.commit_upload(&received, w.now()).await.unwrap();
    let Committed::Committed(kept) = committed else { panic!("{committed:?}") };
    assert_eq!((&kept.title, &kept.tags), (&image.title, &image.tags));
    let late = w.catalog.restate_upload(&image, w.now()).await.unwrap();
    assert_eq!(late, Restated::Gone, "it is nobody's upload any more");
    image.tags = (0..21).map(|n| format!("t{n}").parse().unwrap()).collect();
    let many = w.catalog.restate_upload(&image, w.now()).await.unwrap();
    assert_eq!(many, Restated::TooManyTags { max: 20 });
}

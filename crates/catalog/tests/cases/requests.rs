//! Requests with a key of their client's.

use std::time::Duration;

use catalog::{ClaimedRequest, KeyedRequest, Reserved};
use model::UserId;

use super::World;

const LEASE: Duration = Duration::from_secs(60);

fn request(user: UserId, said: &str, claim: &str) -> KeyedRequest {
    let (key, said, claim) = ("key".to_owned(), said.to_owned(), claim.to_owned());
    KeyedRequest { user, key, said, claim, lease: LEASE }
}

pub async fn a_request_is_worked_on_by_one_and_answered_to_all(w: &World) {
    let ada = w.user("ada").await;
    let claim = async |claim: &str| {
        w.catalog.claim_request(&request(ada, "this", claim), w.now()).await.unwrap()
    };
    assert!(matches!(claim("one").await, ClaimedRequest::Claimed { .. }));
    assert_eq!(claim("two").await, ClaimedRequest::Running);
    let mine = request(ada, "this", "one");
    let others = request(ada, "this", "two");
    w.catalog.answer_request(&others, b"theirs".to_vec()).await.unwrap();
    assert_eq!(claim("two").await, ClaimedRequest::Running, "they do not hold it");
    w.catalog.answer_request(&mine, b"mine".to_vec()).await.unwrap();
    w.catalog.forget_request(&others).await.unwrap();
    for asker in ["two", "three"] {
        assert_eq!(claim(asker).await, ClaimedRequest::Answered(b"mine".to_vec()));
    }
    let bob = w.user("bob").await;
    let bobs = w.catalog.claim_request(&request(bob, "this", "one"), w.now()).await.unwrap();
    assert!(matches!(bobs, ClaimedRequest::Claimed { .. }), "keys are each user's own");
}

pub async fn a_request_that_nobody_works_on_any_more_is_taken_over(w: &World) {
    let ada = w.user("ada").await;
    let claim = async |claim: &str| {
        w.catalog.claim_request(&request(ada, "this", claim), w.now()).await.unwrap()
    };
    let ClaimedRequest::Claimed { begun } = claim("one").await else { panic!() };
    w.advance(LEASE);
    assert_eq!(claim("two").await, ClaimedRequest::Claimed { begun }, "it makes the same thing");
    w.catalog.answer_request(&request(ada, "this", "one"), b"late".to_vec()).await.unwrap();
    assert_eq!(claim("three").await, ClaimedRequest::Running);
    // Whoever does not know what they have changed leaves it to the next.
    w.catalog.leave_request(&request(ada, "this", "two")).await.unwrap();
    assert_eq!(claim("three").await, ClaimedRequest::Claimed { begun });
    // Whoever has changed nothing frees the key.
    w.catalog.forget_request(&request(ada, "this", "three")).await.unwrap();
    w.advance(Duration::from_secs(1));
    let other = w.catalog.claim_request(&request(ada, "that", "one"), w.now()).await.unwrap();
    assert!(matches!(other, ClaimedRequest::Claimed { begun: anew } if anew > begun));
}

pub async fn a_key_is_for_one_request(w: &World) {
    let ada = w.user("ada").await;
    let claimed = w.catalog.claim_request(&request(ada, "this", "one"), w.now()).await.unwrap();
    assert!(matches!(claimed, ClaimedRequest::Claimed { .. }));
    let other = w.catalog.claim_request(&request(ada, "that", "two"), w.now()).await.unwrap();
    assert_eq!(other, ClaimedRequest::KeyTaken);
    let mut upload = w.reservation(ada);
    upload.idempotency_key = Some("key".to_owned());
    upload.said = Some("this".to_owned());
    let reserved = w.catalog.reserve_upload(upload).await.unwrap();
    assert_eq!(reserved, Reserved::KeyTaken(None));
    // The same the other way round.
    let reserve = async |said: &str| {
        let mut upload = w.reservation(ada);
        upload.idempotency_key = Some("upload".to_owned());
        upload.said = Some(said.to_owned());
        w.catalog.reserve_upload(upload).await.unwrap()
    };
    let Reserved::Reserved(image) = reserve("a photo").await else { panic!() };
    assert_eq!(reserve("a photo").await, Reserved::Repeated(image.id));
    assert_eq!(reserve("another photo").await, Reserved::KeyTaken(Some(image.id)));
    let album = KeyedRequest { key: "upload".to_owned(), ..request(ada, "an album", "one") };
    let claimed = w.catalog.claim_request(&album, w.now()).await.unwrap();
    assert_eq!(claimed, ClaimedRequest::KeyTaken);
}

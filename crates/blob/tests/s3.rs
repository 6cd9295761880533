//! The suite on ministack's S3, and what only S3 does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod conformance;
mod server;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use blob::{Access, BlobPrefix, Blobs, Error, PutTerms, S3Config, S3Credentials, Secret};
use bytes::Bytes;
use conformance::body::{content, is_absent, noise, original, put, rendition, roomy, sent, upload};
use futures::StreamExt;
use model::Timestamp;
use reqwest::StatusCode;
use server::{Answer, bucket, config, credentials, unfinished_uploads};
use testkit::wait::wait_until;

struct Store {
    blobs: Blobs,
}

async fn empty_prefix() -> Store {
    Store { blobs: Blobs::open_s3(&config().await).await.unwrap() }
}

mod suite {
    crate::conformance!(crate::empty_prefix);
}

fn seconds_from_now(seconds: u64) -> Timestamp {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_millis(i64::try_from(now.as_millis()).unwrap())
        .after(Duration::from_secs(seconds))
}

#[tokio::test]
async fn prefixes_do_not_see_each_other() {
    let outer = config().await;
    let inner = S3Config { prefix: outer.prefix.clone().map(|p| p + "/nested"), ..outer.clone() };
    let beside = S3Config { prefix: outer.prefix.clone().map(|p| p + "-beside"), ..outer.clone() };
    let outer = Blobs::open_s3(&outer).await.unwrap();
    let beside = Blobs::open_s3(&beside).await.unwrap();
    let inner = Blobs::open_s3(&inner).await.unwrap();
    put(&outer, &original(1), &noise(10)).await;
    put(&beside, &original(1), &noise(20)).await;
    put(&inner, &original(2), &noise(30)).await;
    assert_eq!(content(&outer, &original(1)).await, noise(10));
    assert!(is_absent(&outer, &original(2)).await);
    assert_eq!(beside.delete_prefix(&BlobPrefix::All).await, Ok(1));
    assert_eq!(content(&outer, &original(1)).await, noise(10));
}

#[tokio::test]
async fn a_presigned_get_works_for_anyone_and_for_this_object_and_method_only() {
    let Store { blobs } = empty_prefix().await;
    put(&blobs, &rendition(1, "thumb"), &noise(5000)).await;
    put(&blobs, &rendition(2, "thumb"), &noise(6000)).await;
    let signed =
        blobs.sign(&rendition(1, "thumb"), &Access::Get, seconds_from_now(60)).await.unwrap();
    let client = reqwest::Client::new();

    let answer = client.get(signed.url.clone()).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/webp");
    assert_eq!(answer.bytes().await.unwrap(), noise(5000));

    let unsigned = signed.url.as_str().split('?').next().unwrap().to_owned();
    let other_object = signed
        .url
        .as_str()
        .replace(&rendition(1, "thumb").to_string(), &rendition(2, "thumb").to_string());
    let longer = signed.url.as_str().replace("X-Amz-Expires=", "X-Amz-Expires=9");
    let mut other_signature = signed.url.to_string();
    let last = if other_signature.pop() == Some('0') { '1' } else { '0' };
    other_signature.push(last);
    for tampered in [unsigned, other_object, longer, other_signature] {
        let status = client.get(&tampered).send().await.unwrap().status();
        assert_eq!(status, StatusCode::FORBIDDEN, "{tampered}");
    }
    let status = client.put(signed.url.clone()).body("mine").send().await.unwrap().status();
    assert_eq!(status, StatusCode::FORBIDDEN);
    let status = client.delete(signed.url.clone()).send().await.unwrap().status();
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(content(&blobs, &rendition(1, "thumb")).await, noise(5000));
}

#[tokio::test]
async fn a_presigned_put_takes_only_what_was_agreed() {
    let Store { blobs } = empty_prefix().await;
    let terms =
        PutTerms { size_bytes_max: 5000, content_type: Some("image/jpeg".parse().unwrap()) };
    let signed = blobs.sign(&upload(1), &Access::Put(terms), seconds_from_now(60)).await.unwrap();
    let client = reqwest::Client::new();
    let send = async |content_type: &str, body: Bytes| {
        let request = client.put(signed.url.clone()).header("content-type", content_type);
        request.body(body).send().await.unwrap().status()
    };
    assert_eq!(send("image/png", noise(5000)).await, StatusCode::FORBIDDEN);
    let status = client.get(signed.url.clone()).send().await.unwrap().status();
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(is_absent(&blobs, &upload(1)).await);

    let mut request = client.put(signed.url.clone()).body(noise(5000));
    for (name, value) in &signed.headers {
        request = request.header(*name, value);
    }
    assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
    assert_eq!(content(&blobs, &upload(1)).await, noise(5000));
    blobs.rename(&upload(1), &original(1)).await.unwrap();
    assert_eq!(content(&blobs, &original(1)).await, noise(5000));
}

#[tokio::test]
async fn a_presigned_url_lasts_exactly_as_long_as_it_says() {
    let Store { blobs } = empty_prefix().await;
    put(&blobs, &original(1), &noise(10)).await;
    let signed = blobs.sign(&original(1), &Access::Get, seconds_from_now(3)).await.unwrap();
    let parameter = |name: &str| {
        let found = signed.url.query_pairs().find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap()
    };
    // 20260501T092422Z to 2026-05-01T09:24:22Z
    let date = parameter("X-Amz-Date");
    let date = format!(
        "{}-{}-{}T{}:{}:{}Z",
        &date[..4],
        &date[4..6],
        &date[6..8],
        &date[9..11],
        &date[11..13],
        &date[13..15]
    );
    let lifetime = Duration::from_secs(parameter("X-Amz-Expires").parse().unwrap());
    assert_eq!(date.parse::<Timestamp>().unwrap().after(lifetime), signed.expires_at);

    let get = async || reqwest::get(signed.url.clone()).await.unwrap().status();
    if seconds_from_now(1) < signed.expires_at {
        assert_eq!(get().await, StatusCode::OK);
    }
    let last_second = Timestamp::from_millis(signed.expires_at.as_millis() + 999);
    assert!(wait_until(Duration::from_secs(30), || seconds_from_now(0) > last_second));
    assert_eq!(get().await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn expiries_that_s3_cannot_keep_are_refused() {
    let Store { blobs } = empty_prefix().await;
    for expires_at in [Timestamp::from_millis(0), seconds_from_now(8 * 24 * 60 * 60)] {
        let result = blobs.sign(&original(1), &Access::Get, expires_at).await;
        assert!(matches!(result, Err(Error::BadExpiry { .. })), "{result:?}");
    }
    let S3Credentials::Static { access_key_id, secret_access_key, .. } = credentials() else {
        panic!("static credentials expected");
    };
    let session_token = Some(Secret::new("token"));
    let temporary = S3Credentials::Static { access_key_id, secret_access_key, session_token };
    let config = S3Config { credentials: temporary, ..config().await };
    let blobs = Blobs::open_s3(&config).await.unwrap();
    let result = blobs.sign(&original(1), &Access::Get, seconds_from_now(3600)).await;
    assert!(matches!(result, Err(Error::BadExpiry { .. })), "{result:?}");
}

#[tokio::test]
async fn uploads_in_parts_that_do_not_finish_are_aborted() {
    let config = config().await;
    let blobs = Blobs::open_s3(&config).await.unwrap();
    let part = noise(9 * 1024 * 1024);

    let broken = sent(vec![part.clone()]).map(|r| r.map_err(|e| e.to_string()));
    let broken = broken.chain(futures::stream::iter([Err("gone".to_owned())]));
    blobs.put(&original(1), broken, &roomy()).await.unwrap_err();
    assert_eq!(unfinished_uploads(&config).await, 0, "after an error");

    let reached_end = std::sync::Arc::new(tokio::sync::Notify::new());
    let signal = std::sync::Arc::clone(&reached_end);
    let stuck = sent(vec![part]).chain(futures::stream::poll_fn(move |_| {
        signal.notify_one();
        std::task::Poll::Pending
    }));
    let writer = blobs.clone();
    let task = tokio::spawn(async move { writer.put(&original(2), stuck, &roomy()).await });
    reached_end.notified().await;
    assert_eq!(unfinished_uploads(&config).await, 1, "while it goes on");
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while unfinished_uploads(&config).await > 0 {
        assert!(tokio::time::Instant::now() < deadline, "a cancelled upload is never aborted");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_missing_bucket_is_named_when_the_store_is_opened() {
    let config = S3Config { bucket: "no-such-bucket".to_owned(), ..config().await };
    let error = Blobs::open_s3(&config).await.unwrap_err();
    assert!(matches!(error, Error::Misconfigured { setting: "S3 bucket", .. }), "{error}");
    assert!(error.to_string().contains("no-such-bucket"), "{error}");
    assert!(error.to_string().contains("create the bucket"), "{error}");
}

#[tokio::test]
async fn an_unreachable_endpoint_is_named_within_the_retry_limit() {
    let endpoint = format!("http://127.0.0.1:{}", server::closed_port());
    let retry_for_max = Duration::from_millis(500);
    let config = S3Config { endpoint: Some(endpoint.clone()), retry_for_max, ..bucket("photos") };
    let started = std::time::Instant::now();
    let error = Blobs::open_s3(&config).await.unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(error.is_retryable(), "{error}");
    let message = error.to_string();
    assert!(message.contains("opening the S3 bucket \"photos\""), "{message}");
    assert!(message.contains(endpoint.trim_start_matches("http://")), "{message}");
    assert!(message.contains("try again later"), "{message}");
}

#[tokio::test]
async fn refused_credentials_are_named() {
    let body = "<Error><Code>InvalidAccessKeyId</Code><Message>unknown key</Message></Error>";
    let server = server::answering(vec![Answer::new(403, body)]).await;
    let config = S3Config { endpoint: Some(server.endpoint.clone()), ..bucket("photos") };
    let error = Blobs::open_s3(&config).await.unwrap_err();
    assert!(matches!(error, Error::Denied { .. }), "{error}");
    assert!(error.to_string().contains("check the S3 credentials"), "{error}");
    assert!(error.to_string().contains("InvalidAccessKeyId"), "{error}");
    assert_eq!(server.requests(), 1, "a refusal is not repeated");
}

const EMPTY_LISTING: &str = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

#[tokio::test]
async fn passing_failures_are_repeated() {
    let server = server::answering(vec![
        Answer::new(503, "<Error><Code>SlowDown</Code></Error>"),
        Answer::new(500, ""),
        Answer::new(200, EMPTY_LISTING),
    ])
    .await;
    let config = S3Config { endpoint: Some(server.endpoint.clone()), ..bucket("photos") };
    Blobs::open_s3(&config).await.unwrap();
    assert_eq!(server.requests(), 3);
}

#[tokio::test]
async fn lasting_failures_end_in_an_error_that_can_be_retried() {
    let server = server::answering(vec![
        Answer::new(200, EMPTY_LISTING),
        Answer::new(503, "<Error><Code>SlowDown</Code></Error>"),
    ])
    .await;
    let retry_for_max = Duration::from_millis(300);
    let config =
        S3Config { endpoint: Some(server.endpoint.clone()), retry_for_max, ..bucket("photos") };
    let blobs = Blobs::open_s3(&config).await.unwrap();
    let error = blobs.put_bytes(&original(1), noise(10), &roomy()).await.unwrap_err();
    assert!(error.is_retryable(), "{error}");
    let requests = server.requests();
    assert!((3..=12).contains(&requests), "{requests} requests");
}

#[tokio::test]
async fn a_bucket_in_another_region_is_named() {
    let server = server::answering(vec![Answer::new(301, "")]).await;
    let config = S3Config { endpoint: Some(server.endpoint.clone()), ..bucket("photos") };
    let error = Blobs::open_s3(&config).await.unwrap_err();
    assert!(matches!(error, Error::Misconfigured { setting: "S3 region", .. }), "{error}");
}

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use blob::{BlobPrefix, Blobs, Error, Moved, PutLimits, PutNew, Receipt, Sha256Sum};
use bytes::Bytes;
use futures::{StreamExt, stream};
use tokio::sync::Barrier;

use super::body::{
    content, image, is_absent, noise, original, pieces, put, rendition, roomy, sent, upload,
};

const MIB: usize = 1024 * 1024;

pub async fn writing_again_replaces(blobs: &Blobs) {
    put(blobs, &original(1), &noise(5000)).await;
    put(blobs, &original(1), &noise(70)).await;
    assert_eq!(content(blobs, &original(1)).await, noise(70));
}

pub async fn of_twelve_racers_exactly_one_creates(blobs: &Blobs) {
    for round in 0..5 {
        let key = original(round);
        let start = Arc::new(Barrier::new(12));
        let racers: Vec<_> = (1..=12)
            .map(|racer| {
                let (blobs, key, start) = (blobs.clone(), key.clone(), Arc::clone(&start));
                tokio::spawn(async move {
                    start.wait().await;
                    let bytes = noise(racer * 1000);
                    (bytes.clone(), blobs.try_put_new(&key, bytes, &roomy()).await.unwrap())
                })
            })
            .collect();
        let mut winners = Vec::new();
        for racer in racers {
            match racer.await.unwrap() {
                (bytes, PutNew::Created(receipt)) => {
                    assert_eq!(receipt.sha256, Sha256Sum::of(&bytes));
                    winners.push(bytes);
                }
                (_, PutNew::AlreadyThere) => {}
            }
        }
        assert_eq!(winners.len(), 1, "winners in round {round}");
        assert_eq!(content(blobs, &key).await, winners[0]);
    }
}

pub async fn a_create_only_write_leaves_the_old_object(blobs: &Blobs) {
    put(blobs, &original(1), &noise(5)).await;
    let second = blobs.try_put_new(&original(1), noise(6), &roomy()).await;
    assert_eq!(second, Ok(PutNew::AlreadyThere));
    assert_eq!(content(blobs, &original(1)).await, noise(5));
    blobs.delete(&original(1)).await.unwrap();
    let third = blobs.try_put_new(&original(1), noise(6), &roomy()).await;
    let receipt = Receipt { sha256: Sha256Sum::of(&noise(6)), size_bytes: 6 };
    assert_eq!(third, Ok(PutNew::Created(receipt)));
    let over = blobs.try_put_new(&original(2), noise(6), &PutLimits::at_most(5)).await;
    assert_eq!(over, Err(Error::TooLarge { limit_bytes: 5 }));
    assert!(is_absent(blobs, &original(2)).await);
}

pub async fn the_size_limit_is_exact_and_stops_the_sender(blobs: &Blobs) {
    // Below and above the size at which S3 uploads go in parts.
    for limit in [10_000, 9 * MIB] {
        let limits = PutLimits::at_most(limit as u64);
        let receipt = blobs.put_bytes(&original(1), noise(limit), &limits).await.unwrap();
        assert_eq!(receipt.size_bytes, limit as u64);
        blobs.delete(&original(1)).await.unwrap();

        let polled = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&polled);
        let first = pieces(noise(limit), &[limit / 4]);
        let endless = sent(first).chain(stream::repeat(Ok(Bytes::from_static(b"x"))));
        let endless = endless.inspect(move |_: &Result<Bytes, Infallible>| {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let error = blobs.put(&original(2), endless, &limits).await.unwrap_err();
        assert_eq!(error, Error::TooLarge { limit_bytes: limit as u64 });
        assert_eq!(polled.load(Ordering::Relaxed), 5, "read beyond the first byte too many");
        assert!(is_absent(blobs, &original(2)).await);
    }
}

pub async fn a_size_announced_above_the_limit_is_refused_unread(blobs: &Blobs) {
    let limits = PutLimits { size_bytes: Some(11), ..PutLimits::at_most(10) };
    let body = stream::poll_fn(|_| -> std::task::Poll<Option<Result<Bytes, Infallible>>> {
        panic!("the body was read")
    });
    let error = blobs.put(&original(1), body, &limits).await.unwrap_err();
    assert_eq!(error, Error::TooLarge { limit_bytes: 10 });
}

pub async fn a_large_object_in_odd_chunks_arrives_whole(blobs: &Blobs) {
    let bytes = noise(12 * MIB + 12_345);
    let limits = PutLimits {
        size_bytes: Some(bytes.len() as u64),
        sha256: Some(Sha256Sum::of(&bytes)),
        ..roomy()
    };
    let body = sent(pieces(bytes.clone(), &[1, 65_537, 7, 300_001, 0, 4096, 1_999_999]));
    let receipt = blobs.put(&original(1), body, &limits).await.unwrap();
    assert_eq!(Some(receipt.sha256), limits.sha256);
    assert_eq!(content(blobs, &original(1)).await, bytes);
    assert_eq!(blobs.head(&original(1)).await.unwrap().size_bytes, bytes.len() as u64);
}

pub async fn objects_at_part_boundaries_arrive_whole(blobs: &Blobs) {
    for len in [8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 16 * MIB] {
        let bytes = noise(len);
        put(blobs, &original(1), &bytes).await;
        assert_eq!(content(blobs, &original(1)).await, bytes, "{len} bytes");
    }
}

/// Some pieces, then an error.
fn breaking(len: usize) -> impl futures::Stream<Item = Result<Bytes, String>> + Send {
    let good = pieces(noise(len), &[100_000]).into_iter().map(Ok);
    stream::iter(good.chain([Err("connection lost".to_owned())]))
}

pub async fn a_sender_that_breaks_off_leaves_nothing(blobs: &Blobs) {
    for len in [0, 1000, 9 * MIB] {
        let error = blobs.put(&original(1), breaking(len), &roomy()).await.unwrap_err();
        assert_eq!(error, Error::Interrupted { cause: "connection lost".to_owned() });
        assert!(is_absent(blobs, &original(1)).await, "after {len} bytes");
    }
}

pub async fn a_sender_that_breaks_off_leaves_the_old_object(blobs: &Blobs) {
    put(blobs, &original(1), &noise(10)).await;
    for len in [1000, 9 * MIB] {
        blobs.put(&original(1), breaking(len), &roomy()).await.unwrap_err();
        assert_eq!(content(blobs, &original(1)).await, noise(10));
    }
}

pub async fn other_bytes_than_announced_are_refused_and_leave_nothing(blobs: &Blobs) {
    for len in [1000, 9 * MIB] {
        let expected = Sha256Sum::of(b"something else");
        let limits = PutLimits { sha256: Some(expected), ..roomy() };
        let bytes = noise(len);
        let found = Sha256Sum::of(&bytes);
        let mismatch = Error::ChecksumMismatch { expected, found };
        let error = blobs.put_bytes(&original(1), bytes.clone(), &limits).await.unwrap_err();
        assert_eq!(error, mismatch);
        let error = blobs.try_put_new(&original(1), bytes, &limits).await.unwrap_err();
        assert_eq!(error, mismatch);
        assert!(is_absent(blobs, &original(1)).await);
    }
}

pub async fn another_size_than_announced_is_refused_and_leaves_nothing(blobs: &Blobs) {
    let limits = PutLimits { size_bytes: Some(1000), ..roomy() };
    for (len, found_bytes) in [(999, 999), (1001, 1001), (0, 0), (5000, 2000)] {
        let body = sent(pieces(noise(len), &[2000]));
        let error = blobs.put(&original(1), body, &limits).await.unwrap_err();
        assert_eq!(error, Error::SizeMismatch { expected_bytes: 1000, found_bytes });
        assert!(is_absent(blobs, &original(1)).await);
    }
}

pub async fn a_cancelled_write_leaves_nothing(blobs: &Blobs) {
    for len in [1000, 9 * MIB] {
        let reached_end = Arc::new(tokio::sync::Notify::new());
        let signal = Arc::clone(&reached_end);
        let body = sent(pieces(noise(len), &[100_000])).chain(stream::poll_fn(move |_| {
            signal.notify_one();
            std::task::Poll::Pending
        }));
        let (writer, key) = (blobs.clone(), original(1));
        let task = tokio::spawn(async move { writer.put(&key, body, &roomy()).await });
        reached_end.notified().await;
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
        assert!(is_absent(blobs, &original(1)).await);
    }
}

pub async fn deleting_twice_succeeds(blobs: &Blobs) {
    put(blobs, &original(1), &noise(10)).await;
    blobs.delete(&original(1)).await.unwrap();
    assert!(is_absent(blobs, &original(1)).await);
    blobs.delete(&original(1)).await.unwrap();
    blobs.delete(&upload(99)).await.unwrap();
}

pub async fn many_objects_are_deleted_at_once(blobs: &Blobs) {
    let keys: Vec<_> = (0..20).map(upload).collect();
    for key in &keys {
        put(blobs, key, &noise(10)).await;
    }
    blobs.delete(&keys[3]).await.unwrap();
    blobs.delete_many(&keys[..15]).await.unwrap();
    let left = blobs.list_page(&BlobPrefix::All, None, 100).await.unwrap().objects;
    let left: Vec<_> = left.into_iter().map(|listed| listed.path).collect();
    let expected: Vec<_> = keys[15..].iter().map(ToString::to_string).collect();
    assert_eq!(left, expected);
    blobs.delete_many(&[]).await.unwrap();
}

pub async fn a_prefix_is_deleted_and_nothing_beside_it(blobs: &Blobs) {
    for number in 1..=2 {
        for key in [original(number), rendition(number, "thumb"), upload(number)] {
            put(blobs, &key, &noise(10)).await;
        }
    }
    assert_eq!(blobs.delete_prefix(&BlobPrefix::Image(image(1))).await, Ok(2));
    assert_eq!(blobs.delete_prefix(&BlobPrefix::Image(image(1))).await, Ok(0));
    let left = blobs.list_page(&BlobPrefix::All, None, 100).await.unwrap().objects;
    assert_eq!(left.len(), 4);
    assert!(is_absent(blobs, &original(1)).await);
    assert_eq!(content(blobs, &original(2)).await, noise(10));
}

pub async fn a_move_takes_the_object_along(blobs: &Blobs) {
    put(blobs, &upload(1), &noise(5000)).await;
    put(blobs, &original(1), &noise(7)).await;
    assert_eq!(blobs.rename(&upload(1), &original(1)).await, Ok(Moved::Now));
    assert!(is_absent(blobs, &upload(1)).await);
    assert_eq!(content(blobs, &original(1)).await, noise(5000));
}

pub async fn a_move_can_be_repeated_after_a_crash(blobs: &Blobs) {
    put(blobs, &upload(1), &noise(5000)).await;
    assert_eq!(blobs.rename(&upload(1), &original(1)).await, Ok(Moved::Now));
    assert_eq!(blobs.rename(&upload(1), &original(1)).await, Ok(Moved::Before));
    assert_eq!(content(blobs, &original(1)).await, noise(5000));
    let missing = Error::NotFound { key: upload(2).to_string() };
    assert_eq!(blobs.rename(&upload(2), &original(2)).await, Err(missing));
}

pub async fn a_copy_is_an_object_of_its_own(blobs: &Blobs) {
    put(blobs, &original(1), &noise(5000)).await;
    put(blobs, &original(2), &noise(7)).await;
    blobs.copy(&original(1), &original(2)).await.unwrap();
    blobs.copy(&original(1), &original(2)).await.unwrap();
    put(blobs, &original(1), &noise(1)).await;
    assert_eq!(content(blobs, &original(2)).await, noise(5000));
    blobs.delete(&original(1)).await.unwrap();
    assert_eq!(content(blobs, &original(2)).await, noise(5000));
}

use std::time::{SystemTime, UNIX_EPOCH};

use blob::{Blobs, ByteRange, Error, Receipt, Sha256Sum};
use bytes::Bytes;

use super::body::{content, noise, original, put, read, roomy};

pub async fn what_is_put_is_what_is_got(blobs: &Blobs) {
    let bytes = noise(100_000);
    let receipt = blobs.put_bytes(&original(1), bytes.clone(), &roomy()).await.unwrap();
    assert_eq!(receipt, Receipt { sha256: Sha256Sum::of(&bytes), size_bytes: 100_000 });
    let fetched = blobs.get(&original(1), None).await.unwrap();
    assert_eq!(fetched.meta.size_bytes, 100_000);
    assert_eq!(fetched.range, 0..100_000);
    assert_eq!(read(fetched).await, bytes);
}

pub async fn an_object_never_written_is_not_found(blobs: &Blobs) {
    put(blobs, &original(2), &noise(10)).await;
    let missing = Error::NotFound { key: original(1).to_string() };
    assert_eq!(blobs.get(&original(1), None).await.err(), Some(missing.clone()));
    let range = ByteRange::From(1);
    assert_eq!(blobs.get(&original(1), Some(&range)).await.err(), Some(missing.clone()));
    assert_eq!(blobs.head(&original(1)).await.err(), Some(missing.clone()));
    assert_eq!(blobs.measure(&original(1)).await.err(), Some(missing.clone()));
    assert_eq!(blobs.copy(&original(1), &original(3)).await.err(), Some(missing));
}

pub async fn any_range_of_an_object_can_be_read(blobs: &Blobs) {
    let bytes = noise(1000);
    put(blobs, &original(1), &bytes).await;
    for (range, expected) in [
        (ByteRange::Span(0..1), 0..1),
        (ByteRange::Span(10..20), 10..20),
        (ByteRange::Span(999..1000), 999..1000),
        (ByteRange::Span(0..1000), 0..1000),
        (ByteRange::Span(990..2000), 990..1000),
        (ByteRange::From(0), 0..1000),
        (ByteRange::From(999), 999..1000),
        (ByteRange::Last(1), 999..1000),
        (ByteRange::Last(1000), 0..1000),
        (ByteRange::Last(2000), 0..1000),
    ] {
        let fetched = blobs.get(&original(1), Some(&range)).await.unwrap();
        assert_eq!(fetched.meta.size_bytes, 1000, "{range:?}");
        assert_eq!(fetched.range, expected, "{range:?}");
        let expected = expected.start as usize..expected.end as usize;
        assert_eq!(read(fetched).await, bytes.slice(expected), "{range:?}");
    }
}

pub async fn a_range_without_any_byte_is_refused_with_the_size(blobs: &Blobs) {
    put(blobs, &original(1), &noise(1000)).await;
    put(blobs, &original(2), &Bytes::new()).await;
    for (number, size_bytes, range) in [
        (1, 1000, ByteRange::Span(1000..1001)),
        (1, 1000, ByteRange::Span(5..5)),
        (1, 1000, ByteRange::From(1000)),
        (1, 1000, ByteRange::From(5000)),
        (1, 1000, ByteRange::Last(0)),
        (2, 0, ByteRange::From(0)),
        (2, 0, ByteRange::Last(5)),
        (2, 0, ByteRange::Span(0..1)),
    ] {
        let error = blobs.get(&original(number), Some(&range)).await.err();
        let expected = Error::BadRange { key: original(number).to_string(), size_bytes };
        assert_eq!(error, Some(expected), "{range:?}");
    }
}

pub async fn an_empty_object_is_an_object(blobs: &Blobs) {
    let receipt = blobs.put_bytes(&original(1), Bytes::new(), &roomy()).await.unwrap();
    assert_eq!(receipt, Receipt { sha256: Sha256Sum::of(b""), size_bytes: 0 });
    assert_eq!(blobs.head(&original(1)).await.unwrap().size_bytes, 0);
    assert_eq!(content(blobs, &original(1)).await, Bytes::new());
    let nothing = futures::stream::iter(Vec::<Result<Bytes, String>>::new());
    assert_eq!(blobs.put(&original(2), nothing, &roomy()).await.unwrap().size_bytes, 0);
    assert_eq!(content(blobs, &original(2)).await, Bytes::new());
}

pub async fn head_tells_size_and_time(blobs: &Blobs) {
    put(blobs, &original(1), &noise(123)).await;
    let meta = blobs.head(&original(1)).await.unwrap();
    assert_eq!(meta.size_bytes, 123);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let age = now as i64 - meta.modified.as_seconds();
    assert!((-60..60).contains(&age), "modified {age} s ago");
}

pub async fn measuring_gives_the_receipt_again(blobs: &Blobs) {
    let receipt = blobs.put_bytes(&original(1), noise(777_777), &roomy()).await.unwrap();
    assert_eq!(blobs.measure(&original(1)).await, Ok(receipt));
}

use blob::{BlobKey, BlobPrefix, Blobs};
use futures::TryStreamExt;
use model::{FaceId, PersonId, RenditionFormat, Timestamp};

use super::body::{image, noise, original, put, rendition, upload};

/// Keys of every kind, some of which sort differently by name and by whole path.
fn keys() -> Vec<BlobKey> {
    let format = RenditionFormat::Webp;
    let mut keys = Vec::new();
    for number in 1..=3 {
        let face = FaceId::new(Timestamp::from_millis(1), number);
        let name = "w640-h480".parse().unwrap();
        keys.extend([
            upload(number),
            original(number),
            rendition(number, "thumb"),
            rendition(number, "faces"),
            rendition(number, "faces-2"),
            BlobKey::Face { image: image(number), face, format },
            BlobKey::Transform { image: image(number), name, format },
        ]);
    }
    keys.extend([1, 2, 10].map(|n| BlobKey::Person { person: PersonId::new(n).unwrap(), format }));
    keys
}

async fn fill(blobs: &Blobs) -> Vec<String> {
    let keys = keys();
    for (i, key) in keys.iter().rev().enumerate() {
        put(blobs, key, &noise(i + 1)).await;
    }
    let mut paths: Vec<String> = keys.iter().map(ToString::to_string).collect();
    paths.sort_unstable();
    paths
}

async fn listed(blobs: &Blobs, prefix: BlobPrefix, start_after: Option<&str>) -> Vec<String> {
    blobs.list(&prefix, start_after).map_ok(|listed| listed.path).try_collect().await.unwrap()
}

pub async fn a_listing_is_in_key_order_whatever_the_order_of_writing(blobs: &Blobs) {
    let paths = fill(blobs).await;
    assert_eq!(listed(blobs, BlobPrefix::All, None).await, paths);
    let sizes: Vec<u64> = blobs
        .list(&BlobPrefix::All, None)
        .map_ok(|listed| listed.meta.size_bytes)
        .try_collect()
        .await
        .unwrap();
    let mut sorted = sizes;
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=paths.len() as u64).collect::<Vec<_>>());
}

pub async fn pages_put_together_are_the_listing(blobs: &Blobs) {
    let paths = fill(blobs).await;
    for limit in [1, 4, 7, paths.len() - 1, paths.len() + 1] {
        let mut found = Vec::new();
        let mut start_after: Option<String> = None;
        loop {
            let page = blobs.list_page(&BlobPrefix::All, start_after.as_deref(), limit).await;
            let page = page.unwrap();
            assert!(page.objects.len() <= limit);
            found.extend(page.objects.into_iter().map(|listed| listed.path));
            assert!(found.len() <= paths.len(), "pages of {limit} repeat themselves");
            start_after = page.next;
            if start_after.is_none() {
                break;
            }
        }
        assert_eq!(found, paths, "pages of {limit}");
    }
    for (i, path) in paths.iter().enumerate() {
        let rest = listed(blobs, BlobPrefix::All, Some(path)).await;
        assert_eq!(rest, paths[i + 1..], "after {path}");
    }
}

pub async fn a_page_that_ends_exactly_at_the_end_has_an_empty_successor(blobs: &Blobs) {
    let paths = fill(blobs).await;
    let page = blobs.list_page(&BlobPrefix::All, None, paths.len()).await.unwrap();
    assert_eq!(page.next.as_ref(), paths.last());
    let page = blobs.list_page(&BlobPrefix::All, page.next.as_deref(), paths.len()).await.unwrap();
    assert_eq!((page.objects.len(), page.next), (0, None));
}

pub async fn a_prefix_lists_only_what_is_below_it(blobs: &Blobs) {
    let paths = fill(blobs).await;
    for prefix in [
        BlobPrefix::Uploads,
        BlobPrefix::Images,
        BlobPrefix::Image(image(2)),
        BlobPrefix::Persons,
        BlobPrefix::Transforms,
        BlobPrefix::TransformsOf(image(3)),
        BlobPrefix::Image(image(77)),
    ] {
        let below = format!("{prefix}/");
        let expected: Vec<_> = paths.iter().filter(|p| p.starts_with(&below)).cloned().collect();
        assert_eq!(listed(blobs, prefix, None).await, expected, "{prefix:?}");
    }
}

pub async fn a_listing_of_nothing_is_empty(blobs: &Blobs) {
    assert_eq!(listed(blobs, BlobPrefix::All, None).await, [""; 0]);
    assert_eq!(listed(blobs, BlobPrefix::Uploads, Some("uploads/x")).await, [""; 0]);
}

pub async fn every_listed_key_names_its_owner(blobs: &Blobs) {
    fill(blobs).await;
    for path in listed(blobs, BlobPrefix::All, None).await {
        let key: BlobKey = path.parse().unwrap();
        let owned = !path.starts_with("persons/");
        assert_eq!(key.image().is_some(), owned, "{path}");
    }
}

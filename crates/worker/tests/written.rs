//! What is written in photos and beside them, by the service and its workers.
#![allow(dead_code, reason = "each test binary uses a part of the world")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod world;

use std::time::Duration;

use blob::BlobKey;
use catalog::{ReadFile, TakenOver};
use model::ImageId;
use service::EditImage;
use world::{World, photo, wait_for};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn sidecar(title: &str) -> bytes::Bytes {
    format!(
        r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
        xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li
        xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>
        </x:xmpmeta>"#
    )
    .into()
}

async fn read_all_again(w: &World, ada: &service::Caller, images: usize) {
    assert_eq!(w.service.read_all_again(ada).await.unwrap(), images);
    wait_for("all to be read", async || {
        (w.service.progress(ada).await.unwrap().waiting == 0).then_some(())
    })
    .await;
}

async fn title(w: &World, image: ImageId) -> Option<String> {
    w.image(image).await.title.map(String::from)
}

#[tokio::test]
async fn photos_of_older_versions_are_read_again_without_undoing_edits() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let workers = w.workers();
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    w.processed(image).await;
    w.service.put_sidecar(&ada, image, sidecar("Beside")).await.unwrap();
    let before = w.image(image).await;
    assert_eq!(title(&w, image).await.as_deref(), Some("Beside"));
    // As a version has left it that knew nothing of it.
    let unread = ReadFile { exif: before.exif, sidecar: before.sidecar, ..ReadFile::default() };
    let taken = w.catalog.take_over(image, &unread, before.updated_at).await.unwrap();
    assert!(matches!(taken, TakenOver::Written(image) if image.title.is_none()));

    read_all_again(&w, &ada, 1).await;
    assert_eq!(title(&w, image).await.as_deref(), Some("Beside"));

    let edit = EditImage { title: Some("Mine".parse().ok()), ..EditImage::default() };
    w.service.edit_image(&ada, image, None, edit).await.unwrap();
    let edited = w.image(image).await;
    read_all_again(&w, &ada, 1).await;
    // Not even the version: nothing has changed, and nobody is told that something has.
    assert_eq!(w.image(image).await, edited);
    let _ = workers.stop(DAY).await;
}

#[tokio::test]
async fn a_sidecar_that_is_lost_or_broken_costs_no_photo() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let workers = w.workers();
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    w.processed(image).await;
    w.service.put_sidecar(&ada, image, sidecar("Beside")).await.unwrap();
    let limits = blob::PutLimits::at_most(100);
    let key = BlobKey::Sidecar(image);
    w.blobs.put_bytes(&key, "no xmp".into(), &limits).await.unwrap();
    read_all_again(&w, &ada, 1).await;
    w.blobs.delete(&key).await.unwrap();
    read_all_again(&w, &ada, 1).await;
    assert_eq!(w.image(image).await.status, model::ImageStatus::Completed);
    let _ = workers.stop(DAY).await;
}

#[tokio::test]
async fn the_sidecar_goes_with_its_photo() {
    let w = World::new().await;
    let ada = w.user("ada").await;
    let image = w.upload(&ada, photo(1)).await.unwrap().image().id;
    w.service.put_sidecar(&ada, image, sidecar("Beside")).await.unwrap();
    assert!(w.objects().await.contains(&BlobKey::Sidecar(image).to_string()));
    let workers = w.workers();
    w.processed(image).await;
    assert_eq!(title(&w, image).await.as_deref(), Some("Beside"), "processing has read both");
    w.service.purge_image(&ada, image, None).await.unwrap();
    wait_for("everything to go", async || w.objects().await.is_empty().then_some(())).await;
    let _ = workers.stop(DAY).await;
}

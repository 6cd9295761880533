//! The suite on a local folder, and what only a folder does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod conformance;

use blob::{Access, BlobPrefix, Blobs, Error, LocalSigner, PutLimits, PutTerms, Secret};
use conformance::body::{content, noise, original, put, upload};
use futures::TryStreamExt;
use model::Timestamp;

struct Store {
    blobs: Blobs,
    dir: tempfile::TempDir,
}

async fn empty_folder() -> Store {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::open_folder(&dir.path().join("new/blobs")).await.unwrap();
    Store { blobs, dir }
}

mod suite {
    crate::conformance!(crate::empty_folder);
}

#[tokio::test]
async fn objects_are_there_when_the_folder_is_opened_again() {
    let Store { blobs, dir } = empty_folder().await;
    put(&blobs, &original(1), &noise(1000)).await;
    drop(blobs);
    let blobs = Blobs::open_folder(&dir.path().join("new/blobs")).await.unwrap();
    assert_eq!(content(&blobs, &original(1)).await, noise(1000));
}

#[tokio::test]
async fn foreign_files_are_listed_as_such_and_deleted_only_with_their_prefix() {
    let Store { blobs, dir } = empty_folder().await;
    put(&blobs, &upload(1), &noise(10)).await;
    std::fs::write(dir.path().join("new/blobs/uploads/notes.txt"), "mine").unwrap();
    let listed: Vec<_> = blobs.list(&BlobPrefix::All, None).try_collect().await.unwrap();
    let known = |listed: &blob::Listed| listed.path.parse::<blob::BlobKey>().is_ok();
    assert_eq!(listed.iter().map(known).collect::<Vec<_>>(), [true, false]);
    assert_eq!(blobs.delete_prefix(&BlobPrefix::Uploads).await, Ok(2));
    assert_eq!(blobs.delete_prefix(&BlobPrefix::All).await, Ok(0));
}

#[tokio::test]
async fn without_a_signing_secret_the_error_names_the_setting() {
    let Store { blobs, dir: _dir } = empty_folder().await;
    let error = blobs.sign(&original(1), &Access::Get, Timestamp::from_millis(0)).await;
    assert!(matches!(error, Err(Error::Misconfigured { setting: "URL signing secret", .. })));
}

/// What our HTTP server will do with a signed PUT and a signed GET.
#[tokio::test]
async fn a_signed_url_carries_an_upload_in_and_out() {
    let Store { blobs, dir: _dir } = empty_folder().await;
    let secret = Secret::for_signing("0123456789abcdef0123456789abcdef").unwrap();
    let signer = LocalSigner::new("http://127.0.0.1:8080/blobs/", &secret).unwrap();
    let blobs = blobs.with_signer(signer);
    let expires_at = Timestamp::from_millis(2_000_000_000_000);
    let terms = PutTerms { size_bytes_max: 1000, content_type: None };

    let put = blobs.sign(&upload(1), &Access::Put(terms), expires_at).await.unwrap();
    let verify = |signed: &blob::SignedUrl| {
        let query = signed.url.query().unwrap();
        blobs.signer().unwrap().verify(signed.method, signed.url.path(), query, expires_at).unwrap()
    };
    let grant = verify(&put);
    let Access::Put(terms) = &grant.access else { panic!("{grant:?}") };
    let limits = PutLimits::at_most(terms.size_bytes_max);
    assert!(blobs.put_bytes(&grant.key, noise(1001), &limits).await.is_err());
    blobs.put_bytes(&grant.key, noise(1000), &limits).await.unwrap();

    let get = blobs.sign(&upload(1), &Access::Get, expires_at).await.unwrap();
    assert_eq!(content(&blobs, &verify(&get).key).await, noise(1000));
}

//! The program on DynamoDB and S3, as real servers speak them.

use std::net::TcpListener;
use std::process::Command;

use tempfile::{TempDir, tempdir};
use testkit::servers::{Dynoxide, Ministack, SECRET_ACCESS_KEY};

use crate::program::{Server, assert_table_is_closed, ferrotype, run};
use crate::support::client::Client;
use crate::support::files::bitmap;
use crate::support::stores::{self, Stores, create_bucket};

/// A command on a DynamoDB table of its own.
pub fn on_dynamodb(folder: &TempDir, arguments: &[&str], endpoint: &str) -> Command {
    let mut command = ferrotype(folder.path(), arguments);
    command.envs(stores::dynamodb(endpoint, "photos"));
    command
}

/// The same with blobs in a bucket.
pub fn with_s3(mut command: Command, endpoint: &str, bucket: &str) -> Command {
    command.envs(stores::s3(endpoint, bucket));
    command
}

pub const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[test]
fn a_table_is_created_checked_served_and_missed() {
    let folder = tempdir().unwrap();
    let dynoxide = Dynoxide::start();
    let endpoint = dynoxide.endpoint();

    for arguments in [&SERVE[..], &["table", "check"]] {
        let complaint = run(on_dynamodb(&folder, arguments, &endpoint)).failure(3);
        assert!(complaint.contains("there is no table \"photos\""), "{complaint}");
        assert!(complaint.contains("run `ferrotype table create`"), "{complaint}");
    }
    let said = run(on_dynamodb(&folder, &["table", "create"], &endpoint)).success();
    assert!(said.contains("created table \"photos\""), "{said}");
    let said = run(on_dynamodb(&folder, &["table", "create"], &endpoint)).success();
    assert!(!said.contains("created") && said.contains("is ready"), "{said}");
    let said = run(on_dynamodb(&folder, &["table", "check"], &endpoint)).success();
    assert!(said.contains("has the keys and indexes it should have"), "{said}");

    let server = Server::spawn(on_dynamodb(&folder, &SERVE, &endpoint));
    assert_eq!(server.get("/health/ready").0, 200);
    assert!(server.get("/metrics").1.contains("ferrotype_table_operation_seconds"));
    drop(dynoxide);
    server.wait_for_readiness(503, "table", "failed");
    assert_eq!(server.get("/health/live").0, 200);
    server.stop();
}

#[test]
fn rows_in_dynamodb_and_objects_in_s3_need_no_data_folder() {
    let folder = tempdir().unwrap();
    let ministack = Ministack::shared();
    let endpoint = ministack.endpoint();
    create_bucket(&endpoint, "photos-bucket");
    run(on_dynamodb(&folder, &["table", "create"], &endpoint)).success();

    let serve = with_s3(on_dynamodb(&folder, &SERVE, &endpoint), &endpoint, "photos-bucket");
    let server = Server::spawn(serve);
    let (status, body) = server.get_json("/health/ready");
    assert_eq!(status, 200, "{body}");
    server.stop();
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_missing_bucket_is_named() {
    let folder = tempdir().unwrap();
    let endpoint = Ministack::shared().endpoint();
    let serve = with_s3(ferrotype(folder.path(), &SERVE), &endpoint, "no-such-bucket");
    let complaint = run(serve).failure(3);
    assert!(complaint.contains("no-such-bucket"), "{complaint}");
    assert_table_is_closed(folder.path());
}

#[test]
fn an_unreachable_dynamodb_is_named_with_a_remedy() {
    let folder = tempdir().unwrap();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let endpoint = format!("http://{nobody}");
    let complaint = run(on_dynamodb(&folder, &SERVE, &endpoint)).failure(3);
    assert!(complaint.contains(&format!("{endpoint} does not answer")), "{complaint}");
    assert!(complaint.contains("check the endpoint"), "{complaint}");
    assert!(!complaint.contains(SECRET_ACCESS_KEY), "{complaint}");
}

#[test]
fn backup_and_restore_point_to_what_dynamodb_does_itself() {
    let folder = tempdir().unwrap();
    for arguments in [["backup", "--to", "x"], ["restore", "--from", "x"]] {
        let complaint = run(on_dynamodb(&folder, &arguments, "http://127.0.0.1:1")).failure(2);
        assert!(complaint.contains("point-in-time recovery"), "{complaint}");
    }
    assert!(!folder.path().join("x").exists());
}

#[test]
fn with_blobs_in_s3_the_table_alone_is_backed_up() {
    let folder = tempdir().unwrap();
    let endpoint = Ministack::shared().endpoint();
    let with_s3 = |arguments: &[&str]| {
        run(with_s3(ferrotype(folder.path(), arguments), &endpoint, "any-bucket"))
    };
    with_s3(&["table", "create"]).success();
    let said = with_s3(&["backup", "--to", "backup"]).success();
    assert!(said.contains("blobs are in S3 and stay there"), "{said}");
    assert!(!folder.path().join("backup/blobs").exists());

    let restore = ["restore", "--from", "backup", "--data-folder", "new"];
    let complaint = run(ferrotype(folder.path(), &restore)).failure(2);
    assert!(complaint.contains("the backup has no blobs"), "{complaint}");
    with_s3(&restore).success();
    assert!(folder.path().join("new/table/table.sqlite").is_file());
}

#[test]
fn pictures_come_from_the_bucket_itself_if_wanted() {
    let stores = Stores::distributed()
        .with("FERROTYPE_IMAGES_REDIRECT", "true")
        .with("FERROTYPE_IMAGES_CDN_URL", "https://cdn.example.org");
    let server = stores.serve();
    let ada = Client::set_up(&server);
    let image = ada.keep(&bitmap(1));
    let thumb = image["sizes"]["thumb"]["url"].as_str().unwrap();
    let path = thumb.strip_prefix("https://cdn.example.org").expect("an address of the cache");

    let nobody = Client::anonymous(server.url());
    let ask = |path: &str| nobody.request("GET", path).header("accept", "image/webp");
    let sent_on = nobody.send(ask(path), Vec::new());
    assert_eq!((sent_on.status, sent_on.header("vary")), (302, "accept"));
    assert!(sent_on.header("cache-control").starts_with("public, max-age="));
    let there = sent_on.header("location");
    assert!(there.starts_with(&Ministack::shared().endpoint()), "{there}");
    let picture = nobody.get(there);
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/webp"));
    assert_eq!(Some(picture.body.len() as u64), image["sizes"]["thumb"]["sizeBytes"].as_u64());
    let jpeg = nobody.get(nobody.get(path).header("location"));
    assert_eq!(jpeg.header("content-type"), "image/jpeg");
    assert_eq!(nobody.get(&path.replace("thumb", "large")).status, 403);
    // Its owner's bytes, kind and name are known to us only.
    let original = image["originalUrl"].as_str().unwrap().replace("https://cdn.example.org", "");
    assert_eq!(nobody.get(&original).body, bitmap(1));
    server.stop();
}

#[test]
fn a_folder_cannot_hand_out_pictures_itself() {
    let folder = tempdir().unwrap();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--images-redirect", "true"];
    let complaint = run(ferrotype(folder.path(), &serve)).failure(2);
    assert!(complaint.contains("unless blob.engine is \"s3\""), "{complaint}");
}

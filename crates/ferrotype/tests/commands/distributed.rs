//! The program on DynamoDB and S3, as real servers speak them.

use std::net::TcpListener;
use std::process::Command;

use tempfile::{TempDir, tempdir};
use testkit::servers::{ACCESS_KEY_ID, Dynoxide, Ministack, REGION, SECRET_ACCESS_KEY};

use crate::program::{Server, assert_table_is_closed, ferrotype, run};

/// A command on a DynamoDB table of its own.
fn on_dynamodb(folder: &TempDir, arguments: &[&str], endpoint: &str) -> Command {
    let mut command = ferrotype(folder.path(), arguments);
    command
        .env("FERROTYPE_TABLE_ENGINE", "dynamodb")
        .env("FERROTYPE_TABLE_DYNAMODB_NAME", "photos")
        .env("FERROTYPE_TABLE_DYNAMODB_ENDPOINT", endpoint)
        .env("FERROTYPE_TABLE_DYNAMODB_REGION", REGION)
        .env("FERROTYPE_TABLE_DYNAMODB_ACCESS_KEY_ID", ACCESS_KEY_ID)
        .env("FERROTYPE_TABLE_DYNAMODB_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY);
    command
}

/// The same with blobs in a bucket.
fn with_s3(mut command: Command, endpoint: &str, bucket: &str) -> Command {
    command
        .env("FERROTYPE_BLOB_ENGINE", "s3")
        .env("FERROTYPE_BLOB_S3_BUCKET", bucket)
        .env("FERROTYPE_BLOB_S3_ENDPOINT", endpoint)
        .env("FERROTYPE_BLOB_S3_REGION", REGION)
        .env("FERROTYPE_BLOB_S3_ACCESS_KEY_ID", ACCESS_KEY_ID)
        .env("FERROTYPE_BLOB_S3_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY);
    command
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

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

/// The test server looks for a signature in the headers, but does not verify it.
fn create_bucket(endpoint: &str, bucket: &str) {
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/20250101/{REGION}/s3/aws4_request, \
         SignedHeaders=host;x-amz-date, Signature=0"
    );
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    let request = agent.put(format!("{endpoint}/{bucket}"));
    let request = request.header("authorization", authorization);
    request.header("x-amz-date", "20250101T000000Z").send_empty().unwrap();
}

//! `ferrotype serve`

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::time::Instant;

use rustix::process::{Signal, geteuid};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::program::{Server, assert_table_is_closed, command, run, run_in};

#[test]
fn serves_until_it_is_told_to_stop() {
    for signal in [Signal::TERM, Signal::INT] {
        let folder = tempdir().unwrap();
        let mut server = Server::start(folder.path(), &[]);

        assert_eq!(server.get_json("/health/live"), (200, json!({ "status": "alive" })));
        let ok = json!({ "status": "ok" });
        let parts = json!({ "table": ok, "blobs": ok, "storage": ok });
        let ready = json!({ "status": "ready", "parts": parts });
        assert_eq!(server.get_json("/health/ready"), (200, ready));
        assert!(server.get("/").1.contains("Ferrotype"));

        server.signal(signal);
        let (status, log) = server.wait();
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(log.contains("stopped"), "{log}");
        assert_table_is_closed(folder.path());
    }
}

#[test]
fn an_unknown_path_is_an_error_with_a_request_id() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let (status, body) = server.get_json("/nothing");
    assert_eq!((status, &body["error"]["code"]), (404, &json!("not_found")));
    assert!(body["error"]["requestId"].as_str().is_some_and(|id| id.len() == 32), "{body}");
}

#[test]
fn metrics_count_requests() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    server.get("/health/live");
    server.get("/nothing");
    let (status, text) = server.get("/metrics");
    assert_eq!(status, 200);
    for line in [
        "ferrotype_build_info{version=",
        "ferrotype_http_requests_total{method=\"GET\",route=\"/health/live\",status=\"200\"} 1",
        "ferrotype_http_requests_total{method=\"GET\",route=\"(none)\",status=\"404\"} 1",
        "ferrotype_http_request_duration_seconds_bucket",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn json_logs_are_json_with_the_request_id() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &["--log-format", "json"]);
    let (_, body) = server.get_json("/nothing");
    let log = server.stop();
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect();
    let answered = lines.iter().find(|line| line["message"] == "answered").expect("a log line");
    assert_eq!(answered["span"]["request_id"], body["error"]["requestId"], "{log}");
    assert_eq!(answered["status"], 404);
}

#[test]
fn a_second_server_on_the_same_folder_is_refused() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let complaint = run_in(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).failure(3);
    assert!(complaint.contains("in use by another process"), "{complaint}");
    assert!(complaint.contains(&format!("pid {}", server.pid())), "{complaint}");
    assert_eq!(server.get("/health/ready").0, 200);
}

#[test]
fn an_address_in_use_is_refused_and_leaves_no_folder() {
    let (first, second) = (tempdir().unwrap(), tempdir().unwrap());
    let server = Server::start(first.path(), &[]);
    let address = server.url().strip_prefix("http://").unwrap();
    let complaint = run_in(second.path(), &["serve", "--listen", address]).failure(3);
    assert!(complaint.contains(&format!("cannot listen on {address}")), "{complaint}");
    assert!(complaint.contains("stop the program that has it"), "{complaint}");
    assert!(complaint.contains("choose another address with --listen"), "{complaint}");
    assert_eq!(fs::read_dir(second.path()).unwrap().count(), 0);
}

#[test]
fn a_killed_server_starts_again_at_once() {
    let folder = tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    server.signal(Signal::KILL);
    server.wait();
    let started = Instant::now();
    let server = Server::start(folder.path(), &[]);
    println!("started again within {:?}", started.elapsed());
    assert_eq!(server.get("/health/ready").0, 200);
    server.stop();
}

#[test]
fn a_blob_folder_that_vanishes_makes_the_server_unready() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    fs::rename(folder.path().join("data/blobs"), folder.path().join("away")).unwrap();
    server.wait_for_readiness(503, "blobs", "failed");
    fs::rename(folder.path().join("away"), folder.path().join("data/blobs")).unwrap();
    server.wait_for_readiness(200, "blobs", "ok");
    let log = server.stop();
    assert!(log.contains("not ready") && log.contains("ready again"), "{log}");
}

#[test]
fn a_data_folder_that_is_a_file_is_refused() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("photos");
    fs::write(&file, "text").unwrap();
    let complaint = run_in(folder.path(), &["serve", "--data-folder", "photos"]).failure(3);
    assert!(complaint.contains("cannot use the data folder photos"), "{complaint}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
}

#[test]
fn a_folder_that_may_not_be_written_is_refused() {
    // Root may write anywhere, so the program must run as somebody else, who must be able to
    // reach it.
    let folder = open_to_all();
    let program = folder.path().join("ferrotype");
    if fs::hard_link(env!("CARGO_BIN_EXE_ferrotype"), &program).is_err() {
        fs::copy(env!("CARGO_BIN_EXE_ferrotype"), &program).unwrap();
    }
    let mut serve = command(&program, folder.path(), &["serve", "--data-folder", "new/data"]);
    if geteuid().is_root() {
        serve.uid(65_534).gid(65_534);
    } else {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    }
    let complaint = run(serve).failure(3);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(
        complaint.contains("cannot use the data folder new/data: Permission denied"),
        "{complaint}"
    );
    assert!(complaint.contains("that this user may write"), "{complaint}");
    assert!(!folder.path().join("new").exists());
}

fn open_to_all() -> TempDir {
    let folder = tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn a_table_of_something_else_is_refused_and_kept() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("data/table/table.sqlite");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "This is no table.".repeat(1000)).unwrap();
    let complaint = run_in(folder.path(), &["serve"]).failure(3);
    assert!(complaint.contains("is not a table of this program"), "{complaint}");
    assert!(fs::read_to_string(&file).unwrap().starts_with("This is no table."));
}

//! The test servers start, answer, and are gone when their owner is gone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod http;
mod process;

use std::path::Path;

use http::Client;
use process::{TestServers, assert_gone, is_running};
use serde_json::json;
use testkit::servers::{Dynoxide, Ministack};

#[test]
fn dynoxide_answers_and_is_gone_when_dropped() {
    let server = Dynoxide::start();
    assert_speaks_dynamodb(&server.endpoint());

    let (pid, folder) = (server.pid(), server.folder().to_owned());
    drop(server);
    assert!(!is_running(pid));
    assert!(!folder.exists());
}

#[test]
fn ministack_answers_and_is_gone_when_dropped() {
    let server = Ministack::start();
    assert_speaks_dynamodb(&server.endpoint());
    let s3 = Client::new(&server.endpoint());
    assert_eq!(s3.send("PUT", "/album", "", "").unwrap().status, 200);
    assert_eq!(s3.send("GET", "/album/photo", "", "").unwrap().status, 403, "readers must sign");

    let (pid, folder) = (server.pid(), server.folder().to_owned());
    drop(server);
    assert!(!is_running(pid));
    assert!(!folder.exists());
}

#[test]
fn ministack_listens_on_loopback_only() {
    let server = Ministack::start();
    let loopback = "0100007F";
    let listening = listening_addresses_of(server.pid());
    assert_eq!(listening.len(), 1, "{listening:?}");
    assert!(listening[0].starts_with(loopback), "{listening:?}");
}

#[test]
fn a_shared_server_is_one_server() {
    assert_eq!(Dynoxide::shared().pid(), Dynoxide::shared().pid());
}

#[test]
fn shared_servers_end_with_a_process_that_returns_from_main() {
    let owner = TestServers::start(&["dynoxide", "ministack"]);
    let servers = owner.return_from_main();
    servers.iter().for_each(assert_gone);
}

#[test]
fn shared_servers_end_with_a_process_that_is_killed() {
    let owner = TestServers::start(&["dynoxide", "ministack"]);
    let servers = owner.kill();
    servers.iter().for_each(assert_gone);
}

#[test]
fn a_missing_server_names_the_command_that_installs_it() {
    let printed = TestServers::fail_to_start("dynoxide", Path::new("/nonexistent"));
    assert!(printed.contains("run scripts/setup test"), "{printed}");
}

/// Creates a table, writes an item and reads it back.
fn assert_speaks_dynamodb(endpoint: &str) {
    let client = Client::new(endpoint);
    client.must(
        "CreateTable",
        &json!({
            "TableName": "images",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        }),
    );
    let item = json!({"PK": {"S": "IMAGE#1"}, "title": {"S": "Blåfjell"}});
    client.must("PutItem", &json!({"TableName": "images", "Item": item}));
    let key = json!({"PK": {"S": "IMAGE#1"}});
    let answer = client.must("GetItem", &json!({"TableName": "images", "Key": key}));
    assert_eq!(answer["Item"], item);
}

/// The local addresses, in the kernel's notation, of the listening TCP sockets of a process.
fn listening_addresses_of(pid: u32) -> Vec<String> {
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok())
        .map(|target| target.to_string_lossy().into_owned())
        .collect();
    let mut addresses = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        for line in std::fs::read_to_string(table).unwrap().lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let is_listening = fields[3] == "0A";
            if is_listening && sockets.contains(&format!("socket:[{}]", fields[9])) {
                addresses.push(fields[1].to_owned());
            }
        }
    }
    addresses
}

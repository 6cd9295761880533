//! The private PostgreSQL cluster answers, keeps what it acknowledged, and ends with its owner.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod process;

use std::process::Command;

use process::{TestServers, assert_gone, is_running};
use testkit::postgres::Postgres;

#[test]
fn a_cluster_is_durable_and_gone_when_dropped() {
    let postgres = Postgres::start();
    assert_eq!(ask(&postgres, "SHOW fsync"), "on");
    assert_eq!(ask(&postgres, "SHOW synchronous_commit"), "on");

    let (pid, folder) = (postgres.pid(), postgres.folder().to_owned());
    drop(postgres);
    assert!(!is_running(pid));
    assert!(!folder.exists());
}

#[test]
fn settings_are_taken_but_durability_cannot_be_switched_off() {
    let folder = std::env::temp_dir();
    let settings = [("shared_buffers", "64MB"), ("fsync", "off"), ("synchronous_commit", "off")];
    let postgres = Postgres::start_in(&folder, &settings);
    assert_eq!(ask(&postgres, "SHOW shared_buffers"), "64MB");
    assert_eq!(ask(&postgres, "SHOW fsync"), "on");
    assert_eq!(ask(&postgres, "SHOW synchronous_commit"), "on");
}

#[test]
fn acknowledged_rows_survive_a_crash() {
    let mut postgres = Postgres::start();
    ask(&postgres, "CREATE TABLE image (id int)");
    ask(&postgres, "INSERT INTO image VALUES (7)");
    let killed = postgres.pid();

    postgres.crash_and_recover();

    assert!(!is_running(killed));
    assert_eq!(ask(&postgres, "SELECT id FROM image"), "7");
}

#[test]
fn a_cluster_ends_with_a_process_that_returns_from_main() {
    let servers = TestServers::start(&["postgres"]).return_from_main();
    servers.iter().for_each(assert_gone);
}

#[test]
fn a_cluster_ends_with_a_process_that_is_killed() {
    let servers = TestServers::start(&["postgres"]).kill();
    servers.iter().for_each(assert_gone);
}

/// Runs a statement through PostgreSQL's own client.
fn ask(postgres: &Postgres, statement: &str) -> String {
    let output = Command::new("psql")
        .args(["--no-psqlrc", "--tuples-only", "--no-align", "--command", statement])
        .arg(postgres.connection_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

//! The set-up link, and `ferrotype user …`

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use tempfile::tempdir;

use crate::program::{Server, ferrotype, run_in};
use crate::support::client::{Answer, Client, PASSWORD};

fn user(folder: &Path, arguments: &[&str]) -> String {
    run_in(folder, &[&["user"], arguments].concat()).success()
}

/// Whether the server says that the first administrator is still to be made.
fn is_set_up_open(server: &Server) -> bool {
    server.get_json("/api/v1/service").1["accounts"]["setUp"].as_bool().unwrap()
}

fn token_of(link: &str) -> &str {
    link.split_once("?token=").unwrap().1
}

/// Asks for the first administrator, by the token of a link.
fn set_up(server: &Server, token: &str) -> Answer {
    let body = json!({
        "token": token, "email": "root@example.org", "name": "Root", "password": PASSWORD,
    });
    Client::anonymous(server.url()).post("/api/v1/setup", &body)
}

fn refuses(server: &Server, token: &str) {
    let refused = set_up(server, token).expect(403);
    assert_eq!(refused["error"]["code"], "bad_set_up", "{refused}");
}

#[test]
fn the_set_up_link_is_printed_until_there_is_an_administrator() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let first = server.set_up_path().expect("a set-up link");
    assert_eq!(server.get(&first).0, 200);
    assert!(is_set_up_open(&server));
    refuses(&server, "ftu_made-up");
    server.stop();

    let server = Server::start(folder.path(), &[]);
    let second = server.set_up_path().expect("a new set-up link");
    assert_ne!(first, second);
    refuses(&server, token_of(&first));
    server.stop();

    user(folder.path(), &["add", "ada@example.org"]);
    let server = Server::start(folder.path(), &[]);
    let third = server.set_up_path().expect("a user is no administrator");
    assert!(is_set_up_open(&server));
    server.stop();

    user(folder.path(), &["role", "ada@example.org", "administrator"]);
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.set_up_path(), None);
    assert!(!is_set_up_open(&server));
    refuses(&server, token_of(&third));
}

#[test]
fn the_newest_set_up_link_makes_the_administrator_once() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let link = server.set_up_path().expect("a set-up link");
    set_up(&server, token_of(&link)).expect(201);
    assert!(!is_set_up_open(&server));
    refuses(&server, token_of(&link));
}

#[test]
fn users_are_managed_without_a_server() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let added = user(folder, &["add", "root@example.org", "--role", "administrator"]);
    let password = added.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    assert_eq!(password.len(), 32);
    user(folder, &["add", "ada@example.org", "--name", "Ada", "--without-password"]);
    let listed = user(folder, &["list"]);
    let lines: Vec<_> = listed.lines().collect();
    assert_eq!(lines.len(), 2, "{listed}");
    assert!(lines[0].ends_with("\tuser\tada@example.org\tAda"), "{listed}");
    assert!(lines[1].contains("\tadministrator\troot@example.org\t"), "{listed}");

    let id = lines[0].split('\t').next().unwrap();
    let limited = user(folder, &["limit", id, "--images", "7", "--bytes", "1GB"]);
    assert!(limited.contains("7 of 7 left") && limited.contains("1073741824"), "{limited}");
    let shown = user(folder, &["show", "ADA@example.org"]);
    assert!(shown.contains(id) && shown.contains("7 of 7 left"), "{shown}");

    let last = run_in(folder, &["user", "role", "root@example.org", "user"]).failure(1);
    assert!(last.contains("there must be an administrator"), "{last}");
    let unknown = run_in(folder, &["user", "show", "bob@example.org"]).failure(1);
    assert!(unknown.contains("there is no user"), "{unknown}");
    let taken = run_in(folder, &["user", "add", "ada@example.org"]).failure(1);
    assert!(taken.contains("belongs to an account already"), "{taken}");
    let asked = run_in(folder, &["user", "remove", id]).failure(2);
    assert!(asked.contains("--yes"), "{asked}");
    user(folder, &["remove", id, "--yes"]);
    assert!(user(folder, &["list"]).contains("Ada (being erased)"));
}

#[test]
fn a_password_is_read_from_standard_input_and_signs_in() {
    let folder = tempdir().unwrap();
    user(folder.path(), &["add", "root@example.org", "--role", "administrator"]);
    let set = |text: &str| {
        let arguments = ["user", "password", "root@example.org", "--password-stdin"];
        let mut command = ferrotype(folder.path(), &arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let short = set("short\n");
    assert_eq!(short.status.code(), Some(2));
    let done = set("battery staple\n");
    assert!(done.status.success(), "{done:?}");
    assert!(!String::from_utf8(done.stdout).unwrap().contains("battery"));

    let server = Server::start(folder.path(), &[]);
    let sign_in = |password: &str| {
        let url = format!("{}/api/v1/session", server.url());
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
        let body = serde_json::json!({ "email": "root@example.org", "password": password });
        agent.post(url).send_json(body).unwrap().status().as_u16()
    };
    assert_eq!((sign_in("battery stapler"), sign_in("battery staple")), (401, 201));
}

#[test]
fn while_the_server_runs_it_says_what_to_do() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let refused = run_in(folder.path(), &["user", "list"]).failure(2);
    assert!(refused.contains("stop the server first"), "{refused}");
    assert_eq!(server.get("/health/live").0, 200);
}

//! The set-up link, and `ferrotype user …`

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Signal, geteuid};
use serde_json::{Value, json};
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
    server.line_with("There are accounts, but no administrator's");
    let third = server.line_with("/setup?token=");
    let third = third.trim().strip_prefix(server.url()).unwrap().to_owned();
    let listen = server.url().strip_prefix("http://").unwrap();
    let doctor = run_in(folder.path(), &["doctor", "--listen", listen]).success();
    assert!(doctor.contains("there are accounts, but no administrator's"), "{doctor}");
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
fn users_are_managed_beside_a_running_server() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let folder = folder.path();
    let root = Client::set_up(&server);
    let me = || root.get("/api/v1/me").expect(200);
    assert_eq!(me()["quota"]["imagesMax"], Value::Null, "whoever sets it up has no limit");
    let email = me()["email"].as_str().unwrap().to_owned();

    let added = user(folder, &["add", "ada@example.org", "--name", "Ada"]);
    let password = added.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    let session = json!({ "email": "ada@example.org", "password": password, "kind": "bearer" });
    Client::anonymous(server.url()).post("/api/v1/session", &session).expect(201);
    assert_eq!(user(folder, &["list"]).lines().count(), 2);
    assert!(user(folder, &["show", "ada@example.org"]).contains("500 of 500 left"));
    let lifted = user(folder, &["limit", "ada@example.org", "--unlimited"]);
    assert!(lifted.contains("images:  0 in use, no limit"), "{lifted}");

    // The server knows at once, and what is wrong ends the command as it does without a server.
    user(folder, &["limit", &email, "--images", "7"]);
    assert_eq!(me()["quota"]["imagesMax"], 7);
    let unknown = run_in(folder, &["user", "show", "bob@example.org"]).failure(1);
    assert!(unknown.contains("there is no user"), "{unknown}");
    let asked = run_in(folder, &["user", "remove", "ada@example.org"]).failure(2);
    assert!(asked.contains("--yes"), "{asked}");

    // The rest that has to do with the table works, too.
    for arguments in [["table", "create"], ["table", "check"], ["faces", "status"]] {
        run_in(folder, &arguments).success();
    }
    let listen = server.url().strip_prefix("http://").unwrap();
    let doctor = run_in(folder, &["doctor", "--listen", listen]);
    assert!(doctor.stdout.contains("ok       administrator: there is one"), "{doctor:?}");
}

#[test]
fn what_later_accounts_may_keep_is_decided_by_command_or_configuration() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let shown = user(folder, &["default-limit"]);
    assert!(shown.contains("images:  500\n") && shown.contains("nobody"), "{shown}");
    let shown = user(folder, &["default-limit", "--images", "unlimited", "--bytes", "10%"]);
    assert!(shown.contains("images:  no limit") && shown.contains("10% of the disk"), "{shown}");
    user(folder, &["add", "root@example.org", "--role", "administrator"]);
    assert!(user(folder, &["show", "root@example.org"]).contains("bytes:   0 in use, no limit"));
    user(folder, &["add", "ada@example.org"]);
    let ada = user(folder, &["show", "ada@example.org"]);
    assert!(ada.contains("images:  0 in use, no limit") && ada.contains(" left"), "{ada}");

    // The configuration is stronger.
    let configured = ["default-limit", "--quota-images", "9"];
    let shown = user(folder, &configured);
    assert!(shown.contains("images:  9\n") && shown.contains("configuration"), "{shown}");
    let change = [&["user"], &configured[..], &["--images", "3"]].concat();
    let refused = run_in(folder, &change).failure(1);
    assert!(refused.contains("quota.images and quota.bytes in the configuration"), "{refused}");
}

#[test]
fn only_the_owner_of_the_server_can_command_it() {
    let folder = tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    let socket = folder.path().join("data/control.sock");
    user(folder.path(), &["list"]);
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);

    if geteuid().is_root() {
        // Even where somebody has opened the way, nobody else is heard.
        for (path, mode) in [(folder.path(), 0o755), (&socket, 0o777)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::set_permissions(folder.path().join("data"), fs::Permissions::from_mode(0o755)).unwrap();
        let script = "import socket, sys\n\
                      s = socket.socket(socket.AF_UNIX)\n\
                      s.connect(sys.argv[1])\n\
                      try:\n \
                      s.sendall(b'{}\\n')\n \
                      sys.exit('it answers' if s.recv(9) else 0)\n\
                      except ConnectionError:\n \
                      pass";
        let mut other = Command::new("python3");
        let other = other.args(["-c", script]).arg(&socket).uid(65_534).gid(65_534);
        let heard = other.output().unwrap();
        assert!(heard.status.success(), "{heard:?}");
    }

    // What a killed server leaves is in nobody's way.
    server.signal(Signal::KILL);
    server.wait();
    assert!(socket.exists());
    user(folder.path(), &["list"]);
    let server = Server::start(folder.path(), &[]);
    user(folder.path(), &["list"]);
    server.stop();
    assert!(!socket.exists());
}

#[test]
fn a_data_folder_may_lie_deeper_than_the_address_of_a_socket() {
    let folder = tempdir().unwrap();
    let deep = folder.path().join("photographs-of-the-family/".repeat(6));
    fs::create_dir_all(&deep).unwrap();
    let _server = Server::start(&deep, &[]);
    let deep = deep.canonicalize().unwrap().join("data");
    let listed = run_in(folder.path(), &["user", "list", "--data-folder", deep.to_str().unwrap()]);
    assert_eq!(listed.success(), "");
}

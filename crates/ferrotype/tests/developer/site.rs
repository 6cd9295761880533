//! A server with somebody's account, a folder with photos, and the tools of a developer.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::support::client::{Client, PASSWORD};
use crate::support::files::bitmap;
use crate::support::program::{Ended, Server, run};

/// What they are called does not matter to the server, but to those who read.
pub const PHOTOS: [&str; 4] = ["sunset.jpg", "harbour.jpg", "pier.jpg", "dunes.jpg"];

/// A server that nothing is changed of, for Ada.
pub struct Site {
    pub folder: TempDir,
    pub server: Server,
    pub ada: Client,
}

impl Site {
    pub fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path(), &[]);
        let root = Client::set_up(&server);
        let ada = json!({ "email": "ada@example.org", "name": "Ada", "password": PASSWORD });
        root.post("/api/v1/users", &ada).expect(201);
        let ada = root.sign_in("ada@example.org");
        for (seed, name) in (0..).zip(PHOTOS) {
            std::fs::write(folder.path().join(name), bitmap(seed)).unwrap();
        }
        Self { folder, server, ada }
    }

    /// A command in the folder of the photos, who knows where the server is.
    pub fn command(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("FERROTYPE_SERVER", self.server.url())
            .env("NO_PROXY", "127.0.0.1");
        command
    }

    /// The same with an API key of Ada's.
    pub fn command_with_key(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = self.command(program, arguments);
        let key = self.ada.with_scopes(&["read", "write", "delete"]).token;
        command.env("FERROTYPE_KEY", key.unwrap());
        command
    }
}

/// Runs a command to its end, and returns what it printed; it must succeed.
#[track_caller]
pub fn succeed(command: Command) -> String {
    let what = format!("{command:?}");
    let Ended { code, stdout, stderr } = run(command);
    assert_eq!(code, Some(0), "{what}\n{stdout}\n{stderr}");
    stdout
}

/// A file of the repository.
pub fn of_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).canonicalize().unwrap()
}

pub fn read(path: &str) -> String {
    std::fs::read_to_string(of_repository(path)).unwrap()
}

/// A program of the system.
pub fn installed(program: &str) -> &str {
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).exists());
    assert!(found, "{program} is missing: run scripts/setup test");
    program
}

/// A program that reads the description, of Node.js.
pub fn of_node(program: &str) -> PathBuf {
    testkit::servers::installed(&format!("api-node/node_modules/.bin/{program}"))
}

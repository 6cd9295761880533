//! The server that takes the photos in, and whose they are.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use testkit::servers::Program;
use ureq::Agent;

use crate::Outcome;

const EMAIL: &str = "ada@example.org";
const PASSWORD: &str = "correct horse battery";
/// Where the binary is that was built together with this program; set by `./test`.
const BUILT: &str = "FERROTYPE_BINARY";

/// A server with one user who may keep as much as they like.
pub struct Server {
    program: Program,
    pub token: String,
}

/// Builds the binary as this program was built, unless that has been done, and says where it is.
pub fn build() -> Outcome<PathBuf> {
    if let Some(built) = std::env::var_os(BUILT) {
        return Ok(built.into());
    }
    let exe = std::env::current_exe()?;
    let folder = exe.ancestors().nth(2).ok_or("this program is in no target folder")?;
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--workspace", "--bin", "ferrotype"]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    if !build.status()?.success() {
        return Err("the binary cannot be built".into());
    }
    Ok(folder.join("ferrotype"))
}

impl Server {
    /// Starts a server on a new data folder.
    pub fn start(binary: &Path, data: &Path, limits: bool) -> Outcome<Self> {
        make_user(binary, data)?;
        let program = Program::start("ferrotype", "/health/live", |port, _| {
            let mut command = Command::new(binary);
            command
                .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--log-level", "warn"])
                .args(["--rate-limits-enabled", if limits { "true" } else { "false" }])
                .args(["--people-enabled", "off", "--data-folder"])
                .arg(data);
            command
        });
        let credentials = json!({ "email": EMAIL, "password": PASSWORD, "kind": "bearer" });
        let url = format!("{}/api/v1/session", program.endpoint());
        let answer = agent().post(url).content_type("application/json");
        let session = answer.send(credentials.to_string())?.body_mut().read_to_string()?;
        let session: Value = serde_json::from_str(&session)?;
        let token = session.get("token").and_then(Value::as_str).ok_or("no token")?.to_owned();
        Ok(Self { program, token })
    }

    pub fn endpoint(&self) -> String {
        self.program.endpoint()
    }

    /// How often something was answered with this status, by the server's own metrics.
    pub fn answered_with(&self, status: u16) -> Outcome<u64> {
        let url = format!("{}/metrics", self.endpoint());
        let metrics = agent().get(url).call()?.body_mut().read_to_string()?;
        let label = format!("status=\"{status}\"");
        let counted = metrics.lines().filter(|line| {
            line.starts_with("ferrotype_http_requests_total{") && line.contains(&label)
        });
        let counts = counted.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok());
        Ok(counts.sum())
    }

    /// The command that sends a folder to it.
    pub fn upload(&self, binary: &Path, folder: &Path, parallel: u8) -> Command {
        let mut command = Command::new(binary);
        command
            .args(["upload", "--quiet", "--parallel", &parallel.to_string(), "--state"])
            .arg(folder.join(".state.jsonl"))
            .arg(folder)
            .env("FERROTYPE_SERVER", self.endpoint())
            .env("FERROTYPE_KEY", &self.token)
            .stdout(Stdio::null());
        command
    }
}

/// Asks without keeping a connection.
pub fn agent() -> Agent {
    Agent::config_builder().proxy(None).build().into()
}

fn make_user(binary: &Path, data: &Path) -> Outcome {
    let user = |arguments: &[&str]| {
        let mut command = Command::new(binary);
        command.arg("user").args(arguments).arg("--data-folder").arg(data).stdout(Stdio::null());
        command
    };
    let add = ["add", EMAIL, "--role", "administrator", "--password-stdin"];
    let mut adding = user(&add).stdin(Stdio::piped()).spawn()?;
    adding.stdin.take().ok_or("no standard input")?.write_all(PASSWORD.as_bytes())?;
    if !adding.wait()?.success() {
        return Err("the user cannot be made".into());
    }
    let limit = ["limit", EMAIL, "--images", "10000000", "--bytes", "10TB"];
    if !user(&limit).status()?.success() {
        return Err("the user's limit cannot be changed".into());
    }
    Ok(())
}

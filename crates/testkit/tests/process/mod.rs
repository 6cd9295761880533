//! A process that owns test servers, to watch what becomes of them when it ends.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use testkit::servers::TOOLS_VARIABLE;
use testkit::wait::wait_until;

/// A server as its owner reported it.
#[derive(Debug)]
pub struct Reported {
    pid: u32,
    folder: PathBuf,
}

/// A running `test-servers` process.
pub struct TestServers {
    owner: Child,
    servers: Vec<Reported>,
    /// Kept open: the owner may have more to say, and would fail if nobody listened.
    _output: BufReader<ChildStdout>,
}

impl TestServers {
    pub fn start(names: &[&str]) -> Self {
        let mut owner = Command::new(env!("CARGO_BIN_EXE_test-servers"))
            .args(names)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(owner.stdout.take().unwrap());
        let lines = output.by_ref().lines().take(names.len());
        let servers: Vec<_> = lines.map(|line| parse_report(&line.unwrap())).collect();
        assert_eq!(servers.len(), names.len());
        assert!(servers.iter().all(|server| is_running(server.pid) && server.folder.exists()));
        Self { owner, servers, _output: output }
    }

    /// What the owner prints when the server is not installed.
    pub fn fail_to_start(name: &str, tools: &Path) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_test-servers"))
            .arg(name)
            .env(TOOLS_VARIABLE, tools)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }

    pub fn return_from_main(mut self) -> Vec<Reported> {
        drop(self.owner.stdin.take());
        assert!(self.owner.wait().unwrap().success());
        self.servers
    }

    pub fn kill(mut self) -> Vec<Reported> {
        self.owner.kill().unwrap();
        assert!(!self.owner.wait().unwrap().success());
        self.servers
    }
}

/// Waits until the server's process and folder are gone.
pub fn assert_gone(server: &Reported) {
    let gone =
        wait_until(Duration::from_secs(20), || !is_running(server.pid) && !server.folder.exists());
    assert!(gone, "{server:?} is still there");
}

/// Whether the process runs; a dead one that nobody has collected yet does not.
pub fn is_running(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let state = stat.rsplit_once(") ").unwrap().1.chars().next().unwrap();
    !matches!(state, 'Z' | 'X')
}

fn parse_report(line: &str) -> Reported {
    let mut words = line.splitn(4, ' ').skip(2);
    let pid = words.next().unwrap().parse().unwrap();
    Reported { pid, folder: words.next().unwrap().into() }
}

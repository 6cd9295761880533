//! Starting the program, talking to it and stopping it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use testkit::wait::wait_until;
use ureq::Agent;

/// Long enough for a busy machine; nothing waits this long when all is well.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The program with these arguments, in `folder` and without settings from outside.
pub fn ferrotype(folder: &Path, arguments: &[&str]) -> Command {
    command(Path::new(env!("CARGO_BIN_EXE_ferrotype")), folder, arguments)
}

/// The same, wherever the program is.
pub fn command(program: &Path, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if shown.starts_with("FERROTYPE_") || shown.starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// What it printed, if it succeeded.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// What it complained about, if it failed with this code.
    #[track_caller]
    pub fn failure(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.stderr
    }
}

/// Runs a command to its end.
pub fn run(mut command: Command) -> Ended {
    let done = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: done.status.code(), stdout: text(done.stdout), stderr: text(done.stderr) }
}

/// Runs the program in a folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Ended {
    run(ferrotype(folder, arguments))
}

/// Closed, not just left: SQLite has moved its log into the table.
#[track_caller]
pub fn assert_table_is_closed(folder: &Path) {
    let table = folder.join("data/table/table.sqlite");
    assert!(table.metadata().is_ok_and(|table| table.len() > 0));
    let log = folder.join("data/table/table.sqlite-wal").metadata();
    assert!(log.map_or(0, |log| log.len()) == 0);
}

/// A running server. It is killed when dropped.
pub struct Server {
    child: Child,
    url: String,
    /// What it prints after its address.
    lines: mpsc::Receiver<String>,
    stderr: Option<std::thread::JoinHandle<String>>,
}

impl Server {
    /// Starts `serve` in a folder, on a free port, with more arguments.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut all = vec!["serve", "--listen", "127.0.0.1:0"];
        all.extend(arguments);
        Self::spawn(ferrotype(folder, &all))
    }

    /// Starts a command that serves, and waits for its address.
    pub fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let stderr = std::thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).unwrap();
            text
        });
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let _ = send.send(line.unwrap());
            }
        });
        let stderr = Some(stderr);
        let mut server = Self { child, url: String::new(), lines: receive, stderr };
        match server.lines.recv_timeout(DEADLINE) {
            Ok(line) => {
                let (_, url) = line.split_once(" is running: open ").expect("an address");
                server.url = url.trim_end_matches('/').to_owned();
                server
            }
            Err(error) => {
                server.signal(Signal::KILL);
                let (status, log) = server.wait();
                panic!("no address ({error}); ended with {status}:\n{log}");
            }
        }
    }

    /// Waits for a line that has this text.
    #[track_caller]
    pub fn line_with(&self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(DEADLINE).expect("more lines");
            if line.contains(text) {
                return line;
            }
        }
    }

    /// The path of the set-up link that it prints, if it prints one before it answers.
    pub fn set_up_path(&self) -> Option<String> {
        // What is printed at the start is printed before the first answer.
        self.get("/health/live");
        let link = self.lines.try_iter().find(|line| line.contains("/setup?token="))?;
        Some(link.trim().strip_prefix(self.url()).unwrap().to_owned())
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// GETs a path: status and body.
    pub fn get(&self, path: &str) -> (u16, String) {
        get(&format!("{}{path}", self.url))
    }

    /// GETs a path: status and JSON.
    pub fn get_json(&self, path: &str) -> (u16, Value) {
        let (status, body) = self.get(path);
        (status, serde_json::from_str(&body).unwrap())
    }

    /// Waits until the server says of a part what it should.
    pub fn wait_for_readiness(&self, status: u16, part: &str, state: &str) {
        let mut last = None;
        let said = wait_until(DEADLINE, || {
            let (code, body) = self.get_json("/health/ready");
            let right = code == status && body["parts"][part]["status"] == state;
            last = Some((code, body));
            right
        });
        assert!(said, "{last:?}");
    }

    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end: how it ended, and the log.
    pub fn wait(&mut self) -> (ExitStatus, String) {
        let mut status = None;
        wait_until(DEADLINE, || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        let status = status.expect("the server goes on");
        (status, self.stderr.take().unwrap().join().unwrap())
    }

    /// Stops the server as a supervisor does, and returns its log.
    #[track_caller]
    pub fn stop(mut self) -> String {
        self.signal(Signal::TERM);
        let (status, log) = self.wait();
        assert_eq!(status.code(), Some(0), "{log}");
        log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn get(url: &str) -> (u16, String) {
    let config = Agent::config_builder().http_status_as_error(false).proxy(None);
    let agent: Agent = config.timeout_global(Some(DEADLINE)).build().into();
    let mut answer = agent.get(url).call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
}

//! A contender's process: told which photos to render, and watched from outside, so that all are
//! measured alike.
//!
//! A request is a line of JSON, `{"id":1,"path":"…","out":"…"}`; the answer is another,
//! `{"id":1,"sizes":[{"name":"thumb","bytes":1234}]}`, or has an `error`. With `out` the
//! renditions are written into that folder. As many requests are outstanding as photos are to be
//! in flight. The first line a worker says is its `version`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::shared::machine::{memory_of, processor_time};

pub struct Worker {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    next_id: u64,
    /// What it says it is.
    pub version: String,
}

/// The first line of a worker.
#[derive(Serialize, Deserialize)]
pub struct Hello {
    pub version: String,
}

#[derive(Serialize, Deserialize)]
pub struct Request {
    pub id: u64,
    pub path: String,
    pub out: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub id: u64,
    #[serde(default)]
    pub sizes: Vec<Made>,
    /// Memory of a process that was started for this photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub child_peak_kib: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Made {
    pub name: String,
    pub bytes: u64,
}

/// What rendering some photos took.
#[derive(Clone, Debug)]
pub struct Usage {
    pub elapsed: Duration,
    pub processor: Duration,
    pub answers: Vec<Answer>,
}

impl Worker {
    /// Starts a worker that may use these cores only.
    pub fn start(command: &Command, cores: &[usize]) -> Outcome<Self> {
        let cores: Vec<String> = cores.iter().map(ToString::to_string).collect();
        let mut child = Command::new("taskset")
            .args(["--cpu-list", &cores.join(",")])
            .arg(command.get_program())
            .args(command.get_args())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("taskset: {error}; run scripts/setup bench"))?;
        let requests = child.stdin.take();
        let answers = child.stdout.take().ok_or("a worker without output")?;
        let version = String::new();
        let mut worker =
            Self { child, requests, answers: BufReader::new(answers), next_id: 0, version };
        worker.version = worker.read::<Hello>()?.version;
        Ok(worker)
    }

    /// Renders photos, keeping some in flight, and says what that took.
    pub fn render(&mut self, paths: &[&Path], in_flight: usize) -> Outcome<Usage> {
        let processor = processor_time(self.child.id())?;
        let started = Instant::now();
        let mut waiting = paths.iter();
        for path in waiting.by_ref().take(in_flight) {
            self.send(path, None)?;
        }
        let mut answers = Vec::with_capacity(paths.len());
        while answers.len() < paths.len() {
            answers.push(self.receive()?);
            if let Some(path) = waiting.next() {
                self.send(path, None)?;
            }
        }
        let elapsed = started.elapsed();
        let processor = processor_time(self.child.id())?.saturating_sub(processor);
        Ok(Usage { elapsed, processor, answers })
    }

    /// Renders one photo into a folder.
    pub fn write(&mut self, path: &Path, out: &Path) -> Outcome<Answer> {
        self.send(path, Some(out))?;
        self.receive()
    }

    /// The most memory the process has had so far, in bytes.
    pub fn peak_memory(&self) -> Outcome<u64> {
        memory_of(self.child.id(), "VmHWM")
    }

    fn send(&mut self, path: &Path, out: Option<&Path>) -> Outcome {
        self.next_id += 1;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let request = Request { id: self.next_id, path: text(path), out: out.map(text) };
        let mut line = serde_json::to_string(&request)?;
        line.push('\n');
        self.requests.as_mut().ok_or("the worker was closed")?.write_all(line.as_bytes())?;
        Ok(())
    }

    fn receive(&mut self) -> Outcome<Answer> {
        let answer: Answer = self.read()?;
        match answer.error {
            Some(error) => Err(error.into()),
            None => Ok(answer),
        }
    }

    fn read<T: for<'a> Deserialize<'a>>(&mut self) -> Outcome<T> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err("the worker has ended without an answer".into());
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A worker ends when there are no more requests; one that has failed may not.
        self.requests.take();
        let deadline = Instant::now() + Duration::from_secs(2);
        while Instant::now() < deadline {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

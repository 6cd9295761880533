//! `ferrotype work`

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::tempdir;
use testkit::servers::{Dynoxide, Ministack};
use testkit::wait::wait_until;

use crate::distributed::{SERVE, on_dynamodb, with_s3};
use crate::gate::Gate;
use crate::program::{DEADLINE, Server, run, run_in};
use crate::support::files::{bitmap, bitmap_of};
use crate::support::stores::create_bucket;
use crate::upload::World;

/// A running `ferrotype work`. It is killed when dropped.
struct Work(Child);

impl Work {
    /// Starts it and waits until it works.
    fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("is working"), "{line}");
        Self(child)
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end: the exit code and the log.
    fn wait(mut self) -> (Option<i32>, String) {
        let mut status = None;
        wait_until(DEADLINE, || {
            status = self.0.try_wait().unwrap();
            status.is_some()
        });
        let status = status.expect("it goes on");
        let log = self.0.stderr.take().map(std::io::read_to_string);
        (status.code(), log.transpose().unwrap().unwrap_or_default())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_embedded_table_has_no_room_for_other_workers() {
    let folder = tempdir().unwrap();
    let complaint = run_in(folder.path(), &["work"]).failure(2);
    assert!(complaint.contains("the embedded table belongs to one process"), "{complaint}");
    assert!(complaint.contains("`ferrotype serve`"), "{complaint}");
    assert!(!folder.path().join("data").exists());
}

#[test]
fn workers_of_their_own_process_what_a_server_takes_in() {
    let folder = tempdir().unwrap();
    let dynoxide = Dynoxide::start();
    let s3 = Ministack::shared().endpoint();
    create_bucket(&s3, "work-bucket");
    run(on_dynamodb(&folder, &["table", "create"], &dynoxide.endpoint())).success();
    let here = tempdir().unwrap();
    let command = |arguments: &[&str]| {
        with_s3(on_dynamodb(&here, arguments, &dynoxide.endpoint()), &s3, "work-bucket")
    };
    let world = World::on(folder, |_| {
        let mut serve = command(&SERVE);
        serve.env("FERROTYPE_WORKER_ENABLED", "false");
        Server::spawn(serve)
    });
    for n in 0..6 {
        world.write(&format!("photos/{n}.bmp"), &bitmap(n));
    }
    run(world.upload(&["photos"])).success();
    let is = |status: &'static str| move |image: &Value| image["status"] == status;
    let images = world.images();
    assert!(images.len() == 6 && images.iter().all(is("processing")), "{images:?}");

    let workers = [command(&["work"]), command(&["work"])].map(Work::spawn);
    let said = run(world.upload(&["photos", "--wait", "--patience", "5m"])).success();
    assert!(said.contains("0 uploaded, 6 already there, 0 skipped, 0 failed"), "{said}");
    let images = world.images();
    assert!(images.len() == 6 && images.iter().all(is("completed")), "{images:?}");

    for worker in workers {
        worker.signal(Signal::TERM);
        let (code, log) = worker.wait();
        assert_eq!(code, Some(0), "{log}");
        assert!(log.contains("stopping") && log.contains("stopped"), "{log}");
    }
    // The server took part in nothing but answering.
    assert_eq!(world.server.get("/health/ready").0, 200);
    world.server.stop();
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let folder = tempdir().unwrap();
    let dynoxide = Dynoxide::start();
    let s3 = Ministack::shared().endpoint();
    create_bucket(&s3, "second-bucket");
    run(on_dynamodb(&folder, &["table", "create"], &dynoxide.endpoint())).success();
    let here = tempdir().unwrap();
    let dynamodb = |arguments: &[&str]| on_dynamodb(&here, arguments, &dynoxide.endpoint());
    // What the worker asks of the bucket can be held up.
    let gate = Gate::before_url(&s3, u64::MAX);
    let work = dynamodb(&["work", "--shutdown-grace", "24h"]);
    let mut work = Work::spawn(with_s3(work, &gate.url(), "second-bucket"));
    gate.close();
    let world = World::on(folder, |_| {
        let mut serve = with_s3(dynamodb(&SERVE), &s3, "second-bucket");
        serve.env("FERROTYPE_WORKER_ENABLED", "false");
        Server::spawn(serve)
    });
    world.write("photo.bmp", &bitmap_of(1, 32, 20));
    run(world.upload(&["photo.bmp"])).success();
    gate.wait_until_knocked();

    let mut log = BufReader::new(work.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    work.signal(Signal::TERM);
    log.find(|line| line.contains("stopping")).expect("it stops");
    work.signal(Signal::TERM);
    let log: Vec<String> = log.collect();
    assert!(log.iter().any(|line| line.contains("a second signal")), "{log:?}");
    assert!(log.iter().any(|line| line.contains("some work was put back")), "{log:?}");
    assert_eq!(work.wait().0, Some(0), "{log:?}");
}

//! Both sides, one after the other, each on a server and a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::wait::wait_until;

use crate::Outcome;
use crate::gallery::{Gallery, Looks};
use crate::server::Server;
use crate::shared::machine::{Facts, disk_facts, facts};
use crate::shared::say;
use crate::{photos, server};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub photos: u32,
    pub parallel: u8,
    pub idle_requests: usize,
}

/// What was found.
pub struct Findings {
    /// With the limits that a server has by itself.
    pub limited: Side,
    /// Without any.
    pub free: Side,
    pub facts: Facts,
}

/// What one side took.
#[derive(Clone, Debug)]
pub struct Side {
    /// From the start of the command to its end.
    pub took: Duration,
    /// The gallery while nothing was uploaded.
    pub idle: Looks,
    /// The gallery meanwhile.
    pub busy: Looks,
    /// Answers 429 of the server, to anybody.
    pub told_to_wait: u64,
}

/// Photos that are there before, to look at.
const FIRST_PHOTOS: u32 = 40;
const DEADLINE: Duration = Duration::from_secs(120);

/// Measures both sides.
pub fn run(plan: &Plan, binary: &Path, folder: &Path) -> Outcome<Findings> {
    let folder = tempfile::Builder::new().prefix("ferrotype-upload-").tempdir_in(folder)?;
    let mut facts = facts()?;
    facts.extend(disk_facts(folder.path())?);
    let library = folder.path().join("photos");
    say(format_args!("making {} photos", plan.photos));
    photos::write(&library, 1, plan.photos)?;
    let free = side(plan, binary, folder.path(), false)?;
    let limited = side(plan, binary, folder.path(), true)?;
    Ok(Findings { limited, free, facts })
}

fn side(plan: &Plan, binary: &Path, folder: &Path, limits: bool) -> Outcome<Side> {
    let name = if limits { "limited" } else { "free" };
    let data = folder.join(name);
    let server = Server::start(binary, &data, limits)?;
    let first = folder.join(format!("first-{name}"));
    photos::write(&first, 0, FIRST_PHOTOS)?;
    run_to_end(&mut server.upload(binary, &first, plan.parallel))?;
    wait_until_done(&server)?;
    let gallery = Gallery::open(&server)?;
    let idle = gallery.look_until(|looks| looks >= plan.idle_requests)?;

    let library = folder.join("photos");
    let _ = fs::remove_file(library.join(".state.jsonl"));
    let ended = AtomicBool::new(false);
    let (took, busy) = thread::scope(|scope| {
        let looking = scope.spawn(|| gallery.look_until(|_| ended.load(Ordering::Relaxed)));
        let begun = Instant::now();
        let uploaded = run_to_end(&mut server.upload(binary, &library, plan.parallel));
        let took = begun.elapsed();
        ended.store(true, Ordering::Relaxed);
        let busy = looking.join().map_err(|_| "the gallery has panicked")?;
        uploaded.and_then(|()| Ok((took, busy?)))
    })?;
    let told_to_wait = server.answered_with(429)?;
    let seconds = took.as_secs_f64();
    say(format_args!("{name}: {} photos in {seconds:.1} s", plan.photos));
    drop(server);
    fs::remove_dir_all(data)?;
    Ok(Side { took, idle, busy, told_to_wait })
}

fn run_to_end(command: &mut Command) -> Outcome {
    match command.status()?.success() {
        true => Ok(()),
        false => Err("ferrotype upload has failed".into()),
    }
}

/// Waits until all renditions are made.
fn wait_until_done(server: &Server) -> Outcome {
    let url = format!("{}/api/v1/images?limit=100", server.endpoint());
    let token = format!("Bearer {}", server.token);
    let is_done = || {
        let answer = server::agent().get(&url).header("authorization", &token).call();
        let text = answer.ok().and_then(|mut answer| answer.body_mut().read_to_string().ok());
        let listed: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
        let images = listed.as_ref().and_then(|listed| listed.get("items")?.as_array());
        let done = |image: &Value| image.get("status").is_some_and(|status| status == "completed");
        images
            .is_some_and(|images| images.len() >= FIRST_PHOTOS as usize && images.iter().all(done))
    };
    match wait_until(DEADLINE, is_done) {
        true => Ok(()),
        false => Err("the first photos are not rendered".into()),
    }
}

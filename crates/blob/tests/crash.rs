//! What a folder looks like after its writer was killed, starved of room or locked out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use blob::{BlobKey, BlobPrefix, Blobs, Sha256Sum};
use futures::TryStreamExt;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const WRITER: &str = env!("CARGO_BIN_EXE_blob-writer");
const KILLS: usize = 12;

#[tokio::test]
async fn nothing_acknowledged_is_lost_and_nothing_torn_shows_after_kills() {
    let seed = testkit::seed::seed_from_env_or_random("kills");
    let mut random = StdRng::seed_from_u64(seed);
    let dir = tempfile::tempdir().unwrap();
    let mut leftovers = 0;
    let mut acknowledged = 0;
    let mut seen: HashSet<BlobKey> = HashSet::new();
    for round in 0..KILLS {
        let acks = write_until_killed(dir.path(), &mut random);
        acknowledged += acks.len();
        leftovers += temporary_files(dir.path());

        let blobs = Blobs::open_folder(dir.path()).await.unwrap();
        assert_eq!(temporary_files(dir.path()), 0, "leftovers after round {round}");
        let found = check_every_object(&blobs).await;
        assert!(seen.iter().all(|key| found.contains_key(key)), "round {round} lost older objects");
        seen.extend(found.keys().cloned());
        for (key, last) in last_acknowledged(&acks) {
            let found = found.get(&key).unwrap_or_else(|| panic!("round {round}: {key} is lost"));
            // A later write may have got through unheard, but never an earlier one.
            let is_older = acks.contains(&(key.clone(), *found));
            assert!(*found == last || !is_older, "round {round}: {key} went back in time");
        }
    }
    println!("{acknowledged} acknowledged, {leftovers} leftovers in {KILLS} kills");
    assert!(acknowledged > KILLS && leftovers > 0, "the kills came at the wrong time");
}

#[test]
fn a_full_disk_is_named_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // The largest file is 64 KiB (128 blocks of 512 bytes); the signal would end the process.
    let script = r#"trap '' XFSZ; ulimit -f 128; exec "$0" "$1" once 1000000"#;
    let output = Command::new("sh").args(["-c", script, WRITER]).arg(dir.path()).output().unwrap();
    let message = failure(&output);
    assert!(message.contains("no room left while writing images/"), "{message}");
    assert!(message.contains("free space"), "{message}");
    assert_eq!(objects(dir.path()), 0);
    assert_eq!(temporary_files(dir.path()), 0);

    let output = Command::new(WRITER).arg(dir.path()).args(["once", "1000"]).output().unwrap();
    assert!(output.status.success());
    assert_eq!(objects(dir.path()), 1);
}

#[test]
fn a_read_only_folder_is_named_when_it_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("blobs");
    fs::create_dir(&folder).unwrap();
    // Root may write everywhere, so the writer runs as someone else, who must reach it.
    let writer = dir.path().join("writer");
    fs::copy(WRITER, &writer).unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = Command::new(&writer);
    command.arg(&folder).args(["once", "1000"]);
    if fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0) {
        command.uid(65_534).gid(65_534);
    }
    let message = failure(&command.output().unwrap());
    assert!(message.contains("access denied while opening the blob folder"), "{message}");
    assert!(message.contains(&*folder.to_string_lossy()), "{message}");
    assert!(message.contains("give the user that runs this process"), "{message}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

/// Runs the writer until some objects are acknowledged, and then a moment longer.
fn write_until_killed(folder: &Path, random: &mut StdRng) -> Vec<(BlobKey, Sha256Sum)> {
    let mut writer =
        Command::new(WRITER).arg(folder).arg("stream").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let enough = random.random_range(1..60);
    let mut acks: Vec<_> = lines.by_ref().take(enough).map(|line| parse(&line.unwrap())).collect();
    assert_eq!(acks.len(), enough, "the writer ended by itself");
    let moment = Duration::from_micros(random.random_range(0..20_000));
    let until = Instant::now() + moment;
    while Instant::now() < until {
        std::hint::spin_loop();
    }
    writer.kill().unwrap();
    writer.wait().unwrap();
    acks.extend(lines.map(|line| parse(&line.unwrap())));
    acks
}

fn parse(line: &str) -> (BlobKey, Sha256Sum) {
    let (key, sum) = line.split_once(' ').unwrap();
    (key.parse().unwrap(), sum.parse().unwrap())
}

/// Every visible object proves itself to be whole.
async fn check_every_object(blobs: &Blobs) -> HashMap<BlobKey, Sha256Sum> {
    let listed: Vec<_> = blobs.list(&BlobPrefix::All, None).try_collect().await.unwrap();
    let mut found = HashMap::new();
    for listed in listed {
        let key: BlobKey = listed.path.parse().unwrap();
        let body: Vec<_> = blobs.get(&key, None).await.unwrap().body.try_collect().await.unwrap();
        let bytes = body.concat();
        let (proof, rest) = bytes.split_at(32);
        assert_eq!(proof, Sha256Sum::of(rest).as_bytes(), "{key} is torn");
        found.insert(key, Sha256Sum::of(&bytes));
    }
    found
}

fn last_acknowledged(acks: &[(BlobKey, Sha256Sum)]) -> HashMap<BlobKey, Sha256Sum> {
    acks.iter().cloned().collect()
}

fn temporary_files(folder: &Path) -> usize {
    let names = fs::read_dir(folder.join(".staging")).unwrap().map(|e| e.unwrap().file_name());
    names.filter(|name| name != "lock").count()
}

fn objects(folder: &Path) -> usize {
    fs::read_dir(folder.join("images")).map_or(0, Iterator::count)
}

fn failure(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

//! `ferrotype backup`, `ferrotype restore` and `ferrotype table check`

use std::fs;
use std::path::Path;

use blob::{BlobKey, Blobs, PutLimits};
use bytes::Bytes;
use table::{Item, Key, Table, TableExt};
use table_embedded::{EmbeddedTable, Options};
use tempfile::tempdir;

use crate::program::{Server, run_in};

const KEYS: [&str; 3] = [
    "images/01ARZ3NDEKTSV4RRFFQ69G5FAV/original",
    "images/01ARZ3NDEKTSV4RRFFQ69G5FAV/large.webp",
    "uploads/01ARZ3NDEKTSV4RRFFQ69G5FAW",
];
const ITEMS: usize = 300;

async fn open(data: &Path) -> (EmbeddedTable, Blobs) {
    let table = EmbeddedTable::open(&data.join("table"), catalog::schema(), Options::default());
    (table.unwrap(), Blobs::open_folder(&data.join("blobs")).await.unwrap())
}

fn item(number: usize) -> Item {
    Item::new(Key::new(format!("IMAGE#{number}"), "METADATA")).with("title", "x".repeat(number))
}

fn content(key: &str) -> Bytes {
    Bytes::from(key.repeat(100_000))
}

async fn fill(data: &Path) {
    let (table, blobs) = open(data).await;
    for number in 0..ITEMS {
        table.put(item(number)).await.unwrap();
    }
    for key in KEYS.into_iter().chain(["transforms/01ARZ3NDEKTSV4RRFFQ69G5FAV/w10.webp"]) {
        put(&blobs, key).await;
    }
    table.close().await;
}

async fn put(blobs: &Blobs, key: &str) {
    let limits = PutLimits::at_most(u64::MAX);
    blobs.put_bytes(&key.parse::<BlobKey>().unwrap(), content(key), &limits).await.unwrap();
}

async fn assert_is_filled(data: &Path) {
    let (table, _) = open(data).await;
    for number in 0..ITEMS {
        let found = table.get(&item(number).key).await.unwrap();
        assert_eq!(found, Some(item(number)));
    }
    table.close().await;
    for key in KEYS {
        assert_eq!(fs::read(data.join("blobs").join(key)).unwrap(), content(key), "{key}");
    }
    assert!(!data.join("blobs/transforms").exists());
}

#[tokio::test]
async fn backups_restores_and_checks_say_how_far_they_have_come() {
    let folder = tempdir().unwrap();
    fill(&folder.path().join("data")).await;
    let said = |arguments: &[&str], steps: &[&str]| {
        let ended = run_in(folder.path(), arguments);
        for step in steps {
            assert!(ended.stderr.contains(step), "{step} is not in {ended:?}");
        }
        ended.success();
    };
    said(&["table", "check"], &["checking the table: 0 of 300 rows"]);
    let steps = ["copying the table: ", "reading the copy: ", "copying files: 1 of 3 files, "];
    said(&["backup", "--to", "backup"], &steps);
    let steps =
        ["reading the table: ", "checking the table: 0 of 300 rows", "copying files: 1 of 3"];
    said(&["restore", "--from", "backup", "--data-folder", "new"], &steps);
    for quiet in [
        &["table", "check", "--quiet"][..],
        &["backup", "--to", "backup", "--quiet"],
        &["restore", "--from", "backup", "--quiet", "--data-folder", "other"],
    ] {
        let ended = run_in(folder.path(), quiet);
        assert!(!ended.stderr.contains(" of "), "{ended:?}");
        ended.success();
    }
}

#[tokio::test]
async fn a_backup_of_a_running_server_can_be_restored_and_served() {
    let root = tempdir().unwrap();
    fill(&root.path().join("data")).await;
    let server = Server::start(root.path(), &[]);

    let said = run_in(root.path(), &["backup", "--to", "backup"]).success();
    assert!(said.contains("blobs: 3 copied, 0 there before"), "{said}");
    assert_eq!(server.get("/health/ready").0, 200);
    server.stop();

    let said = run_in(root.path(), &["restore", "--from", "backup", "--data-folder", "new/data"])
        .success();
    assert!(said.contains("restored the backup of 20"), "{said}");
    assert_is_filled(&root.path().join("new/data")).await;
    let server = Server::start(root.path(), &["--data-folder", "new/data"]);
    assert_eq!(server.get("/health/ready").0, 200);
    server.stop();
}

#[tokio::test]
async fn a_repeated_backup_copies_only_what_is_new() {
    let root = tempdir().unwrap();
    let data = root.path().join("data");
    fill(&data).await;
    run_in(root.path(), &["backup", "--to", "backup"]).success();

    let (table, blobs) = open(&data).await;
    put(&blobs, "persons/person1.webp").await;
    table.put(item(ITEMS)).await.unwrap();
    table.close().await;
    let said = run_in(root.path(), &["backup", "--to", "backup"]).success();
    assert!(said.contains("blobs: 1 copied, 3 there before"), "{said}");

    let manifest = fs::read_to_string(root.path().join("backup/backup.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["blobs"]["count"], 4);
    let tables = fs::read_dir(root.path().join("backup")).unwrap();
    let tables = tables
        .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().ends_with(".sqlite"));
    assert_eq!(tables.count(), 1);

    run_in(root.path(), &["restore", "--from", "backup", "--data-folder", "new"]).success();
    let (table, _) = open(&root.path().join("new")).await;
    assert_eq!(table.get(&item(ITEMS).key).await.unwrap(), Some(item(ITEMS)));
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_nothing_is_written() {
    let root = tempdir().unwrap();
    fill(&root.path().join("data")).await;
    let restore = |expected: &str| {
        let arguments = ["restore", "--from", "backup", "--data-folder", "new"];
        let complaint = run_in(root.path(), &arguments).failure(1);
        assert!(complaint.contains(expected), "{complaint}");
        assert!(!root.path().join("new").exists());
    };
    restore("give the folder of a backup");
    run_in(root.path(), &["backup", "--to", "backup"]).success();

    let blob = root.path().join("backup/blobs").join(KEYS[0]);
    fs::rename(&blob, root.path().join("away")).unwrap();
    restore("the backup is damaged: it has 2 blobs");
    fs::rename(root.path().join("away"), &blob).unwrap();

    let manifest = root.path().join("backup/backup.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    let table = root.path().join("backup").join(parsed["table"]["file"].as_str().unwrap());
    let whole = fs::read(&table).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    fs::write(&table, flipped).unwrap();
    restore("is damaged: it has");
    fs::write(&table, whole).unwrap();

    fs::write(&manifest, text.replace("\"format\": 1", "\"format\": 9")).unwrap();
    restore("the backup has form 9");
    fs::write(&manifest, &text[1..]).unwrap();
    restore("backup.json is damaged");
}

#[tokio::test]
async fn restoring_over_data_is_refused() {
    let root = tempdir().unwrap();
    fill(&root.path().join("data")).await;
    run_in(root.path(), &["backup", "--to", "backup"]).success();
    let complaint = run_in(root.path(), &["restore", "--from", "backup"]).failure(3);
    assert!(complaint.contains("the data folder ./data is not empty"), "{complaint}");
    run_in(root.path(), &["table", "check"]).success();
}

#[test]
fn a_half_restored_folder_is_not_served() {
    let root = tempdir().unwrap();
    fs::create_dir(root.path().join("data")).unwrap();
    fs::write(root.path().join("data/restore.incomplete"), "").unwrap();
    let complaint = run_in(root.path(), &["serve"]).failure(3);
    assert!(
        complaint.contains("was interrupted; empty the folder and restore again"),
        "{complaint}"
    );
}

#[tokio::test]
async fn a_backup_into_the_data_folder_is_refused() {
    let root = tempdir().unwrap();
    fill(&root.path().join("data")).await;
    for to in ["data/backup", "."] {
        let complaint = run_in(root.path(), &["backup", "--to", to]).failure(2);
        assert!(complaint.contains("must lie apart"), "{complaint}");
    }
}

#[test]
fn a_backup_without_a_table_says_so() {
    let root = tempdir().unwrap();
    let complaint = run_in(root.path(), &["backup", "--to", "backup"]).failure(1);
    assert!(complaint.contains("there is no table in"), "{complaint}");
    assert!(!root.path().join("backup/backup.json").exists());
}

#[tokio::test]
async fn check_counts_a_sound_table_and_finds_a_damaged_one() {
    let root = tempdir().unwrap();
    let complaint = run_in(root.path(), &["table", "check"]).failure(3);
    assert!(complaint.contains("there is no table in"), "{complaint}");

    fill(&root.path().join("data")).await;
    let said = run_in(root.path(), &["table", "check"]).success();
    assert!(said.starts_with(&format!("{ITEMS} items and ")), "{said}");

    let file = root.path().join("data/table/table.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    fs::write(&file, bytes).unwrap();
    let done = run_in(root.path(), &["table", "check"]);
    assert!(done.stdout.contains("damaged"), "{done:?}");
    let complaint = done.failure(1);
    assert!(complaint.contains("restore the last backup into another folder"), "{complaint}");
}

#[test]
fn create_makes_a_table_and_may_be_repeated() {
    let root = tempdir().unwrap();
    for _ in 0..2 {
        let said = run_in(root.path(), &["table", "create"]).success();
        assert!(said.contains("is ready"), "{said}");
    }
    assert!(run_in(root.path(), &["table", "check"]).success().starts_with("0 items"));
}

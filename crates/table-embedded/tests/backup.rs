//! Backups of a table in use, and tables from backups.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rand::RngExt;
use rusqlite::Connection;
use table::conformance::schema;
use table::{Action, Condition, Item, Key, Table, TableExt};
use table_embedded::{
    BackupError, EmbeddedTable, OpenError, Options, RestoreError, TABLE_FILE, backup_folder,
    check_folder, restore,
};
use tempfile::TempDir;

const FOLDER: &str = "FERROTYPE_BACKUP_FOLDER";
const TO: &str = "FERROTYPE_BACKUP_TO";
const ACCOUNTS: i64 = 400;
const BALANCE: i64 = 100;

fn open(folder: &Path) -> EmbeddedTable {
    EmbeddedTable::open(folder, schema(), Options::default()).unwrap()
}

fn account(n: i64) -> Key {
    Key::new(format!("ACCOUNT#{n}"), "ACCOUNT")
}

async fn with_accounts(folder: &Path) -> EmbeddedTable {
    let table = open(folder);
    let puts = (0..ACCOUNTS).map(|n| {
        let item = Item::new(account(n)).with("balance", BALANCE).with("note", "x".repeat(2_000));
        table.put(item.with("text_partition", "accounts").with("text_sort", format!("{n:04}")))
    });
    for put in futures::future::join_all(puts).await {
        put.unwrap();
    }
    table
}

/// The sum that every transfer keeps.
async fn sum(table: &EmbeddedTable) -> i64 {
    let mut sum = 0;
    for n in 0..ACCOUNTS {
        sum += table.get(&account(n)).await.unwrap().unwrap().i64("balance").unwrap();
    }
    sum
}

/// Moves money between accounts until told to stop.
async fn transfer(table: Arc<EmbeddedTable>, stop: Arc<AtomicBool>, done: Arc<AtomicU64>) {
    while !stop.load(Ordering::Relaxed) {
        let from = rand::rng().random_range(0..ACCOUNTS);
        let to = (from + rand::rng().random_range(1..ACCOUNTS)) % ACCOUNTS;
        let pay = Action::update(account(from)).add("balance", -1);
        let pay = pay.when(Condition::at_least("balance", 1));
        let get = Action::update(account(to)).add("balance", 1);
        let _ = table.transact(vec![pay, get]).await.unwrap();
        done.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_writes_is_consistent_and_can_be_restored() {
    let (data, backups) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let table = Arc::new(with_accounts(data.path()).await);
    let stop = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicU64::new(0));
    let writers: Vec<_> = (0..8)
        .map(|_| tokio::spawn(transfer(Arc::clone(&table), Arc::clone(&stop), Arc::clone(&done))))
        .collect();
    for n in 0..5 {
        let backup = backups.path().join(format!("{n}.sqlite"));
        let before = done.load(Ordering::Relaxed);
        table.backup_to(&backup).await.unwrap();
        // At least one write has been acknowledged since, so writing goes on.
        let goes_on = testkit::wait::wait_until(std::time::Duration::from_secs(20), || {
            done.load(Ordering::Relaxed) > before
        });
        assert!(goes_on, "writing stands still");
    }
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
    for n in 0..5 {
        let folder = TempDir::new().unwrap();
        restore(&backups.path().join(format!("{n}.sqlite")), folder.path(), &schema()).unwrap();
        let restored = open(folder.path());
        assert_eq!(sum(&restored).await, ACCOUNTS * BALANCE, "backup {n}");
        assert!(restored.check().await.unwrap().is_sound());
        restored.put(Item::new(Key::new("new", "new"))).await.unwrap();
    }
    let names: Vec<_> = fs::read_dir(backups.path()).unwrap().map(Result::unwrap).collect();
    assert_eq!(names.len(), 5, "something else is left: {names:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process_backs_up_and_checks_a_table_in_use() {
    let (data, backups) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let table = with_accounts(data.path()).await;
    let backup = backups.path().join("backup.sqlite");
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_process_that_backs_up", "--nocapture"])
        .env(FOLDER, data.path())
        .env(TO, &backup)
        .output()
        .unwrap();
    assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stderr));
    table.put(Item::new(Key::new("later", "later"))).await.unwrap();
    let folder = TempDir::new().unwrap();
    restore(&backup, folder.path(), &schema()).unwrap();
    let restored = open(folder.path());
    assert_eq!(sum(&restored).await, ACCOUNTS * BALANCE);
    assert_eq!(restored.get(&Key::new("later", "later")).await.unwrap(), None);
}

/// Not a test by itself: the process that makes the backup.
#[test]
fn the_process_that_backs_up() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let to = std::env::var(TO).unwrap();
    backup_folder(Path::new(&folder), Path::new(&to)).unwrap();
    let report = check_folder(Path::new(&folder), &schema()).unwrap();
    assert_eq!(report.items, u64::try_from(ACCOUNTS).unwrap());
    assert!(report.is_sound(), "{:?}", report.problems);
}

#[tokio::test]
async fn a_table_nobody_uses_is_backed_up() {
    let (data, backups) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let table = with_accounts(data.path()).await;
    // Closed, with everything in the file; and merely dropped, with a log beside it.
    table.close().await;
    backup_folder(data.path(), &backups.path().join("closed")).unwrap();
    let table = open(data.path());
    table.put(Item::new(Key::new("later", "later"))).await.unwrap();
    drop(table);
    backup_folder(data.path(), &backups.path().join("dropped")).unwrap();
    let folder = TempDir::new().unwrap();
    restore(&backups.path().join("dropped"), folder.path(), &schema()).unwrap();
    assert!(open(folder.path()).get(&Key::new("later", "later")).await.unwrap().is_some());
    assert!(open(data.path()).check().await.unwrap().is_sound());
}

#[tokio::test]
async fn nothing_is_overwritten() {
    let (data, backups) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let table = with_accounts(data.path()).await;
    let backup = backups.path().join("backup.sqlite");
    table.backup_to(&backup).await.unwrap();
    let again = table.backup_to(&backup).await;
    assert!(matches!(again, Err(BackupError::Exists(_))), "{again:?}");
    let nowhere = table.backup_to(&backups.path().join("missing/backup.sqlite")).await;
    assert!(matches!(nowhere, Err(BackupError::Write { .. })), "{nowhere:?}");
    let in_use = restore(&backup, data.path(), &schema());
    assert!(matches!(in_use, Err(RestoreError::Open(OpenError::Locked { .. }))), "{in_use:?}");
    drop(table);
    let in_place = restore(&backup, data.path(), &schema());
    assert!(matches!(in_place, Err(RestoreError::NotEmpty(_))), "{in_place:?}");
    assert!(in_place.unwrap_err().to_string().contains("another folder"));
    // A log that lost its table would be read into the restored one.
    fs::remove_file(data.path().join(TABLE_FILE)).unwrap();
    fs::write(data.path().join(format!("{TABLE_FILE}-wal")), "x").unwrap();
    assert!(matches!(restore(&backup, data.path(), &schema()), Err(RestoreError::NotEmpty(_))));
}

#[test]
fn a_folder_without_a_table_has_no_backup() {
    let folder = TempDir::new().unwrap();
    let backup = folder.path().join("backup");
    let missing = backup_folder(folder.path(), &backup);
    assert!(matches!(missing, Err(BackupError::Open(OpenError::Missing { .. }))), "{missing:?}");
    let missing = restore(&backup, folder.path(), &schema());
    assert!(matches!(missing, Err(RestoreError::Missing(_))), "{missing:?}");
}

#[tokio::test]
async fn a_bad_backup_is_refused_and_leaves_the_folder_empty() {
    let (data, backups) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let table = with_accounts(data.path()).await;
    let good = backups.path().join("good");
    table.backup_to(&good).await.unwrap();
    let bytes = fs::read(&good).unwrap();

    let damaged = backups.path().join("damaged");
    let mut half = bytes.clone();
    let middle = half.len() / 2;
    half[middle..middle + 20_000].fill(0x5a);
    fs::write(&damaged, half).unwrap();
    let cut = backups.path().join("cut");
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let foreign = backups.path().join("foreign");
    fs::write(&foreign, "no database at all".repeat(1_000)).unwrap();
    let newer = backups.path().join("newer");
    fs::write(&newer, &bytes).unwrap();
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 9).unwrap();

    let folder = TempDir::new().unwrap();
    let refused = |backup: &Path| {
        let error = restore(backup, folder.path(), &schema()).unwrap_err();
        println!("{error}");
        assert!(!folder.path().join(TABLE_FILE).exists());
        error
    };
    assert!(matches!(refused(&damaged), RestoreError::Damaged { .. }));
    assert!(matches!(refused(&cut), RestoreError::Damaged { .. }));
    assert!(matches!(refused(&foreign), RestoreError::NotOurs(_)));
    assert!(matches!(refused(&newer), RestoreError::Open(OpenError::Newer { .. })));
    restore(&good, folder.path(), &schema()).unwrap();
}

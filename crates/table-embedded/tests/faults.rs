//! Full disks and failing disks: nothing acknowledged is lost, and nothing goes on quietly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rusqlite::Connection;
use table::conformance::schema;
use table::{BatchEntry, Error, Item, Key, Table, TableExt};
use table_embedded::{Checkpoints, EmbeddedTable, Health, Options, TABLE_FILE};
use tempfile::TempDir;

const FOLDER: &str = "FERROTYPE_FAULTS_FOLDER";

fn open(folder: &Path, options: Options) -> EmbeddedTable {
    EmbeddedTable::open(folder, schema(), options).unwrap()
}

fn key(n: usize) -> Key {
    Key::new("p", format!("{n:06}"))
}

fn item(n: usize) -> Item {
    Item::new(key(n)).with("payload", vec![7u8; 10_000])
}

/// Puts until it fails; returns how many puts were acknowledged, and why no more were.
async fn put_until_failure(table: &EmbeddedTable) -> (usize, Error) {
    for n in 0..100_000 {
        if let Err(error) = table.put(item(n)).await {
            return (n, error);
        }
    }
    panic!("nothing failed");
}

async fn assert_there(table: &EmbeddedTable, count: usize) {
    for n in 0..count {
        assert_eq!(table.get(&key(n)).await.unwrap(), Some(item(n)), "item {n} of {count}");
    }
}

#[tokio::test]
async fn a_full_disk_refuses_writes_until_there_is_room() {
    let folder = TempDir::new().unwrap();
    let table = open(folder.path(), Options::default().with_file_bytes_max(2_000_000));
    let (count, error) = put_until_failure(&table).await;
    println!("{error}");
    assert!(count > 50, "only {count} items fitted");
    assert!(matches!(error, Error::Full(_)), "{error:?}");
    assert!(error.to_string().contains("free some space"));
    assert!(matches!(table.health(), Health::Full(_)));
    // Nothing acknowledged is lost, nothing refused is there, and it says so again.
    assert_there(&table, count).await;
    assert_eq!(table.get(&key(count)).await.unwrap(), None);
    assert!(matches!(table.put(item(count)).await, Err(Error::Full(_))));
    // A batch that does not fit leaves nothing of itself.
    let batch = (0..25).map(|n| BatchEntry::Put(item(1_000_000 + n))).collect();
    assert!(matches!(table.batch_write(batch).await, Err(Error::Full(_))));
    assert_eq!(table.stats().await.unwrap().items, u64::try_from(count).unwrap());
    // With room, writing goes on.
    for n in 0..5 {
        table.delete(key(n)).await.unwrap();
    }
    table.put(item(count)).await.unwrap();
    assert_eq!(table.health(), Health::Ready);
    assert!(table.check().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_write_waits_for_another_programs_lock_and_then_gives_up() {
    let folder = TempDir::new().unwrap();
    let table = open(folder.path(), Options::default().with_lock_wait(Duration::from_millis(50)));
    table.put(item(0)).await.unwrap();
    let other = Connection::open(folder.path().join(TABLE_FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = table.put(item(1)).await;
    let is_safe_to_repeat = matches!(refused, Err(Error::Unavailable { maybe_written: false, .. }));
    assert!(is_safe_to_repeat, "{refused:?}");
    // Readers wait for nobody, and with the lock gone writing goes on.
    assert!(table.get(&key(0)).await.unwrap().is_some());
    assert_eq!(table.health(), Health::Ready);
    other.execute_batch("ROLLBACK").unwrap();
    table.put(item(1)).await.unwrap();
}

/// Tables of another program in the same file, such as an older Litestream keeps.
#[tokio::test]
async fn tables_of_a_replicator_are_ignored() {
    let folder = TempDir::new().unwrap();
    let options = Options::default().with_checkpoints(Checkpoints::LeftToReplicator);
    let table = open(folder.path(), options.clone());
    table.put(item(0)).await.unwrap();
    let other = Connection::open(folder.path().join(TABLE_FILE)).unwrap();
    other
        .execute_batch("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        .unwrap();
    table.put(item(1)).await.unwrap();
    assert!(table.check().await.unwrap().is_sound());
    table.close().await;
    // The log is left to the replicator.
    let wal = folder.path().join(format!("{TABLE_FILE}-wal"));
    assert!(std::fs::metadata(wal).unwrap().len() > 0);
    drop(other);
    assert_there(&open(folder.path(), options), 2).await;
}

/// The process may make no file larger than this, in the shell's blocks of 512 bytes; what it
/// writes beyond fails with an I/O error, as on a failing disk.
const FILE_BLOCKS_MAX: usize = 4_000;

#[tokio::test]
async fn an_io_error_stops_writing_and_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let limited = format!(
        "trap '' XFSZ; ulimit -f {FILE_BLOCKS_MAX}; exec \"$0\" --exact the_process_with_a_failing_disk --nocapture"
    );
    let output = Command::new("sh")
        .args(["-c", &limited])
        .arg(std::env::current_exe().unwrap())
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let line = said.lines().find_map(|line| line.strip_prefix("acknowledged "));
    let acknowledged: usize = line.expect("the process said nothing").parse().unwrap();
    // On a disk that works again, the table opens with everything acknowledged.
    let table = open(folder.path(), Options::default());
    assert_there(&table, acknowledged).await;
    assert!(table.check().await.unwrap().is_sound());
    table.put(item(acknowledged)).await.unwrap();
}

/// Not a test by itself: the process whose disk fails.
#[tokio::test]
async fn the_process_with_a_failing_disk() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let table = open(Path::new(&folder), Options::default());
    let (count, error) = put_until_failure(&table).await;
    println!("{error}");
    let is_loud =
        matches!(error, Error::WritesStopped(_) | Error::Unavailable { maybe_written: true, .. });
    assert!(is_loud, "{error:?}");
    assert!(matches!(table.health(), Health::WritesStopped(_)));
    let again = table.put(item(count)).await;
    assert!(matches!(again, Err(Error::WritesStopped(_))), "{again:?}");
    assert!(matches!(table.increment(&key(0), "n", 1).await, Err(Error::WritesStopped(_))));
    assert_there(&table, count).await;
    println!("\nacknowledged {count}");
    table.close().await;
}

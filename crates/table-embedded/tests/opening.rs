//! What can be wrong with a folder, and that the message says what to do about it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;
use table::conformance::schema;
use table::{Item, Key, Table, TableExt};
use table_embedded::{EmbeddedTable, OpenError, Options, TABLE_FILE, format_of};
use tempfile::TempDir;

const FOLDER: &str = "FERROTYPE_OPENING_FOLDER";

fn open(folder: &Path) -> Result<EmbeddedTable, OpenError> {
    EmbeddedTable::open(folder, schema(), Options::default())
}

fn fails(folder: &Path) -> OpenError {
    let error = open(folder).expect_err("the table was opened");
    println!("{error}");
    error
}

/// A folder with a table that was closed.
async fn closed_table() -> TempDir {
    let folder = TempDir::new().unwrap();
    let table = open(folder.path()).unwrap();
    table.put(Item::new(Key::new("p", "s"))).await.unwrap();
    table.close().await;
    folder
}

#[tokio::test]
async fn the_format_is_told_also_while_the_table_is_in_use() {
    let folder = closed_table().await;
    assert_eq!(format_of(folder.path()).unwrap(), 1);
    let _table = open(folder.path()).unwrap();
    assert_eq!(format_of(folder.path()).unwrap(), 1);
    let empty = TempDir::new().unwrap();
    assert!(matches!(format_of(empty.path()), Err(OpenError::Missing { .. })));
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_missing_folder_is_created() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder.path().join("a/b")).unwrap();
    table.put(Item::new(Key::new("p", "s"))).await.unwrap();
}

#[test]
fn a_file_in_place_of_the_folder_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = fails(&file);
    assert!(matches!(error, OpenError::NotAFolder { .. }));
    assert!(error.to_string().contains("give the path of a folder"));
    assert!(matches!(fails(&file.join("below")), OpenError::NotAFolder { .. }));
}

/// Nobody can make files in `/proc`, whoever runs the test; permission bits do not bind root.
#[test]
fn a_folder_that_cannot_be_written_is_refused() {
    let error = fails(Path::new("/proc/self"));
    assert!(matches!(error, OpenError::NotWritable { .. }));
    assert!(error.to_string().contains("/proc/self"));
    assert!(error.to_string().contains("writable"));
}

#[tokio::test]
async fn a_table_in_use_is_refused_by_name_and_pid() {
    let folder = closed_table().await;
    let first = open(folder.path()).unwrap();
    // In this process as well as in another.
    assert!(matches!(fails(folder.path()), OpenError::Locked { .. }));
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_second_process", "--nocapture"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&other.stdout);
    assert!(said.contains("in use by another process"), "{said}");
    assert!(said.contains(&format!("pid {}", std::process::id())), "{said}");
    assert!(said.contains(&folder.path().display().to_string()), "{said}");
    // The first goes on undisturbed, and the folder is free after it.
    first.put(Item::new(Key::new("p", "t"))).await.unwrap();
    drop(first);
    assert!(open(folder.path()).is_ok());
}

/// Not a test by itself: the process that comes second.
#[test]
fn the_second_process() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    fails(Path::new(&folder));
}

#[tokio::test]
async fn a_newer_format_is_refused_and_left_alone() {
    let folder = closed_table().await;
    let file = folder.path().join(TABLE_FILE);
    let raw = Connection::open(&file).unwrap();
    raw.pragma_update(None, "user_version", 7).unwrap();
    drop(raw);
    let before = fs::read(&file).unwrap();
    let error = fails(folder.path());
    assert!(matches!(error, OpenError::Newer { found: 7, known: 1, .. }));
    assert!(error.to_string().contains("use the newer version"));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(TABLE_FILE);
    fs::write(&file, "this is no database, but it is long enough to be one".repeat(100)).unwrap();
    assert!(matches!(fails(folder.path()), OpenError::NotOurs { .. }));
    fs::remove_file(&file).unwrap();
    let raw = Connection::open(&file).unwrap();
    raw.execute_batch("CREATE TABLE item (pk, sk, body)").unwrap();
    drop(raw);
    let before = fs::read(&file).unwrap();
    let error = fails(folder.path());
    assert!(matches!(error, OpenError::NotOurs { .. }));
    assert!(error.to_string().contains("move it away"));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_damaged_file_is_refused() {
    let folder = closed_table().await;
    let file = folder.path().join(TABLE_FILE);
    let mut bytes = fs::read(&file).unwrap();
    // The page that says which tables there are; the header before it stays.
    bytes[100..4_000].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    let error = fails(folder.path());
    assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("restore the last backup"));
}

#[tokio::test]
async fn a_table_without_its_tables_is_damaged() {
    let folder = closed_table().await;
    let raw = Connection::open(folder.path().join(TABLE_FILE)).unwrap();
    raw.execute_batch("DROP TABLE secondary_index").unwrap();
    drop(raw);
    assert!(matches!(fails(folder.path()), OpenError::Damaged { .. }));
}

#[test]
fn a_folder_where_creation_was_cut_short_is_usable() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(TABLE_FILE), "").unwrap();
    assert!(open(folder.path()).is_ok());
}

#[tokio::test]
async fn what_was_written_is_there_after_opening_again() {
    let folder = closed_table().await;
    let table = open(folder.path()).unwrap();
    assert!(table.get(&Key::new("p", "s")).await.unwrap().is_some());
}

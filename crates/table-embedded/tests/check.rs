//! The check finds what is wrong, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::path::Path;

use rusqlite::Connection;
use table::conformance::schema;
use table::{BatchEntry, Error, Item, Key, Query, TTL, Table, TableExt, Value};
use table_embedded::{
    BackupError, CheckReport, EmbeddedTable, OpenError, Options, Problem, TABLE_FILE,
    backup_folder, check_folder,
};
use tempfile::TempDir;

/// A closed table with three items; the second is in the text index, the third expires.
async fn closed_table() -> TempDir {
    let folder = TempDir::new().unwrap();
    let table = EmbeddedTable::open(folder.path(), schema(), Options::default()).unwrap();
    table.put(Item::new(Key::new("p", "1")).with("note", "x")).await.unwrap();
    let indexed = Item::new(Key::new("p", "2")).with("text_partition", "t").with("text_sort", "a");
    table.put(indexed).await.unwrap();
    table.put(Item::new(Key::new("p", "3")).with(TTL, i64::MAX)).await.unwrap();
    table.close().await;
    folder
}

fn raw(folder: &Path) -> Connection {
    Connection::open(folder.join(TABLE_FILE)).unwrap()
}

fn check(folder: &TempDir) -> CheckReport {
    let report = check_folder(folder.path(), &schema()).unwrap();
    for problem in &report.problems {
        println!("{problem}");
    }
    report
}

fn item_problems(report: &CheckReport) -> Vec<(&str, &str)> {
    fn problem(problem: &Problem) -> Option<(&str, &str)> {
        match problem {
            Problem::Item { key, what } => Some((key.sk.as_str(), what.as_str())),
            _ => None,
        }
    }
    report.problems.iter().filter_map(problem).collect()
}

/// Changes items behind an index's back: SQLite does not know of the index meanwhile.
fn damage_behind_index(folder: &TempDir, index: &str, sql: &str) {
    let connection = raw(folder.path());
    connection.execute_batch("PRAGMA writable_schema = ON").unwrap();
    let row: (String, String, i64, String) = connection
        .query_row(
            "SELECT name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = ?1",
            [index],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )
        .unwrap();
    connection.execute("DELETE FROM sqlite_schema WHERE name = ?1", [index]).unwrap();
    drop(connection);
    raw(folder.path()).execute_batch(sql).unwrap();
    let connection = raw(folder.path());
    connection.execute_batch("PRAGMA writable_schema = ON").unwrap();
    connection.execute("INSERT INTO sqlite_schema VALUES ('index', ?1, ?2, ?3, ?4)", row).unwrap();
}

#[tokio::test]
async fn a_sound_table_has_no_problems() {
    let folder = closed_table().await;
    let report = check(&folder);
    assert_eq!(report, CheckReport { items: 3, index_entries: 5, problems: Vec::new() });
}

#[tokio::test]
async fn a_table_is_checked_while_it_is_written() {
    let folder = TempDir::new().unwrap();
    let table = EmbeddedTable::open(folder.path(), schema(), Options::default()).unwrap();
    for round in 0..10 {
        let puts = (0..25).map(|n| {
            let item = Item::new(Key::new("p", format!("{}", n * round)));
            BatchEntry::Put(item.with("text_partition", "t").with("text_sort", format!("{round}")))
        });
        let mut puts: Vec<_> = puts.collect();
        puts.dedup_by(|a, b| a.key() == b.key());
        let (written, report) = tokio::join!(table.batch_write(puts), table.check());
        written.unwrap();
        assert!(report.unwrap().is_sound());
    }
}

#[tokio::test]
async fn an_item_that_an_index_does_not_show_is_found() {
    let folder = closed_table().await;
    damage_behind_index(&folder, "index by_text", "UPDATE item SET text_sort = 'b' WHERE sk = '2'");
    let report = check(&folder);
    let (index, key) = ("by_text".to_owned(), Key::new("p", "2"));
    let missing = Problem::MissingEntry { index: index.clone(), key: key.clone() };
    assert!(report.problems.contains(&missing), "{report:?}");
    assert!(report.problems.contains(&Problem::StrayEntry { index, key }), "{report:?}");
}

#[tokio::test]
async fn an_index_entry_without_its_item_is_found() {
    let folder = closed_table().await;
    damage_behind_index(&folder, "index by_text", "DELETE FROM item WHERE sk = '2'");
    let stray = Problem::StrayEntry { index: "by_text".to_owned(), key: Key::new("p", "2") };
    assert!(check(&folder).problems.contains(&stray));
    let folder = closed_table().await;
    damage_behind_index(&folder, "ttl", "UPDATE item SET ttl = 5 WHERE sk = '1'");
    let missing = Problem::MissingEntry { index: "ttl".to_owned(), key: Key::new("p", "1") };
    assert!(check(&folder).problems.contains(&missing));
}

#[tokio::test]
async fn damaged_items_are_found_and_named() {
    let folder = closed_table().await;
    raw(folder.path())
        .execute_batch(
            "UPDATE item SET body = x'01ff' WHERE sk = '1';
             UPDATE item SET text_sort = '' WHERE sk = '2';
             UPDATE item SET body = x'01a16374746c05' WHERE sk = '3';",
        )
        .unwrap();
    let report = check(&folder);
    let problems = item_problems(&report);
    assert_eq!(problems.iter().map(|(sk, _)| *sk).collect::<Vec<_>>(), ["1", "2", "3"]);
    assert!(problems[0].1.contains("cannot be read"));
    assert!(problems[1].1.contains("text_sort"));
    assert!(problems[2].1.contains("twice"));
    // One damaged item does not take the others with it.
    let table = EmbeddedTable::open(folder.path(), schema(), Options::default()).unwrap();
    let damaged = table.get(&Key::new("p", "1")).await;
    assert!(matches!(damaged, Err(Error::Corrupt(_))), "{damaged:?}");
    assert!(table.get(&Key::new("p", "2")).await.unwrap().is_some());
    let update = table::Action::update(Key::new("p", "1")).set("note", "y");
    assert!(matches!(table.transact(vec![update]).await, Err(Error::Corrupt(_))));
    table.put(Item::new(Key::new("p", "1")).with("note", "new")).await.unwrap();
    assert!(table.get(&Key::new("p", "1")).await.unwrap().is_some());
}

#[tokio::test]
async fn an_attribute_hidden_from_its_index_is_found() {
    let folder = closed_table().await;
    // {"text_sort": "a"} in the body, where no index looks.
    raw(folder.path())
        .execute_batch(
            "UPDATE item SET text_sort = NULL, body = x'01a169746578745f736f72746161' WHERE sk = '2'",
        )
        .unwrap();
    let report = check(&folder);
    assert!(item_problems(&report)[0].1.contains("no index sees it"), "{report:?}");
}

#[tokio::test]
async fn a_damaged_page_is_found_and_never_backed_up_as_sound() {
    let folder = TempDir::new().unwrap();
    let table = EmbeddedTable::open(folder.path(), schema(), Options::default()).unwrap();
    for n in 0..200 {
        let item = Item::new(Key::new("p", format!("{n:03}")));
        table.put(item.with("payload", Value::B(vec![1; 1_500]))).await.unwrap();
    }
    table.close().await;
    drop(table);
    let file = folder.path().join(TABLE_FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2 / 8_192 * 8_192;
    bytes[middle..middle + 8_192].fill(0xa5);
    std::fs::write(&file, bytes).unwrap();
    let report = check(&folder);
    assert!(matches!(report.problems[0], Problem::Storage(_)), "{report:?}");
    let backup = backup_folder(folder.path(), &folder.path().join("backup"));
    assert!(matches!(backup, Err(BackupError::Damaged(_))), "{backup:?}");
    assert!(!folder.path().join("backup").exists());
    // Whatever can still be read is read; the rest is an error, never a panic.
    let table = EmbeddedTable::open(folder.path(), schema(), Options::default()).unwrap();
    let mut found = 0;
    for n in 0..200 {
        match table.get(&Key::new("p", format!("{n:03}"))).await {
            Ok(Some(_)) => found += 1,
            Ok(None) => {}
            Err(error) => assert!(matches!(error, Error::Corrupt(_)), "{error:?}"),
        }
    }
    assert!((100..200).contains(&found), "{found}");
    assert!(table.query(&Query::partition("p").limit(1000)).await.is_err());
}

#[test]
fn a_folder_without_a_table_cannot_be_checked() {
    let folder = TempDir::new().unwrap();
    let missing = check_folder(folder.path(), &schema());
    assert!(matches!(missing, Err(OpenError::Missing { .. })), "{missing:?}");
}

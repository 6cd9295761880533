//! Tables outlive programs: indexes come and go, and attributes nobody knows stay.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::path::Path;

use rusqlite::Connection;
use table::{
    Action, BatchEntry, Index, Item, Key, ManualClock, Query, Schema, Table, TableExt, Value,
};
use table_embedded::{EmbeddedTable, Options, TABLE_FILE};
use tempfile::TempDir;

const BY_COLOUR: Index = Index::by_text("by_colour", "kind", "colour");
const BY_SIZE: Index = Index::by_number("by_size", "kind", "size");

fn open(folder: &Path, indexes: Vec<Index>) -> EmbeddedTable {
    let options = Options::default().with_clock(ManualClock::at(0));
    EmbeddedTable::open(folder, Schema::new(indexes), options).unwrap()
}

fn fruit(name: &str, colour: &str, size: i64) -> Item {
    let key = Key::new("fruit", name);
    Item::new(key).with("kind", "fruit").with("colour", colour).with("size", size)
}

async fn names(table: &EmbeddedTable, index: &'static str) -> Vec<String> {
    let page = table.query(&Query::index(index, "fruit").limit(1000)).await.unwrap();
    assert!(table.check().await.unwrap().is_sound());
    page.items.into_iter().map(|item| item.key.sk).collect()
}

#[tokio::test]
async fn an_index_that_comes_later_shows_what_was_there_before() {
    let folder = TempDir::new().unwrap();
    let table = open(folder.path(), vec![]);
    // More than are moved at a time.
    let mut batch = Vec::new();
    for n in 0..1_100 {
        let item = fruit(&format!("{n:04}"), &format!("{:04}", 2_000 - n), n % 7);
        batch.push(BatchEntry::Put(item));
    }
    for entries in batch.chunks(25) {
        table.batch_write(entries.to_vec()).await.unwrap();
    }
    drop(table);
    let table = open(folder.path(), vec![BY_COLOUR, BY_SIZE]);
    let query = Query::index("by_colour", "fruit").limit(2);
    let page = table.query(&query).await.unwrap();
    let found: Vec<_> = page.items.iter().map(|item| item.key.sk.as_str()).collect();
    assert_eq!(found, ["1099", "1098"]);
    assert_eq!(page.items[0], fruit("1099", "0901", 0));
    let report = table.check().await.unwrap();
    assert!(report.is_sound(), "{:?}", report.problems);
    assert_eq!((report.items, report.index_entries), (1_100, 3_300));
}

#[tokio::test]
async fn an_index_may_go_and_come_back() {
    let folder = TempDir::new().unwrap();
    let table = open(folder.path(), vec![BY_COLOUR, BY_SIZE]);
    table.put(fruit("apple", "green", 3)).await.unwrap();
    table.put(fruit("cherry", "red", 1)).await.unwrap();
    drop(table);

    let table = open(folder.path(), vec![BY_SIZE]);
    assert!(table.query(&Query::index("by_colour", "fruit")).await.is_err());
    assert_eq!(names(&table, "by_size").await, ["cherry", "apple"]);
    let apple = Key::new("fruit", "apple");
    assert_eq!(table.get(&apple).await.unwrap(), Some(fruit("apple", "green", 3)));
    // Without its index, the attribute may be anything.
    let update = Action::update(apple.clone()).set("colour", Value::int(7));
    assert!(table.transact(vec![update]).await.unwrap().is_done());
    table.put(fruit("banana", "yellow", 5)).await.unwrap();
    table
        .put(Item::new(Key::new("fruit", "empty")).with("kind", "fruit").with("colour", ""))
        .await
        .unwrap();
    let update = Action::update(Key::new("fruit", "cherry")).set("ripe", true);
    assert!(table.transact(vec![update]).await.unwrap().is_done());
    drop(table);

    let table = open(folder.path(), vec![BY_COLOUR, BY_SIZE]);
    // What the index cannot take is not in it, and not lost.
    let page = table.query(&Query::index("by_colour", "fruit")).await.unwrap();
    let found: Vec<_> = page.items.iter().map(|item| item.key.sk.as_str()).collect();
    assert_eq!(found, ["cherry", "banana"]);
    let changed = fruit("apple", "green", 3).with("colour", Value::int(7));
    assert_eq!(table.get(&apple).await.unwrap(), Some(changed));
    let cherry = fruit("cherry", "red", 1).with("ripe", true);
    assert_eq!(page.items[0], cherry);
}

#[tokio::test]
async fn an_index_may_change_what_it_sorts_by() {
    let folder = TempDir::new().unwrap();
    let table = open(folder.path(), vec![Index::by_text("sorted", "kind", "colour")]);
    table.put(fruit("apple", "green", 3)).await.unwrap();
    table.put(fruit("cherry", "amber", 5)).await.unwrap();
    drop(table);
    let table = open(folder.path(), vec![Index::by_number("sorted", "kind", "size")]);
    assert_eq!(names(&table, "sorted").await, ["apple", "cherry"]);
    drop(table);
    let table = open(folder.path(), vec![Index::by_text("sorted", "kind", "colour")]);
    assert_eq!(names(&table, "sorted").await, ["cherry", "apple"]);
}

#[tokio::test]
async fn names_that_sqlite_takes_for_equal_are_kept_apart() {
    let folder = TempDir::new().unwrap();
    let odd = Index::by_text("odd \"name\"", "PK\"; --", "Body");
    let table = open(folder.path(), vec![odd.clone(), Index::by_text("case", "body", "BODY")]);
    let item = Item::new(Key::new("p", "s"))
        .with("PK\"; --", "x")
        .with("Body", "1")
        .with("body", "y")
        .with("BODY", "2")
        .with("TTL", "never");
    table.put(item.clone()).await.unwrap();
    assert_eq!(table.get(&item.key).await.unwrap().as_ref(), Some(&item));
    for (index, partition) in [(odd.name, "x"), ("case", "y")] {
        let page = table.query(&Query::index(index, partition)).await.unwrap();
        assert_eq!(page.items, std::slice::from_ref(&item));
    }
    assert!(table.check().await.unwrap().is_sound());
}

/// A table written by the first version, as bytes of its body.
#[tokio::test]
async fn attributes_of_other_versions_survive() {
    let folder = TempDir::new().unwrap();
    drop(open(folder.path(), vec![BY_COLOUR]));
    let raw = Connection::open(folder.path().join(TABLE_FILE)).unwrap();
    // {"future": [1, null]}
    raw.execute(
        "INSERT INTO item (pk, sk, kind, colour, body)
         VALUES ('fruit', 'kiwi', 'fruit', 'green', x'01a1666675747572658201f6')",
        [],
    )
    .unwrap();
    drop(raw);
    let table = open(folder.path(), vec![BY_COLOUR]);
    let kiwi = Key::new("fruit", "kiwi");
    let update = Action::update(kiwi.clone()).set("colour", "brown").add("seen", 1);
    assert!(table.transact(vec![update]).await.unwrap().is_done());
    let item = table.get(&kiwi).await.unwrap().unwrap();
    assert_eq!(item.get("future"), Some(&Value::L(vec![Value::int(1), Value::Null])));
    assert_eq!((item.str("colour"), item.i64("seen")), (Some("brown"), Some(1)));
    assert_eq!(names(&table, "by_colour").await, ["kiwi"]);
}

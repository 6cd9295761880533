//! Concurrent writers share commits, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use futures::FutureExt;
use futures::future::join_all;
use table::conformance::schema;
use table::{Action, Condition, Error, Item, Key, Table, TableExt, Transacted};
use table_embedded::{EmbeddedTable, Health, Options};
use tempfile::TempDir;

fn open(folder: &TempDir) -> EmbeddedTable {
    EmbeddedTable::open(folder.path(), schema(), Options::default()).unwrap()
}

fn key(n: i64) -> Key {
    Key::new("p", format!("{n:04}"))
}

#[tokio::test]
async fn concurrent_writers_share_commits() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    let puts = (0..200).map(|n| table.put(Item::new(key(n))));
    for outcome in join_all(puts).await {
        outcome.unwrap();
    }
    let counts = table.write_counts();
    assert_eq!(counts.entries, 200);
    assert!(counts.commits <= 20, "{counts:?}");
    assert_eq!(table.stats().await.unwrap().items, 200);
    assert_eq!(table.health(), Health::Ready);
}

#[tokio::test]
async fn a_lone_writer_does_not_wait_for_others() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    for n in 0..10 {
        table.put(Item::new(key(n))).await.unwrap();
    }
    let counts = table.write_counts();
    assert_eq!((counts.entries, counts.commits), (10, 10));
}

#[tokio::test]
async fn an_entry_that_fails_leaves_the_others_of_its_batch_alone() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    table.put(Item::new(key(0)).with("text", "x")).await.unwrap();
    // Every third is refused, every third is invalid in the light of what is stored; each
    // also carries a put that must not happen.
    let outcomes = join_all((1..=60).map(|n| {
        let put = Action::put(Item::new(key(n)));
        let guard = match n % 3 {
            0 => Action::check(key(0)).when(Condition::Absent),
            1 => Action::update(key(0)).add("text", 1),
            _ => Action::check(key(0)).when(Condition::Present),
        };
        table.transact(vec![put, guard])
    }))
    .await;
    for (n, outcome) in (1..=60).zip(outcomes) {
        let is_there = table.get(&key(n)).await.unwrap().is_some();
        match n % 3 {
            0 => assert!(matches!(outcome, Ok(Transacted::Refused(_))), "{outcome:?}"),
            1 => assert!(matches!(outcome, Err(Error::Invalid(_))), "{outcome:?}"),
            _ => assert!(matches!(outcome, Ok(Transacted::Done)), "{outcome:?}"),
        }
        assert_eq!(is_there, n % 3 == 2, "{n}");
    }
    assert!(table.write_counts().commits < 60);
}

#[tokio::test]
async fn conditions_see_the_entries_before_them() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    let racers = (0..50).map(|_| table.put_when(Item::new(key(0)), Condition::Absent));
    let outcomes = join_all(racers).await;
    let winners = outcomes.iter().filter(|outcome| outcome.as_ref().unwrap().is_done()).count();
    assert_eq!(winners, 1);
    let counter = Key::new("c", "c");
    let sums = join_all((0..50).map(|_| table.increment(&counter, "n", 1))).await;
    let mut sums: Vec<i64> = sums.into_iter().map(Result::unwrap).collect();
    sums.sort_unstable();
    assert_eq!(sums, (1..=50).collect::<Vec<_>>());
}

#[tokio::test]
async fn of_many_puts_of_one_item_the_last_stays() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    // Queued in this order: puts of one item, with others and a delete in between.
    let writes = (0..60).map(|n| match n % 3 {
        0 => table.put(Item::new(key(0)).with("n", n)),
        1 => table.delete(key(0)),
        _ => table.put(Item::new(key(n))),
    });
    for outcome in join_all(writes).await {
        outcome.unwrap();
    }
    assert!(table.write_counts().commits < 60);
    assert_eq!(table.get(&key(0)).await.unwrap(), None);
    table.put(Item::new(key(0)).with("n", 60)).await.unwrap();
    let again = [table.delete(key(0)), table.put(Item::new(key(0)).with("n", 61))];
    join_all(again).await;
    assert_eq!(table.get(&key(0)).await.unwrap().unwrap().i64("n"), Some(61));
}

#[tokio::test]
async fn a_caller_that_goes_away_neither_loses_nor_repeats_a_write() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    let counter = Key::new("c", "c");
    for _ in 0..100 {
        // Polled once, which queues it, and dropped.
        let _ = table.increment(&counter, "n", 1).now_or_never();
    }
    assert_eq!(table.increment(&counter, "n", 1).await.unwrap(), 101);
    drop(table.increment(&counter, "n", 1));
    assert_eq!(table.increment(&counter, "n", 1).await.unwrap(), 102);
}

#[tokio::test]
async fn closing_finishes_what_is_queued() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    for n in 0..100 {
        let _ = table.put(Item::new(key(n))).now_or_never();
    }
    table.close().await;
    assert!(matches!(table.get(&key(0)).await, Err(Error::Closed)));
    assert!(matches!(table.put(Item::new(key(0))).await, Err(Error::Closed)));
    assert!(matches!(table.health(), Health::WritesStopped(_)));
    table.close().await;
    // The folder is free although the table still exists, and nothing is left in the log.
    let again = open(&folder);
    assert_eq!(again.stats().await.unwrap().items, 100);
    assert_eq!(again.stats().await.unwrap().wal_bytes, 0);
}

#[tokio::test]
async fn dropping_finishes_what_is_queued() {
    let folder = TempDir::new().unwrap();
    let table = open(&folder);
    for n in 0..100 {
        let _ = table.put(Item::new(key(n))).now_or_never();
    }
    drop(table);
    assert_eq!(open(&folder).stats().await.unwrap().items, 100);
}

//! The task that sweeps by itself.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use table::conformance::schema;
use table::{BatchEntry, Item, Key, ManualClock, TTL, Table};
use table_embedded::{EmbeddedTable, Options, spawn_sweeper};
use tempfile::TempDir;

/// More than one sweep removes at a time.
const ITEMS: i64 = 1_200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_items_go_by_themselves_until_the_sweeper_is_stopped() {
    let folder = TempDir::new().unwrap();
    let clock = ManualClock::at(1_000);
    let options = Options::default().with_clock(clock.clone());
    let table = Arc::new(EmbeddedTable::open(folder.path(), schema(), options).unwrap());
    put(&table, 2_000).await;
    let sweeper = spawn_sweeper(table.clone(), Duration::from_millis(5));
    assert_eq!(table.stats().await.unwrap().items, u64::try_from(ITEMS).unwrap());
    clock.advance_seconds(2_000);
    let deadline = Instant::now() + Duration::from_secs(20);
    while table.stats().await.unwrap().items > 0 {
        assert!(Instant::now() < deadline, "nothing was swept");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    sweeper.stop().await;
    put(&table, 2_500).await;
    let entries = table.write_counts().entries;
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert_eq!(table.write_counts().entries, entries, "the sweeper still runs");
    // The table is no longer held by the sweeper, so it can be closed for good.
    assert!(Arc::into_inner(table).is_some());
}

async fn put(table: &EmbeddedTable, ttl: i64) {
    let items: Vec<_> = (0..ITEMS)
        .map(|n| Item::new(Key::new("p", format!("{n:05}"))).with(TTL, ttl))
        .map(BatchEntry::Put)
        .collect();
    for entries in items.chunks(25) {
        table.batch_write(entries.to_vec()).await.unwrap();
    }
}

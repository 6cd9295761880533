//! The reference engine against its own suite, with fresh and with lagging indexes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use table::conformance::{Fixture, schema};
use table::{Clock, Item, Key, ManualClock, MemoryTable, Query, SystemClock, Table, TableExt};

fn clock() -> ManualClock {
    ManualClock::at(SystemClock.now_seconds())
}

mod fresh_indexes {
    use super::*;

    pub async fn fixture() -> Fixture {
        let clock = clock();
        let table = MemoryTable::new(schema()).with_clock(clock.clone());
        Fixture::new(Arc::new(table), clock)
    }

    pub async fn sweepable() -> (Arc<MemoryTable>, ManualClock) {
        let clock = clock();
        (Arc::new(MemoryTable::new(schema()).with_clock(clock.clone())), clock)
    }

    table::conformance_tests!(crate::fresh_indexes::fixture);
    table::sweep_tests!(crate::fresh_indexes::sweepable);
    table::watch_tests!(crate::fresh_indexes::sweepable);
}

mod lagging_indexes {
    use super::*;

    pub async fn fixture() -> Fixture {
        let clock = clock();
        let table = MemoryTable::new(schema())
            .with_clock(clock.clone())
            .with_index_delay(Duration::from_millis(30));
        Fixture::new(Arc::new(table), clock)
    }

    table::conformance_tests!(crate::lagging_indexes::fixture);
}

#[tokio::test]
async fn a_lagging_index_shows_a_write_only_once_settled() {
    let table = MemoryTable::new(schema()).with_index_delay(Duration::from_secs(3600));
    let item = Item::new(Key::new("p", "s")).with("text_partition", "t").with("text_sort", "a");
    table.put(item.clone()).await.unwrap();
    let query = Query::index("by_text", "t");
    assert_eq!(table.query(&query).await.unwrap().items, []);
    assert_eq!(table.get(&item.key).await.unwrap().as_ref(), Some(&item));
    table.settle_indexes();
    assert_eq!(table.query(&query).await.unwrap().items, [item]);
}

/// A case that is written but not listed in the macro would never run.
#[test]
fn every_case_is_listed() {
    let list = include_str!("../src/conformance/mod.rs");
    let sources = [
        include_str!("../src/conformance/batches.rs"),
        include_str!("../src/conformance/conditions.rs"),
        include_str!("../src/conformance/counters.rs"),
        include_str!("../src/conformance/expiry.rs"),
        include_str!("../src/conformance/indexes.rs"),
        include_str!("../src/conformance/limits.rs"),
        include_str!("../src/conformance/next_keys.rs"),
        include_str!("../src/conformance/queries.rs"),
        include_str!("../src/conformance/reads.rs"),
        include_str!("../src/conformance/scans.rs"),
        include_str!("../src/conformance/sweeping.rs"),
        include_str!("../src/conformance/transactions.rs"),
        include_str!("../src/conformance/updates.rs"),
        include_str!("../src/conformance/watching.rs"),
    ];
    testkit::listing::assert_every_case_is_listed(list, &sources);
}

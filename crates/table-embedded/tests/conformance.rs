//! The embedded engine against the suite that every engine passes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use table::conformance::{Fixture, schema};
use table::{Clock, ManualClock, SortValue, SystemClock, TTL};
use table_embedded::{EmbeddedTable, Options};
use tempfile::TempDir;

thread_local! {
    // Every test has a thread of its own, so its folders go when it ends.
    static FOLDERS: RefCell<Vec<TempDir>> = const { RefCell::new(Vec::new()) };
}

fn folder() -> PathBuf {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_owned();
    FOLDERS.with_borrow_mut(|folders| folders.push(folder));
    path
}

async fn sweepable() -> (Arc<EmbeddedTable>, ManualClock) {
    let clock = ManualClock::at(SystemClock.now_seconds());
    let options = Options::default().with_clock(clock.clone());
    (Arc::new(EmbeddedTable::open(&folder(), schema(), options).unwrap()), clock)
}

async fn fixture() -> Fixture {
    let (table, clock) = sweepable().await;
    Fixture::new(table, clock)
}

table::conformance_tests!(crate::fixture);
table::sweep_tests!(crate::sweepable);
table::watch_tests!(crate::sweepable);

/// The suite takes an engine that knows no places at its word; this one knows them.
#[tokio::test]
async fn places_are_read_without_looking_at_the_rows() {
    let f = fixture().await;
    let ends = f.clock.now_seconds() + 100;
    f.put(f.text_item("p", "stays", "a")).await;
    f.put(f.text_item("p", "ends", "b").with(TTL, ends)).await;
    f.clock.advance_seconds(101);
    let page = f.table.query_places(&f.query_text("p")).await.unwrap().unwrap();
    // Only the row of the second would say that it has ended.
    assert_eq!(page.places, ["a", "b"].map(|place| SortValue::S(place.to_owned())));
    f.expect_sort_keys(&f.query_text("p"), &["stays"]).await;
}

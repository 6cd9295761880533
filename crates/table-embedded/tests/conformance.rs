//! The embedded engine against the suite that every engine passes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use table::conformance::{Fixture, schema};
use table::{Clock, ManualClock, SystemClock};
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

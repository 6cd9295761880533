//! Somebody takes out gone words between all steps of a change that is too large for one
//! transaction, and what it has written in advance stays.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(dead_code, reason = "the cases are another test's; this one uses their world")]

mod cases;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use catalog::Catalog;
use table::{
    Action, BatchEntry, Clock, Item, Key, ManualClock, MemoryTable, Page, Query, Result, Scan,
    Schema, SystemClock, Table, Transacted,
};

use cases::gone_words::{describe, take_out, words, write};
use cases::{World, expect_search};

/// The reference engine; before each transaction somebody else looks for gone words.
struct VisitedTable {
    table: Arc<MemoryTable>,
    visitor: Catalog,
    clock: ManualClock,
    visits: Arc<AtomicUsize>,
}

#[async_trait]
impl Table for VisitedTable {
    fn schema(&self) -> &Schema {
        self.table.schema()
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>> {
        self.table.get(key).await
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        self.table.batch_get(keys).await
    }

    async fn query(&self, query: &Query) -> Result<Page> {
        self.table.query(query).await
    }

    async fn scan(&self, scan: &Scan) -> Result<Page> {
        self.table.scan(scan).await
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted> {
        let now = model::Timestamp::from_millis(self.clock.now_seconds() * 1000);
        // Each has not looked at anything yet.
        let cursor = Key::new("GONEWORDS", "GONEWORDS");
        assert!(self.table.transact(vec![Action::delete(cursor)]).await?.is_done());
        let _ = self.visitor.remove_gone_words(now).await.unwrap();
        self.visits.fetch_add(1, Ordering::SeqCst);
        self.table.transact(actions).await
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()> {
        self.table.batch_write(entries).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64> {
        self.table.increment(key, attribute, by).await
    }
}

#[tokio::test]
async fn a_large_change_keeps_its_words_whoever_looks_for_gone_ones_meanwhile() {
    let clock = ManualClock::at(SystemClock.now_seconds());
    let memory = Arc::new(MemoryTable::new(catalog::schema()).with_clock(clock.clone()));
    let visits = Arc::new(AtomicUsize::new(0));
    let visited = VisitedTable {
        table: Arc::clone(&memory),
        visitor: Catalog::new(memory),
        clock: clock.clone(),
        visits: Arc::clone(&visits),
    };
    let w = World::new(Arc::new(visited), clock, None);
    let ada = w.user("ada").await;
    let image = w.upload(ada).await;
    // So that there is a reason to look at this very image while the large change is under way.
    write(&w, &image, "Sunset").await;
    write(&w, &image, "Moonrise").await;
    w.advance(Duration::from_secs(2 * 60 * 60));
    let before = visits.load(Ordering::SeqCst);
    let text: Vec<String> = (0..300).map(|n| format!("word{n}")).collect();
    describe(&w, &image, &text.join(" ")).await;
    assert!(visits.load(Ordering::SeqCst) - before > 3, "it is one of several steps");
    let mut said: Vec<String> = text.iter().cloned().chain(["moonrise".to_owned()]).collect();
    said.sort();
    assert_eq!(words(&w, image.id).await.into_iter().collect::<Vec<_>>(), said);
    for word in ["word0", "word150", "word299", "moonrise"] {
        expect_search(&w, ada, word, &[image.id]).await;
    }
    assert_eq!(take_out(&w).await, 0);
}

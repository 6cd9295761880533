use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{
    Action, Clock, Index, Item, Key, ManualClock, Page, Query, Scan, Schema, SortValue, Table,
    Transacted, Value,
};

/// Longer than any index lag seen, short enough to fail a broken engine in time.
const INDEX_DEADLINE: Duration = Duration::from_secs(20);

/// The schema of the tables the cases run on.
pub fn schema() -> Schema {
    Schema::new(vec![
        Index::by_text("by_text", "text_partition", "text_sort"),
        Index::by_number("by_number", "number_partition", "number_sort"),
    ])
}

/// A table to test, with the clock it goes by.
pub struct Fixture {
    pub table: Arc<dyn Table>,
    pub clock: ManualClock,
    started_at: i64,
    scope: String,
}

impl Fixture {
    /// A fixture around a table that has [`schema`] and goes by `clock`.
    pub fn new(table: Arc<dyn Table>, clock: ManualClock) -> Self {
        let started_at = clock.now_seconds();
        Self { table, clock, started_at, scope: format!("{:016x}", rand::random::<u64>()) }
    }

    /// A partition that only this fixture uses.
    pub fn partition(&self, name: &str) -> String {
        format!("{}~{name}", self.scope)
    }

    pub fn key(&self, name: &str, sk: &str) -> Key {
        Key::new(self.partition(name), sk)
    }

    pub fn item(&self, name: &str, sk: &str) -> Item {
        Item::new(self.key(name, sk))
    }

    /// Puts an item for every sort key into the partition `name`.
    pub async fn put_all(&self, name: &str, sort_keys: &[&str]) {
        for sk in sort_keys {
            self.put(self.item(name, sk)).await;
        }
    }

    pub async fn put(&self, item: Item) {
        self.done(vec![Action::put(item)]).await;
    }

    pub async fn delete(&self, key: Key) {
        self.done(vec![Action::delete(key)]).await;
    }

    /// A transaction that must not be refused.
    pub async fn done(&self, actions: Vec<Action>) {
        let outcome = self.table.transact(actions).await.unwrap();
        assert_eq!(outcome, Transacted::Done);
    }

    /// A transaction that must be refused; returns which actions and conditions, and why.
    pub async fn refused(&self, actions: Vec<Action>) -> Vec<(usize, usize, Option<Item>)> {
        match self.table.transact(actions).await.unwrap() {
            Transacted::Done => panic!("the transaction was not refused"),
            Transacted::Refused(refusals) => {
                refusals.into_iter().map(|r| (r.action, r.condition, r.found)).collect()
            }
        }
    }

    pub async fn get(&self, key: &Key) -> Option<Item> {
        self.table.get(key).await.unwrap()
    }

    /// A page; checks that an engine that finds keys or places alone finds the same.
    pub async fn query(&self, query: &Query) -> Page {
        let page = self.table.query(query).await.unwrap();
        if let Some(found) = self.table.query_keys(query).await.unwrap() {
            let keys: Vec<&Key> = page.items.iter().map(|item| &item.key).collect();
            let found_keys: Vec<&Key> = found.keys.iter().collect();
            match page.next.is_some() && keys.len() < query.limit {
                // The page has ended because of its length in bytes, which keys have not.
                true => assert!(found_keys.starts_with(&keys), "{keys:?} {found_keys:?}"),
                false => assert_eq!((found_keys, &found.next), (keys, &page.next)),
            }
        }
        // Later there may be places of items that have expired.
        if self.clock.now_seconds() == self.started_at
            && let Some(found) = self.table.query_places(query).await.unwrap()
        {
            let schema = schema();
            let index = query.resolve_index(&schema).unwrap();
            let place_of = |item: &Item| match index {
                None => Some(SortValue::S(item.key.sk.clone())),
                Some(index) => item.attributes.value(index.sort).as_ref().and_then(SortValue::of),
            };
            let places: Vec<SortValue> = page.items.iter().filter_map(place_of).collect();
            match page.next.is_some() && places.len() < query.limit {
                true => assert!(found.places.starts_with(&places), "{places:?} {found:?}"),
                false => assert_eq!((&found.places, &found.next), (&places, &page.next)),
            }
        }
        page
    }

    /// All items of a query, page by page; checks that no page but the last is short.
    pub async fn query_all(&self, query: &Query) -> Vec<Item> {
        let mut items = Vec::new();
        let mut start = None;
        loop {
            let page = self.query(&query.clone().start(start)).await;
            assert!(page.items.len() <= query.limit);
            assert!(page.next.is_none() || !page.items.is_empty(), "an empty page has a next");
            items.extend(page.items);
            start = page.next;
            if start.is_none() {
                return items;
            }
        }
    }

    pub async fn sort_keys(&self, query: &Query) -> Vec<String> {
        self.query_all(query).await.into_iter().map(|item| item.key.sk).collect()
    }

    /// Reads an index until it has caught up with what is expected.
    pub async fn expect_sort_keys(&self, query: &Query, expected: &[&str]) {
        let deadline = Instant::now() + INDEX_DEADLINE;
        loop {
            let found = self.sort_keys(query).await;
            if found == expected {
                return;
            }
            assert!(Instant::now() < deadline, "expected {expected:?}, found {found:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Everything in the table, page by page.
    pub async fn scan_all(&self, limit: usize) -> Vec<Item> {
        let mut items = Vec::new();
        let mut start = None;
        loop {
            let page = self.table.scan(&Scan::all(limit).start(start)).await.unwrap();
            items.extend(page.items);
            start = page.next;
            if start.is_none() {
                return items;
            }
        }
    }

    pub fn query_partition(&self, name: &str) -> Query {
        Query::partition(self.partition(name))
    }

    pub fn query_text(&self, name: &str) -> Query {
        Query::index("by_text", self.partition(name))
    }

    pub fn query_number(&self, name: &str) -> Query {
        Query::index("by_number", self.partition(name))
    }

    /// An item that the text index shows under `name` at `sort`; its own sort key is `sk`.
    pub fn text_item(&self, name: &str, sk: &str, sort: &str) -> Item {
        self.item(name, sk).with("text_partition", self.partition(name)).with("text_sort", sort)
    }

    /// An item that the number index shows under `name` at `sort`.
    pub fn number_item(&self, name: &str, sk: &str, sort: impl Into<Value>) -> Item {
        self.item(name, sk).with("number_partition", self.partition(name)).with("number_sort", sort)
    }
}

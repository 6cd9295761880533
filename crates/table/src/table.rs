use std::collections::HashSet;

use async_trait::async_trait;

use crate::{
    Action, BATCH_GET_KEYS_MAX, BATCH_WRITE_ENTRIES_MAX, Condition, Error, Item, Key, KeyPage,
    Limit, Page, PlacePage, Query, Result, Scan, Schema, Transacted, Watch,
};

/// A table of items, as DynamoDB offers it and every engine keeps it.
///
/// An item past its `ttl` is absent in every respect, whether it was swept already or not:
/// it is never returned, conditions see nothing, and an update starts afresh.
#[async_trait]
pub trait Table: Send + Sync + 'static {
    /// The indexes of this table.
    fn schema(&self) -> &Schema;

    /// Tells what was written to, if all writes to the table go through this engine.
    fn watch(&self) -> Option<&Watch> {
        None
    }

    /// The item as of now.
    async fn get(&self, key: &Key) -> Result<Option<Item>>;

    /// The items as of now, in the order of their keys here; 1 to 100 different keys.
    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>>;

    /// A page of one partition.
    async fn query(&self, query: &Query) -> Result<Page>;

    /// The keys of the items that [`query`](Self::query) would find, for those who know most of the
    /// items already. `None` if that costs the engine no less than the items themselves.
    async fn query_keys(&self, _: &Query) -> Result<Option<KeyPage>> {
        Ok(None)
    }

    /// Where in the order of its partition each item stands that [`query`](Self::query) would find:
    /// for those who look closer anyway, because items that have expired and are not removed yet may
    /// be among them. `None` as above.
    async fn query_places(&self, _: &Query) -> Result<Option<PlacePage>> {
        Ok(None)
    }

    /// A page of everything, for check, backup and move only.
    async fn scan(&self, scan: &Scan) -> Result<Page>;

    /// Does all of the actions or none, durably and exactly once.
    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted>;

    /// Writes 1 to 25 different items without conditions, each by itself: after an error
    /// any part of them may have been written, and the call can be repeated.
    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()>;

    /// Adds to a counter and returns a value that no other call gets. After a lost answer
    /// from a distant store a number may be left out; exact sums belong in a transaction.
    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64>;
}

/// What engines add that must remove expired items by themselves. DynamoDB does it
/// unasked.
#[async_trait]
pub trait Sweep: Table {
    /// Removes all items that have expired and returns how many there were.
    async fn sweep_expired(&self) -> Result<usize>;
}

/// One write of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchEntry {
    /// Store this item.
    Put(Item),
    /// Remove the item of this key.
    Delete(Key),
}

impl BatchEntry {
    /// The key of the item it is about.
    pub fn key(&self) -> &Key {
        match self {
            Self::Put(item) => &item.key,
            Self::Delete(key) => key,
        }
    }
}

/// Single writes, as transactions of one action.
#[async_trait]
pub trait TableExt: Table {
    /// Stores an item.
    async fn put(&self, item: Item) -> Result<()> {
        let _ = self.transact(vec![Action::put(item)]).await?;
        Ok(())
    }

    /// Stores an item if the condition holds.
    async fn put_when(&self, item: Item, condition: Condition) -> Result<Transacted> {
        self.transact(vec![Action::put(item).when(condition)]).await
    }

    /// Removes an item, if there is one.
    async fn delete(&self, key: Key) -> Result<()> {
        let _ = self.transact(vec![Action::delete(key)]).await?;
        Ok(())
    }
}

impl<T: Table + ?Sized> TableExt for T {}

/// Checks what can be wrong with the keys of a batch get.
///
/// # Errors
/// [`Error::Limit`] or [`Error::Invalid`], naming what is wrong.
pub fn validate_batch_get(keys: &[Key]) -> Result<()> {
    if keys.is_empty() || keys.len() > BATCH_GET_KEYS_MAX {
        let what = format_args!("a batch get of {} keys", keys.len());
        return Err(Error::limit(Limit::BatchGetKeys, what));
    }
    validate_distinct(keys.iter())
}

/// Checks what can be wrong with the entries of a batch write.
///
/// # Errors
/// [`Error::Limit`] or [`Error::Invalid`], naming what is wrong.
pub fn validate_batch_write(entries: &[BatchEntry], schema: &Schema) -> Result<()> {
    if entries.is_empty() || entries.len() > BATCH_WRITE_ENTRIES_MAX {
        let what = format_args!("a batch write of {} entries", entries.len());
        return Err(Error::limit(Limit::BatchWriteEntries, what));
    }
    for entry in entries {
        if let BatchEntry::Put(item) = entry {
            item.validate(schema)?;
        }
    }
    validate_distinct(entries.iter().map(BatchEntry::key))
}

fn validate_distinct<'k>(keys: impl Iterator<Item = &'k Key>) -> Result<()> {
    let mut seen = HashSet::new();
    for key in keys {
        key.validate()?;
        if !seen.insert(key) {
            return Err(Error::invalid(format_args!("the key {key:?} stands twice in one batch")));
        }
    }
    Ok(())
}

//! Reading: single items, batches, and pages of a partition or of everything.
//!
//! The table itself is read consistently; indexes cannot be. Expired items are left out
//! here, because DynamoDB removes them only some time after.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};
use table::{
    Direction, Index, Item, Key, NextKey, PAGE_BYTES_MAX, Page, Position, Query, Result, Scan,
    SortValue,
};

use crate::attribute::{AttributeMap, from_key, text, to_item};
use crate::engine::DynamoTable;
use crate::expression::{Placeholders, from_sort};
use crate::fault::Fault;
use crate::operation::Operation;

impl DynamoTable {
    /// The item of a valid key.
    pub(crate) async fn find(&self, key: &Key) -> Result<Option<Item>> {
        let request = self
            .client
            .get_item()
            .table_name(&self.name)
            .set_key(Some(from_key(key)))
            .consistent_read(true)
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes);
        let mut retry = self.retry(Operation::Get);
        loop {
            match retry.attempt(request.clone().send()).await {
                Ok(answer) => {
                    self.capacity.count(Operation::Get, answer.consumed_capacity());
                    return self.live(answer.item);
                }
                Err(fault) => retry.after(fault).await?,
            }
        }
    }

    /// The items of valid keys, in their order.
    pub(crate) async fn find_all(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        let mut found = HashMap::new();
        let mut wanted: Vec<AttributeMap> = keys.iter().map(from_key).collect();
        let mut retry = self.retry(Operation::BatchGet);
        while !wanted.is_empty() {
            let keys = KeysAndAttributes::builder()
                .set_keys(Some(wanted.clone()))
                .consistent_read(true)
                .build()
                .map_err(table::Error::invalid)?;
            let request = self
                .client
                .batch_get_item()
                .request_items(&self.name, keys)
                .return_consumed_capacity(ReturnConsumedCapacity::Indexes);
            match retry.attempt(request.send()).await {
                Ok(answer) => {
                    self.capacity.count(Operation::BatchGet, answer.consumed_capacity());
                    let items = answer.responses.unwrap_or_default().remove(&self.name);
                    for item in items.unwrap_or_default() {
                        if let Some(item) = self.live(Some(item))? {
                            found.insert(item.key.clone(), item);
                        }
                    }
                    let left = answer.unprocessed_keys.unwrap_or_default().remove(&self.name);
                    let left = left.map(|left| left.keys).unwrap_or_default();
                    if left.len() < wanted.len() {
                        retry.made_progress();
                    }
                    wanted = left;
                    if !wanted.is_empty() {
                        retry.after(unprocessed(wanted.len())).await?;
                    }
                }
                Err(fault) => retry.after(fault).await?,
            }
        }
        Ok(keys.iter().map(|key| found.remove(key)).collect())
    }

    pub(crate) async fn query_page(&self, query: &Query) -> Result<Page> {
        let start = NextKey::open(query)?;
        let index = query.resolve_index(&self.schema)?;
        let mut placeholders = Placeholders::new(self.clock.now_seconds());
        let condition = placeholders.key_condition(query, index);
        let request = self
            .client
            .query()
            .table_name(&self.name)
            .set_index_name(index.map(|index| index.name.to_owned()))
            .key_condition_expression(condition)
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .scan_index_forward(query.direction == Direction::Ascending)
            .consistent_read(index.is_none())
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes);

        let mut page = PageBuilder::new(query.limit);
        let from = start.map(|start| start_key(query, index, &start));
        let read = |limit, from| {
            let request = request.clone().limit(limit).set_exclusive_start_key(from);
            async {
                let answer = request.send().await?;
                self.capacity.count(Operation::Query, answer.consumed_capacity());
                Ok((answer.items.unwrap_or_default(), answer.last_evaluated_key))
            }
        };
        let covers = |item: &Item| covers(query, index, item);
        self.read_until_full(Operation::Query, &mut page, from, covers, read).await?;
        Ok(page.finish(|item| NextKey::seal(query, &position(item, index))))
    }

    pub(crate) async fn scan_page(&self, scan: &Scan) -> Result<Page> {
        let request = self
            .client
            .scan()
            .table_name(&self.name)
            .consistent_read(true)
            .return_consumed_capacity(ReturnConsumedCapacity::Indexes);
        let mut page = PageBuilder::new(scan.limit);
        let from = NextKey::open_scan(scan)?.map(|key| from_key(&key));
        let read = |limit, from| {
            let request = request.clone().limit(limit).set_exclusive_start_key(from);
            async {
                let answer = request.send().await?;
                self.capacity.count(Operation::Scan, answer.consumed_capacity());
                Ok((answer.items.unwrap_or_default(), answer.last_evaluated_key))
            }
        };
        self.read_until_full(Operation::Scan, &mut page, from, |_| true, read).await?;
        Ok(page.finish(|item| NextKey::seal_scan(&position(item, None))))
    }

    /// Reads portion after portion, until the page is complete or nothing is left.
    async fn read_until_full<A>(
        &self,
        operation: Operation,
        page: &mut PageBuilder,
        mut from: Option<AttributeMap>,
        covers: impl Fn(&Item) -> bool,
        read: impl Fn(i32, Option<AttributeMap>) -> A,
    ) -> Result<()>
    where
        A: Future<Output = std::result::Result<Portion, Fault>>,
    {
        let mut retry = self.retry(operation);
        loop {
            match retry.attempt(read(page.missing(), from.clone())).await {
                Ok((items, last)) => {
                    let ended = self.fill(page, items, &covers)?;
                    from = last.filter(|key| !key.is_empty());
                    if ended || from.is_none() {
                        return Ok(());
                    }
                    retry = self.retry(operation);
                }
                Err(fault) => retry.after(fault).await?,
            }
        }
    }

    /// The item a server sent, unless it has expired.
    pub(crate) fn live(&self, item: Option<AttributeMap>) -> Result<Option<Item>> {
        let now = self.clock.now_seconds();
        let item = item.filter(|item| !item.is_empty()).map(to_item).transpose()?;
        Ok(item.filter(|item| !item.is_expired(now)))
    }

    /// Adds items to a page until it is known to be complete.
    fn fill(
        &self,
        page: &mut PageBuilder,
        items: Vec<AttributeMap>,
        covers: impl Fn(&Item) -> bool,
    ) -> Result<bool> {
        for item in items {
            if let Some(item) = self.live(Some(item))?
                && covers(&item)
                && page.add(item)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a query asks for this item. Servers other than Amazon's have been seen to send
/// more, because a zero byte ended a prefix early.
fn covers(query: &Query, index: Option<&Index>, item: &Item) -> bool {
    let Position { key, index_sort } = position(item, index);
    query.range.contains(&index_sort.unwrap_or(SortValue::S(key.sk)))
}

/// What one request returns: items, and where the next request goes on.
type Portion = (Vec<AttributeMap>, Option<AttributeMap>);

/// The fault of a server that left part of a batch undone.
pub(crate) fn unprocessed(count: usize) -> Fault {
    Fault::Throttled(format!("{count} entries of a batch were left unprocessed"))
}

/// Where a query goes on, as DynamoDB spells it.
fn start_key(query: &Query, index: Option<&Index>, start: &Position) -> AttributeMap {
    let mut key = from_key(&start.key);
    if let (Some(index), Some(sort)) = (index, &start.index_sort) {
        key.insert(index.partition.to_owned(), text(&query.partition));
        key.insert(index.sort.to_owned(), from_sort(sort));
    }
    key
}

fn position(item: &Item, index: Option<&Index>) -> Position {
    let index_sort = index.and_then(|index| item.get(index.sort)).and_then(SortValue::of);
    Position { key: item.key.clone(), index_sort }
}

/// A page in the making. One item more than fits is read, to know whether any follows.
struct PageBuilder {
    items: Vec<Item>,
    limit: usize,
    size_bytes: usize,
    more: bool,
}

impl PageBuilder {
    fn new(limit: usize) -> Self {
        Self { items: Vec::new(), limit, size_bytes: 0, more: false }
    }

    fn is_full(&self) -> bool {
        self.items.len() >= self.limit || self.size_bytes >= PAGE_BYTES_MAX
    }

    /// How many items to ask for.
    fn missing(&self) -> i32 {
        let missing = if self.is_full() { 1 } else { self.limit - self.items.len() + 1 };
        i32::try_from(missing).unwrap_or(i32::MAX)
    }

    /// Adds an item; true when it no longer fitted, so that the page is complete.
    fn add(&mut self, item: Item) -> bool {
        if self.is_full() {
            self.more = true;
            return true;
        }
        self.size_bytes += item.size_bytes();
        self.items.push(item);
        false
    }

    fn finish(self, seal: impl Fn(&Item) -> NextKey) -> Page {
        let next = if self.more { self.items.last().map(seal) } else { None };
        Page { items: self.items, next }
    }
}

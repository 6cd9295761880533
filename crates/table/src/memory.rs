use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;

use crate::{
    Action, BatchEntry, Clock, Direction, Effect, Error, Index, Item, Key, NextKey, PAGE_BYTES_MAX,
    Page, Position, Query, Result, Scan, Schema, SortValue, Sweep, SystemClock, Table, Transacted,
    Watch, validate_batch_get, validate_batch_write, validate_transaction,
};

/// The reference engine: everything in memory, nothing durable, simple above all.
///
/// With an index delay its index reads lag behind its writes, as DynamoDB's may, so that
/// tests can show that nothing above depends on fresh indexes.
#[derive(Debug)]
pub struct MemoryTable {
    schema: Schema,
    clock: Arc<dyn Clock>,
    index_delay: Duration,
    state: Mutex<State>,
    watch: Watch,
}

#[derive(Debug, Default)]
struct State {
    items: BTreeMap<Key, Item>,
    /// One copy of the items per index, in the order of the schema.
    indexes: Vec<BTreeMap<IndexPlace, Item>>,
    /// Writes that the indexes have not seen yet.
    pending: VecDeque<PendingWrite>,
}

/// The order of an index. Items with equal sort values stand in the order of their keys;
/// callers must not rely on it, because DynamoDB promises no order among them.
type IndexPlace = (String, SortValue, Key);

#[derive(Debug)]
struct PendingWrite {
    visible_from: Instant,
    before: Option<Item>,
    after: Option<Item>,
}

impl MemoryTable {
    /// An empty table that goes by the machine's clock.
    pub fn new(schema: Schema) -> Self {
        let indexes = vec![BTreeMap::new(); schema.indexes().len()];
        Self {
            schema,
            clock: Arc::new(SystemClock),
            index_delay: Duration::ZERO,
            state: Mutex::new(State { indexes, ..State::default() }),
            watch: Watch::new(),
        }
    }

    /// Goes by another clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock) -> Self {
        Self { clock: Arc::new(clock), ..self }
    }

    /// Shows writes in the indexes only after this time.
    #[must_use]
    pub fn with_index_delay(self, index_delay: Duration) -> Self {
        Self { index_delay, ..self }
    }

    /// Shows all writes in the indexes now.
    pub fn settle_indexes(&self) {
        self.lock().settle(&self.schema, None);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave the state half changed: changes are made after
        // everything that can fail.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, state: &mut State, key: Key, after: Option<Item>) {
        self.write_together(state, vec![(key, after)]);
    }

    fn write_together(&self, state: &mut State, writes: Vec<(Key, Option<Item>)>) {
        let mut touched = self.watch.touched();
        touched.add_write(writes.iter().map(|(key, _)| &key.pk));
        let _committing = touched.commit();
        let visible_from = Instant::now() + self.index_delay;
        for (key, after) in writes {
            let before = match &after {
                Some(item) => state.items.insert(key, item.clone()),
                None => state.items.remove(&key),
            };
            state.pending.push_back(PendingWrite { visible_from, before, after });
        }
    }
}

#[async_trait]
impl Table for MemoryTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn watch(&self) -> Option<&Watch> {
        Some(&self.watch)
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>> {
        key.validate()?;
        Ok(self.lock().live(key, self.clock.now_seconds()).cloned())
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        validate_batch_get(keys)?;
        let state = self.lock();
        let now = self.clock.now_seconds();
        Ok(keys.iter().map(|key| state.live(key, now).cloned()).collect())
    }

    async fn query(&self, query: &Query) -> Result<Page> {
        query.validate(&self.schema)?;
        let start = NextKey::open(query)?;
        let now = self.clock.now_seconds();
        let mut state = self.lock();
        let matches = match query.resolve_index(&self.schema)? {
            None => state.base_matches(query, start.as_ref(), now),
            Some(index) => {
                state.settle(&self.schema, Some(Instant::now()));
                state.index_matches(&self.schema, index, query, start.as_ref(), now)
            }
        };
        Ok(cut_page(matches, query.limit, |position| NextKey::seal(query, position)))
    }

    async fn scan(&self, scan: &Scan) -> Result<Page> {
        scan.validate()?;
        let start = NextKey::open_scan(scan)?;
        let now = self.clock.now_seconds();
        let state = self.lock();
        let matches = state
            .items
            .values()
            .filter(|item| start.as_ref().is_none_or(|start| item.key > *start))
            .filter(|item| !item.is_expired(now))
            .map(|item| (Position { key: item.key.clone(), index_sort: None }, item))
            .collect();
        Ok(cut_page(matches, scan.limit, NextKey::seal_scan))
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted> {
        validate_transaction(&actions, &self.schema)?;
        let now = self.clock.now_seconds();
        let mut state = self.lock();
        let refusals: Vec<_> = actions
            .iter()
            .enumerate()
            .filter_map(|(index, action)| action.refusal(index, state.live(action.key(), now)))
            .collect();
        if !refusals.is_empty() {
            return Ok(Transacted::Refused(refusals));
        }
        let results = actions
            .iter()
            .map(|action| action.result(state.live(action.key(), now), &self.schema))
            .collect::<Result<Vec<_>>>()?;
        let writes = actions.iter().zip(results);
        let writes = writes.filter(|(action, _)| !matches!(action.effect, Effect::Check(_)));
        let writes = writes.map(|(action, result)| (action.key().clone(), result)).collect();
        self.write_together(&mut state, writes);
        Ok(Transacted::Done)
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()> {
        validate_batch_write(&entries, &self.schema)?;
        let mut state = self.lock();
        for entry in entries {
            match entry {
                BatchEntry::Put(item) => self.write(&mut state, item.key.clone(), Some(item)),
                BatchEntry::Delete(key) => self.write(&mut state, key, None),
            }
        }
        Ok(())
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64> {
        let action = Action::update(key.clone()).add(attribute, by);
        validate_transaction(std::slice::from_ref(&action), &self.schema)?;
        let mut state = self.lock();
        let found = state.live(key, self.clock.now_seconds());
        let result = action.result(found, &self.schema)?;
        let value = result.as_ref().and_then(|item| item.i64(attribute));
        self.write(&mut state, key.clone(), result);
        value.ok_or_else(|| Error::Corrupt(format!("counter {key:?} is no integer")))
    }
}

#[async_trait]
impl Sweep for MemoryTable {
    async fn sweep_expired(&self) -> Result<usize> {
        let now = self.clock.now_seconds();
        let mut state = self.lock();
        let expired: Vec<Key> = state
            .items
            .values()
            .filter(|item| item.is_expired(now))
            .map(|item| item.key.clone())
            .collect();
        for key in &expired {
            self.write(&mut state, key.clone(), None);
        }
        Ok(expired.len())
    }
}

impl State {
    fn live(&self, key: &Key, now: i64) -> Option<&Item> {
        self.items.get(key).filter(|item| !item.is_expired(now))
    }

    /// Brings the indexes up to the writes that are visible at `now`, or to all of them.
    fn settle(&mut self, schema: &Schema, now: Option<Instant>) {
        let is_visible = |write: &PendingWrite| now.is_none_or(|now| write.visible_from <= now);
        while self.pending.front().is_some_and(is_visible) {
            let Some(write) = self.pending.pop_front() else { break };
            for (index, entries) in schema.indexes().iter().zip(&mut self.indexes) {
                if let Some(place) = write.before.as_ref().and_then(|item| place(item, index)) {
                    entries.remove(&place);
                }
                if let Some(item) = &write.after
                    && let Some(place) = place(item, index)
                {
                    entries.insert(place, item.clone());
                }
            }
        }
    }

    fn base_matches(
        &self,
        query: &Query,
        start: Option<&Position>,
        now: i64,
    ) -> Vec<(Position, &Item)> {
        let items = self
            .items
            .range(Key::new(query.partition.clone(), "")..)
            .take_while(|(key, _)| key.pk == query.partition)
            .map(|(key, item)| (Position { key: key.clone(), index_sort: None }, item))
            .filter(|(position, _)| {
                query.range.contains(&SortValue::S(position.key.sk.clone()))
                    && start.is_none_or(|start| follows(position, start, query.direction))
            })
            .filter(|(_, item)| !item.is_expired(now));
        in_direction(items.collect(), query.direction)
    }

    fn index_matches(
        &self,
        schema: &Schema,
        index: &Index,
        query: &Query,
        start: Option<&Position>,
        now: i64,
    ) -> Vec<(Position, &Item)> {
        let number = schema.indexes().iter().position(|other| other.name == index.name);
        let items = number
            .and_then(|number| self.indexes.get(number))
            .into_iter()
            .flatten()
            .filter(|((partition, sort, _), _)| {
                *partition == query.partition && query.range.contains(sort)
            })
            .map(|((_, sort, key), item)| {
                (Position { key: key.clone(), index_sort: Some(sort.clone()) }, item)
            })
            .filter(|(position, _)| {
                start.is_none_or(|start| follows(position, start, query.direction))
            })
            .filter(|(_, item)| !item.is_expired(now));
        in_direction(items.collect(), query.direction)
    }
}

fn place(item: &Item, index: &Index) -> Option<IndexPlace> {
    let (partition, sort) = item.index_position(index)?;
    Some((partition.to_owned(), sort, item.key.clone()))
}

fn follows(position: &Position, start: &Position, direction: Direction) -> bool {
    let order = (&position.index_sort, &position.key).cmp(&(&start.index_sort, &start.key));
    match direction {
        Direction::Ascending => order.is_gt(),
        Direction::Descending => order.is_lt(),
    }
}

fn in_direction<T>(mut ascending: Vec<T>, direction: Direction) -> Vec<T> {
    if direction == Direction::Descending {
        ascending.reverse();
    }
    ascending
}

/// Takes items until the page is full; there is a next page exactly if any are left.
fn cut_page(
    matches: Vec<(Position, &Item)>,
    limit: usize,
    seal: impl Fn(&Position) -> NextKey,
) -> Page {
    let mut page = Page::empty();
    let mut size_bytes = 0;
    let mut last = None;
    for (position, item) in matches {
        if page.items.len() == limit || size_bytes >= PAGE_BYTES_MAX {
            page.next = last.as_ref().map(&seal);
            break;
        }
        size_bytes += item.size_bytes();
        page.items.push(item.clone());
        last = Some(position);
    }
    page
}

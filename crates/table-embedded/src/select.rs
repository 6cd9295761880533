//! Reading items: by key, by a page of a partition, by a page of everything.
//!
//! The statements are written once, when the table is opened. None has a LIMIT: rows are
//! stepped through until the page is full, and skipped when they have expired.

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, Row, Rows};
use table::{
    Direction, Error, Item, Key, KeyPage, NextKey, PAGE_BYTES_MAX, Page, PlacePage, Position,
    Query, Scan, Schema, SortRange, SortValue,
};

use crate::fault::Fault;
use crate::layout::{IndexLayout, Layout};
use crate::row::{ColumnValue, is_expired, read_item, read_sort, read_text};

/// The statements that read items laid out in one way.
#[derive(Debug)]
pub(crate) struct Selects {
    layout: Layout,
    get: String,
    scan_from_start: String,
    scan_after: String,
    base: PartitionSelects,
    indexes: Vec<(String, PartitionSelects)>,
    base_keys: PartitionSelects,
    index_keys: Vec<(String, PartitionSelects)>,
}

/// How much a read may do on the calling thread before it is left to a blocking one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Rows, expired ones included.
    pub(crate) rows: usize,
}

/// The items in the order of their keys.
const BY_KEY: &str = "item INDEXED BY \"key\"";
/// Items a page makes room for before it knows of them.
const ITEMS_EXPECTED: usize = 32;
/// How many columns of the key stand before the others in the rows of pages.
const KEY_COLUMNS: usize = 2;

impl Selects {
    pub(crate) fn new(layout: &Layout) -> Self {
        let columns = layout.sql_columns();
        let list = format!("pk, sk, {columns}, body");
        let indexes = layout
            .indexes()
            .iter()
            .map(|index| (index.name.clone(), PartitionSelects::of_index(&list, layout, index)));
        let index_keys = layout.indexes().iter().map(|index| {
            let list = key_list(&layout.sql_column(&index.sort));
            (index.name.clone(), PartitionSelects::of_index(&list, layout, index))
        });
        Self {
            base_keys: PartitionSelects::of_base(&key_list("sk")),
            index_keys: index_keys.collect(),
            layout: layout.clone(),
            get: format!("SELECT {columns}, body FROM {BY_KEY} WHERE pk = ?1 AND sk = ?2"),
            scan_from_start: format!("SELECT {list} FROM {BY_KEY} ORDER BY pk, sk"),
            scan_after: format!(
                "SELECT {list} FROM {BY_KEY} WHERE (pk, sk) > (?1, ?2) ORDER BY pk, sk"
            ),
            base: PartitionSelects::of_base(&list),
            indexes: indexes.collect(),
        }
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The item of this key, if it has not expired.
    pub(crate) fn get(
        &self,
        connection: &Connection,
        key: &Key,
        now_seconds: i64,
    ) -> Result<Option<Item>, Fault> {
        let mut statement = connection.prepare_cached(&self.get)?;
        let mut rows = statement.query([&key.pk, &key.sk])?;
        match rows.next()? {
            Some(row) if !is_expired(row, 0, &self.layout, now_seconds)? => {
                Ok(Some(read_item(row, 0, &self.layout, key.clone())?.item))
            }
            _ => Ok(None),
        }
    }

    /// A page of a valid query, or nothing when that would take more than the budget.
    pub(crate) fn query(
        &self,
        connection: &Connection,
        schema: &Schema,
        query: &Query,
        now_seconds: i64,
        budget: Option<Budget>,
    ) -> Result<Option<Page>, Fault> {
        let start = NextKey::open(query)?;
        let (selects, sort_attribute) = match query.resolve_index(schema)? {
            None => (&self.base, None),
            Some(index) => {
                let selects = self.indexes.iter().find(|(name, _)| name == index.name);
                let Some((_, selects)) = selects else {
                    let missing = format_args!("there is no index {:?}", index.name);
                    return Err(Error::invalid(missing).into());
                };
                (selects, Some(index.sort))
            }
        };
        let bounds = Bounds::of(query, start);
        let mut statement = connection.prepare_cached(selects.sql(query.direction, &bounds))?;
        bind_partition(&mut statement, &query.partition, &bounds, sort_attribute.is_some())?;
        let position = |item: &Item| Position {
            key: item.key.clone(),
            index_sort: sort_attribute
                .and_then(|name| item.attributes.value(name))
                .and_then(|value| SortValue::of(&value)),
        };
        let seal = |item: &Item| NextKey::seal(query, &position(item));
        self.page(statement.raw_query(), query.limit, now_seconds, budget, seal)
    }

    /// The keys of a valid query's page, or nothing when that would take more than the budget.
    pub(crate) fn query_keys(
        &self,
        connection: &Connection,
        query: &Query,
        now_seconds: i64,
        budget: Budget,
    ) -> Result<Option<KeyPage>, Fault> {
        let found = self.look(connection, query, now_seconds, budget, read_key)?;
        Ok(found.map(|(keys, next)| KeyPage { keys, next }))
    }

    /// The places of the items of a valid query's page, or nothing when that would take more than
    /// the budget.
    pub(crate) fn query_places(
        &self,
        connection: &Connection,
        query: &Query,
        budget: Budget,
    ) -> Result<Option<PlacePage>, Fault> {
        let place = |row: &Row<'_>| read_sort(row, KEY_COLUMNS);
        let found = self.look(connection, query, BEFORE_ALL_ENDS, budget, place)?;
        Ok(found.map(|(places, next)| PlacePage { places, next }))
    }

    /// Something of each item of a page, and where the next one starts. Only the index is read,
    /// unless something in the table has expired and is not swept yet.
    fn look<T>(
        &self,
        connection: &Connection,
        query: &Query,
        now_seconds: i64,
        budget: Budget,
        read: impl Fn(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Option<Looked<T>>, Fault> {
        let start = NextKey::open(query)?;
        let selects = match query.index {
            None => Some(&self.base_keys),
            Some(index) => {
                let selects = self.index_keys.iter().find(|(name, _)| name == index);
                selects.map(|(_, selects)| selects)
            }
        };
        let Some(selects) = selects else { return Ok(None) };
        let is_index = query.index.is_some();
        let bounds = Bounds::of(query, start);
        let mut statement = connection.prepare_cached(selects.sql(query.direction, &bounds))?;
        bind_partition(&mut statement, &query.partition, &bounds, is_index)?;
        statement.raw_bind_parameter(NOW_PARAMETER, now_seconds)?;
        let mut rows = statement.raw_query();
        let mut found = Vec::with_capacity(query.limit.min(ITEMS_EXPECTED));
        let mut last = None;
        let mut rows_read = 0;
        while let Some(row) = rows.next()? {
            rows_read += 1;
            if rows_read > budget.rows {
                return Ok(None);
            }
            if matches!(row.get_ref(KEY_COLUMNS + 1)?, ValueRef::Integer(ttl) if ttl < now_seconds)
            {
                continue;
            }
            if found.len() == query.limit {
                let next = last.as_ref().map(|position| NextKey::seal(query, position));
                return Ok(Some((found, next)));
            }
            found.push(read(row)?);
            if found.len() == query.limit {
                let index_sort = is_index.then(|| read_sort(row, KEY_COLUMNS)).transpose()?;
                last = Some(Position { key: read_key(row)?, index_sort });
            }
        }
        Ok(Some((found, None)))
    }

    /// A page of everything.
    pub(crate) fn scan(
        &self,
        connection: &Connection,
        scan: &Scan,
        now_seconds: i64,
    ) -> Result<Page, Fault> {
        let start = NextKey::open_scan(scan)?;
        let sql = if start.is_some() { &self.scan_after } else { &self.scan_from_start };
        let mut statement = connection.prepare_cached(sql)?;
        let rows = match &start {
            Some(start) => statement.query([&start.pk, &start.sk]),
            None => statement.query([]),
        };
        let seal =
            |item: &Item| NextKey::seal_scan(&Position { key: item.key.clone(), index_sort: None });
        Ok(self.page(rows?, scan.limit, now_seconds, None, seal)?.unwrap_or_else(Page::empty))
    }

    fn page(
        &self,
        mut rows: Rows<'_>,
        limit: usize,
        now_seconds: i64,
        budget: Option<Budget>,
        seal: impl Fn(&Item) -> NextKey,
    ) -> Result<Option<Page>, Fault> {
        let mut page = Page { items: Vec::with_capacity(limit.min(ITEMS_EXPECTED)), next: None };
        let mut size = PageSize::default();
        let mut rows_read = 0;
        while let Some(row) = rows.next()? {
            rows_read += 1;
            if budget.is_some_and(|budget| rows_read > budget.rows || size.is_large()) {
                return Ok(None);
            }
            if is_expired(row, KEY_COLUMNS, &self.layout, now_seconds)? {
                continue;
            }
            if page.items.len() == limit || size.is_full() {
                page.next = page.items.last().map(seal);
                break;
            }
            let key = Key { pk: read_text(row, 0)?, sk: read_text(row, 1)? };
            let read = read_item(row, KEY_COLUMNS, &self.layout, key)?;
            page.items.push(read.item);
            size.add(read.size_bytes_bound, &page.items);
        }
        Ok(Some(page))
    }
}

/// What was read of each item of a page, and where the next one starts.
type Looked<T> = (Vec<T>, Option<NextKey>);

fn read_key(row: &Row<'_>) -> Result<Key, Fault> {
    Ok(Key { pk: read_text(row, 0)?, sk: read_text(row, 1)? })
}

/// A time at which nothing has expired.
const BEFORE_ALL_ENDS: i64 = i64::MIN;
/// Where the statements for keys want to know the time.
const NOW_PARAMETER: usize = 8;

/// What is read where only keys or places are wanted: the key, its place, and the `ttl` if anything in the
/// table has expired. All but the last stand in the index itself, and SQLite goes to the row of an
/// item only for that one.
fn key_list(sort: &str) -> String {
    format!(
        "pk, sk, {sort}, CASE WHEN (SELECT ttl FROM item INDEXED BY \"ttl\" WHERE ttl IS NOT NULL \
         ORDER BY ttl LIMIT 1) < ?{NOW_PARAMETER} THEN ttl END"
    )
}

/// The bytes of a page so far. Exact numbers are costly, so as long as an upper bound shows
/// that the page is not full, only that is kept.
#[derive(Default)]
struct PageSize {
    bound: usize,
    exact: usize,
}

impl PageSize {
    /// Counts the last of the items.
    fn add(&mut self, bound: usize, items: &[Item]) {
        let was_large = self.is_large();
        self.bound += bound;
        if self.is_large() {
            let uncounted = if was_large { items.len() - 1 } else { 0 };
            self.exact += items.iter().skip(uncounted).map(Item::size_bytes).sum::<usize>();
        }
    }

    /// Whether the page might be full.
    fn is_large(&self) -> bool {
        self.bound >= PAGE_BYTES_MAX
    }

    fn is_full(&self) -> bool {
        self.is_large() && self.exact >= PAGE_BYTES_MAX
    }
}

/// The part of a partition that a query still has to read.
#[derive(Debug)]
struct Bounds {
    low: Low,
    high: High,
}

#[derive(Debug)]
enum Low {
    None,
    From(SortValue),
    After(Position),
}

#[derive(Debug)]
enum High {
    None,
    To(SortValue),
    Below(SortValue),
    Before(Position),
}

impl Bounds {
    /// A start key lies within the range, as [`NextKey::open`] has made sure, so it takes the
    /// place of the bound at which the query begins.
    fn of(query: &Query, start: Option<Position>) -> Self {
        let (low, high) = match &query.range {
            SortRange::All => (Low::None, High::None),
            SortRange::Prefix(prefix) => {
                let high = prefix_end(prefix).map_or(High::None, |end| High::Below(end.into()));
                (Low::From(prefix.as_str().into()), high)
            }
            SortRange::Between(low, high) => (Low::From(low.clone()), High::To(high.clone())),
            SortRange::From(low) => (Low::From(low.clone()), High::None),
            SortRange::To(high) => (Low::None, High::To(high.clone())),
        };
        match (start, query.direction) {
            (None, _) => Self { low, high },
            (Some(start), Direction::Ascending) => Self { low: Low::After(start), high },
            (Some(start), Direction::Descending) => Self { low, high: High::Before(start) },
        }
    }
}

/// The first text after all that begin with `prefix`. The order of UTF-8 bytes is the order
/// of code points, so it is the prefix with its last character replaced by the next one.
fn prefix_end(prefix: &str) -> Option<String> {
    let mut end = prefix.to_owned();
    while let Some(last) = end.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

const LOWS: usize = 3;
const HIGHS: usize = 4;

/// The statements that read a partition, one for each form of bounds and each direction.
#[derive(Debug)]
struct PartitionSelects {
    ascending: Vec<String>,
    descending: Vec<String>,
}

impl PartitionSelects {
    fn of_base(list: &str) -> Self {
        let head = format!("SELECT {list} FROM {BY_KEY} WHERE pk = ?1");
        Self::new(&head, "sk", &["sk"])
    }

    fn of_index(list: &str, layout: &Layout, index: &IndexLayout) -> Self {
        let partition = layout.sql_column(&index.partition);
        let sort = layout.sql_column(&index.sort);
        let head = format!(
            "SELECT {list} FROM item INDEXED BY {} WHERE {partition} = ?1 AND {sort} IS NOT NULL",
            index.sql_name()
        );
        Self::new(&head, &sort, &[&sort, "pk", "sk"])
    }

    fn new(head: &str, sort: &str, order: &[&str]) -> Self {
        let row = format!("({})", order.join(", "));
        let parameters = |first: usize| {
            let numbers: Vec<String> =
                (first..first + order.len()).map(|number| format!("?{number}")).collect();
            format!("({})", numbers.join(", "))
        };
        let lows = [
            String::new(),
            format!(" AND {sort} >= ?2"),
            format!(" AND {row} > {}", parameters(2)),
        ];
        let highs = [
            String::new(),
            format!(" AND {sort} <= ?5"),
            format!(" AND {sort} < ?5"),
            format!(" AND {row} < {}", parameters(5)),
        ];
        let statements = |direction: &str| {
            let order: Vec<String> =
                order.iter().map(|column| format!("{column} {direction}")).collect();
            let order = order.join(", ");
            lows.iter()
                .flat_map(|low| highs.iter().map(move |high| (low, high)))
                .map(|(low, high)| format!("{head}{low}{high} ORDER BY {order}"))
                .collect::<Vec<_>>()
        };
        debug_assert_eq!((lows.len(), highs.len()), (LOWS, HIGHS));
        Self { ascending: statements("ASC"), descending: statements("DESC") }
    }

    fn sql(&self, direction: Direction, bounds: &Bounds) -> &str {
        let low = match bounds.low {
            Low::None => 0,
            Low::From(_) => 1,
            Low::After(_) => 2,
        };
        let high = match bounds.high {
            High::None => 0,
            High::To(_) => 1,
            High::Below(_) => 2,
            High::Before(_) => 3,
        };
        let statements = match direction {
            Direction::Ascending => &self.ascending,
            Direction::Descending => &self.descending,
        };
        statements.get(low * HIGHS + high).map_or("", String::as_str)
    }
}

fn bind_partition(
    statement: &mut CachedStatement<'_>,
    partition: &str,
    bounds: &Bounds,
    is_index: bool,
) -> rusqlite::Result<()> {
    statement.raw_bind_parameter(1, partition)?;
    match &bounds.low {
        Low::None => {}
        Low::From(sort) => statement.raw_bind_parameter(2, ColumnValue::from(sort))?,
        Low::After(position) => bind_position(statement, 2, position, is_index)?,
    }
    match &bounds.high {
        High::None => Ok(()),
        High::To(sort) | High::Below(sort) => {
            statement.raw_bind_parameter(5, ColumnValue::from(sort))
        }
        High::Before(position) => bind_position(statement, 5, position, is_index),
    }
}

fn bind_position(
    statement: &mut CachedStatement<'_>,
    first: usize,
    position: &Position,
    is_index: bool,
) -> rusqlite::Result<()> {
    if !is_index {
        return statement.raw_bind_parameter(first, &position.key.sk);
    }
    if let Some(sort) = &position.index_sort {
        statement.raw_bind_parameter(first, ColumnValue::from(sort))?;
    }
    statement.raw_bind_parameter(first + 1, &position.key.pk)?;
    statement.raw_bind_parameter(first + 2, &position.key.sk)
}

#[cfg(test)]
mod tests {
    use table::Index;

    use super::*;
    use crate::migrate;

    #[test]
    fn the_end_of_a_prefix_is_the_next_text_that_does_not_have_it() {
        assert_eq!(prefix_end("a").as_deref(), Some("b"));
        assert_eq!(prefix_end("a\u{10FFFF}").as_deref(), Some("b"));
        assert_eq!(prefix_end("\u{D7FF}").as_deref(), Some("\u{E000}"));
        assert_eq!(prefix_end("z\u{7F}").as_deref(), Some("z\u{80}"));
        assert_eq!(prefix_end("\u{10FFFF}"), None);
    }

    /// Every statement must seek into its index and read on in order; none may collect and
    /// sort, or read what comes before its start.
    #[test]
    fn every_statement_is_answered_by_seeking_and_stepping() {
        let schema = Schema::new(vec![
            Index::by_text("text", "tp", "ts"),
            Index::by_number("number", "np", "ns"),
        ]);
        let mut connection = Connection::open_in_memory().unwrap();
        migrate::create(&mut connection, &schema).unwrap();
        let selects = Selects::new(&migrate::fit(&mut connection, &schema).unwrap());
        let partitions = selects.indexes.iter().map(|(_, selects)| selects).chain([&selects.base]);
        let statements =
            partitions.flat_map(|selects| selects.ascending.iter().chain(&selects.descending));
        let mut count = 0;
        for sql in statements.chain([&selects.get, &selects.scan_after]) {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let mut rows = statement.raw_query();
            let mut plan: Vec<String> = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                plan.push(row.get(3).unwrap());
            }
            assert_eq!(plan.len(), 1, "{sql}: {plan:?}");
            assert!(plan[0].starts_with("SEARCH item USING"), "{sql}: {plan:?}");
            // A start after which to go on is part of the seek, with all its columns.
            if sql.contains("(\"ts\", pk, sk) >") {
                assert!(plan[0].contains("(ts,pk,sk)>(?,?,?)"), "{sql}: {plan:?}");
            }
            count += 1;
        }
        assert_eq!(count, 3 * 2 * LOWS * HIGHS + 2);
    }

    /// Where only keys are wanted, SQLite goes to the row of an item when it needs to, not before,
    /// and no statement collects or sorts.
    #[test]
    fn keys_are_read_from_the_index_alone() {
        let schema = Schema::new(vec![Index::by_text("text", "tp", "ts")]);
        let mut connection = Connection::open_in_memory().unwrap();
        migrate::create(&mut connection, &schema).unwrap();
        let selects = Selects::new(&migrate::fit(&mut connection, &schema).unwrap());
        let partitions =
            selects.index_keys.iter().map(|(_, selects)| selects).chain([&selects.base_keys]);
        let statements =
            partitions.flat_map(|selects| selects.ascending.iter().chain(&selects.descending));
        for sql in statements {
            let mut statement = connection.prepare(&format!("EXPLAIN {sql}")).unwrap();
            let mut rows = statement.raw_query();
            let mut program: Vec<String> = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                program.push(row.get(1).unwrap());
            }
            let has = |name: &str| program.iter().any(|operation| operation == name);
            assert!(has("DeferredSeek"), "{sql}: {program:?}");
            assert!(!has("Sort") && !has("SorterSort"), "{sql}: {program:?}");
        }
    }
}

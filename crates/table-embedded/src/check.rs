//! Whether a table is whole: SQLite's own check, every item, every index against the items.
//!
//! Everything is read in one transaction, so writers may go on. Nothing is ever repaired here.

use std::fmt;
use std::path::Path;

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, Row};
use table::{EncodedAttributes, Item, Key, Schema};

use crate::body;
use crate::fault::Fault;
use crate::layout::{IndexLayout, Layout};
use crate::migrate::read_layout;
use crate::open::open_for_reading;
use crate::row::{read_item, read_text};
use crate::{EmbeddedTable, OpenError};

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Items read.
    pub items: u64,
    /// Index entries that belong to them.
    pub index_entries: u64,
    /// What is wrong, at most [`PROBLEMS_MAX`](CheckReport::PROBLEMS_MAX) of it; empty when
    /// all is well.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// SQLite says that the file is damaged.
    Storage(String),
    /// An item cannot be read or should not be as it is.
    Item {
        /// The item.
        key: Key,
        /// What is wrong with it.
        what: String,
    },
    /// An index does not show an item that belongs in it.
    MissingEntry {
        /// The index.
        index: String,
        /// The item.
        key: Key,
    },
    /// An index shows an item that is not there, or not in that place.
    StrayEntry {
        /// The index.
        index: String,
        /// The item.
        key: Key,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Storage(message) => write!(f, "the file is damaged: {message}"),
            Self::Item { key, what } => write!(f, "item {key:?}: {what}"),
            Self::MissingEntry { index, key } => {
                write!(f, "index {index:?} does not show item {key:?}")
            }
            Self::StrayEntry { index, key } => {
                write!(f, "index {index:?} shows item {key:?} in a place where it is not")
            }
        }
    }
}

impl CheckReport {
    /// How many problems a report lists.
    pub const PROBLEMS_MAX: usize = 100;

    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    fn add(&mut self, problem: Problem) {
        if self.problems.len() < Self::PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }
}

impl EmbeddedTable {
    /// Checks the whole table while it is in use; takes as long as reading all of it.
    ///
    /// # Errors
    /// Only when the check cannot be made; what it finds is in the report.
    pub async fn check(&self) -> table::Result<CheckReport> {
        let schema = table::Table::schema(self).clone();
        self.read_alone(move |connection| Ok(check_connection(connection, &schema, &|_, _| {})))
            .await
    }
}

/// Checks the whole table in this folder. Another process may be using it.
///
/// # Errors
/// [`OpenError`] when there is no table that can be read.
pub fn check_folder(folder: &Path, schema: &Schema) -> Result<CheckReport, OpenError> {
    check_folder_telling(folder, schema, &|_, _| {})
}

/// The same, and tells from time to time how many items of all were checked.
///
/// # Errors
/// [`OpenError`] when there is no table that can be read.
pub fn check_folder_telling(
    folder: &Path,
    schema: &Schema,
    tell: &dyn Fn(u64, u64),
) -> Result<CheckReport, OpenError> {
    let (connection, _) = open_for_reading(folder)?;
    Ok(check_connection(&connection, schema, tell))
}

pub(crate) fn check_connection(
    connection: &Connection,
    schema: &Schema,
    tell: &dyn Fn(u64, u64),
) -> CheckReport {
    let mut report = CheckReport::default();
    if let Err(error) = check_all(connection, schema, tell, &mut report) {
        report.add(Problem::Storage(error.into_read_error().to_string()));
    }
    report
}

fn check_all(
    connection: &Connection,
    schema: &Schema,
    tell: &dyn Fn(u64, u64),
    report: &mut CheckReport,
) -> Result<(), Fault> {
    // All of it as of one commit.
    let transaction = connection.unchecked_transaction()?;
    check_storage(&transaction, report)?;
    let layout = read_layout(&transaction)?;
    let mut indexes: Vec<IndexCheck> =
        layout.indexes().iter().map(|index| IndexCheck::of_index(&layout, index)).collect();
    indexes.extend([IndexCheck::of_key(), IndexCheck::of_ttl()]);
    check_items(&transaction, &layout, schema, &mut indexes, tell, report)?;
    for index in &indexes {
        index.find_strays(&transaction, report)?;
        report.index_entries += index.expected;
    }
    transaction.finish()?;
    Ok(())
}

fn check_storage(connection: &Connection, report: &mut CheckReport) -> Result<(), Fault> {
    let mut statement =
        connection.prepare(&format!("PRAGMA integrity_check({})", CheckReport::PROBLEMS_MAX))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            report.add(Problem::Storage(line));
        }
    }
    Ok(())
}

/// How many items are checked between two words about it.
const TOLD_ITEMS: u64 = 1_000;
/// The id and the key stand before the columns with attributes.
const LEADING_COLUMNS: usize = 3;

fn check_items(
    connection: &Connection,
    layout: &Layout,
    schema: &Schema,
    indexes: &mut [IndexCheck],
    tell: &dyn Fn(u64, u64),
    report: &mut CheckReport,
) -> Result<(), Fault> {
    let all: i64 = connection.query_row("SELECT count(*) FROM item", [], |row| row.get(0))?;
    let all = u64::try_from(all).unwrap_or_default();
    tell(0, all);
    let sql = format!("SELECT id, pk, sk, {}, body FROM item NOT INDEXED", layout.sql_columns());
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        report.items += 1;
        if report.items.is_multiple_of(TOLD_ITEMS) {
            tell(report.items, all);
        }
        let key = Key { pk: read_text(row, 1)?, sk: read_text(row, 2)? };
        for what in item_problems(row, layout, schema, &key)? {
            report.add(Problem::Item { key: key.clone(), what });
        }
        for index in indexes.iter_mut() {
            if !index.shows(connection, row, layout, &key)? {
                report.add(Problem::MissingEntry { index: index.name.clone(), key: key.clone() });
            }
        }
    }
    Ok(())
}

fn item_problems(
    row: &Row<'_>,
    layout: &Layout,
    schema: &Schema,
    key: &Key,
) -> Result<Vec<String>, Fault> {
    let item = match read_item(row, LEADING_COLUMNS, layout, key.clone()) {
        Ok(read) => read.item,
        Err(Fault::Table(error)) => return Ok(vec![error.to_string()]),
        Err(error) => return Err(error),
    };
    let mut problems = Vec::new();
    if let Err(error) = item.validate(schema) {
        problems.push(error.to_string());
    }
    let bytes =
        row.get_ref(LEADING_COLUMNS + layout.columns().len())?.as_blob().unwrap_or_default();
    let mut in_body = EncodedAttributes::default();
    if body::read(bytes, &mut in_body, |_| false).is_ok() {
        for (name, value) in in_body.decode() {
            if layout.is_written_to_column(&name) && is_valid_alone(schema, &name, &value) {
                problems.push(format!("attribute {name:?} is in the body, where no index sees it"));
            }
        }
    }
    Ok(problems)
}

fn is_valid_alone(schema: &Schema, attribute: &str, value: &table::Value) -> bool {
    Item::new(Key::new("-", "-")).with(attribute, value.clone()).validate(schema).is_ok()
}

/// One index, compared with the items.
struct IndexCheck {
    name: String,
    /// The attributes whose columns it orders, before the key.
    attributes: Vec<String>,
    /// Finds the entry of an item: by the columns, the key and the id.
    find: String,
    /// Counts the entries.
    count: String,
    /// Reads all entries from the index alone: the id, the key, the columns.
    entries: String,
    /// Reads the same of an item, by its id, from the table alone.
    item: String,
    /// Entries that the items should have.
    expected: u64,
}

impl IndexCheck {
    fn of_index(layout: &Layout, index: &IndexLayout) -> Self {
        let attributes = vec![index.partition.clone(), index.sort.clone()];
        let columns: Vec<String> =
            attributes.iter().map(|attribute| layout.sql_column(attribute)).collect();
        Self::new(&index.name, &index.sql_name(), attributes, &columns)
    }

    fn of_ttl() -> Self {
        let ttl = || vec![table::TTL.to_owned()];
        Self::new(table::TTL, "\"ttl\"", ttl(), &ttl())
    }

    fn of_key() -> Self {
        Self::new("key", "\"key\"", Vec::new(), &[])
    }

    fn new(name: &str, sql_name: &str, attributes: Vec<String>, columns: &[String]) -> Self {
        let present: String =
            columns.iter().map(|column| format!(" AND {column} IS NOT NULL")).collect();
        let equal: String = columns.iter().map(|column| format!(" AND {column} = ?")).collect();
        let list: String = columns.iter().map(|column| format!(", {column}")).collect();
        let from_index = format!("FROM item INDEXED BY {sql_name} WHERE pk IS NOT NULL{present}");
        Self {
            name: name.to_owned(),
            attributes,
            find: format!("SELECT count(*) {from_index}{equal} AND pk = ? AND sk = ? AND id = ?"),
            count: format!("SELECT count(*) {from_index}"),
            entries: format!("SELECT id, pk, sk{list} {from_index}"),
            item: format!("SELECT id, pk, sk{list} FROM item NOT INDEXED WHERE id = ?1"),
            expected: 0,
        }
    }

    /// Whether the index shows the row's item, if it should.
    fn shows(
        &mut self,
        connection: &Connection,
        row: &Row<'_>,
        layout: &Layout,
        key: &Key,
    ) -> Result<bool, Fault> {
        let mut statement = connection.prepare_cached(&self.find)?;
        let mut parameter = 0;
        for attribute in &self.attributes {
            let at = layout.columns().iter().position(|column| column.attribute == *attribute);
            let value: SqlValue = row.get(LEADING_COLUMNS + at.unwrap_or_default())?;
            if value == SqlValue::Null {
                return Ok(true);
            }
            parameter += 1;
            statement.raw_bind_parameter(parameter, value)?;
        }
        self.expected += 1;
        statement.raw_bind_parameter(parameter + 1, &key.pk)?;
        statement.raw_bind_parameter(parameter + 2, &key.sk)?;
        statement.raw_bind_parameter(parameter + 3, row.get::<_, i64>(0)?)?;
        let mut rows = statement.raw_query();
        let found: i64 = match rows.next()? {
            Some(row) => row.get(0)?,
            None => 0,
        };
        Ok(found == 1)
    }

    /// Looks for entries that belong to no item, if there may be any.
    fn find_strays(&self, connection: &Connection, report: &mut CheckReport) -> Result<(), Fault> {
        let entries: i64 = connection.query_row(&self.count, [], |row| row.get(0))?;
        if u64::try_from(entries).ok() == Some(self.expected) && report.is_sound() {
            return Ok(());
        }
        let mut statement = connection.prepare(&self.entries)?;
        let mut item = connection.prepare(&self.item)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let shown = self.values(row)?;
            let mut found = item.query([row.get::<_, i64>(0)?])?;
            let stored = found.next()?.map(|row| self.values(row)).transpose()?;
            if stored.as_ref() != Some(&shown) {
                let key = Key { pk: read_text(row, 1)?, sk: read_text(row, 2)? };
                report.add(Problem::StrayEntry { index: self.name.clone(), key });
            }
        }
        Ok(())
    }

    /// The id, the key and the columns of an entry or item.
    fn values(&self, row: &Row<'_>) -> rusqlite::Result<Vec<SqlValue>> {
        (0..LEADING_COLUMNS + self.attributes.len()).map(|at| row.get(at)).collect()
    }
}

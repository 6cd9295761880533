//! The tables inside the file: creating them, knowing them again, and fitting them to the
//! indexes of a newer or older program.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};
use table::{Item, Key, Schema, Value};

use crate::OpenError;
use crate::fault::Fault;
use crate::layout::{Column, IndexLayout, Layout, quote};
use crate::row::{bind_columns, encode_body, read_item, read_text};

/// "Frty": marks the file as ours in SQLite's header.
const APPLICATION_ID: i64 = 0x4672_7479;
/// The format this version writes.
const FORMAT: i64 = 1;

/// What a new file has besides its items.
const CREATE: &str = "
    CREATE UNIQUE INDEX \"key\" ON item (pk, sk);
    CREATE INDEX \"ttl\" ON item (ttl) WHERE ttl IS NOT NULL;
    CREATE TABLE attribute_column (
        attribute TEXT NOT NULL PRIMARY KEY,
        column_name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE secondary_index (
        name TEXT NOT NULL PRIMARY KEY,
        partition TEXT NOT NULL,
        sort TEXT NOT NULL,
        sorts_numbers INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// Whether nobody has put anything into the file yet.
pub(crate) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

/// The file's mark and the format it was written in.
pub(crate) fn read_format(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let read = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((read("application_id")?, read("user_version")?))
}

/// Whether the file is a table of ours, in a format we know.
pub(crate) fn recognise(
    connection: &Connection,
    file: &Path,
) -> rusqlite::Result<Result<(), OpenError>> {
    let (application_id, format) = read_format(connection)?;
    if application_id != APPLICATION_ID {
        return Ok(Err(OpenError::NotOurs { file: file.to_owned() }));
    }
    if format > FORMAT {
        return Ok(Err(OpenError::Newer { file: file.to_owned(), found: format, known: FORMAT }));
    }
    Ok(Ok(()))
}

/// Creates an empty table, marked as ours. The columns stand before the body, so that SQLite
/// reaches them without walking through it.
pub(crate) fn create(connection: &mut Connection, schema: &Schema) -> rusqlite::Result<()> {
    let layout = Layout::new(BTreeMap::new(), Vec::new()).for_schema(schema);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let columns: String =
        layout.attribute_columns().map(|column| format!("{} ANY, ", quote(&column.name))).collect();
    transaction.execute_batch(&format!(
        "CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            pk TEXT NOT NULL,
            sk TEXT NOT NULL,
            ttl INTEGER,
            {columns}
            body BLOB NOT NULL
        ) STRICT;
        {CREATE}"
    ))?;
    layout.attribute_columns().try_for_each(|column| note_column(&transaction, column))?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()
}

/// How the items in the file are laid out.
pub(crate) fn read_layout(connection: &Connection) -> rusqlite::Result<Layout> {
    let mut statement =
        connection.prepare("SELECT attribute, column_name FROM attribute_column")?;
    let columns = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<BTreeMap<String, String>>>()?;
    let mut statement =
        connection.prepare("SELECT name, partition, sort, sorts_numbers FROM secondary_index")?;
    let indexes = statement
        .query_map([], |row| {
            Ok(IndexLayout {
                name: row.get(0)?,
                partition: row.get(1)?,
                sort: row.get(2)?,
                sorts_numbers: row.get(3)?,
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Layout::new(columns, indexes))
}

/// Fits the file to the indexes of `schema`, in one transaction: an index that is new gets its
/// columns and entries, one that is gone is dropped.
pub(crate) fn fit(connection: &mut Connection, schema: &Schema) -> Result<Layout, Fault> {
    let before = read_layout(connection)?;
    let after = before.for_schema(schema);
    if before == after {
        return Ok(after);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    drop_indexes(&transaction, &before, &after)?;
    add_columns(&transaction, &before, &after)?;
    if before.must_move_items_for(&after) {
        let moved = move_items(&transaction, &after, schema)?;
        tracing::info!(items = moved, "fitted the stored items to new indexes");
    }
    create_indexes(&transaction, &before, &after)?;
    transaction.commit()?;
    Ok(after)
}

fn drop_indexes(
    transaction: &Transaction<'_>,
    before: &Layout,
    after: &Layout,
) -> rusqlite::Result<()> {
    for index in before.indexes().iter().filter(|index| !after.indexes().contains(index)) {
        transaction.execute_batch(&format!("DROP INDEX {}", index.sql_name()))?;
        transaction.execute("DELETE FROM secondary_index WHERE name = ?1", [&index.name])?;
    }
    Ok(())
}

fn add_columns(
    transaction: &Transaction<'_>,
    before: &Layout,
    after: &Layout,
) -> rusqlite::Result<()> {
    let known = |name: &str| before.columns().iter().any(|column| column.attribute == name);
    for column in after.columns().iter().filter(|column| !known(&column.attribute)) {
        // ANY keeps texts and numbers as they are, so that numbers sort by value.
        transaction
            .execute_batch(&format!("ALTER TABLE item ADD COLUMN {} ANY", quote(&column.name)))?;
        note_column(transaction, column)?;
    }
    Ok(())
}

fn note_column(transaction: &Transaction<'_>, column: &Column) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO attribute_column (attribute, column_name) VALUES (?1, ?2)",
        [&column.attribute, &column.name],
    )?;
    Ok(())
}

fn create_indexes(
    transaction: &Transaction<'_>,
    before: &Layout,
    after: &Layout,
) -> rusqlite::Result<()> {
    for index in after.indexes().iter().filter(|index| !before.indexes().contains(index)) {
        let partition = after.sql_column(&index.partition);
        let sort = after.sql_column(&index.sort);
        transaction.execute_batch(&format!(
            "CREATE INDEX {} ON item ({partition}, {sort}, pk, sk)
             WHERE {partition} IS NOT NULL AND {sort} IS NOT NULL",
            index.sql_name()
        ))?;
        transaction.execute(
            "INSERT INTO secondary_index (name, partition, sort, sorts_numbers)
             VALUES (?1, ?2, ?3, ?4)",
            params![index.name, index.partition, index.sort, index.sorts_numbers],
        )?;
    }
    Ok(())
}

/// Items are moved so many at a time, which bounds the memory it takes.
const MOVE_ITEMS: u32 = 500;

/// Moves attributes between columns and bodies until each item lies as `layout` wants it, and
/// returns how many items that changed.
fn move_items(
    transaction: &Transaction<'_>,
    layout: &Layout,
    schema: &Schema,
) -> Result<usize, Fault> {
    let mut moved = 0;
    let mut last = i64::MIN;
    loop {
        let chunk = read_chunk(transaction, layout, schema, last)?;
        let Some(end) = chunk.last() else { return Ok(moved) };
        last = end.id;
        for row in chunk.iter().filter(|row| !row.lies_right) {
            move_item(transaction, layout, schema, row)?;
            moved += 1;
        }
    }
}

struct StoredItem {
    id: i64,
    item: Item,
    lies_right: bool,
}

/// Columns that stand before those with attributes.
const LEADING_COLUMNS: usize = 3;

/// The items that follow the one with the id `last`.
fn read_chunk(
    transaction: &Transaction<'_>,
    layout: &Layout,
    schema: &Schema,
    last: i64,
) -> Result<Vec<StoredItem>, Fault> {
    let mut statement = transaction.prepare_cached(&format!(
        "SELECT id, pk, sk, {}, body FROM item WHERE id > ?1 ORDER BY id LIMIT ?2",
        layout.sql_columns()
    ))?;
    let mut rows = statement.query(params![last, MOVE_ITEMS])?;
    let mut chunk = Vec::new();
    while let Some(row) = rows.next()? {
        let key = Key { pk: read_text(row, 1)?, sk: read_text(row, 2)? };
        let item = read_item(row, LEADING_COLUMNS, layout, key)?.item;
        let lies_right = lies_right(row, layout, schema, &item)?;
        chunk.push(StoredItem { id: row.get(0)?, item, lies_right });
    }
    Ok(chunk)
}

fn lies_right(
    row: &Row<'_>,
    layout: &Layout,
    schema: &Schema,
    item: &Item,
) -> rusqlite::Result<bool> {
    for (column, at) in layout.columns().iter().zip(LEADING_COLUMNS..) {
        let is_in_column = row.get_ref(at)? != ValueRef::Null;
        let belongs_in_column = item
            .get(&column.attribute)
            .is_some_and(|value| column.in_use && suits_indexes(schema, &column.attribute, value));
        if is_in_column != belongs_in_column {
            return Ok(false);
        }
    }
    Ok(true)
}

fn move_item(
    transaction: &Transaction<'_>,
    layout: &Layout,
    schema: &Schema,
    row: &StoredItem,
) -> Result<(), Fault> {
    let attributes = &row.item.attributes;
    let columns: String =
        layout.columns().iter().map(|column| format!("{} = ?, ", quote(&column.name))).collect();
    let suits = |name: &str, value: &Value| suits_indexes(schema, name, value);
    let body = encode_body(layout, attributes, &suits)?;
    let mut statement =
        transaction.prepare_cached(&format!("UPDATE item SET {columns} body = ? WHERE id = ?"))?;
    let next = bind_columns(&mut statement, 1, layout, attributes, &suits)?;
    statement.raw_bind_parameter(next, body)?;
    statement.raw_bind_parameter(next + 1, row.id)?;
    statement.raw_execute()?;
    Ok(())
}

/// Whether the indexes take such a value. An attribute may have had any before its index came.
fn suits_indexes(schema: &Schema, attribute: &str, value: &Value) -> bool {
    Item::new(Key::new("-", "-")).with(attribute, value.clone()).validate(schema).is_ok()
}

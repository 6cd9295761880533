//! An item as a row: some attributes in columns, the others in the body.

use std::borrow::Cow;
use std::ops::Range;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, Statement, ToSql};
use table::{
    Attributes, Change, EncodedAttributes, Error, ITEM_BYTES_MAX, Item, Key, Number, PK, SK,
    SortValue, Value,
};

use crate::body;
use crate::fault::Fault;
use crate::layout::{Column, Layout, quote};

/// A value for a column, borrowed.
pub(crate) struct ColumnValue<'v>(ValueRef<'v>);

impl ToSql for ColumnValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0))
    }
}

impl<'v> From<&'v SortValue> for ColumnValue<'v> {
    fn from(sort: &'v SortValue) -> Self {
        match sort {
            SortValue::S(text) => Self(ValueRef::Text(text.as_bytes())),
            SortValue::N(number) => Self(number_value(*number)),
        }
    }
}

/// The value a column holds for an attribute: texts and numbers only.
fn column_value(value: Option<&Value>) -> ColumnValue<'_> {
    ColumnValue(match value {
        Some(Value::S(text)) => ValueRef::Text(text.as_bytes()),
        Some(Value::N(number)) => number_value(*number),
        _ => ValueRef::Null,
    })
}

fn number_value(number: Number) -> ValueRef<'static> {
    match number.as_i64() {
        Some(int) => ValueRef::Integer(int),
        None => ValueRef::Real(number.as_f64()),
    }
}

/// Whether a column takes a value; what it does not take stays in the body.
pub(crate) type Suits<'s> = &'s dyn Fn(&str, &Value) -> bool;

/// The attributes that do not belong in a column, encoded.
pub(crate) fn encode_body(
    layout: &Layout,
    attributes: &Attributes,
    suits: Suits<'_>,
) -> Result<Vec<u8>, Error> {
    let rest = || {
        attributes
            .iter()
            .filter(|(name, value)| !(layout.is_written_to_column(name) && suits(name, value)))
    };
    body::encode(Vec::new(), rest().count(), rest()).map_err(Error::invalid)
}

/// Binds the attributes that belong in columns to the statement's parameters from `first` on,
/// and returns the parameter after the last.
pub(crate) fn bind_columns(
    statement: &mut Statement<'_>,
    first: usize,
    layout: &Layout,
    attributes: &Attributes,
    suits: Suits<'_>,
) -> rusqlite::Result<usize> {
    let mut parameter = first;
    for column in layout.columns() {
        let name = column.attribute.as_str();
        let value = attributes.get(name).filter(|value| column.in_use && suits(name, value));
        statement.raw_bind_parameter(parameter, column_value(value))?;
        parameter += 1;
    }
    Ok(parameter)
}

/// An item laid out as a row: all that is left to do is to bind it. Its texts and its body lie
/// one after the other, so that the thread that writes finds all of it in one place.
#[derive(Debug)]
pub(crate) struct NewRow {
    bytes: Vec<u8>,
    pk: Range<usize>,
    sk: Range<usize>,
    /// As many as the layout has, or none if they stay as they are.
    columns: Vec<Cell>,
    body: Range<usize>,
}

/// What a row has in a column.
#[derive(Debug)]
enum Cell {
    Empty,
    Text(Range<usize>),
    Number(Number),
}

/// Which columns of a row get other values.
#[derive(Debug)]
pub(crate) struct ChangedColumns(Vec<usize>);

impl ChangedColumns {
    /// None: all there is to set is the body.
    pub(crate) const NONE: Self = Self(Vec::new());

    /// Sets them and the body of the row of a key. Indexes of other columns are not touched.
    pub(crate) fn sql(&self, layout: &Layout) -> Cow<'static, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(SET_BODY);
        }
        let columns = self.0.iter().filter_map(|at| layout.columns().get(*at));
        let names = columns.map(|column| quote(&column.name)).chain(["body".to_owned()]);
        let set = |(at, name): (usize, String)| format!("{name} = ?{}", KEY_PARAMETERS + 1 + at);
        let set: Vec<String> = names.enumerate().map(set).collect();
        Cow::Owned(format!("UPDATE item SET {} WHERE pk = ?1 AND sk = ?2", set.join(", ")))
    }
}

const SET_BODY: &str = "UPDATE item SET body = ?3 WHERE pk = ?1 AND sk = ?2";
/// The parameters of a key, which come first.
const KEY_PARAMETERS: usize = 2;

/// Room to make for a row, which may be of an image.
const ROW_BYTES: usize = 1536;
/// The same for one of few attributes, such as an entry of a word.
const SMALL_ROW_BYTES: usize = 512;
const FEW_ATTRIBUTES: usize = 8;

impl NewRow {
    /// Lays out a valid item.
    pub(crate) fn of(item: Item, layout: &Layout) -> Result<Self, Error> {
        let Item { key, attributes } = item;
        let mut attributes = Attributes::from(attributes);
        let room = if attributes.len() > FEW_ATTRIBUTES { ROW_BYTES } else { SMALL_ROW_BYTES };
        let mut bytes = Vec::with_capacity(room);
        let pk = append(&mut bytes, &key.pk);
        let sk = append(&mut bytes, &key.sk);
        let columns = layout.columns().iter().map(|column| {
            let name = column.attribute.as_str();
            match column.in_use.then(|| attributes.remove(name)).flatten() {
                Some(Value::S(text)) => Cell::Text(append(&mut bytes, &text)),
                Some(Value::N(number)) => Cell::Number(number),
                _ => Cell::Empty,
            }
        });
        let columns = columns.collect();
        let start = bytes.len();
        let bytes =
            body::encode(bytes, attributes.len(), attributes.iter()).map_err(Error::invalid)?;
        let body = start..bytes.len();
        Ok(Self { bytes, pk, sk, columns, body })
    }

    /// Lays out an item that was found, after changes of attributes none of which has a column. `None`
    /// if that takes knowing more of the item.
    pub(crate) fn with_changed_body(
        found: &Item,
        changes: &[Change],
        layout: &Layout,
    ) -> Option<Self> {
        let stored = found.attributes.stored()?;
        let has_column = |change: &Change| layout.has_column(change.name());
        if changes.iter().any(has_column) {
            return None;
        }
        let mut bytes = Vec::with_capacity(ROW_BYTES);
        let pk = append(&mut bytes, &found.key.pk);
        let sk = append(&mut bytes, &found.key.sk);
        let start = bytes.len();
        // Values that do not suit their column are in the body.
        let mut columns = layout.columns().iter().peekable();
        let is_in_column = |name: &[u8]| {
            while columns.next_if(|column| column.attribute.as_bytes() < name).is_some() {}
            columns.next_if(|column| column.attribute.as_bytes() == name).is_some()
        };
        let bytes = body::encode_changed(bytes, stored, changes, is_in_column)?;
        // What may be too large is looked at value by value.
        let bound = key_size_bytes(&found.key)
            + BODY_GROWTH_MAX * (stored.len_bytes() + bytes.len() - start);
        let body = start..bytes.len();
        (bound <= ITEM_BYTES_MAX).then_some(Self { bytes, pk, sk, columns: Vec::new(), body })
    }

    /// The columns in which the row of the item found has other values. A column that is no
    /// longer in use may hold one that now belongs in the body, so it must be emptied.
    pub(crate) fn columns_unlike(&self, found: &Item, layout: &Layout) -> ChangedColumns {
        let columns = layout.columns().iter().zip(&self.columns).enumerate();
        let changed = columns.filter(|(_, (column, cell))| {
            let before = found.attributes.value(&column.attribute);
            !match (before, cell) {
                (None, Cell::Empty) => true,
                (Some(Value::S(text)), Cell::Text(range)) => text.as_bytes() == self.part(range),
                (Some(Value::N(before)), Cell::Number(number)) => before == *number,
                _ => false,
            }
        });
        ChangedColumns(changed.map(|(at, _)| at).collect())
    }

    /// What tells the item from others.
    pub(crate) fn key(&self) -> [&[u8]; 2] {
        [self.part(&self.pk), self.part(&self.sk)]
    }

    /// The partition of the first index that the row may be in.
    pub(crate) fn first_partition(&self, layout: &Layout) -> Option<&[u8]> {
        let mut cells = layout.partitions_at().iter().filter_map(|at| self.columns.get(*at));
        cells.find_map(|cell| match cell {
            Cell::Text(range) => Some(self.part(range)),
            Cell::Empty | Cell::Number(_) => None,
        })
    }

    /// Executes the statement with the key, the columns and the body, in this order.
    pub(crate) fn put(&self, statement: &mut Statement<'_>) -> rusqlite::Result<()> {
        self.bind_key(statement)?;
        self.bind_rest(statement, self.columns.iter())?;
        statement.raw_execute().map(|_| ())
    }

    /// Executes the statement of these columns with the key, the columns and the body, in this
    /// order.
    pub(crate) fn replace(
        &self,
        statement: &mut Statement<'_>,
        changed: &ChangedColumns,
    ) -> rusqlite::Result<()> {
        self.bind_key(statement)?;
        self.bind_rest(statement, changed.0.iter().filter_map(|at| self.columns.get(*at)))?;
        statement.raw_execute().map(|_| ())
    }

    /// Binds these cells and the body behind the key.
    fn bind_rest<'c>(
        &'c self,
        statement: &mut Statement<'_>,
        cells: impl Iterator<Item = &'c Cell>,
    ) -> rusqlite::Result<()> {
        let mut parameter = KEY_PARAMETERS + 1;
        for cell in cells {
            statement.raw_bind_parameter(parameter, self.value(cell))?;
            parameter += 1;
        }
        self.bind_body(statement, parameter)
    }

    fn value(&self, cell: &Cell) -> ColumnValue<'_> {
        ColumnValue(match cell {
            Cell::Empty => ValueRef::Null,
            Cell::Text(range) => ValueRef::Text(self.part(range)),
            Cell::Number(number) => number_value(*number),
        })
    }

    fn bind_key(&self, statement: &mut Statement<'_>) -> rusqlite::Result<()> {
        let [pk, sk] = self.key();
        statement.raw_bind_parameter(1, ColumnValue(ValueRef::Text(pk)))?;
        statement.raw_bind_parameter(2, ColumnValue(ValueRef::Text(sk)))
    }

    fn bind_body(&self, statement: &mut Statement<'_>, parameter: usize) -> rusqlite::Result<()> {
        let body = ValueRef::Blob(self.part(&self.body));
        statement.raw_bind_parameter(parameter, ColumnValue(body))
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}

/// Adds a text, and says where it is.
fn append(bytes: &mut Vec<u8>, text: &str) -> Range<usize> {
    let start = bytes.len();
    bytes.extend_from_slice(text.as_bytes());
    start..bytes.len()
}

/// Whether the item of a row whose columns begin at `first` has expired.
pub(crate) fn is_expired(
    row: &Row<'_>,
    first: usize,
    layout: &Layout,
    now_seconds: i64,
) -> Result<bool, Fault> {
    match row.get_ref(first + layout.ttl_at())? {
        ValueRef::Integer(ttl) => Ok(ttl < now_seconds),
        _ => Ok(false),
    }
}

/// An item that was read, and at least as many bytes as it counts for.
pub(crate) struct ReadItem {
    pub(crate) item: Item,
    pub(crate) size_bytes_bound: usize,
}

/// The item of a row whose attribute columns and body begin at `first`.
pub(crate) fn read_item(
    row: &Row<'_>,
    first: usize,
    layout: &Layout,
    key: Key,
) -> Result<ReadItem, Fault> {
    let corrupt = |what: &dyn std::fmt::Display| {
        Error::Corrupt(format!("item {key:?} cannot be read: {what}; restore it from a backup"))
    };
    let ValueRef::Blob(bytes) = row.get_ref(first + layout.columns().len())? else {
        return Err(corrupt(&"its body is no blob").into());
    };
    let mut attributes = EncodedAttributes::with_capacity(bytes.len() + COLUMNS_BYTES_EXPECTED);
    let mut bound = key_size_bytes(&key) + BODY_GROWTH_MAX * bytes.len();
    let mut columns_end = first;
    for (column, at) in layout.columns().iter().zip(first..) {
        let value = row.get_ref(at)?;
        if value == ValueRef::Null {
            continue;
        }
        bound += push_column(&mut attributes, column, value).map_err(|what| corrupt(&what))?;
        columns_end = at + 1;
    }
    // Columns and body are both in the order of names, so one pass over the columns finds
    // those that the body has as well. It ends with the last column that holds something,
    // which most names come after.
    let mut columns = layout.columns().iter().zip(first..columns_end).peekable();
    let is_in_column = |name: &[u8]| {
        while columns.next_if(|(column, _)| column.attribute.as_bytes() < name).is_some() {}
        let same = columns.next_if(|(column, _)| column.attribute.as_bytes() == name);
        same.is_some_and(|(_, at)| !matches!(row.get_ref(at), Ok(ValueRef::Null)))
    };
    body::read(bytes, &mut attributes, is_in_column).map_err(|error| corrupt(&error))?;
    Ok(ReadItem { item: Item::of(key, attributes), size_bytes_bound: bound })
}

/// No value counts for more than so many times its encoded bytes; the worst are small negative
/// numbers and empty lists inside lists.
const BODY_GROWTH_MAX: usize = 4;
/// What a number counts for at most.
const NUMBER_BYTES_MAX: usize = 21;
/// Room to make for the attributes that are kept in columns.
const COLUMNS_BYTES_EXPECTED: usize = 256;

fn key_size_bytes(key: &Key) -> usize {
    PK.len() + key.pk.len() + SK.len() + key.sk.len()
}

/// Adds what a column holds, and returns at least as many bytes as it counts for.
fn push_column(
    attributes: &mut EncodedAttributes,
    column: &Column,
    value: ValueRef<'_>,
) -> Result<usize, String> {
    let name = column.attribute.as_str();
    let size = match value {
        ValueRef::Null => return Ok(0),
        ValueRef::Integer(int) => {
            attributes.push_number(name, int.into());
            NUMBER_BYTES_MAX
        }
        ValueRef::Real(float) => {
            let number = Number::from_f64(float).map_err(|error| error.to_string())?;
            attributes.push_number(name, number);
            NUMBER_BYTES_MAX
        }
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
            attributes.push_text(name, text);
            text.len()
        }
        ValueRef::Blob(_) => return Err("a column holds a blob".to_owned()),
    };
    Ok(name.len() + size)
}

/// A column that rows are sorted by.
pub(crate) fn read_sort(row: &Row<'_>, at: usize) -> Result<SortValue, Fault> {
    match row.get_ref(at)? {
        ValueRef::Integer(int) => Ok(SortValue::N(int.into())),
        ValueRef::Real(float) => {
            let number = Number::from_f64(float).map_err(|error| {
                Error::Corrupt(format!("a number to sort by cannot be read: {error}"))
            })?;
            Ok(SortValue::N(number))
        }
        _ => read_text(row, at).map(SortValue::S),
    }
}

/// A text column.
pub(crate) fn read_text(row: &Row<'_>, at: usize) -> Result<String, Fault> {
    match row.get_ref(at)?.as_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(Error::Corrupt(format!("a key cannot be read: {error}")).into()),
    }
}

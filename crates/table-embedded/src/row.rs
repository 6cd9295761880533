//! An item as a row: some attributes in columns, the others in the body.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, Statement, ToSql};
use table::{Attributes, Error, Item, Key, Number, PK, SK, SortValue, Value};

use crate::body;
use crate::fault::Fault;
use crate::layout::Layout;

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

/// Columns take every value of a valid item.
pub(crate) const ALL_SUIT: Suits<'static> = &|_, _| true;

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
    body::encode(Vec::with_capacity(1024), rest().count(), rest()).map_err(Error::invalid)
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

/// The item of a row whose attribute columns and body begin at `first`.
pub(crate) fn read_item(
    row: &Row<'_>,
    first: usize,
    layout: &Layout,
    key: Key,
) -> Result<Item, Fault> {
    let corrupt = |what: &dyn std::fmt::Display| {
        Error::Corrupt(format!("item {key:?} cannot be read: {what}; restore it from a backup"))
    };
    let body_at = first + layout.columns().len();
    let ValueRef::Blob(bytes) = row.get_ref(body_at)? else {
        return Err(corrupt(&"its body is no blob").into());
    };
    let body = body::decode(bytes).map_err(|error| corrupt(&error))?;
    let mut columns = Vec::with_capacity(layout.columns().len());
    for (column, at) in layout.columns().iter().zip(first..) {
        let value = match row.get_ref(at)? {
            ValueRef::Null => continue,
            ValueRef::Integer(int) => Value::int(int),
            ValueRef::Real(float) => {
                Value::N(Number::from_f64(float).map_err(|error| corrupt(&error))?)
            }
            ValueRef::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => Value::S(text.to_owned()),
                Err(error) => return Err(corrupt(&error).into()),
            },
            ValueRef::Blob(_) => return Err(corrupt(&"a column holds a blob").into()),
        };
        columns.push((column.attribute.clone(), value));
    }
    let count = body.len() + columns.len();
    // Made from a list that is in order already, which is much cheaper than inserting.
    let attributes = Attributes::from_iter(merge(body, columns));
    if attributes.len() != count {
        return Err(corrupt(&"an attribute stands twice").into());
    }
    Ok(Item { key, attributes })
}

/// Two lists that are in order, as one. (Out of order they merely cost more.)
fn merge(left: Vec<(String, Value)>, right: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let mut right = right.into_iter().peekable();
    for entry in left {
        while let Some(earlier) = right.next_if(|(name, _)| *name < entry.0) {
            merged.push(earlier);
        }
        merged.push(entry);
    }
    merged.extend(right);
    merged
}

/// At least as many bytes as the row's item counts for, found without decoding it.
///
/// No value counts for more than four times its encoded bytes; the worst are small negative
/// numbers and empty lists inside lists.
pub(crate) fn size_bytes_bound(
    row: &Row<'_>,
    first: usize,
    layout: &Layout,
    key: &Key,
) -> Result<usize, Fault> {
    const NUMBER_BYTES_MAX: usize = 21;
    let length = |at: usize| -> Result<usize, Fault> {
        Ok(match row.get_ref(at)? {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
            _ => NUMBER_BYTES_MAX,
        })
    };
    let mut bound = PK.len() + key.pk.len() + SK.len() + key.sk.len();
    for (column, at) in layout.columns().iter().zip(first..) {
        bound += column.attribute.len() + length(at)?;
    }
    Ok(bound + 4 * length(first + layout.columns().len())?)
}

/// A text column.
pub(crate) fn read_text(row: &Row<'_>, at: usize) -> Result<String, Fault> {
    match row.get_ref(at)?.as_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(Error::Corrupt(format!("a key cannot be read: {error}")).into()),
    }
}

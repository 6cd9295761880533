//! Where each attribute of an item is kept.
//!
//! An attribute that an index needs has a column, and only there is it kept; the rest is in
//! the body. Columns are only ever added. One whose index is gone stays and is still read,
//! but new values of the attribute go into the body.

use std::collections::{BTreeMap, BTreeSet};

use table::{Index, Schema, SortKind, TTL};

/// The columns of the item table and the indexes on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// All columns that hold attributes, the `ttl` among them, in the order of the attributes.
    columns: Vec<Column>,
    /// Which of them is the `ttl`.
    ttl_at: usize,
    /// Which of them hold the indexes' partitions, in the order of the indexes.
    partitions_at: Vec<usize>,
    /// All secondary indexes.
    indexes: Vec<IndexLayout>,
}

/// A column that holds an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) attribute: String,
    /// The column's name, not quoted.
    pub(crate) name: String,
    /// Whether an index needs it, so that values are written there.
    pub(crate) in_use: bool,
}

/// An index as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct IndexLayout {
    pub(crate) name: String,
    pub(crate) partition: String,
    pub(crate) sort: String,
    pub(crate) sorts_numbers: bool,
}

/// Names that columns of attributes must not take.
const RESERVED: [&str; 4] = ["id", "pk", "sk", "body"];

impl IndexLayout {
    pub(crate) fn of(index: &Index) -> Self {
        Self {
            name: index.name.to_owned(),
            partition: index.partition.to_owned(),
            sort: index.sort.to_owned(),
            sorts_numbers: index.sort_kind == SortKind::Number,
        }
    }

    /// The name of SQLite's index, quoted.
    pub(crate) fn sql_name(&self) -> String {
        quote(&format!("index {}", self.name))
    }

    /// What the index demands of an attribute's values.
    fn demands(&self) -> [Demand; 2] {
        let sort = if self.sorts_numbers { Kind::Number } else { Kind::SortText };
        [(self.partition.clone(), Kind::PartitionText), (self.sort.clone(), sort)]
    }
}

/// An attribute and what an index demands of its values.
type Demand = (String, Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    PartitionText,
    SortText,
    Number,
}

impl Layout {
    /// The layout of a table that has these columns, besides the `ttl`, and these indexes.
    pub(crate) fn new(
        columns_by_attribute: BTreeMap<String, String>,
        mut indexes: Vec<IndexLayout>,
    ) -> Self {
        indexes.sort();
        let needed: BTreeSet<String> =
            indexes.iter().flat_map(IndexLayout::demands).map(|(attribute, _)| attribute).collect();
        let ttl = Column { attribute: TTL.to_owned(), name: TTL.to_owned(), in_use: true };
        let others = columns_by_attribute.into_iter().map(|(attribute, name)| {
            let in_use = needed.contains(&attribute);
            Column { attribute, name, in_use }
        });
        let mut columns: Vec<Column> = std::iter::once(ttl).chain(others).collect();
        columns.sort_by(|a, b| a.attribute.cmp(&b.attribute));
        let ttl_at = columns.iter().position(|column| column.attribute == TTL).unwrap_or(0);
        let position = |index: &IndexLayout| {
            columns.iter().position(|column| column.attribute == index.partition)
        };
        let partitions_at = indexes.iter().filter_map(position).collect();
        Self { columns, ttl_at, partitions_at, indexes }
    }

    /// A layout with the indexes of `schema` and a column for each of their attributes; the
    /// columns there are already stay as they are.
    pub(crate) fn for_schema(&self, schema: &Schema) -> Self {
        let indexes: Vec<_> = schema.indexes().iter().map(IndexLayout::of).collect();
        let mut columns: BTreeMap<String, String> = self
            .attribute_columns()
            .map(|column| (column.attribute.clone(), column.name.clone()))
            .collect();
        for (attribute, _) in indexes.iter().flat_map(IndexLayout::demands) {
            if attribute != TTL && !columns.contains_key(&attribute) {
                let name = free_column_name(&attribute, columns.values());
                columns.insert(attribute, name);
            }
        }
        Self::new(columns, indexes)
    }

    /// Whether items laid out for `self` may have attributes in the body, or in columns, that
    /// this other layout keeps elsewhere or that its indexes must not show.
    pub(crate) fn must_move_items_for(&self, other: &Self) -> bool {
        !other.demands().is_subset(&self.demands())
    }

    fn demands(&self) -> BTreeSet<Demand> {
        self.indexes.iter().flat_map(IndexLayout::demands).collect()
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Which of the columns is the `ttl`.
    pub(crate) fn ttl_at(&self) -> usize {
        self.ttl_at
    }

    /// Which of the columns hold the indexes' partitions.
    pub(crate) fn partitions_at(&self) -> &[usize] {
        &self.partitions_at
    }

    /// The columns but for the `ttl`, which every table has.
    pub(crate) fn attribute_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.attribute != TTL)
    }

    pub(crate) fn indexes(&self) -> &[IndexLayout] {
        &self.indexes
    }

    /// Whether values of an attribute are written to a column.
    pub(crate) fn is_written_to_column(&self, attribute: &str) -> bool {
        self.columns.iter().any(|column| column.in_use && column.attribute == attribute)
    }

    /// Whether there is a column for an attribute, in use or not.
    pub(crate) fn has_column(&self, attribute: &str) -> bool {
        self.columns.iter().any(|column| column.attribute == attribute)
    }

    /// The quoted name of the column that holds an attribute of an index.
    pub(crate) fn sql_column(&self, attribute: &str) -> String {
        let name = self
            .columns
            .iter()
            .find(|column| column.attribute == attribute)
            .map_or(attribute, |column| column.name.as_str());
        quote(name)
    }

    /// The quoted names of all columns with attributes, separated by commas.
    pub(crate) fn sql_columns(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| quote(&column.name)).collect();
        names.join(", ")
    }
}

/// A name for the column of an attribute. SQLite does not tell upper case from lower case in
/// names, and attributes do.
fn free_column_name<'n>(attribute: &str, taken: impl Iterator<Item = &'n String>) -> String {
    let taken: Vec<&str> =
        RESERVED.into_iter().chain([TTL]).chain(taken.map(String::as_str)).collect();
    // A quoted name may hold anything but a NUL.
    let mut name = attribute.replace('\0', "_");
    while taken.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
        name.push('_');
    }
    name
}

/// A name as SQLite takes it, whatever characters it has.
pub(crate) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\"").replace('\0', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> Layout {
        Layout::new(BTreeMap::new(), Vec::new())
    }

    #[test]
    fn an_attribute_of_two_indexes_has_one_column() {
        let schema =
            Schema::new(vec![Index::by_text("a", "p", "s"), Index::by_number("b", "p", "n")]);
        let layout = empty().for_schema(&schema);
        let names: Vec<_> = layout.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["n", "p", "s", "ttl"]);
    }

    #[test]
    fn attributes_that_differ_only_in_case_have_different_columns() {
        let schema = Schema::new(vec![Index::by_text("a", "Body", "BODY")]);
        let layout = empty().for_schema(&schema);
        let names: BTreeSet<_> =
            layout.columns().iter().map(|column| column.name.to_ascii_lowercase()).collect();
        assert_eq!(names.len(), 3);
        assert!(!names.contains("body"));
    }

    #[test]
    fn a_column_stays_when_its_index_goes() {
        let with = empty().for_schema(&Schema::new(vec![Index::by_text("a", "p", "s")]));
        let without = with.for_schema(&Schema::new(Vec::new()));
        assert_eq!(without.columns().len(), 3);
        assert!(without.is_written_to_column(TTL));
        assert!(!without.is_written_to_column("p"));
        assert!(!with.must_move_items_for(&without));
        assert!(without.must_move_items_for(&with));
    }
}

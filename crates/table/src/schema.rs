/// Which secondary indexes a table has. The catalog owns the one Ferrotype uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    indexes: Vec<Index>,
}

/// A global secondary index. It is sparse: an item that lacks either attribute is not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The index's name.
    pub name: &'static str,
    /// The text attribute that partitions it.
    pub partition: &'static str,
    /// The attribute that sorts each partition.
    pub sort: &'static str,
    /// What the sort attribute holds.
    pub sort_kind: SortKind,
}

/// What an index sorts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKind {
    /// Text, by the bytes of its UTF-8 form.
    Text,
    /// Numbers, by value.
    Number,
}

impl Schema {
    /// A schema with these indexes.
    pub fn new(indexes: Vec<Index>) -> Self {
        Self { indexes }
    }

    /// All indexes.
    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    /// The index of this name.
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == name)
    }
}

impl Index {
    /// An index sorted by text.
    pub const fn by_text(name: &'static str, partition: &'static str, sort: &'static str) -> Self {
        Self { name, partition, sort, sort_kind: SortKind::Text }
    }

    /// An index sorted by number.
    pub const fn by_number(
        name: &'static str,
        partition: &'static str,
        sort: &'static str,
    ) -> Self {
        Self { name, partition, sort, sort_kind: SortKind::Number }
    }
}

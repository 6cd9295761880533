use crate::item::validate_key_text;
use crate::limit::{PK_BYTES_MAX, SK_BYTES_MAX};
use crate::{
    Error, Index, Item, Key, Limit, NextKey, Number, QUERY_LIMIT_MAX, Result, SK, Schema, SortKind,
    Value,
};

/// A read of one partition of the table or of an index, in sort order, page by page.
///
/// Reads of the table see everything written before; reads of an index may lag behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The index to read; `None` reads the table itself.
    pub index: Option<&'static str>,
    /// The partition.
    pub partition: String,
    /// Which part of the partition.
    pub range: SortRange,
    /// In which order.
    pub direction: Direction,
    /// Items in a page at most.
    pub limit: usize,
    /// Where the page before this one ended.
    pub start: Option<NextKey>,
}

/// A read of the whole table in no particular order, for check, backup and move only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Items in a page at most.
    pub limit: usize,
    /// Where the page before this one ended.
    pub start: Option<NextKey>,
}

/// Which sort keys a query covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortRange {
    /// All of them.
    All,
    /// Texts that begin with this one.
    Prefix(String),
    /// From the first to the second, both included.
    Between(SortValue, SortValue),
    /// From this one on.
    From(SortValue),
    /// Up to and including this one.
    To(SortValue),
}

/// The value of a sort key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortValue {
    /// Text, by the bytes of its UTF-8 form.
    S(String),
    /// A number.
    N(Number),
}

/// The order of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest sort key first.
    Ascending,
    /// Largest sort key first.
    Descending,
}

/// What a query or scan returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The items, in order. Fewer than the limit only when the page is the last one or
    /// has reached [`PAGE_BYTES_MAX`](crate::PAGE_BYTES_MAX).
    pub items: Vec<Item>,
    /// Where the next page starts; `None` exactly when nothing follows.
    pub next: Option<NextKey>,
}

/// The keys of a page, without what the items hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPage {
    /// The keys of the items, in order; fewer than the limit only when the page is the last one.
    pub keys: Vec<Key>,
    /// As in [`Page`].
    pub next: Option<NextKey>,
}

/// The places of a page: what its items are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacePage {
    /// The sort value of each item, in order; fewer than the limit only when the page is the last one.
    pub places: Vec<SortValue>,
    /// As in [`Page`].
    pub next: Option<NextKey>,
}

impl Query {
    /// Reads a partition of the table itself, everything in it, ascending, 20 a page.
    pub fn partition(partition: impl Into<String>) -> Self {
        Self {
            index: None,
            partition: partition.into(),
            range: SortRange::All,
            direction: Direction::Ascending,
            limit: 20,
            start: None,
        }
    }

    /// Reads a partition of an index.
    pub fn index(index: &'static str, partition: impl Into<String>) -> Self {
        Self { index: Some(index), ..Self::partition(partition) }
    }

    /// Only this part of the partition.
    #[must_use]
    pub fn range(self, range: SortRange) -> Self {
        Self { range, ..self }
    }

    /// Only sort keys that begin with this text; an empty one covers all.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        let prefix = prefix.into();
        let range = if prefix.is_empty() { SortRange::All } else { SortRange::Prefix(prefix) };
        self.range(range)
    }

    /// Largest sort key first.
    #[must_use]
    pub fn descending(self) -> Self {
        Self { direction: Direction::Descending, ..self }
    }

    /// At most so many items in a page.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Goes on where a page of the same query ended.
    #[must_use]
    pub fn start(self, start: Option<NextKey>) -> Self {
        Self { start, ..self }
    }

    /// The index this query reads.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the schema has none of that name.
    pub fn resolve_index<'s>(&self, schema: &'s Schema) -> Result<Option<&'s Index>> {
        let Some(name) = self.index else { return Ok(None) };
        match schema.index(name) {
            Some(index) => Ok(Some(index)),
            None => Err(Error::invalid(format_args!("there is no index {name:?}"))),
        }
    }

    /// Checks everything that can be wrong with a query before it is sent, but for its
    /// next key, which [`NextKey::open`] checks.
    ///
    /// # Errors
    /// [`Error::Limit`] or [`Error::Invalid`], naming what is wrong.
    pub fn validate(&self, schema: &Schema) -> Result<()> {
        validate_limit(self.limit)?;
        let index = self.resolve_index(schema)?;
        validate_key_text(&self.partition, "partition", PK_BYTES_MAX, Limit::PartitionKeyBytes)?;
        self.range.validate(index.map_or(SortKind::Text, |index| index.sort_kind))
    }
}

impl Scan {
    /// Reads everything, so many items a page.
    pub fn all(limit: usize) -> Self {
        Self { limit, start: None }
    }

    /// Goes on where a page of the same scan ended.
    #[must_use]
    pub fn start(self, start: Option<NextKey>) -> Self {
        Self { start, ..self }
    }

    /// Checks what can be wrong with a scan.
    ///
    /// # Errors
    /// [`Error::Limit`] when it asks for too many items.
    pub fn validate(&self) -> Result<()> {
        validate_limit(self.limit)
    }
}

fn validate_limit(limit: usize) -> Result<()> {
    if limit == 0 || limit > QUERY_LIMIT_MAX {
        return Err(Error::limit(Limit::QueryLimit, format_args!("a page of {limit} items")));
    }
    Ok(())
}

impl SortRange {
    /// Whether the range covers this sort key.
    pub fn contains(&self, sort: &SortValue) -> bool {
        match self {
            Self::All => true,
            Self::Prefix(prefix) => {
                matches!(sort, SortValue::S(text) if text.starts_with(prefix.as_str()))
            }
            Self::Between(low, high) => low <= sort && sort <= high,
            Self::From(low) => low <= sort,
            Self::To(high) => sort <= high,
        }
    }

    fn validate(&self, kind: SortKind) -> Result<()> {
        match self {
            Self::All => Ok(()),
            Self::Prefix(_) if kind == SortKind::Number => {
                Err(Error::invalid("a prefix cannot be asked of an index sorted by number"))
            }
            Self::Prefix(prefix) => {
                validate_key_text(prefix, "prefix", SK_BYTES_MAX, Limit::SortKeyBytes)
            }
            Self::Between(low, high) if low > high => {
                Err(Error::invalid(format_args!("the range {low:?} to {high:?} is empty")))
            }
            Self::Between(low, high) => low.validate(kind).and_then(|()| high.validate(kind)),
            Self::From(bound) | Self::To(bound) => bound.validate(kind),
        }
    }
}

impl SortValue {
    /// The sort value an attribute's value gives, if it can be one.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::S(text) => Some(Self::S(text.clone())),
            Value::N(number) => Some(Self::N(*number)),
            _ => None,
        }
    }

    fn validate(&self, kind: SortKind) -> Result<()> {
        match (kind, self) {
            (SortKind::Text, Self::S(text)) => {
                validate_key_text(text, SK, SK_BYTES_MAX, Limit::SortKeyBytes)
            }
            (SortKind::Number, Self::N(_)) => Ok(()),
            (SortKind::Text, Self::N(_)) => Err(Error::invalid("the range must be of texts")),
            (SortKind::Number, Self::S(_)) => Err(Error::invalid("the range must be of numbers")),
        }
    }
}

impl From<&str> for SortValue {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

impl From<String> for SortValue {
    fn from(text: String) -> Self {
        Self::S(text)
    }
}

impl From<i64> for SortValue {
    fn from(int: i64) -> Self {
        Self::N(int.into())
    }
}

impl Page {
    /// A page with nothing in it and nothing after it.
    pub fn empty() -> Self {
        Self { items: Vec::new(), next: None }
    }
}

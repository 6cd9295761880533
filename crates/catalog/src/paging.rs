use std::future::Future;

use table::{KeyPage, NextKey, Page, Query, Table};

use crate::places::read_places;

use crate::{Error, Result};

/// Where a list goes on. Opaque, and not secret: whoever hands it out signs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(String);

impl Cursor {
    /// A cursor from its text; whether it fits shows when it is used.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The cursor as URL-safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn next_key(&self) -> NextKey {
        NextKey::from_text(&self.0)
    }
}

impl From<NextKey> for Cursor {
    fn from(next: NextKey) -> Self {
        Self(next.as_str().to_owned())
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<T> {
    /// The entries, in order.
    pub entries: Vec<T>,
    /// Where the next page starts; `None` when nothing follows.
    pub next: Option<Cursor>,
}

/// Which page of a list, and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Entries at most.
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<Cursor>,
}

impl PageRequest {
    /// The first page.
    pub fn first(limit: usize) -> Self {
        Self { limit, cursor: None }
    }

    /// The page after one that ended at `cursor`.
    pub fn after(limit: usize, cursor: Option<Cursor>) -> Self {
        Self { limit, cursor }
    }
}

/// Reads pages of `query` until enough of what `keep` makes of them is collected. Entries
/// that `keep` drops do not count, so a page is short only at the end of the list.
pub(crate) async fn collect<T, F, Kept>(
    table: &dyn Table,
    query: Query,
    page: &PageRequest,
    keep: F,
) -> Result<Listed<T>>
where
    F: Fn(Page) -> Kept,
    Kept: Future<Output = Result<Vec<T>>>,
{
    let mut all = Collected::of(page);
    while let Some(query) = all.next(&query) {
        let mut found = table.query(&query).await.map_err(of_query)?;
        let next = found.next.take();
        all.add(keep(found).await?, next);
    }
    Ok(all.listed())
}

/// The same for those to whom it is enough where in the index an item stands.
pub(crate) async fn collect_places<T, F, Kept>(
    table: &dyn Table,
    index: &'static str,
    query: Query,
    page: &PageRequest,
    keep: F,
) -> Result<Listed<T>>
where
    F: Fn(Vec<String>) -> Kept,
    Kept: Future<Output = Result<Vec<T>>>,
{
    let mut all = Collected::of(page);
    while let Some(query) = all.next(&query) {
        let (found, next) = read_places(table, index, query).await.map_err(of_query)?;
        all.add(keep(found).await?, next);
    }
    Ok(all.listed())
}

/// What was collected for a page, and where reading goes on.
struct Collected<T> {
    entries: Vec<T>,
    limit: usize,
    start: Option<NextKey>,
    is_done: bool,
}

impl<T> Collected<T> {
    fn of(page: &PageRequest) -> Self {
        let start = page.cursor.as_ref().map(Cursor::next_key);
        Self { entries: Vec::new(), limit: page.limit, start, is_done: false }
    }

    /// What to read next, unless that is enough.
    fn next(&mut self, query: &Query) -> Option<Query> {
        let missing = self.limit.saturating_sub(self.entries.len());
        (!self.is_done).then(|| query.clone().limit(missing).start(self.start.take()))
    }

    fn add(&mut self, kept: Vec<T>, next: Option<NextKey>) {
        self.entries.extend(kept);
        self.is_done = next.is_none() || self.entries.len() >= self.limit;
        self.start = next;
    }

    fn listed(self) -> Listed<T> {
        Listed { entries: self.entries, next: self.start.map(Cursor::from) }
    }
}

/// The keys of a page of `query`, if the table finds them more cheaply than the items.
pub(crate) async fn find_keys(
    table: &dyn Table,
    query: Query,
    page: &PageRequest,
) -> Result<Option<KeyPage>> {
    let start = page.cursor.as_ref().map(Cursor::next_key);
    table.query_keys(&query.limit(page.limit).start(start)).await.map_err(of_query)
}

/// A next key comes from a cursor.
fn of_query(error: table::Error) -> Error {
    match error {
        table::Error::BadNextKey => Error::BadCursor,
        error => error.into(),
    }
}

/// The order of a list by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
}

impl Order {
    pub(crate) fn of(self, query: Query) -> Query {
        match self {
            Self::Newest => query.descending(),
            Self::Oldest => query,
        }
    }
}

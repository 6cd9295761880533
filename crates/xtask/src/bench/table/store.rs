//! What both sides are asked, in the words of the table.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use table::{Item, Key, NextKey};

use crate::Outcome;
use crate::dataset::Edit;

/// Who keeps the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Embedded,
    Postgres,
}

impl Side {
    /// In the order of every round.
    pub const BOTH: [Self; 2] = [Self::Embedded, Self::Postgres];
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedded => "embedded",
            Self::Postgres => "PostgreSQL",
        })
    }
}

/// One table of one side.
#[async_trait]
pub trait Store: Send + Sync {
    /// A session for one task that reads or writes.
    async fn session(&self) -> Outcome<Box<dyn Session>>;

    /// Stores many new items, as fast as an importer could, and returns how long it took
    /// until the last one was durable.
    async fn load(&self, items: Vec<Item>) -> Outcome<Duration>;

    /// Takes items away and leaves no work behind that could disturb what is measured next.
    async fn remove(&self, keys: &[Key]) -> Outcome;

    /// Does after a load what its background work would do sooner or later.
    async fn settle(&self) -> Outcome;

    /// Bytes on the disk, the indexes included, without logs.
    async fn size_bytes(&self) -> Outcome<u64>;
}

/// What one task does, one request after the other.
#[async_trait]
pub trait Session: Send {
    async fn get(&mut self, key: &Key) -> Outcome<Option<Item>>;

    /// A user's newest 20 images, or the 20 after the end of a page.
    async fn newest(&mut self, partition: &str, after: Option<&PageEnd>) -> Outcome<NewestPage>;

    /// Stores an item, whatever was there.
    async fn put(&mut self, item: Item) -> Outcome;

    /// Changes an image if it still has the version it had; says whether it had.
    async fn update(&mut self, edit: Edit) -> Outcome<bool>;
}

/// Items on a page of newest images.
pub const PAGE_ITEMS: usize = 20;

#[derive(Debug)]
pub struct NewestPage {
    pub items: Vec<Item>,
    /// Nothing when no page follows.
    pub end: Option<PageEnd>,
}

/// Where a page ended, as each side needs it to go on.
#[derive(Clone, Debug)]
pub enum PageEnd {
    Embedded(NextKey),
    Postgres { place: String, key: Key },
}

//! Timelines: how many images stand in which hour, and what shape each has, without a look at
//! the images.
//!
//! Every transaction that puts an image to another place, or gives it another shape, also counts
//! it: in the row of its month and in that of its hour, as a number of images and as the sum of
//! their hashes. So what is in an hour is known exactly, whatever an index shows; and what was
//! made of an hour can be kept for as long as its sums are the same. Made are hours from the
//! index, and months from hours; months are also kept as rows, so that a restart does not read a
//! million images.

mod build;
mod chunk;
mod hour;
mod load;
mod prepare;
mod repair;
mod saved;
mod sums;

use std::sync::Arc;

use model::{Month, TimelineOrder, UserId};
use table::{Key, Query};

pub use hour::Hour;
use sums::Sums;
pub(crate) use sums::counted;

use crate::{Catalog, Result, Stamp, keys};

/// All images of a user in one order, newest first.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// What it is ordered by.
    pub order: TimelineOrder,
    /// Its months, newest first; none is empty.
    pub months: Vec<Arc<TimelineMonth>>,
    /// The state of the counts before they were read.
    stamp: Option<Stamp>,
}

/// A month of a timeline.
#[derive(Clone, Debug)]
pub struct TimelineMonth {
    /// Which month.
    pub month: Month,
    /// Its hours, newest first; none is empty.
    pub hours: Vec<Hour>,
    sums: Sums,
    /// Images that were read since what was made of the month was last kept.
    unsaved: usize,
}

impl Timeline {
    /// A timeline of some months, which are in order.
    pub fn of_months(order: TimelineOrder, months: Vec<Arc<TimelineMonth>>) -> Self {
        Self { order, months, stamp: None }
    }

    /// How many images there are.
    pub fn count(&self) -> usize {
        self.months.iter().map(|month| month.count()).sum()
    }

    /// Changes whenever one of its months does.
    pub fn tag(&self) -> u64 {
        self.months.iter().fold(self.months.len() as u64, |tag, month| {
            sums::mix(tag ^ month.tag() ^ u64::from(month.month.number().unsigned_abs()))
        })
    }

    /// The month, if it has images.
    pub fn month(&self, month: Month) -> Option<&Arc<TimelineMonth>> {
        // Newest first.
        let found = self.months.binary_search_by(|known| month.cmp(&known.month)).ok()?;
        self.months.get(found)
    }
}

impl TimelineMonth {
    /// How many images there are.
    pub fn count(&self) -> usize {
        usize::try_from(self.sums.count).unwrap_or(0)
    }

    /// Changes whenever an image comes, goes, moves or takes another shape.
    pub fn tag(&self) -> u64 {
        self.sums.tag()
    }

    fn of(month: Month, mut hours: Vec<Hour>, unsaved: usize) -> Self {
        hours.retain(|hour| !hour.shapes.is_empty());
        hours.sort_by_key(|hour| std::cmp::Reverse(hour.hour));
        let sums = hours.iter().map(Hour::sums).sum();
        Self { month, hours, sums, unsaved }
    }

    fn hour(&self, hour: i32) -> Option<&Hour> {
        let found = self.hours.binary_search_by(|known| hour.cmp(&known.hour)).ok()?;
        self.hours.get(found)
    }
}

impl Catalog {
    /// Removes everything that is counted and kept of a user who is erased.
    pub(crate) async fn remove_timeline(&self, user: UserId) -> Result<()> {
        let partition = keys::timeline(user);
        let rows = self.load_partition(Query::partition(partition)).await?;
        for month in rows.iter().filter_map(|row| row.key.sk.parse::<Month>().ok()) {
            self.remove_found(Query::partition(keys::timeline_hours(user, month))).await?;
        }
        let rows: Vec<Key> = rows.into_iter().map(|row| row.key).collect();
        self.remove_rows(&rows).await
    }
}

//! Images one after the other, newest first, from places in indexes that are in this order.

use std::collections::VecDeque;

use table::{Query, SortRange};

use super::budget::Budget;
use super::position::{From, Position};
use crate::places::{READ_MAX, read_places, sort_text};
use crate::schema::GLOBAL;
use crate::{Catalog, Result, keys};

/// Entries of one place of an index, which can be read from any position on.
pub(super) struct Stream {
    source: Source,
    /// What was read and not taken yet.
    ready: VecDeque<Position>,
    /// Where reading goes on.
    from: From,
    is_done: bool,
    /// How many to read next: few where most is skipped, many where all is taken.
    read_next: usize,
}

enum Source {
    Place(Place),
    /// The months of the feed, newest first, once they are known.
    Feed(Option<Vec<String>>),
}

/// A partition of an index, and what the sort keys begin with that are meant. A position follows.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) index: &'static str,
    pub(super) partition: String,
    pub(super) prefix: String,
}

const READ_MIN: usize = 16;

impl Stream {
    pub(super) fn of_place(place: Place, from: &From) -> Self {
        Self::of(Source::Place(place), from)
    }

    /// Everything that is shared with everybody.
    pub(super) fn of_feed(from: &From) -> Self {
        Self::of(Source::Feed(None), from)
    }

    fn of(source: Source, from: &From) -> Self {
        let (ready, is_done) = (VecDeque::new(), false);
        Self { source, ready, from: from.clone(), is_done, read_next: READ_MIN }
    }

    /// Reads until this many are ready, or all that there are. Says whether they are all.
    pub(super) async fn fill(
        &mut self,
        catalog: &Catalog,
        wanted: usize,
        budget: &mut Budget,
    ) -> Result<bool> {
        while !self.is_done && self.ready.len() < wanted {
            let missing = wanted - self.ready.len();
            self.read(catalog, missing.min(table::QUERY_LIMIT_MAX), budget).await?;
        }
        Ok(self.is_done)
    }

    /// All that are ready.
    pub(super) fn ready(&self) -> impl Iterator<Item = &Position> {
        self.ready.iter()
    }

    /// The newest that is not newer than `limit`; skips all that are.
    pub(super) async fn head(
        &mut self,
        catalog: &Catalog,
        limit: &From,
        budget: &mut Budget,
    ) -> Result<Option<&Position>> {
        let had_some = !self.ready.is_empty();
        while self.ready.front().is_some_and(|position| !limit.covers(position)) {
            self.ready.pop_front();
        }
        if self.ready.is_empty() && !self.is_done {
            let is_further = match &self.from {
                From::Newest => true,
                From::At(reached) | From::Behind(reached) => !limit.covers(reached),
            };
            if is_further {
                self.from = limit.clone();
                self.read_next = READ_MIN;
            } else if had_some {
                self.read_next = (self.read_next * 2).min(READ_MAX);
            }
            while self.ready.is_empty() && !self.is_done {
                self.read(catalog, self.read_next, budget).await?;
            }
        }
        Ok(self.ready.front())
    }

    async fn read(&mut self, catalog: &Catalog, limit: usize, budget: &mut Budget) -> Result<()> {
        let (found, is_done) = match &mut self.source {
            Source::Place(place) => place.read(catalog, &self.from, limit).await?,
            Source::Feed(months) => read_feed(catalog, months, &self.from, limit).await?,
        };
        budget.query(found.len());
        self.is_done = is_done;
        for position in found {
            // A person may have several faces in one image, and a tag the same word twice.
            if self.ready.back() != Some(&position) && self.from.covers(&position) {
                self.from = From::Behind(position.clone());
                self.ready.push_back(position);
            }
        }
        Ok(())
    }
}

impl Place {
    /// Up to `limit` positions, newest first, and whether these are all.
    async fn read(
        &self,
        catalog: &Catalog,
        from: &From,
        limit: usize,
    ) -> Result<(Vec<Position>, bool)> {
        let query = Query::index(self.index, &*self.partition).descending().limit(limit);
        let query = match from.bound() {
            None => query.prefix(&*self.prefix),
            Some(bound) => {
                let last = format!("{}{bound}", self.prefix);
                query.range(SortRange::Between(self.prefix.as_str().into(), last.into()))
            }
        };
        let (places, next) = read_places(&*catalog.table, self.index, query).await?;
        let position_of = |place: &String| Position::at_start_of(place.strip_prefix(&self.prefix)?);
        Ok((places.iter().filter_map(position_of).collect(), next.is_none()))
    }
}

async fn read_feed(
    catalog: &Catalog,
    months: &mut Option<Vec<String>>,
    from: &From,
    limit: usize,
) -> Result<(Vec<Position>, bool)> {
    if months.is_none() {
        *months = Some(catalog.feed_months(None).await?);
    }
    let bound = from.bound();
    let newest = bound.as_deref().and_then(|bound| bound.get(..7));
    let after = bound.as_deref().map(|bound| format!("{}{bound}", keys::UPLOADED));
    let mut found = Vec::new();
    let all = months.as_deref().unwrap_or_default();
    for month in all.iter().filter(|month| newest.is_none_or(|newest| month.as_str() <= newest)) {
        let missing = limit - found.len();
        let rows = catalog.read_feed_month(month, after.as_deref(), missing).await?;
        let positions = rows.iter().filter_map(|row| {
            Position::at_start_of(sort_text(row, GLOBAL)?.strip_prefix(keys::UPLOADED)?)
        });
        found.extend(positions);
        if rows.len() >= missing {
            return Ok((found, false));
        }
    }
    Ok((found, true))
}

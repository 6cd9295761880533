//! Something that must be true of everything that is found, as places in indexes where all such
//! images stand. Others may stand there, too.

use std::collections::BTreeSet;

use table::{Item, NextKey, Query, SortRange, Value};

use super::budget::Budget;
use super::position::{From, Position};
use super::stream::{Place, Stream};
use crate::favourites::POSITION;
use crate::places::read_places;
use crate::{Catalog, Result, keys};

/// Images that stand in any of some places.
pub(super) struct Condition {
    streams: Vec<Stream>,
    ranges: Vec<Range>,
    /// Whether all that it is true of stand there.
    is_whole: bool,
    from: From,
}

impl Condition {
    pub(super) fn new(from: &From) -> Self {
        let (streams, ranges) = (Vec::new(), Vec::new());
        Self { streams, ranges, is_whole: true, from: from.clone() }
    }

    pub(super) fn add_place(&mut self, place: Place) {
        self.streams.push(Stream::of_place(place, &self.from));
    }

    pub(super) fn add_feed(&mut self) {
        self.streams.push(Stream::of_feed(&self.from));
    }

    pub(super) fn add_range(&mut self, range: Range) {
        self.ranges.push(range);
    }

    /// Says that there is more than the places show.
    pub(super) fn leave_open(&mut self) {
        self.is_whole = false;
    }

    /// Whether [`head`](Self::head) tells everything.
    pub(super) fn is_in_order(&self) -> bool {
        self.is_whole && self.ranges.is_empty()
    }

    /// All images, if there are no more than `bound`.
    pub(super) async fn close(
        &mut self,
        catalog: &Catalog,
        bound: usize,
    ) -> Result<Option<BTreeSet<Position>>> {
        if !self.is_whole {
            return Ok(None);
        }
        let (mut count, mut budget) = (0, Budget::unlimited());
        for stream in &mut self.streams {
            let is_all = stream.fill(catalog, bound + 1 - count, &mut budget).await?;
            count += stream.ready().count();
            if !is_all || count > bound {
                return Ok(None);
            }
        }
        for range in &mut self.ranges {
            let is_all = range.fill(catalog, bound + 1 - count).await?;
            count += range.found.len();
            if !is_all || count > bound {
                return Ok(None);
            }
        }
        let in_streams = self.streams.iter().flat_map(Stream::ready);
        let in_ranges = self.ranges.iter().flat_map(|range| &range.found);
        let all = in_streams.chain(in_ranges).filter(|position| self.from.covers(position));
        Ok(Some(all.cloned().collect()))
    }

    /// Puts a stream for each of their words in the place of ranges, where these are few.
    pub(super) async fn put_in_order(&mut self, catalog: &Catalog) -> Result<()> {
        let mut places = Vec::new();
        for range in &self.ranges {
            let room = catalog.search_limits.words.saturating_sub(places.len());
            let Some(words) = range.places(catalog, room).await? else {
                return Ok(());
            };
            places.extend(words);
        }
        self.ranges.clear();
        places.into_iter().for_each(|place| self.add_place(place));
        Ok(())
    }

    /// The newest image that is not newer than `limit`, of those in streams.
    pub(super) async fn head(
        &mut self,
        catalog: &Catalog,
        limit: &From,
        budget: &mut Budget,
    ) -> Result<Option<Position>> {
        let mut newest: Option<Position> = None;
        for stream in &mut self.streams {
            let head = stream.head(catalog, limit, budget).await?;
            if head > newest.as_ref() {
                newest = head.cloned();
            }
        }
        Ok(newest)
    }
}

/// Entries of an index that are not in the order of images.
pub(super) struct Range {
    index: &'static str,
    partition: String,
    first: String,
    last: String,
    kind: RangeKind,
    found: Vec<Position>,
    next: Option<NextKey>,
    is_done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeKind {
    /// The position follows a word.
    Words,
    /// The position is an attribute.
    Marks,
}

impl Range {
    /// All entries of words that begin with a text.
    pub(super) fn of_words(index: &'static str, partition: String, prefix: &str) -> Self {
        Self::of_words_between(index, partition, prefix, &format!("{prefix}{LAST}"))
    }

    /// All entries of words from one to another.
    pub(super) fn of_words_between(
        index: &'static str,
        partition: String,
        first: &str,
        last: &str,
    ) -> Self {
        Self::new(index, partition, first, last, RangeKind::Words)
    }

    /// All entries whose places begin with a text, and that carry their positions.
    pub(super) fn of_marks(index: &'static str, partition: String, prefix: &str) -> Self {
        Self::new(index, partition, prefix, &format!("{prefix}{LAST}"), RangeKind::Marks)
    }

    fn new(
        index: &'static str,
        partition: String,
        first: &str,
        last: &str,
        kind: RangeKind,
    ) -> Self {
        let (first, last) = (first.to_owned(), last.to_owned());
        let (found, next, is_done) = (Vec::new(), None, false);
        Self { index, partition, first, last, kind, found, next, is_done }
    }

    async fn fill(&mut self, catalog: &Catalog, wanted: usize) -> Result<bool> {
        while !self.is_done && self.found.len() < wanted {
            let limit = (wanted - self.found.len()).min(table::QUERY_LIMIT_MAX);
            let query = self.query(&self.first).limit(limit).start(self.next.take());
            let (found, next) = match self.kind {
                RangeKind::Words => read_places(&*catalog.table, self.index, query).await?,
                RangeKind::Marks => read_marks(catalog, &query).await?,
            };
            let position_of = |text: &String| match self.kind {
                RangeKind::Words => Position::at_start_of(text.split_once(keys::WORD_END)?.1),
                RangeKind::Marks => Position::at_start_of(text),
            };
            self.found.extend(found.iter().filter_map(position_of));
            self.next = next;
            self.is_done = self.next.is_none();
        }
        Ok(self.is_done)
    }

    fn query(&self, first: &str) -> Query {
        let range = SortRange::Between(first.into(), self.last.as_str().into());
        Query::index(self.index, &*self.partition).range(range)
    }

    /// A place for each word, if they are no more than `count`. Skips from word to word.
    async fn places(&self, catalog: &Catalog, count: usize) -> Result<Option<Vec<Place>>> {
        if self.kind != RangeKind::Words {
            return Ok(None);
        }
        let mut places = Vec::new();
        let mut first = self.first.clone();
        while first <= self.last {
            let query = self.query(&first).limit(1);
            let (found, _) = read_places(&*catalog.table, self.index, query).await?;
            let Some(place) = found.first() else { break };
            let word = place.split_once(keys::WORD_END).map_or(place.as_str(), |(word, _)| word);
            if places.len() == count {
                return Ok(None);
            }
            let (index, partition) = (self.index, self.partition.clone());
            places.push(Place { index, partition, prefix: keys::word_place(word, "") });
            first = keys::behind_word(word);
        }
        Ok(Some(places))
    }
}

/// The positions that the items of a query carry, and where the next page starts.
async fn read_marks(catalog: &Catalog, query: &Query) -> Result<(Vec<String>, Option<NextKey>)> {
    let page = catalog.table.query(query).await?;
    let position = |item: &Item| match item.attributes.value(POSITION) {
        Some(Value::S(position)) => Some(position),
        _ => None,
    };
    Ok((page.items.iter().filter_map(position).collect(), page.next))
}

/// Sorts behind everything else that a key may go on with.
const LAST: char = char::MAX;

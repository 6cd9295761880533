//! Entries that need to know nothing of the table: puts and deletes without conditions.
//!
//! All that can be done for them before they are queued is done by their callers, so that the
//! one thread that writes has less to do. Those that follow each other in a batch are written
//! together, in the order that suits the indexes.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use table::{BatchEntry, Effect, Error, Key, Transacted};

use crate::entry::{Answer, Answered, Reply, Spent, Step};
use crate::layout::Layout;
use crate::row::NewRow;

/// What an entry asks for, and where its outcome goes.
#[derive(Debug)]
pub(crate) struct BlindEntry {
    pub(crate) steps: Vec<BlindStep>,
    pub(crate) answer: BlindAnswer,
}

/// Where the outcome of such an entry goes.
#[derive(Debug)]
pub(crate) enum BlindAnswer {
    Transacted(Answer<Transacted>),
    Written(Answer<()>),
}

/// A step, and what its caller has worked out about its place.
#[derive(Debug)]
pub(crate) struct BlindStep {
    pub(crate) step: Step,
    /// The same for steps of the same item.
    item: u64,
    /// The same for rows that stand together in the first index they are in.
    group: u64,
}

impl BlindStep {
    pub(crate) fn of_effect(effect: Effect, layout: &Layout) -> Option<Result<Self, Error>> {
        match effect {
            Effect::Put(item) => Some(NewRow::of(item, layout).map(|row| Self::put(row, layout))),
            Effect::Delete(key) => Some(Ok(Self::delete(key))),
            Effect::Update(..) | Effect::Check(_) => None,
        }
    }

    fn of_entry(entry: BatchEntry, layout: &Layout) -> Result<Self, Error> {
        match entry {
            BatchEntry::Put(item) => NewRow::of(item, layout).map(|row| Self::put(row, layout)),
            BatchEntry::Delete(key) => Ok(Self::delete(key)),
        }
    }

    fn put(row: NewRow, layout: &Layout) -> Self {
        let (item, group) = (digest(&row.key()), digest(&row.first_partition(layout)));
        Self { step: Step::Put(row), item, group }
    }

    fn delete(key: Key) -> Self {
        let item = digest(&[key.pk.as_bytes(), key.sk.as_bytes()]);
        Self { step: Step::Delete(key), item, group: 0 }
    }
}

/// The steps of a batch of writes.
pub(crate) fn batch_steps(
    entries: Vec<BatchEntry>,
    layout: &Layout,
) -> Result<Vec<BlindStep>, Error> {
    entries.into_iter().map(|entry| BlindStep::of_entry(entry, layout)).collect()
}

impl BlindEntry {
    /// Answers the entry when the batch is committed, or has failed.
    pub(crate) fn into_reply(self) -> Reply {
        Box::new(move |error| self.reply(error))
    }

    pub(crate) fn reply(self, error: Option<Error>) {
        let Self { steps, answer } = self;
        let spent = Spent { blind: steps, ..Spent::default() };
        match answer {
            BlindAnswer::Transacted(answer) => {
                let outcome = error.map_or(Ok(Transacted::Done), Err);
                let _ = answer.send(Answered { outcome, spent });
            }
            BlindAnswer::Written(answer) => {
                let outcome = error.map_or(Ok(()), Err);
                let _ = answer.send(Answered { outcome, spent });
            }
        }
    }
}

/// In which order the steps of some entries are written. Rows that stand together in an index
/// follow each other: the pages to change are then at hand, and whoever reads them together
/// finds them together. Its memory is used again and again.
#[derive(Debug, Default)]
pub(crate) struct WritingOrder {
    places: Vec<Place>,
}

/// A step of an entry.
#[derive(Debug)]
struct Place {
    item: u64,
    group: u64,
    entry: usize,
    step: usize,
}

impl WritingOrder {
    /// Orders the steps of these entries so that they leave the table as their own order does.
    pub(crate) fn set(&mut self, entries: &[BlindEntry]) {
        self.places.clear();
        for (entry, BlindEntry { steps, .. }) in entries.iter().enumerate() {
            let places = steps.iter().enumerate().map(|(step, BlindStep { item, group, .. })| {
                Place { item: *item, group: *group, entry, step }
            });
            self.places.extend(places);
        }
        // Only steps of different items may change places. Items that merely seem to be the same
        // do no harm.
        self.places.sort_unstable_by_key(|place| place.item);
        if self.places.array_windows().all(|[one, next]| one.item != next.item) {
            self.places.sort_unstable_by_key(|place| (place.group, place.entry, place.step));
        } else {
            self.places.sort_unstable_by_key(|place| (place.entry, place.step));
        }
    }

    /// The steps of the entries it was set for.
    pub(crate) fn steps<'e>(&self, entries: &'e [BlindEntry]) -> impl Iterator<Item = &'e Step> {
        let steps = self.places.iter().map(|Place { entry, step, .. }| {
            entries.get(*entry).and_then(|entry| entry.steps.get(*step))
        });
        steps.flatten().map(|step| &step.step)
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use table::{Index, Item, Schema};
    use tokio::sync::oneshot;

    use super::*;

    fn layout() -> Layout {
        let schema = Schema::new(vec![Index::by_text("owners", "owner", "place")]);
        Layout::new(BTreeMap::new(), Vec::new()).for_schema(&schema)
    }

    fn put(name: &str, owner: &str) -> BatchEntry {
        BatchEntry::Put(Item::new(Key::new(name, "-")).with("owner", owner).with("place", name))
    }

    fn delete(name: &str) -> BatchEntry {
        BatchEntry::Delete(Key::new(name, "-"))
    }

    fn entry(steps: Vec<BatchEntry>) -> BlindEntry {
        let steps = batch_steps(steps, &layout()).unwrap();
        BlindEntry { steps, answer: BlindAnswer::Written(oneshot::channel().0) }
    }

    /// The items in the order in which they are written.
    fn written(entries: &[BlindEntry]) -> Vec<String> {
        let mut order = WritingOrder::default();
        order.set(entries);
        let name = |step: &Step| match step {
            Step::Put(row) => String::from_utf8(row.key()[0].to_vec()).unwrap(),
            Step::Delete(key) => format!("-{}", key.pk),
            Step::Replace(..) => panic!("nobody asked for this"),
        };
        order.steps(entries).map(name).collect()
    }

    #[test]
    fn rows_of_one_partition_follow_each_other() {
        let entries = [
            entry(vec![put("a", "one"), put("b", "two"), put("c", "three")]),
            entry(vec![put("d", "one"), put("e", "two"), put("f", "three")]),
        ];
        let written = written(&entries);
        assert_eq!(written.len(), 6);
        for pair in [["a", "d"], ["b", "e"], ["c", "f"]] {
            assert!(written.windows(2).any(|names| names == pair), "{written:?}");
        }
    }

    #[test]
    fn nothing_changes_places_when_an_item_comes_twice() {
        let entries = [
            entry(vec![put("a", "one"), put("b", "two"), put("c", "three")]),
            entry(vec![put("d", "one"), delete("a"), put("e", "two")]),
            entry(vec![put("a", "three")]),
        ];
        assert_eq!(written(&entries), ["a", "b", "c", "d", "-a", "e", "a"]);
    }
}

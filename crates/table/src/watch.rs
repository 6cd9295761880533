//! Whether a partition was written to since somebody last looked.
//!
//! Who keeps something that was made of items wants to know whether the items are still the
//! same, without reading them. An engine that sees every write of its table can tell: it counts,
//! for each partition, the writes that touched it. Partitions share counters by a hash, so that
//! a counter may move without need, but never stays when it ought to move.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells whether partitions have changed. Of use only to an engine through which all writes go.
pub struct Watch {
    /// Twice the writes to its partitions; odd while a commit that touches one is under way.
    counters: Box<[AtomicU64]>,
    hasher: RandomState,
}

/// The state of a partition at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    slot: u32,
    count: u64,
}

/// The partitions that the next commit will touch, each as often as writes touch it.
#[derive(Debug)]
pub struct Touched<'w> {
    watch: &'w Watch,
    /// Counter and number of the write.
    slots: Vec<(u32, u32)>,
    writes: u32,
}

/// A commit under way; it ends when this is dropped, however it ended.
#[derive(Debug)]
pub struct Committing<'w>(Touched<'w>);

/// Two megabytes: of a hundred thousand partitions that somebody watches, one write in three to
/// another one disturbs one.
const COUNTERS: u32 = 1 << 18;

impl Watch {
    /// A watch over a table that nobody has read yet.
    pub fn new() -> Self {
        let counters = (0..COUNTERS).map(|_| AtomicU64::new(0)).collect();
        Self { counters, hasher: RandomState::new() }
    }

    /// The state of a partition, to be asked for *before* it is read; none while a commit to it is
    /// under way. What was read afterwards is what a reader would find as long as the stamp is
    /// [current](Self::is_current), but for items that expire, which is no write.
    pub fn stamp(&self, partition: &str) -> Option<Stamp> {
        let slot = self.slot(partition.as_bytes());
        let count = self.count(slot);
        count.is_multiple_of(2).then_some(Stamp { slot, count })
    }

    /// Whether no commit has touched the partition since, and none is about to.
    pub fn is_current(&self, stamp: Stamp) -> bool {
        self.count(stamp.slot) == stamp.count
    }

    /// Begins to note what the next commit touches.
    pub fn touched(&self) -> Touched<'_> {
        Touched { watch: self, slots: Vec::new(), writes: 0 }
    }

    fn slot(&self, partition: &[u8]) -> u32 {
        // Which bits are left out does not matter.
        u32::try_from(self.hasher.hash_one(partition) % u64::from(COUNTERS)).unwrap_or(0)
    }

    fn count(&self, slot: u32) -> u64 {
        // A counter that is not there is always odd, and nothing is kept by it.
        self.counter(slot).map_or(1, |counter| counter.load(Ordering::SeqCst))
    }

    fn counter(&self, slot: u32) -> Option<&AtomicU64> {
        self.counters.get(usize::try_from(slot).ok()?)
    }
}

impl Stamp {
    /// The state after one write. Who has taken a stamp, read an item, and then written it once on
    /// the condition that it still is what was read, knows what is there as long as this is
    /// [current](Watch::is_current): nobody else has written anything.
    #[must_use]
    pub fn after_one_write(self) -> Self {
        Self { count: self.count + 2, ..self }
    }
}

impl<'w> Touched<'w> {
    /// Notes the partitions that one write touches, however often it touches each.
    pub fn add_write<P: AsRef<[u8]>>(&mut self, partitions: impl IntoIterator<Item = P>) {
        let slots = partitions.into_iter().map(|partition| self.watch.slot(partition.as_ref()));
        self.slots.extend(slots.map(|slot| (slot, self.writes)));
        self.writes += 1;
    }

    /// Begins the commit, before any of it can be seen. There is one at a time.
    #[must_use]
    pub fn commit(mut self) -> Committing<'w> {
        self.slots.sort_unstable();
        self.slots.dedup();
        self.count(|_| 1);
        Committing(self)
    }

    /// Adds to each counter what is to be added for so many writes.
    fn count(&self, to_add: impl Fn(u64) -> u64) {
        for writes in self.slots.chunk_by(|(one, _), (next, _)| one == next) {
            let slot = writes.first().map(|(slot, _)| *slot);
            if let Some(counter) = slot.and_then(|slot| self.watch.counter(slot)) {
                counter.fetch_add(to_add(writes.len() as u64), Ordering::SeqCst);
            }
        }
    }
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        self.0.count(|writes| 2 * writes - 1);
    }
}

impl Default for Watch {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit<'w>(watch: &'w Watch, writes: &[&[&str]]) -> Committing<'w> {
        let mut touched = watch.touched();
        writes.iter().for_each(|partitions| touched.add_write(*partitions));
        touched.commit()
    }

    #[test]
    fn a_stamp_is_current_until_its_partition_is_touched() {
        let watch = Watch::new();
        let stamp = watch.stamp("a").unwrap();
        assert!(watch.is_current(stamp));
        assert_eq!(watch.stamp("a"), Some(stamp));
        drop(commit(&watch, &[&["a"]]));
        assert!(!watch.is_current(stamp));
        let next = watch.stamp("a").unwrap();
        assert_ne!(next, stamp);
        assert!(watch.is_current(next));
    }

    #[test]
    fn one_write_is_told_from_two_even_in_one_commit() {
        let watch = Watch::new();
        let after_one = || watch.stamp("a").unwrap().after_one_write();
        let stamp = after_one();
        assert!(!watch.is_current(stamp), "before the write");
        let committing = commit(&watch, &[&["a", "b", "a"]]);
        assert!(!watch.is_current(stamp), "while it is written");
        drop(committing);
        assert!(watch.is_current(stamp));
        assert_eq!(watch.stamp("a"), Some(stamp));

        let stamp = after_one();
        let committing = commit(&watch, &[&["a", "b"], &["a"]]);
        assert!(!watch.is_current(stamp), "while both are written");
        drop(committing);
        assert!(!watch.is_current(stamp), "somebody else has written, too");

        let stamp = after_one();
        drop(commit(&watch, &[&["a"]]));
        drop(commit(&watch, &[&["a"]]));
        assert!(!watch.is_current(stamp));
    }

    #[test]
    fn nothing_is_current_while_a_commit_is_under_way() {
        let watch = Watch::new();
        let stamp = watch.stamp("a").unwrap();
        let committing = commit(&watch, &[&["a"]]);
        assert!(!watch.is_current(stamp));
        assert_eq!(watch.stamp("a"), None);
        drop(committing);
        assert!(!watch.is_current(stamp));
        assert!(watch.stamp("a").is_some());
    }

    #[test]
    fn other_partitions_are_hardly_disturbed() {
        let watch = Watch::new();
        let stamps: Vec<_> = (0..1000).filter_map(|n| watch.stamp(&n.to_string())).collect();
        drop(commit(&watch, &[&["a", "b", "c"]]));
        let disturbed = stamps.iter().filter(|stamp| !watch.is_current(**stamp)).count();
        assert!(disturbed < 10, "{disturbed}");
    }
}

//! Whether a partition was written to since somebody last looked.
//!
//! Who keeps something that was made of items wants to know whether the items are still the
//! same, without reading them. An engine that sees every write of its table can tell: it counts,
//! for each partition, the commits that touched it. Partitions share counters by a hash, so that
//! a counter may move without need, but never stays when it ought to move.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells whether partitions have changed. Of use only to an engine through which all writes go.
pub struct Watch {
    /// Odd while a commit that touches one of its partitions is under way.
    counters: Box<[AtomicU64]>,
    hasher: RandomState,
}

/// The state of a partition at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    slot: u32,
    count: u64,
}

/// The partitions that the next commit will touch.
#[derive(Debug)]
pub struct Touched<'w> {
    watch: &'w Watch,
    slots: Vec<u32>,
}

/// A commit under way; it ends when this is dropped, however it ended.
#[derive(Debug)]
pub struct Committing<'w>(Touched<'w>);

/// Half a megabyte: of a hundred thousand partitions that somebody watches, a write to another
/// one disturbs one or two.
const COUNTERS: u32 = 1 << 16;

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
        Touched { watch: self, slots: Vec::new() }
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

impl<'w> Touched<'w> {
    /// Notes a partition.
    pub fn add(&mut self, partition: impl AsRef<[u8]>) {
        self.slots.push(self.watch.slot(partition.as_ref()));
    }

    /// Begins the commit, before any of it can be seen. There is one at a time.
    #[must_use]
    pub fn commit(mut self) -> Committing<'w> {
        self.slots.sort_unstable();
        self.slots.dedup();
        self.count();
        Committing(self)
    }

    fn count(&self) {
        for counter in self.slots.iter().filter_map(|slot| self.watch.counter(*slot)) {
            counter.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Drop for Committing<'_> {
    fn drop(&mut self) {
        self.0.count();
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

    fn commit<'w>(watch: &'w Watch, partitions: &[&str]) -> Committing<'w> {
        let mut touched = watch.touched();
        partitions.iter().for_each(|partition| touched.add(partition));
        touched.commit()
    }

    #[test]
    fn a_stamp_is_current_until_its_partition_is_touched() {
        let watch = Watch::new();
        let stamp = watch.stamp("a").unwrap();
        assert!(watch.is_current(stamp));
        assert_eq!(watch.stamp("a"), Some(stamp));
        drop(commit(&watch, &["a", "a"]));
        assert!(!watch.is_current(stamp));
        let next = watch.stamp("a").unwrap();
        assert_ne!(next, stamp);
        assert!(watch.is_current(next));
    }

    #[test]
    fn nothing_is_current_while_a_commit_is_under_way() {
        let watch = Watch::new();
        let stamp = watch.stamp("a").unwrap();
        let committing = commit(&watch, &["a"]);
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
        drop(commit(&watch, &["a", "b", "c"]));
        let disturbed = stamps.iter().filter(|stamp| !watch.is_current(**stamp)).count();
        assert!(disturbed < 10, "{disturbed}");
    }
}

//! Which faces are one group, as rings: each face knows the next of its group, the last knows the
//! first. That is four bytes per face, whatever the groups.

use super::chunked::Chunked;
use super::store::Slot;

pub(super) struct Rings {
    /// The distance to the next, so that what was never set is alone.
    next: Chunked<u32>,
}

impl Rings {
    pub(super) fn new() -> Self {
        Self { next: Chunked::new() }
    }

    /// All faces of the group of this one, which comes first.
    pub(super) fn of(&self, slot: Slot) -> Vec<Slot> {
        let mut ring = vec![slot];
        let mut at = self.next(slot);
        while at != slot {
            ring.push(at);
            at = self.next(at);
        }
        ring
    }

    /// Makes a group of these, which must not be a part only of other groups in the end.
    pub(super) fn join(&mut self, slots: &[Slot]) {
        let following = slots.iter().skip(1).chain(slots.first());
        for (slot, next) in slots.iter().zip(following) {
            self.next.set(*slot, next.wrapping_sub(*slot));
        }
    }

    /// Takes a face out of its group.
    pub(super) fn leave(&mut self, slot: Slot) {
        let mut others = self.of(slot);
        others.remove(0);
        self.join(&others);
        self.join(&[slot]);
    }

    fn next(&self, slot: Slot) -> Slot {
        slot.wrapping_add(self.next.get(slot).copied().unwrap_or_default())
    }
}

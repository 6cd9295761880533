//! Which faces are linked: few per face, and a function of the set of faces.
//!
//! Every face picks the faces most similar to it and, if it shapes persons, as many of all that are
//! similar enough by lot. The strongest make persons of those that look alike; the lot sees to it
//! that twenty pictures of one minute, each of which has the others as its most similar, are linked
//! to the rest of their person too. A link is there if either end has picked the other. The lot is
//! drawn by the keys, so that it falls the same in every order of arrival.

use std::cmp::Reverse;

use super::ends::Ends;
use super::scan::Hit;
use super::store::{Slot, Store, hash};

/// How many of the most similar a face picks.
const STRONGEST: usize = 3;
/// How many it picks by lot.
const BY_LOT: usize = 3;

/// The links of all faces, each kept at both ends.
pub(super) struct Links {
    ends: Ends,
}

impl Links {
    pub(super) fn new() -> Self {
        Self { ends: Ends::new() }
    }

    pub(super) fn of(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        self.ends.of(slot)
    }

    fn are_linked(&self, one: Slot, other: Slot) -> bool {
        self.of(one).any(|end| end == other)
    }

    /// Links a face that is not linked yet. `hits` are all linked faces that are similar enough.
    /// Gives the faces whose links are not as they were.
    pub(super) fn add(&mut self, store: &Store, slot: Slot, hits: &[Hit]) -> Vec<Slot> {
        let hits = possible(store, slot, hits);
        let mut touched = vec![slot];
        for pick in picks(store, slot, hits.iter().copied()) {
            self.link(slot, pick);
            touched.push(pick);
        }
        if store.shapes(slot) {
            for hit in &hits {
                self.offer(store, hit.slot, slot, &mut touched);
            }
        }
        touched
    }

    /// Links a face to what it picks now that others have gone.
    pub(super) fn pick_again(&mut self, store: &Store, slot: Slot, hits: &[Hit]) -> Vec<Slot> {
        let hits = possible(store, slot, hits);
        let mut touched = vec![slot];
        for pick in picks(store, slot, hits.iter().copied()) {
            if self.link(slot, pick) {
                touched.push(pick);
            }
        }
        touched
    }

    /// Removes all links of a face that goes. Gives those it was linked to, and whether they had
    /// picked it and so may pick another.
    pub(super) fn remove(&mut self, store: &Store, slot: Slot) -> Vec<(Slot, bool)> {
        let ends: Vec<Slot> = self.of(slot).collect();
        let mut left = Vec::new();
        for end in ends {
            let picked = self.picks_of(store, end).contains(&slot);
            self.unlink(slot, end);
            left.push((end, picked));
        }
        left
    }

    /// Lets a face see a new one, which it may pick in the place of another.
    fn offer(&mut self, store: &Store, slot: Slot, new: Slot, touched: &mut Vec<Slot>) {
        let was = self.are_linked(slot, new);
        let before = self.picks_of_without(store, slot, new);
        self.link(slot, new);
        let after = self.picks_of(store, slot);
        if after.contains(&new) {
            for dropped in before.iter().filter(|pick| !after.contains(pick)) {
                if !self.picks_of(store, *dropped).contains(&slot) {
                    self.unlink(slot, *dropped);
                    touched.push(*dropped);
                }
            }
            touched.push(slot);
        } else if !was {
            self.unlink(slot, new);
        }
    }

    /// What a face has picked: all that it picks is linked to it, so the links tell.
    fn picks_of(&self, store: &Store, slot: Slot) -> Vec<Slot> {
        picks(store, slot, self.of(slot).map(|end| hit(store, slot, end)))
    }

    fn picks_of_without(&self, store: &Store, slot: Slot, without: Slot) -> Vec<Slot> {
        let ends = self.of(slot).filter(|end| *end != without);
        picks(store, slot, ends.map(|end| hit(store, slot, end)))
    }

    /// Whether there was no such link yet.
    pub(super) fn link(&mut self, one: Slot, other: Slot) -> bool {
        if self.are_linked(one, other) {
            return false;
        }
        self.ends.push(one, other);
        self.ends.push(other, one);
        true
    }

    fn unlink(&mut self, one: Slot, other: Slot) {
        self.ends.remove(one, other);
        self.ends.remove(other, one);
    }
}

fn hit(store: &Store, slot: Slot, end: Slot) -> Hit {
    Hit { slot: end, similarity: store.similarity(slot, end) }
}

/// Without the face itself, those of the same photo, and pairs of which neither shapes persons.
fn possible(store: &Store, slot: Slot, hits: &[Hit]) -> Vec<Hit> {
    let (photo, shapes) = (store.photo(slot), store.shapes(slot));
    let may = |hit: &&Hit| {
        hit.slot != slot && store.photo(hit.slot) != photo && (shapes || store.shapes(hit.slot))
    };
    hits.iter().filter(may).copied().collect()
}

/// What a face picks of these; nobody picks a face that does not shape persons.
fn picks(store: &Store, slot: Slot, from: impl Iterator<Item = Hit>) -> Vec<Slot> {
    let mut from: Vec<Hit> = from.filter(|hit| store.shapes(hit.slot)).collect();
    let strength = |hit: &Hit| (Reverse(hit.similarity), store.key(hit.slot));
    first_by(&mut from, STRONGEST, strength);
    let mut picks: Vec<Slot> = from.iter().take(STRONGEST).map(|hit| hit.slot).collect();
    if store.shapes(slot) {
        let own = store.key(slot).0;
        let lot = |hit: &Hit| {
            let other = store.key(hit.slot).0;
            (hash(own.min(other).rotate_left(1) ^ own.max(other)), other)
        };
        first_by(&mut from, BY_LOT, lot);
        for hit in from.iter().take(BY_LOT) {
            if !picks.contains(&hit.slot) {
                picks.push(hit.slot);
            }
        }
    }
    picks
}

/// Moves the first so many to the front, without sorting the rest.
fn first_by<K: Ord>(hits: &mut [Hit], count: usize, key: impl Fn(&Hit) -> K) {
    if hits.len() > count {
        hits.select_nth_unstable_by_key(count, |hit| key(hit));
    }
}

//! Persons, made of the faces of one library.
//!
//! Which faces are one person is a function of the set of faces and of what people have decided,
//! and of nothing else: not of the order in which they came, nor of how often [`Library::regroup`]
//! was called in between. See `docs/people.md` for the rules.

mod agglomerate;
mod chunked;
mod decisions;
mod ends;
mod links;
mod near;
mod packed;
mod region;
mod rings;
mod scan;
mod store;
mod union;

use std::collections::BTreeSet;

use self::agglomerate::Ground;
use self::decisions::Pairs;
use self::links::Links;
use self::rings::Rings;
use self::scan::scan;
use self::store::{Slot, Store};
use crate::{Similarity, Vector};

/// How similar two faces have to be to be linked. One pair of strangers in 250,000 is.
const LEAST_LINK: Similarity = Similarity::of_cosine(0.50);
/// How similar two looks have to be on average to become one.
const LEAST_MEAN: Similarity = Similarity::of_cosine(0.45);
/// Faces that are compared and linked at a time, so that memory stays bounded when many come.
const AT_A_TIME: usize = 512;
/// Faces whose groups are made anew at a time, for the same reason; few in tests, so that most of
/// them see what is left for later.
const AROUND_AT_A_TIME: usize = if cfg!(test) { 5 } else { 128 };

/// Which face; the caller's own number. Ties are broken by it, so it must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceKey(pub u128);

/// Which photo a face is in; the caller's own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhotoKey(pub u128);

/// The faces of one person, in the order of their keys; never empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// All of them, those too that do not shape it.
    pub faces: Vec<FaceKey>,
}

/// A group that resembles something.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Which.
    pub group: Group,
    /// Mean similarity of what was asked about to the group's shaping faces.
    pub similarity: Similarity,
}

/// All faces of one library, in memory.
pub struct Library {
    store: Store,
    links: Links,
    together: Pairs,
    apart: Pairs,
    rings: Rings,
    /// Faces that have come and are not linked yet.
    fresh: BTreeSet<Slot>,
    /// Faces that have lost a link which they had picked.
    picking: BTreeSet<Slot>,
    /// Faces around which groups may not be as they were.
    touched: BTreeSet<Slot>,
}

impl Default for Library {
    fn default() -> Self {
        Self::new()
    }
}

impl Library {
    /// Without a face.
    #[must_use]
    pub fn new() -> Self {
        Self {
            store: Store::new(),
            links: Links::new(),
            together: Pairs::default(),
            apart: Pairs::default(),
            rings: Rings::new(),
            fresh: BTreeSet::new(),
            picking: BTreeSet::new(),
            touched: BTreeSet::new(),
        }
    }

    /// How many faces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there is no face.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a face, or puts it in the place of the one with the same key. If it is there as it is,
    /// nothing changes, and it need not be compared again.
    pub fn add(&mut self, face: FaceKey, photo: PhotoKey, vector: Vector, shapes: bool) {
        if self.store.has(face, photo, &vector, shapes) {
            return;
        }
        self.remove(face);
        let slot = self.store.add(face, photo, &vector, shapes);
        self.fresh.insert(slot);
    }

    /// Adds a face that was in a library of the same faces before, with the links it had there as
    /// [`Library::links_of`] told: it need not be compared with all others. Links to faces that are
    /// not here yet are made when those come with theirs.
    pub fn restore(
        &mut self,
        face: FaceKey,
        photo: PhotoKey,
        vector: Vector,
        shapes: bool,
        links: &[FaceKey],
    ) {
        self.remove(face);
        let slot = self.store.add(face, photo, &vector, shapes);
        for end in links.iter().filter_map(|end| self.store.find(*end)) {
            self.links.link(slot, end);
        }
        self.touched.insert(slot);
    }

    /// Which faces a face is linked to as of the last [`Library::regroup`]; to be kept for
    /// [`Library::restore`].
    #[must_use]
    pub fn links_of(&self, face: FaceKey) -> Vec<FaceKey> {
        let slot = self.store.find(face);
        let ends = slot.into_iter().flat_map(|slot| self.links.of(slot));
        ends.map(|end| self.store.key(end)).collect()
    }

    /// Removes a face; whether there was one. Decisions that name it are kept and count again
    /// should it come back; take them back to forget them.
    pub fn remove(&mut self, face: FaceKey) -> bool {
        let Some(slot) = self.store.find(face) else { return false };
        for (end, picked) in self.links.remove(&self.store, slot) {
            self.touched.insert(end);
            if picked {
                self.picking.insert(end);
            }
        }
        self.touched.extend(self.rings.of(slot));
        self.rings.leave(slot);
        self.fresh.remove(&slot);
        self.picking.remove(&slot);
        self.touched.remove(&slot);
        self.store.remove(slot);
        true
    }

    /// Removes all faces but these.
    pub fn retain(&mut self, is_kept: impl Fn(FaceKey) -> bool) {
        let keys = self.store.all().map(|slot| self.store.key(slot));
        let gone: Vec<FaceKey> = keys.filter(|face| !is_kept(*face)).collect();
        for face in gone {
            self.remove(face);
        }
    }

    /// Somebody has decided that two faces are the same person. It counts for more than any
    /// similarity, but not for more than [`Library::apart`], nor does it make one person of two
    /// faces in one photo. Either face may come later.
    pub fn together(&mut self, one: FaceKey, other: FaceKey) {
        if self.together.add(one, other) {
            self.touch(one, other);
        }
    }

    /// Takes back [`Library::together`]; whether there was such a decision.
    pub fn take_back_together(&mut self, one: FaceKey, other: FaceKey) -> bool {
        let was = self.together.remove(one, other);
        if was {
            self.touch(one, other);
        }
        was
    }

    /// Somebody has decided that two faces are different persons. Either face may come later.
    pub fn apart(&mut self, one: FaceKey, other: FaceKey) {
        if self.apart.add(one, other) {
            self.touch(one, other);
        }
    }

    /// Takes back [`Library::apart`]; whether there was such a decision.
    pub fn take_back_apart(&mut self, one: FaceKey, other: FaceKey) -> bool {
        let was = self.apart.remove(one, other);
        if was {
            self.touch(one, other);
        }
        was
    }

    /// Groups anew what changes since the last time can have touched.
    pub fn regroup(&mut self) {
        self.link_what_is_new();
        while !self.touched.is_empty() {
            let inside = self.take_touched();
            let ground = Ground {
                store: &self.store,
                links: &self.links,
                together: &self.together,
                apart: &self.apart,
            };
            // All are made before any is joined: a ring of which a part has become another is none
            // any more.
            for group in region::group_around(&ground, &self.rings, inside) {
                self.rings.join(&group);
                // It was made of all that led to it, so it need not be looked at once more.
                for slot in group {
                    self.touched.remove(&slot);
                }
            }
        }
    }

    /// The groups of some faces around which groups may not be as they were.
    fn take_touched(&mut self) -> BTreeSet<Slot> {
        let mut groups = BTreeSet::new();
        while groups.len() < AROUND_AT_A_TIME
            && let Some(slot) = self.touched.pop_first()
        {
            if !groups.contains(&slot) {
                groups.extend(self.rings.of(slot));
            }
        }
        groups
    }

    /// All groups as of the last [`Library::regroup`], in the order of their first faces.
    pub fn groups(&self) -> impl Iterator<Item = Group> {
        let mut is_seen = vec![false; self.store.end() as usize];
        let mut first_faces: Vec<Slot> = Vec::new();
        for slot in self.store.all() {
            if is_seen.get(slot as usize) == Some(&false) {
                let ring = self.rings.of(slot);
                first_faces.extend(ring.iter().min_by_key(|slot| self.store.key(**slot)));
                for slot in ring {
                    is_seen.get_mut(slot as usize).into_iter().for_each(|seen| *seen = true);
                }
            }
        }
        first_faces.sort_unstable_by_key(|slot| self.store.key(*slot));
        first_faces.into_iter().map(|slot| self.name(&self.rings.of(slot)))
    }

    /// The group of a face as of the last [`Library::regroup`].
    #[must_use]
    pub fn group_of(&self, face: FaceKey) -> Option<Group> {
        self.store.find(face).map(|slot| self.name(&self.rings.of(slot)))
    }

    fn touch(&mut self, one: FaceKey, other: FaceKey) {
        let slots = [one, other].map(|face| self.store.find(face));
        self.touched.extend(slots.into_iter().flatten());
    }

    /// Compares faces that have come, or that may pick others, with all.
    fn link_what_is_new(&mut self) {
        let picking: Vec<Slot> = std::mem::take(&mut self.picking).into_iter().collect();
        for slots in picking.chunks(AT_A_TIME) {
            for (slot, hits) in slots.iter().zip(self.similar(slots)) {
                let linked: Vec<_> =
                    hits.into_iter().filter(|hit| !self.fresh.contains(&hit.slot)).collect();
                self.touched.extend(self.links.pick_again(&self.store, *slot, &linked));
            }
        }
        let fresh: Vec<Slot> = self.fresh.iter().copied().collect();
        for slots in fresh.chunks(AT_A_TIME) {
            for (slot, hits) in slots.iter().zip(self.similar(slots)) {
                // Those that come after it are linked to it in their turn.
                let linked: Vec<_> =
                    hits.into_iter().filter(|hit| !self.fresh.contains(&hit.slot)).collect();
                self.touched.extend(self.links.add(&self.store, *slot, &linked));
                self.fresh.remove(slot);
            }
        }
    }

    fn similar(&self, slots: &[Slot]) -> Vec<Vec<scan::Hit>> {
        let wanted: Vec<_> = slots.iter().map(|slot| self.store.vector(*slot)).collect();
        scan(&self.store, &wanted, LEAST_LINK.0)
    }

    fn name(&self, group: &[Slot]) -> Group {
        let mut faces: Vec<FaceKey> = group.iter().map(|slot| self.store.key(*slot)).collect();
        faces.sort_unstable();
        Group { faces }
    }
}

#[cfg(test)]
mod tests;

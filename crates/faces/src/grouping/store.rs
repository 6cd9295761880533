//! The faces themselves, by slots: small numbers that are given again when a face goes.

use hashbrown::HashTable;

use super::chunked::Chunked;
use super::{FaceKey, PhotoKey};
use crate::Vector;
use crate::vector::dot;

/// Where a face is kept.
pub(super) type Slot = u32;

type Numbers = [i8; Vector::LENGTH];

/// All faces, with nothing about how they belong together.
pub(super) struct Store {
    slots: HashTable<Slot>,
    free: Vec<Slot>,
    end: Slot,
    keys: Chunked<u128>,
    photos: Chunked<u128>,
    shapes: Chunked<bool>,
    vectors: Chunked<Row>,
}

/// A vector, or zeros where there is no face: similar to nothing.
#[derive(Clone)]
pub(super) struct Row(pub(super) Numbers);

impl Default for Row {
    fn default() -> Self {
        Self([0; Vector::LENGTH])
    }
}

const NOTHING: Numbers = [0; Vector::LENGTH];

impl Store {
    pub(super) fn new() -> Self {
        Self {
            slots: HashTable::new(),
            free: Vec::new(),
            end: 0,
            keys: Chunked::new(),
            photos: Chunked::new(),
            shapes: Chunked::new(),
            vectors: Chunked::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn find(&self, face: FaceKey) -> Option<Slot> {
        self.slots.find(hash(face.0), |slot| self.key(*slot) == face).copied()
    }

    /// Adds a face that is not there yet.
    pub(super) fn add(
        &mut self,
        face: FaceKey,
        photo: PhotoKey,
        vector: &Vector,
        shapes: bool,
    ) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        });
        self.keys.set(slot, face.0);
        self.photos.set(slot, photo.0);
        self.shapes.set(slot, shapes);
        self.vectors.set(slot, Row(*vector.numbers()));
        let keys = &self.keys;
        self.slots.insert_unique(hash(face.0), slot, |slot| {
            hash(keys.get(*slot).copied().unwrap_or_default())
        });
        slot
    }

    pub(super) fn remove(&mut self, slot: Slot) {
        let face = self.key(slot);
        if let Ok(entry) = self.slots.find_entry(hash(face.0), |other| *other == slot) {
            entry.remove();
        }
        self.vectors.set(slot, Row::default());
        self.free.push(slot);
    }

    pub(super) fn key(&self, slot: Slot) -> FaceKey {
        FaceKey(self.keys.get(slot).copied().unwrap_or_default())
    }

    pub(super) fn photo(&self, slot: Slot) -> PhotoKey {
        PhotoKey(self.photos.get(slot).copied().unwrap_or_default())
    }

    pub(super) fn shapes(&self, slot: Slot) -> bool {
        self.shapes.get(slot).copied().unwrap_or_default()
    }

    pub(super) fn vector(&self, slot: Slot) -> &Numbers {
        self.vectors.get(slot).map_or(&NOTHING, |row| &row.0)
    }

    pub(super) fn similarity(&self, one: Slot, other: Slot) -> i32 {
        dot(self.vector(one), self.vector(other))
    }

    pub(super) fn pieces(&self) -> impl Iterator<Item = (Slot, &[Row])> {
        self.vectors.pieces()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().copied()
    }
}

/// The same on every machine and in every process.
pub(super) fn hash(key: u128) -> u64 {
    let (high, low) = ((key >> 64) as u64, key as u64);
    mixed(mixed(high ^ 0x9e37_79b9_7f4a_7c15).wrapping_add(low))
}

fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

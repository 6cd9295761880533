//! The faces themselves, by slots: small numbers that are given again when a face goes.

use hashbrown::HashTable;

use super::chunked::Chunked;
use super::packed::{Numbers, Piece, Vectors};
use super::{FaceKey, PhotoKey};
use crate::Vector;
use crate::vector::dot;

/// Where a face is kept.
pub(super) type Slot = u32;

/// Tables in which slots are found by keys. Many small ones, because one of them grows at a time:
/// one table of a million would be felt.
const TABLES: usize = 256;

/// All faces, with nothing about how they belong together.
pub(super) struct Store {
    slots: Vec<HashTable<Slot>>,
    len: usize,
    free: Vec<Slot>,
    end: Slot,
    keys: Chunked<u128>,
    photos: Chunked<u128>,
    shapes: Chunked<bool>,
    vectors: Vectors,
}

impl Store {
    pub(super) fn new() -> Self {
        Self {
            slots: (0..TABLES).map(|_| HashTable::new()).collect(),
            len: 0,
            free: Vec::new(),
            end: 0,
            keys: Chunked::new(),
            photos: Chunked::new(),
            shapes: Chunked::new(),
            vectors: Vectors::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Behind all slots that are or were in use.
    pub(super) fn end(&self) -> Slot {
        self.end
    }

    pub(super) fn find(&self, face: FaceKey) -> Option<Slot> {
        let hash = hash(face.0);
        let table = self.slots.get(table_of(hash))?;
        table.find(hash, |slot| self.key(*slot) == face).copied()
    }

    /// Whether a face is there just so.
    pub(super) fn has(
        &self,
        face: FaceKey,
        photo: PhotoKey,
        vector: &Vector,
        shapes: bool,
    ) -> bool {
        self.find(face).is_some_and(|slot| {
            self.photo(slot) == photo
                && self.shapes(slot) == shapes
                && self.vector(slot) == *vector.numbers()
        })
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
        self.vectors.set(slot, vector.numbers());
        let (keys, hash_of_face) = (&self.keys, hash(face.0));
        if let Some(table) = self.slots.get_mut(table_of(hash_of_face)) {
            table.insert_unique(hash_of_face, slot, |slot| {
                hash(keys.get(*slot).copied().unwrap_or_default())
            });
            self.len += 1;
        }
        slot
    }

    pub(super) fn remove(&mut self, slot: Slot) {
        let hash = hash(self.key(slot).0);
        let table = self.slots.get_mut(table_of(hash));
        if let Some(Ok(entry)) = table.map(|table| table.find_entry(hash, |other| *other == slot)) {
            entry.remove();
            self.len -= 1;
        }
        self.vectors.set(slot, &[0; Vector::LENGTH]);
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

    pub(super) fn vector(&self, slot: Slot) -> Numbers {
        self.vectors.get(slot)
    }

    pub(super) fn similarity(&self, one: Slot, other: Slot) -> i32 {
        dot(&self.vector(one), &self.vector(other))
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        self.vectors.pieces()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().flatten().copied()
    }
}

/// The tables themselves look at the other bits.
fn table_of(hash: u64) -> usize {
    (hash >> 32) as usize % TABLES
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

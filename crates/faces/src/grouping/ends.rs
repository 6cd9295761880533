//! Lists of slots, one for each slot, in as few bytes as they take.
//!
//! Sixteen lists are one allocation. A list is the number of its bytes, and then how far each slot
//! in it is from its own: a number takes a byte for every seven bits, so that slots of a library of
//! a million take three at most.

use std::ops::Range;

use super::chunked::Chunked;
use super::store::Slot;

/// Lists in one block.
const BLOCK: Slot = 16;
/// A block in which all lists are empty.
const EMPTY: [u8; BLOCK as usize] = [0; BLOCK as usize];

/// Lists by slots; those that were never changed are empty.
pub(super) struct Ends {
    blocks: Chunked<Box<[u8]>>,
}

impl Ends {
    pub(super) fn new() -> Self {
        Self { blocks: Chunked::new() }
    }

    pub(super) fn of(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        let block = self.blocks.get(slot / BLOCK).map(AsRef::as_ref).unwrap_or_default();
        let mut rest = span(block, slot).and_then(|(_, list)| block.get(list)).unwrap_or_default();
        std::iter::from_fn(move || {
            let (far, after) = read(rest)?;
            rest = after;
            Some(slot.wrapping_add(unfolded(far)))
        })
    }

    pub(super) fn push(&mut self, slot: Slot, end: Slot) {
        let all: Vec<Slot> = self.of(slot).chain([end]).collect();
        self.set(slot, &all);
    }

    pub(super) fn remove(&mut self, slot: Slot, end: Slot) {
        let all: Vec<Slot> = self.of(slot).filter(|other| *other != end).collect();
        self.set(slot, &all);
    }

    fn set(&mut self, slot: Slot, ends: &[Slot]) {
        let mut list = Vec::new();
        ends.iter().for_each(|end| write(&mut list, folded(end.wrapping_sub(slot))));
        let mut length = Vec::new();
        write(&mut length, list.len() as u32);
        self.blocks.entry(slot / BLOCK, |block| {
            let known: &[u8] = if block.is_empty() { &EMPTY } else { block };
            let Some((whole, _)) = span(known, slot) else { return };
            let before = known.get(..whole.start).unwrap_or_default();
            let after = known.get(whole.end..).unwrap_or_default();
            *block = [before, length.as_slice(), list.as_slice(), after].concat().into();
        });
    }
}

/// Where the list of a slot is in its block: with the number of its bytes, and without.
fn span(block: &[u8], slot: Slot) -> Option<(Range<usize>, Range<usize>)> {
    let mut start = 0;
    for place in 0.. {
        let (length, list) = read(block.get(start..)?)?;
        let list = block.len() - list.len();
        let end = list + length as usize;
        if place == slot % BLOCK {
            return Some((start..end, list..end));
        }
        start = end;
    }
    None
}

/// A number, and what follows it.
fn read(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0;
    for (byte, at) in bytes.iter().zip(0..5) {
        number |= u32::from(byte & 0x7f) << (7 * at);
        if *byte < 0x80 {
            return Some((number, bytes.get(at + 1..)?));
        }
    }
    None
}

fn write(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A distance in either direction as a number that is small if it is.
fn folded(far: u32) -> u32 {
    let far = far.cast_signed();
    ((far << 1) ^ (far >> 31)).cast_unsigned()
}

fn unfolded(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::rngs::StdRng;
    use rand::{Rng, RngExt, SeedableRng};

    use super::*;

    #[test]
    fn lists_are_what_was_put_into_them() {
        let random = &mut StdRng::seed_from_u64(1);
        let (mut ends, mut wanted) = (Ends::new(), BTreeMap::<Slot, Vec<Slot>>::new());
        for _ in 0..5_000 {
            let slot = random.random_range(0..100) * random.random_range(1..40);
            let list = wanted.entry(slot).or_default();
            match list.pop() {
                Some(end) if random.random_bool(0.3) => {
                    list.retain(|other| *other != end);
                    ends.remove(slot, end);
                }
                last => {
                    // Near and far, before and after, and as far as can be.
                    let far = random.next_u32() >> random.random_range(0..32);
                    let end = match random.random_range(0..4) {
                        0 => slot.wrapping_sub(far),
                        1 => Slot::MAX,
                        _ => slot.wrapping_add(far),
                    };
                    list.extend(last.into_iter().chain([end]));
                    ends.push(slot, end);
                }
            }
        }
        for slot in 0..4_000 {
            let list: Vec<Slot> = ends.of(slot).collect();
            assert_eq!(list, wanted.remove(&slot).unwrap_or_default(), "slot {slot}");
        }
    }

    #[test]
    fn a_face_to_which_many_are_linked_keeps_them_all() {
        let mut ends = Ends::new();
        let many: Vec<Slot> = (0..3_000).map(|n| n * 1_000).collect();
        many.iter().for_each(|end| ends.push(5, *end));
        ends.push(6, 7);
        assert_eq!(ends.of(5).collect::<Vec<_>>(), many);
        assert_eq!(ends.of(6).collect::<Vec<_>>(), [7]);
        assert_eq!(ends.of(4).count(), 0);
    }
}

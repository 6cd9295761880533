//! Comparing faces with all others: the only step whose cost grows with the library.
//!
//! Of every face only the upper bits are read at first, which is half of it. They tell a similarity
//! that is wrong by no more than the lengths of one vector and of what the other has lost, multiplied
//! (the inequality of Cauchy and Schwarz). Only faces that could still be similar enough are looked
//! at whole. So what is found is exactly what comparing everything with everything would find.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod wanted;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

use self::wanted::Wanted;
use super::packed::{Numbers, Piece};
use super::store::{Slot, Store};
use crate::vector::dot;

/// From how many comparisons on a second thread is worth its start.
const WORTH_A_THREAD: usize = 40_000;

/// A face that is similar enough to the one asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) slot: Slot,
    pub(super) similarity: i32,
}

/// For each of these vectors, all faces of at least this similarity, in the order of their slots.
pub(super) fn scan(store: &Store, wanted: &[Numbers], least: i32) -> Vec<Vec<Hit>> {
    let wanted: Vec<Wanted> = wanted.iter().map(Wanted::new).collect();
    let pieces = store.pieces();
    let mut hits = if store.len() * wanted.len() < WORTH_A_THREAD {
        compare_rest(pieces, &AtomicUsize::new(0), &wanted, least)
    } else {
        compare_on_two_threads(pieces, &wanted, least)
    };
    hits.iter_mut().for_each(|hits| hits.sort_unstable_by_key(|hit| hit.slot));
    hits
}

/// Both take piece after piece, so that neither waits long for the other if that one is held up.
fn compare_on_two_threads(pieces: &[Piece], wanted: &[Wanted], least: i32) -> Vec<Vec<Hit>> {
    let next = AtomicUsize::new(0);
    let work = || compare_rest(pieces, &next, wanted, least);
    thread::scope(|threads| {
        let helper = Builder::new().spawn_scoped(threads, work);
        let mut all = work();
        match helper.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(more)) => all.iter_mut().zip(more).for_each(|(hits, more)| hits.extend(more)),
            // It cannot fail other than by a fault of ours; then we do all of it ourselves.
            Ok(Err(_)) => all = compare_rest(pieces, &AtomicUsize::new(0), wanted, least),
            // There was no thread to be had, so all of it was done here.
            Err(_) => {}
        }
        all
    })
}

/// Compares with the pieces that nobody else has taken yet.
fn compare_rest(
    pieces: &[Piece],
    next: &AtomicUsize,
    wanted: &[Wanted],
    least: i32,
) -> Vec<Vec<Hit>> {
    let mut hits = vec![Vec::new(); wanted.len()];
    let mut open = Vec::new();
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(piece) = pieces.get(at) else { return hits };
        for (wanted, hits) in wanted.iter().zip(&mut hits) {
            wanted.leave_open(piece, least, &mut open);
            for place in open.drain(..) {
                let similarity = dot(wanted.numbers(), &piece.get(place));
                if similarity >= least {
                    hits.push(Hit { slot: Piece::first_slot(at) + place as Slot, similarity });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::rngs::StdRng;
    use rand::{Rng, RngExt, SeedableRng};

    use super::super::{FaceKey, LEAST_LINK, PhotoKey};
    use super::*;
    use crate::Vector;

    /// Vectors as models make them, and such as they never do: the promise is for all.
    fn numbers(random: &mut StdRng) -> Numbers {
        let any = [0; Vector::LENGTH].map(|_: i8| random.next_u32() as i8);
        match random.random_range(0..10) {
            0 => any,
            1 => [[0, 127, -127, -128, 31, -32][random.random_range(0..6)]; Vector::LENGTH],
            2 => any.map(|number| number / 4),
            3 => any.map(|number| if number > 120 { number } else { number / 16 }),
            _ => *like_a_model(random).numbers(),
        }
    }

    fn like_a_model(random: &mut StdRng) -> Vector {
        let numbers = [0.0; Vector::LENGTH]
            .map(|_: f32| (0..8).map(|_| random.random_range(-1.0..1.0_f32)).sum::<f32>());
        Vector::quantised(&numbers).expect("a direction")
    }

    /// A store in which many have been and gone, and what is in it.
    fn filled(random: &mut StdRng, count: u128) -> (Store, BTreeMap<Slot, Numbers>) {
        let (mut store, mut known) = (Store::new(), BTreeMap::new());
        for key in 0..count {
            let vector = Vector::from_bytes(numbers(random).map(i8::cast_unsigned));
            let slot = store.add(FaceKey(key), PhotoKey(key), &vector, true);
            known.insert(slot, *vector.numbers());
            if random.random_bool(0.2) {
                let gone = *known.keys().nth(random.random_range(0..known.len())).expect("one");
                known.remove(&gone);
                store.remove(gone);
            }
        }
        (store, known)
    }

    #[test]
    fn exactly_what_comparing_everything_would_find_is_found() {
        let mut found = 0;
        // The last ones are many enough for a second thread.
        for (seed, count) in (0..).zip([1, 7, 300, 300, 300, 2_500, 5_000, 5_000]) {
            let random = &mut StdRng::seed_from_u64(seed);
            let (store, known) = filled(random, count);
            let wanted: Vec<Numbers> = (0..30).map(|_| numbers(random)).collect();
            let all = |wanted: &Numbers| known.values().map(|row| dot(wanted, row)).max();
            // At the usual limit, near it, and exactly at what there is.
            let strongest = wanted.iter().filter_map(all).max().unwrap_or(1).max(1);
            for least in [LEAST_LINK.0, 1, 500, 6_000, 20_000, strongest] {
                for (wanted, hits) in wanted.iter().zip(scan(&store, &wanted, least)) {
                    let hits: Vec<_> = hits.iter().map(|hit| (hit.slot, hit.similarity)).collect();
                    let naive = known.iter().map(|(slot, row)| (*slot, dot(wanted, row)));
                    let naive: Vec<_> =
                        naive.filter(|(_, similarity)| *similarity >= least).collect();
                    assert_eq!(hits, naive, "seed {seed}, {count} faces, least {least}");
                    found += hits.len();
                }
            }
        }
        assert!(found > 10_000, "{found} were similar enough to something");
    }

    #[test]
    fn every_kind_of_processor_leaves_the_same_open() {
        let random = &mut StdRng::seed_from_u64(3);
        let (store, _) = filled(random, 3_000);
        let mut count = 0;
        for least in [-20_000, 0, 3_000, LEAST_LINK.0] {
            let wanted = Wanted::new(&numbers(random));
            for piece in store.pieces() {
                let (mut own, mut plain) = (Vec::new(), Vec::new());
                wanted.leave_open(piece, least, &mut own);
                wanted.leave_open_plainly(piece, least, &mut plain);
                assert_eq!(own, plain, "least {least}");
                count += own.len();
            }
        }
        assert!(count > 3_000, "{count} were left open");
    }

    #[test]
    fn upper_bits_are_enough_for_nearly_all_strangers() {
        let random = &mut StdRng::seed_from_u64(9);
        let mut store = Store::new();
        for key in 0..2_000 {
            store.add(FaceKey(key), PhotoKey(key), &like_a_model(random), true);
        }
        let wanted = Wanted::new(like_a_model(random).numbers());
        let mut open = Vec::new();
        for piece in store.pieces() {
            wanted.leave_open(piece, LEAST_LINK.0, &mut open);
        }
        assert!(open.len() < 20, "{} of 2000 had to be looked at whole", open.len());
    }
}

//! Comparing faces with all others: the only step whose cost grows with the library.

use pulp::Arch;

use super::store::{Row, Slot, Store};
use crate::Vector;

/// Faces that are compared at a time, while a row is in the cache.
const AT_A_TIME: usize = 8;
/// From how many comparisons on a second thread is worth its start.
const WORTH_A_THREAD: usize = 20_000;

/// A face that is similar enough to the one asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) slot: Slot,
    pub(super) similarity: i32,
}

/// For each of these vectors, all faces of at least this similarity, in no particular order.
pub(super) fn scan(store: &Store, wanted: &[[i8; Vector::LENGTH]], least: i32) -> Vec<Vec<Hit>> {
    let wide: Vec<_> = wanted.iter().map(|numbers| numbers.map(i16::from)).collect();
    let pieces: Vec<_> = store.pieces().collect();
    let comparisons = store.len() * wanted.len();
    if comparisons < WORTH_A_THREAD {
        return compare_all(&pieces, &wide, least);
    }
    let (one, other) = pieces.split_at(pieces.len() / 2);
    let (mut hits, more) = std::thread::scope(|threads| {
        let helper = threads.spawn(|| compare_all(one, &wide, least));
        let hits = compare_all(other, &wide, least);
        // A helper cannot fail other than by a fault of ours; then we do its part ourselves.
        let more = helper.join().unwrap_or_else(|_| compare_all(one, &wide, least));
        (hits, more)
    });
    for (hits, more) in hits.iter_mut().zip(more) {
        hits.extend(more);
    }
    hits
}

type Wide = [i16; Vector::LENGTH];

fn compare_all(pieces: &[(Slot, &[Row])], wanted: &[Wide], least: i32) -> Vec<Vec<Hit>> {
    let mut hits = vec![Vec::new(); wanted.len()];
    for (wanted, hits) in wanted.chunks(AT_A_TIME).zip(hits.chunks_mut(AT_A_TIME)) {
        for (first, rows) in pieces {
            Arch::new().dispatch(
                #[inline(always)]
                || compare(*first, rows, wanted, least, hits),
            );
        }
    }
    hits
}

#[inline(always)]
fn compare(first: Slot, rows: &[Row], wanted: &[Wide], least: i32, hits: &mut [Vec<Hit>]) {
    for (slot, row) in (first..).zip(rows) {
        for (wanted, hits) in wanted.iter().zip(hits.iter_mut()) {
            let similarity = sum(wanted, &row.0);
            if similarity >= least {
                hits.push(Hit { slot, similarity });
            }
        }
    }
}

/// The sum of 128 products of bytes is far from any overflow; saying so lets tests be fast, too.
#[inline(always)]
fn sum(wanted: &Wide, row: &[i8; Vector::LENGTH]) -> i32 {
    wanted.iter().zip(row).fold(0, |sum: i32, (a, b)| {
        sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(i16::from(*b))))
    })
}

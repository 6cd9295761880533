//! The vectors of all faces, in 96 bytes each instead of 128, and what little of them is enough to
//! see that two faces are not alike.
//!
//! Nearly all of a vector's numbers are from −32 to 31, which is six bits. The upper four of each
//! lie together, so that comparing with all reads 64 bytes per face; the lower two lie elsewhere and
//! are looked at only where the upper four leave it open. The few larger numbers are kept apart, as
//! they are. Nothing is lost: what comes out is what went in, whatever it was.

use std::ops::Range;

use super::store::Slot;
use crate::Vector;

/// Vectors in one piece.
const PIECE: usize = 2048;
const HALF: usize = Vector::LENGTH / 2;
const QUARTER: usize = Vector::LENGTH / 4;
/// What six bits can tell.
const SMALLEST: i8 = -32;
const LARGEST: i8 = 31;

pub(super) type Numbers = [i8; Vector::LENGTH];

/// The upper four bits of every number, two to a byte: one of the first half with the one at the
/// same place of the second half.
pub(super) type Coarse = [u8; HALF];

/// The lower two bits of every number, four to a byte: one of each quarter.
type Fine = [u8; QUARTER];

/// Vectors by slots; those that were never set are zeros, similar to nothing.
pub(super) struct Vectors {
    pieces: Vec<Piece>,
}

/// Some vectors that follow each other.
pub(super) struct Piece {
    coarse: Box<[Coarse]>,
    fine: Box<[Fine]>,
    /// Numbers that six bits cannot tell, in order: which vector, which number, and what it is.
    outliers: Vec<u32>,
    /// The largest square of the distance between twice a vector and twice what its upper bits tell.
    /// It never shrinks, which costs a closer look at most.
    error: u32,
}

impl Vectors {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new() }
    }

    pub(super) fn set(&mut self, slot: Slot, numbers: &Numbers) {
        let (at, place) = (slot as usize / PIECE, slot as usize % PIECE);
        while self.pieces.len() <= at {
            self.pieces.push(Piece::new());
        }
        if let Some(piece) = self.pieces.get_mut(at) {
            piece.set(place, numbers);
        }
    }

    pub(super) fn get(&self, slot: Slot) -> Numbers {
        let piece = self.pieces.get(slot as usize / PIECE);
        piece.map_or([0; Vector::LENGTH], |piece| piece.get(slot as usize % PIECE))
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

impl Piece {
    fn new() -> Self {
        let (coarse, fine, _) = split(&[0; Vector::LENGTH]);
        Self {
            coarse: vec![coarse; PIECE].into(),
            fine: vec![fine; PIECE].into(),
            outliers: Vec::new(),
            error: 0,
        }
    }

    /// The slot of the first vector of the piece that is at this place.
    pub(super) fn first_slot(at: usize) -> Slot {
        (at * PIECE) as Slot
    }

    /// What is enough to see that a face is not alike.
    pub(super) fn coarse(&self) -> &[Coarse] {
        &self.coarse
    }

    /// How far twice a vector can be from [`twice_coarse`] of its numbers, squared.
    pub(super) fn error(&self) -> u32 {
        self.error
    }

    pub(super) fn get(&self, place: usize) -> Numbers {
        let (Some(coarse), Some(fine)) = (self.coarse.get(place), self.fine.get(place)) else {
            return [0; Vector::LENGTH];
        };
        let mut numbers = join(coarse, fine);
        for outlier in self.outliers.get(self.outliers_of(place)).unwrap_or_default() {
            if let Some(number) = numbers.get_mut((outlier >> 8) as usize % Vector::LENGTH) {
                *number = (outlier & 0xff) as u8 as i8;
            }
        }
        numbers
    }

    fn set(&mut self, place: usize, numbers: &Numbers) {
        let (coarse, fine, error) = split(numbers);
        if let (Some(to_coarse), Some(to_fine)) =
            (self.coarse.get_mut(place), self.fine.get_mut(place))
        {
            (*to_coarse, *to_fine) = (coarse, fine);
        }
        let outliers = (0..).zip(numbers).filter(|(_, number)| !fits(**number));
        let outliers = outliers.map(|(which, number)| {
            (place as u32) << 15 | which << 8 | u32::from(number.cast_unsigned())
        });
        let known = self.outliers_of(place);
        drop(self.outliers.splice(known, outliers));
        self.error = self.error.max(error);
    }

    fn outliers_of(&self, place: usize) -> Range<usize> {
        let before = |place: usize| {
            self.outliers.partition_point(|outlier| ((outlier >> 15) as usize) < place)
        };
        before(place)..before(place + 1)
    }
}

/// Twice the middle of the four numbers that have these upper bits.
pub(super) const fn twice_coarse(coarse: i32) -> i32 {
    coarse * TWICE_STEP + TWICE_FIRST
}

/// See [`twice_coarse`].
pub(super) const TWICE_STEP: i32 = 8;
/// See [`twice_coarse`].
pub(super) const TWICE_FIRST: i32 = 2 * (SMALLEST as i32) + 3;

fn fits(number: i8) -> bool {
    (SMALLEST..=LARGEST).contains(&number)
}

/// The upper and lower bits, and how far twice the vector is from what the upper ones tell, squared.
fn split(numbers: &Numbers) -> (Coarse, Fine, u32) {
    let six = numbers.map(|number| (number.clamp(SMALLEST, LARGEST) - SMALLEST) as u8);
    let (mut coarse, mut fine) = ([0; HALF], [0; QUARTER]);
    for (half, part) in six.chunks_exact(HALF).enumerate() {
        for (byte, six) in coarse.iter_mut().zip(part) {
            *byte |= (six >> 2) << (4 * half);
        }
    }
    for (quarter, part) in six.chunks_exact(QUARTER).enumerate() {
        for (byte, six) in fine.iter_mut().zip(part) {
            *byte |= (six & 3) << (2 * quarter);
        }
    }
    let distances = numbers.iter().zip(six).map(|(number, six)| {
        (2 * i32::from(*number) - twice_coarse(i32::from(six >> 2))).unsigned_abs().pow(2)
    });
    (coarse, fine, distances.sum())
}

fn join(coarse: &Coarse, fine: &Fine) -> Numbers {
    let mut numbers = [0; Vector::LENGTH];
    for (half, part) in numbers.chunks_exact_mut(HALF).enumerate() {
        for (number, byte) in part.iter_mut().zip(coarse) {
            *number = ((byte >> (4 * half) & 15) << 2).cast_signed() + SMALLEST;
        }
    }
    for (quarter, part) in numbers.chunks_exact_mut(QUARTER).enumerate() {
        for (number, byte) in part.iter_mut().zip(fine) {
            *number += (byte >> (2 * quarter) & 3).cast_signed();
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, RngExt, SeedableRng};

    use super::*;

    #[test]
    fn vectors_come_out_as_they_went_in() {
        let random = &mut StdRng::seed_from_u64(1);
        let mut vectors = Vectors::new();
        let mut wanted = vec![[0; Vector::LENGTH]; 3 * PIECE];
        // Several in the same slots, as faces come and go.
        for _ in 0..4 * PIECE {
            let at = random.random_range(0..2 * PIECE + 7);
            let range = [1, 20, 32, 40, 128][random.random_range(0..5)];
            wanted[at] = wanted[at].map(|_| random.random_range(-range..range) as i8);
            vectors.set(at as Slot, &wanted[at]);
        }
        for (slot, wanted) in (0..).zip(&wanted) {
            assert_eq!(vectors.get(slot), *wanted, "slot {slot}");
        }
        let fewest = vectors.pieces().iter().take(2).map(|piece| piece.outliers.len()).min();
        assert!(fewest > Some(0), "there are numbers that six bits cannot tell");
    }

    #[test]
    fn upper_bits_are_as_far_off_as_they_say() {
        let random = &mut StdRng::seed_from_u64(2);
        for _ in 0..1_000 {
            let numbers = [0; Vector::LENGTH].map(|_: i8| random.next_u32() as i8);
            let (coarse, _, error) = split(&numbers);
            let upper = (0..Vector::LENGTH).map(|n| coarse[n % HALF] >> (4 * (n / HALF)) & 15);
            let far = upper.zip(numbers).map(|(upper, number)| {
                // The numbers that have these upper bits are four; half of the way is between.
                let middle = f64::from(upper) * 4.0 - 32.0 + 1.5;
                (2.0 * (f64::from(number) - middle)).powi(2)
            });
            assert_eq!(far.sum::<f64>(), f64::from(error));
        }
    }
}

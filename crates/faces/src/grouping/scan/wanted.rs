//! A face that is compared with all others by their upper bits.

use super::super::packed::{Coarse, Numbers, Piece, TWICE_FIRST, TWICE_STEP};
#[cfg(target_arch = "x86_64")]
use super::avx2::LeaveOpen;
use crate::Vector;

/// Products that are added up side by side: what vector instructions hold.
const LANES: usize = 16;

/// A vector that is compared with all others.
pub(super) struct Wanted {
    numbers: Numbers,
    /// As [`Coarse`] has them.
    halves: [[i16; Vector::LENGTH / 2]; 2],
    sum: i64,
    squares: u64,
}

impl Wanted {
    pub(super) fn new(numbers: &Numbers) -> Self {
        let mut halves = [[0; Vector::LENGTH / 2]; 2];
        for (to, from) in halves.iter_mut().flatten().zip(numbers) {
            *to = i16::from(*from);
        }
        Self {
            numbers: *numbers,
            halves,
            sum: numbers.iter().map(|number| i64::from(*number)).sum(),
            squares: numbers.iter().map(|number| u64::from(number.unsigned_abs()).pow(2)).sum(),
        }
    }

    pub(super) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Adds the places of all vectors that may be similar enough for all that their upper bits tell.
    pub(super) fn leave_open(&self, piece: &Piece, least: i32, open: &mut Vec<usize>) {
        #[cfg(target_arch = "x86_64")]
        if let pulp::Arch::V3(simd) = pulp::Arch::new() {
            let least = self.least_coarse(least, piece.error());
            let (numbers, rows) = (&self.numbers, piece.coarse());
            simd.vectorize(LeaveOpen { simd, numbers, rows, least, open });
            return;
        }
        self.leave_open_plainly(piece, least, open);
    }

    /// For processors without a way of their own. Compilers make vectors of it.
    pub(super) fn leave_open_plainly(&self, piece: &Piece, least: i32, open: &mut Vec<usize>) {
        let least = self.least_coarse(least, piece.error());
        for (place, row) in piece.coarse().iter().enumerate() {
            if self.coarse(row) >= least {
                open.push(place);
            }
        }
    }

    /// The sum of products with upper bits as they are. Each lane adds up eight products of a byte
    /// and four bits, which sixteen bits hold with room to spare; saying that nothing overflows lets
    /// tests be fast, too.
    #[inline(always)]
    fn coarse(&self, row: &Coarse) -> i32 {
        let [first, second] = &self.halves;
        let mut lanes = [0_i16; LANES];
        let parts = row.chunks_exact(LANES).zip(first.chunks_exact(LANES));
        for ((row, first), second) in parts.zip(second.chunks_exact(LANES)) {
            for (((lane, byte), first), second) in lanes.iter_mut().zip(row).zip(first).zip(second)
            {
                let byte = i16::from(*byte);
                let (low, high) =
                    ((byte & 15).wrapping_mul(*first), (byte >> 4).wrapping_mul(*second));
                *lane = lane.wrapping_add(low).wrapping_add(high);
            }
        }
        lanes.iter().fold(0, |sum: i32, lane| sum.wrapping_add(i32::from(*lane)))
    }

    /// What [`Wanted::coarse`] is at least for a face that is similar enough. Twice the similarity is
    /// at most that with [`super::super::packed::twice_coarse`], and the product of both lengths.
    fn least_coarse(&self, least: i32, error: u32) -> i32 {
        let lost = (self.squares * u64::from(error)).isqrt() as i64 + 1;
        let least = 2 * i64::from(least) - lost - i64::from(TWICE_FIRST) * self.sum;
        // Rounded up, as what it is compared with is whole.
        -((-least).div_euclid(i64::from(TWICE_STEP))) as i32
    }
}

//! For processors with AVX2: 32 products of four bits and a byte at once, added up in pairs.

use std::arch::x86_64::__m256i;

use pulp::NullaryFnOnce;
use pulp::bytemuck::cast;
use pulp::x86::V3;

use super::super::packed::{Coarse, Numbers};

/// Faces that are compared at a time, so that adding up across vectors is shared by them.
const ROWS: usize = 8;

/// Adds the places of all rows whose sum of products with these numbers is at least so large.
///
/// No closure, because those may become functions of their own: all here is inlined by force, as
/// code for AVX2 can only become part of code for AVX2.
pub(super) struct LeaveOpen<'a> {
    pub(super) simd: V3,
    pub(super) numbers: &'a Numbers,
    pub(super) rows: &'a [Coarse],
    pub(super) least: i32,
    pub(super) open: &'a mut Vec<usize>,
}

impl NullaryFnOnce for LeaveOpen<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { simd, numbers, rows, least, open } = self;
        let numbers: [__m256i; 4] = cast(*numbers);
        // What is compared is whole, so more than one less is at least.
        let below = simd.avx._mm256_set1_epi32(least.saturating_sub(1));
        let (blocks, rest) = rows.as_chunks::<ROWS>();
        for (block, rows) in blocks.iter().enumerate() {
            let sums = sums(simd, &numbers, rows);
            let are_open = simd.avx2._mm256_cmpgt_epi32(sums, below);
            let mut bits = simd.avx2._mm256_movemask_epi8(are_open).cast_unsigned();
            while bits != 0 {
                let row = bits.trailing_zeros() as usize / size_of::<i32>();
                open.push(block * ROWS + row);
                bits &= !(0xf << (row * size_of::<i32>()));
            }
        }
        for (row, coarse) in rest.iter().enumerate() {
            let [sum, ..]: [i32; ROWS] = cast(sums(simd, &numbers, &[*coarse; ROWS]));
            if sum >= least {
                open.push(blocks.len() * ROWS + row);
            }
        }
    }
}

/// The sums of products of eight rows, in their order.
#[inline(always)]
fn sums(simd: V3, numbers: &[__m256i; 4], rows: &[Coarse; ROWS]) -> __m256i {
    let [a, b, c, d, e, f, g, h] = rows;
    let add = simd.avx2;
    // Each half of a vector is added up by itself: first those of a to d, and of e to h.
    let upper = four_sums(simd, numbers, [a, b, c, d]);
    let lower = four_sums(simd, numbers, [e, f, g, h]);
    let first = add._mm256_permute2x128_si256::<0x20>(upper, lower);
    let second = add._mm256_permute2x128_si256::<0x31>(upper, lower);
    add._mm256_add_epi32(first, second)
}

/// The sums of products of four rows, in two parts each: the vector's lower and its upper half.
#[inline(always)]
fn four_sums(simd: V3, numbers: &[__m256i; 4], rows: [&Coarse; 4]) -> __m256i {
    let [a, b, c, d] = rows;
    let first = simd.avx2._mm256_hadd_epi32(products(simd, numbers, a), products(simd, numbers, b));
    let second =
        simd.avx2._mm256_hadd_epi32(products(simd, numbers, c), products(simd, numbers, d));
    simd.avx2._mm256_hadd_epi32(first, second)
}

/// The products of one row, added up to eight sums. Eight products of a byte and four bits are far
/// from what sixteen bits hold.
#[inline(always)]
fn products(simd: V3, numbers: &[__m256i; 4], row: &Coarse) -> __m256i {
    let [first, second]: [__m256i; 2] = cast(*row);
    let [a, b, c, d] = *numbers;
    let first = both_products(simd, first, a, c);
    let second = both_products(simd, second, b, d);
    let ones = simd.avx._mm256_set1_epi16(1);
    simd.avx2._mm256_madd_epi16(simd.avx2._mm256_add_epi16(first, second), ones)
}

/// The products of the lower and the upper four bits of these bytes, added up.
#[inline(always)]
fn both_products(simd: V3, bytes: __m256i, with_lower: __m256i, with_upper: __m256i) -> __m256i {
    let four = simd.avx._mm256_set1_epi8(15);
    let lower = simd.avx2._mm256_and_si256(bytes, four);
    let upper = simd.avx2._mm256_and_si256(simd.avx2._mm256_srli_epi16::<4>(bytes), four);
    simd.avx2._mm256_add_epi16(
        simd.avx2._mm256_maddubs_epi16(lower, with_lower),
        simd.avx2._mm256_maddubs_epi16(upper, with_upper),
    )
}

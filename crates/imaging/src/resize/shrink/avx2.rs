//! For processors with AVX2: 16 products of 16 bits at once, added up in pairs.

use std::arch::x86_64::__m256i;

use pulp::bytemuck::cast;
use pulp::x86::V3;

use super::taps::Taps;
use super::{Blend, FINE, LANES, WEIGHT, plain_columns, plain_rows};

/// Proof that the processor has it.
#[derive(Clone, Copy)]
pub(super) struct Avx2(pub(super) V3);

/// Samples of a row that are blended at a time.
const WIDE: usize = 64;

/// Samples of the result that are made of a row at a time.
const MADE: usize = 8;

/// How far sums are moved to the right.
const ROWS_SHIFT: i32 = (WEIGHT - FINE) as i32;
const COLUMNS_SHIFT: i32 = (WEIGHT + FINE) as i32;

impl Blend for Avx2 {
    #[inline(always)]
    fn rows(self, rows: &[&[u8]], weights: &[i16], into: &mut [i16]) {
        let blocks = into.as_chunks_mut::<WIDE>().0;
        let done = blocks.len() * WIDE;
        for (at, block) in blocks.iter_mut().enumerate() {
            let mut sums = [self.0.avx._mm256_set1_epi32(1 << (ROWS_SHIFT - 1)); 8];
            let pairs = rows.chunks(2).zip(weights.chunks(2));
            for pair in pairs {
                let (upper, lower, weights) = match pair {
                    ([upper, lower], [a, b]) => (upper, lower, [*a, *b]),
                    ([upper, ..], [a, ..]) => (upper, upper, [*a, 0]),
                    _ => continue,
                };
                let (upper, lower) = (upper.as_chunks::<WIDE>().0, lower.as_chunks::<WIDE>().0);
                let (Some(upper), Some(lower)) = (upper.get(at), lower.get(at)) else { continue };
                self.add_rows(upper, lower, weights, &mut sums);
            }
            *block = self.rounded(sums);
        }
        plain_rows(rows, weights, into, done);
    }

    #[inline(always)]
    fn columns(self, row: &[i16], taps: &Taps, into: &mut [u8]) {
        let done = match taps.count() / LANES {
            1 => self.many_columns(row, taps, 1, into),
            2 => self.many_columns(row, taps, 2, into),
            more => self.many_columns(row, taps, more, into),
        };
        plain_columns(row, taps, into, done);
    }
}

/// All of these are inlined by force: code for AVX2 can only become part of code for AVX2.
impl Avx2 {
    /// Adds the weighted samples of two rows to the sums of 64 columns. Unpacking works on each
    /// half of a vector, so their order is 0–3 and 16–19, 4–7 and 20–23 and so on.
    #[inline(always)]
    fn add_rows(
        self,
        upper: &[u8; WIDE],
        lower: &[u8; WIDE],
        weights: [i16; 2],
        sums: &mut [__m256i; 8],
    ) {
        let simd = self.0.avx2;
        let zero = self.0.avx._mm256_setzero_si256();
        let weights = self.0.avx._mm256_set1_epi32(cast(weights));
        let (upper, lower): ([__m256i; 2], [__m256i; 2]) = (cast(*upper), cast(*lower));
        let (halves, _) = sums.as_chunks_mut::<4>();
        for ((upper, lower), [a, b, c, d]) in upper.into_iter().zip(lower).zip(halves) {
            let near = simd._mm256_unpacklo_epi8(upper, lower);
            let far = simd._mm256_unpackhi_epi8(upper, lower);
            *a = self.add_products(*a, simd._mm256_unpacklo_epi8(near, zero), weights);
            *b = self.add_products(*b, simd._mm256_unpackhi_epi8(near, zero), weights);
            *c = self.add_products(*c, simd._mm256_unpacklo_epi8(far, zero), weights);
            *d = self.add_products(*d, simd._mm256_unpackhi_epi8(far, zero), weights);
        }
    }

    #[inline(always)]
    fn add_products(self, sum: __m256i, samples: __m256i, weights: __m256i) -> __m256i {
        let simd = self.0.avx2;
        simd._mm256_add_epi32(sum, simd._mm256_madd_epi16(samples, weights))
    }

    /// The sums as samples in their order.
    #[inline(always)]
    fn rounded(self, [a, b, c, d, e, f, g, h]: [__m256i; 8]) -> [i16; WIDE] {
        let [a, b] = self.rounded_half(a, b, c, d);
        let [c, d] = self.rounded_half(e, f, g, h);
        cast([a, b, c, d])
    }

    #[inline(always)]
    fn rounded_half(self, a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> [__m256i; 2] {
        let simd = self.0.avx2;
        let near = simd._mm256_packs_epi32(
            simd._mm256_srai_epi32::<ROWS_SHIFT>(a),
            simd._mm256_srai_epi32::<ROWS_SHIFT>(b),
        );
        let far = simd._mm256_packs_epi32(
            simd._mm256_srai_epi32::<ROWS_SHIFT>(c),
            simd._mm256_srai_epi32::<ROWS_SHIFT>(d),
        );
        [
            simd._mm256_permute2x128_si256::<0x20>(near, far),
            simd._mm256_permute2x128_si256::<0x31>(near, far),
        ]
    }

    /// Makes samples as long as there are eight of them, each of `vectors` times [`LANES`]
    /// samples; returns how many.
    #[inline(always)]
    fn many_columns(self, row: &[i16], taps: &Taps, vectors: usize, into: &mut [u8]) -> usize {
        let (starts, weights) = taps.padded();
        let blocks = into.as_chunks_mut::<MADE>().0;
        let done = blocks.len() * MADE;
        let each = starts.as_chunks::<MADE>().0.iter().zip(weights.chunks_exact(MADE * vectors));
        for (block, (starts, weights)) in blocks.iter_mut().zip(each) {
            let mut sums = [self.0.avx._mm256_setzero_si256(); MADE];
            let each = starts.iter().zip(weights.chunks_exact(vectors));
            for (sum, (start, weights)) in sums.iter_mut().zip(each) {
                let samples = row.get(*start..).unwrap_or_default().as_chunks::<LANES>().0;
                for (samples, weights) in samples.iter().zip(weights) {
                    *sum = self.add_products(*sum, cast(*samples), cast(*weights));
                }
            }
            *block = self.added_up(sums);
        }
        done
    }

    /// Eight sums of eight numbers each, as samples.
    #[inline(always)]
    fn added_up(self, [a, b, c, d, e, f, g, h]: [__m256i; MADE]) -> [u8; MADE] {
        let simd = self.0.avx2;
        let (near, far) = (self.four_sums(a, b, c, d), self.four_sums(e, f, g, h));
        let sum = simd._mm256_add_epi32(
            simd._mm256_permute2x128_si256::<0x20>(near, far),
            simd._mm256_permute2x128_si256::<0x31>(near, far),
        );
        let half = self.0.avx._mm256_set1_epi32(1 << (COLUMNS_SHIFT - 1));
        let sum = simd._mm256_srai_epi32::<COLUMNS_SHIFT>(simd._mm256_add_epi32(sum, half));
        let words = simd._mm256_packs_epi32(sum, sum);
        // Each half has its four bytes four times.
        let [low, _, _, _, high, ..]: [u32; 8] = cast(simd._mm256_packus_epi16(words, words));
        cast([low, high])
    }

    /// The sums of each half of four vectors.
    #[inline(always)]
    fn four_sums(self, a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> __m256i {
        let simd = self.0.avx2;
        simd._mm256_hadd_epi32(simd._mm256_hadd_epi32(a, b), simd._mm256_hadd_epi32(c, d))
    }
}

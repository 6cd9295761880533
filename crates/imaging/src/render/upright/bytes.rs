//! Rows of bytes that become columns, in blocks of 16 × 16 where the processor has vectors of 16.

/// Rows and columns of a block.
const SIDE: usize = 16;

type Block = [[u8; SIDE]; SIDE];

/// Turns planes by a quarter: the sample in column x and row y of `from` goes to column y and row
/// x of `into`, both counted from the other end where they are flipped.
pub(super) fn swap_sides(
    from: &[u8],
    (width, height): (usize, usize),
    (flips_x, flips_y): (bool, bool),
    into: &mut [u8],
) {
    let turn = Turn { width, height, flips_x, flips_y };
    #[cfg(target_arch = "x86_64")]
    if let pulp::Arch::V3(simd) = pulp::Arch::new() {
        simd.vectorize(
            #[inline(always)]
            || {
                turn.blocks(
                    from,
                    into,
                    #[inline(always)]
                    |block| swapped_by_vectors(simd, block),
                );
            },
        );
        return;
    }
    turn.blocks(from, into, swapped);
}

#[derive(Clone, Copy)]
struct Turn {
    width: usize,
    height: usize,
    flips_x: bool,
    flips_y: bool,
}

impl Turn {
    #[inline(always)]
    fn blocks(self, from: &[u8], into: &mut [u8], swap: impl Fn(Block) -> Block) {
        let Self { width, height, .. } = self;
        for top in (0..height).step_by(SIDE) {
            for left in (0..width).step_by(SIDE) {
                // Less than a block is left at the ends.
                let (columns, rows) = ((width - left).min(SIDE), (height - top).min(SIDE));
                let mut block = [[0; SIDE]; SIDE];
                for (at, row) in block.iter_mut().take(rows).enumerate() {
                    copy(from.get((top + at) * width + left..), row, columns);
                }
                if self.flips_x {
                    block.get_mut(..rows).unwrap_or_default().reverse();
                }
                let place = if self.flips_x { height - top - rows } else { top };
                for (at, column) in swap(block).iter().take(columns).enumerate() {
                    let x = left + at;
                    let row = if self.flips_y { width - 1 - x } else { x };
                    let into = into.get_mut(row * height + place..);
                    copy(Some(column.as_slice()), into.unwrap_or_default(), rows);
                }
            }
        }
    }
}

/// Copies so many bytes, if they are there.
#[inline(always)]
fn copy(from: Option<&[u8]>, into: &mut [u8], count: usize) {
    let from = from.unwrap_or_default();
    // A whole block is one vector.
    if count == SIDE
        && let (Some(from), Some(into)) =
            (from.first_chunk::<SIDE>(), into.first_chunk_mut::<SIDE>())
    {
        *into = *from;
        return;
    }
    into.iter_mut().zip(from).take(count).for_each(|(into, byte)| *into = *byte);
}

fn swapped(block: Block) -> Block {
    let mut swapped = block;
    for (at, row) in swapped.iter_mut().enumerate() {
        for (into, from) in row.iter_mut().zip(&block) {
            *into = from.get(at).copied().unwrap_or(0);
        }
    }
    swapped
}

/// Interleaving the first half of the rows with the second swaps rows and columns after as many
/// times as numbers of rows have bits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn swapped_by_vectors(simd: pulp::x86::V3, block: Block) -> Block {
    use pulp::bytemuck::cast;
    use std::arch::x86_64::__m128i;

    let mut rows: [__m128i; SIDE] = cast(block);
    for _ in 0..SIDE.ilog2() {
        let (first, second) = rows.split_at(SIDE / 2);
        let mut mixed = rows;
        for ([near, far], (a, b)) in
            mixed.as_chunks_mut().0.iter_mut().zip(first.iter().zip(second))
        {
            *near = simd.sse2._mm_unpacklo_epi8(*a, *b);
            *far = simd.sse2._mm_unpackhi_epi8(*a, *b);
        }
        rows = mixed;
    }
    cast(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_go_where_they_belong_in_blocks_and_beside_them() {
        for (width, height) in [(1, 1), (16, 16), (5, 40), (40, 5), (53, 35)] {
            let from: Vec<u8> = (0..width * height).map(|at| (at * 7 % 251) as u8).collect();
            for flips in [(false, false), (true, false), (false, true), (true, true)] {
                let mut into = vec![0; from.len()];
                swap_sides(&from, (width, height), flips, &mut into);
                for (at, sample) in from.iter().enumerate() {
                    let (x, y) = (at % width, at / width);
                    let column = if flips.0 { height - 1 - y } else { y };
                    let row = if flips.1 { width - 1 - x } else { x };
                    assert_eq!(
                        into[row * height + column],
                        *sample,
                        "{width} × {height} {flips:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_processor_swaps_blocks_alike() {
        let block: Block = std::array::from_fn(|y| std::array::from_fn(|x| (y * 16 + x) as u8));
        let mut into = [0; SIDE * SIDE];
        swap_sides(block.as_flattened(), (SIDE, SIDE), (false, false), &mut into);
        assert_eq!(into, swapped(block).as_flattened());
    }
}

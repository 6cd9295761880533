//! What is held of the blocks of a channel.

use super::broken;
use crate::Error;

/// Where the coefficients stand that follow each other in a file, by rows of eight.
const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// Which coefficients are held: those of the first rows and columns.
#[derive(Clone)]
pub(super) struct Places {
    /// For each coefficient of a file, where it is held.
    held: [Option<u8>; 64],
    /// How many are held.
    pub(super) count: usize,
}

impl Places {
    /// For a scale of so many eighths.
    pub(super) fn new(eighths: usize) -> Self {
        let held = ZIGZAG.map(|place| {
            let (row, column) = (usize::from(place / 8), usize::from(place % 8));
            (row < eighths && column < eighths).then_some((row * eighths + column) as u8)
        });
        Self { held, count: eighths * eighths }
    }

    /// A table of 64 numbers in the order of a file, of those that are held.
    pub(super) fn select(&self, table: &[u16; 64]) -> Vec<f32> {
        let mut selected = vec![0.0; self.count];
        for (place, number) in self.held.iter().zip(table) {
            if let Some(into) = place.and_then(|place| selected.get_mut(usize::from(place))) {
                *into = f32::from(*number);
            }
        }
        selected
    }
}

/// A channel.
pub(super) struct Component {
    pub(super) id: u8,
    /// Blocks that a step of all channels together has of it.
    pub(super) across: u32,
    pub(super) down: u32,
    /// Blocks that it has by itself.
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Blocks of a row, up to a whole step.
    stride: usize,
    held: usize,
    coefficients: Vec<i16>,
    /// For each block, one bit for every coefficient that is not zero.
    nonzero: Vec<u64>,
    pub(super) quantizer: Option<Vec<f32>>,
    /// Which of the tables is its quantizer.
    pub(super) table: u8,
}

impl Component {
    /// Of `columns` by `rows` blocks, within room for `stride` by `room` blocks.
    pub(super) fn new(
        (id, table): (u8, u8),
        (across, down): (u32, u32),
        (columns, rows): (usize, usize),
        (stride, room): (usize, usize),
        places: &Places,
    ) -> Self {
        let blocks = stride * room;
        Self {
            id,
            across,
            down,
            columns,
            rows,
            stride,
            held: places.count,
            coefficients: vec![0; blocks * places.count],
            nonzero: vec![0; blocks],
            quantizer: None,
            table,
        }
    }

    pub(super) fn quantizer(&self) -> Result<&[f32], Error> {
        self.quantizer.as_deref().ok_or_else(|| broken("a channel in no scan"))
    }

    /// Blocks in a row.
    pub(super) fn row_blocks(&self) -> usize {
        self.columns
    }

    /// The coefficients of the blocks of a row.
    pub(super) fn blocks_of_row(&self, row: usize) -> Option<&[i16]> {
        if row >= self.rows {
            return None;
        }
        let start = row * self.stride * self.held;
        self.coefficients.get(start..start + self.columns * self.held)
    }

    /// A block to be filled in.
    #[inline(always)]
    pub(super) fn block<'a>(
        &'a mut self,
        (column, row): (usize, usize),
        places: &'a Places,
    ) -> Option<Block<'a>> {
        let index = row * self.stride + column;
        let coefficients = self.coefficients.get_mut(index * self.held..(index + 1) * self.held)?;
        Some(Block { coefficients, nonzero: self.nonzero.get_mut(index)?, places })
    }
}

/// The coefficients of a block, by their order in a file.
pub(super) struct Block<'a> {
    coefficients: &'a mut [i16],
    nonzero: &'a mut u64,
    places: &'a Places,
}

impl Block<'_> {
    #[inline(always)]
    fn held(&mut self, at: u32) -> Option<&mut i16> {
        let place = self.places.held.get(at as usize).copied().flatten()?;
        self.coefficients.get_mut(usize::from(place))
    }

    #[inline(always)]
    pub(super) fn is_nonzero(&self, at: u32) -> bool {
        *self.nonzero >> (at & 63) & 1 == 1
    }

    /// Sets a coefficient that is not zero.
    #[inline(always)]
    pub(super) fn set(&mut self, at: u32, value: i32) {
        *self.nonzero |= 1 << (at & 63);
        if let Some(held) = self.held(at) {
            *held = value as i16;
        }
    }

    /// Sets the first, whether it is zero or not.
    #[inline(always)]
    pub(super) fn set_first(&mut self, value: i32) {
        if let Some(held) = self.coefficients.first_mut() {
            *held = value as i16;
        }
    }

    /// Adds a bit to the first.
    #[inline(always)]
    pub(super) fn refine_first(&mut self, bit: i16) {
        if let Some(held) = self.coefficients.first_mut() {
            *held |= bit;
        }
    }

    /// Adds a bit to a coefficient that is not zero, away from zero.
    #[inline(always)]
    pub(super) fn refine(&mut self, at: u32, bit: i16) {
        if let Some(held) = self.held(at).filter(|held| **held & bit == 0) {
            *held = if *held < 0 { held.wrapping_sub(bit) } else { held.wrapping_add(bit) };
        }
    }
}

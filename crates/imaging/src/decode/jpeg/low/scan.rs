//! A scan: some coefficients of the blocks of some channels, or further bits of them.

use super::bits::Bits;
use super::block::Block;
use super::broken;
use super::huffman::Table;
use super::markers::Image;
use crate::Error;

/// What the header of a scan says.
pub(super) struct Scan {
    /// Its channels, and for each its tables for the first coefficient and for the others.
    pub(super) channels: Vec<(usize, usize, usize)>,
    /// The first and the last coefficient.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The bit that was the lowest before, 0 if there was none, and the lowest bit now.
    pub(super) high: u8,
    pub(super) low: u8,
}

impl Scan {
    /// Fails unless a scan may be like that.
    pub(super) fn check(&self, is_progressive: bool) -> Result<(), Error> {
        let channels = (1..=4).contains(&self.channels.len());
        let possible = match (is_progressive, self.first) {
            (false, first) => first == 0 && self.last == 63 && self.high == 0 && self.low == 0,
            (true, 0) => self.last == 0,
            (true, first) => first <= self.last && self.last < 64 && self.channels.len() == 1,
        };
        let refines = self.high == 0 || self.high == self.low + 1;
        match channels && possible && refines && self.low <= 13 {
            true => Ok(()),
            false => Err(broken("an impossible scan")),
        }
    }
}

/// What goes on from block to block.
struct State<'a> {
    bits: Bits<'a>,
    /// The last first coefficients of the channels.
    before: [i32; 4],
    /// Blocks that have nothing more in this scan.
    ended: u32,
}

impl Image<'_> {
    /// Reads the bits of a scan from an offset on; returns where they end.
    pub(super) fn read_scan(
        &mut self,
        scan: &Scan,
        bytes: &[u8],
        at: usize,
    ) -> Result<usize, Error> {
        let mut state = State { bits: Bits::new(bytes, at), before: [0; 4], ended: 0 };
        let own = match scan.channels.as_slice() {
            [(index, ..)] => self.components.get(*index).map(|only| (only.columns, only.rows)),
            _ => None,
        };
        // A channel alone comes block by block, without what fills up the last step.
        let (columns, rows) = own.unwrap_or(self.steps);
        let mut until_restart = self.restart_interval;
        for row in 0..rows {
            for column in 0..columns {
                if self.restart_interval > 0 {
                    if until_restart == 0 {
                        state.restart()?;
                        until_restart = self.restart_interval;
                    }
                    until_restart -= 1;
                }
                self.read_step(scan, (column, row), own.is_some(), &mut state)?;
            }
            if state.bits.is_overdrawn() {
                self.is_whole = false;
                return Ok(state.bits.position());
            }
        }
        Ok(state.bits.position())
    }

    #[inline(always)]
    fn read_step(
        &mut self,
        scan: &Scan,
        (column, row): (usize, usize),
        alone: bool,
        state: &mut State<'_>,
    ) -> Result<(), Error> {
        for (slot, (index, first, others)) in scan.channels.iter().enumerate() {
            let Some(component) = self.components.get_mut(*index) else { continue };
            let tables = Tables {
                first: self.first_tables.get(*first).and_then(Option::as_ref),
                others: self.other_tables.get(*others).and_then(Option::as_ref),
            };
            let (across, down) = match alone {
                true => (1, 1),
                false => (component.across as usize, component.down as usize),
            };
            for y in 0..down {
                for x in 0..across {
                    let place = (column * across + x, row * down + y);
                    let block = component.block(place, &self.places);
                    let block = block.ok_or_else(|| broken("a block outside of its image"))?;
                    match self.is_progressive {
                        true => state.progressive(scan, slot, tables, block)?,
                        false => state.sequential(slot, tables, block)?,
                    }
                }
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Tables<'a> {
    first: Option<&'a Table>,
    others: Option<&'a Table>,
}

fn missing() -> Error {
    broken("a table is missing")
}

impl State<'_> {
    fn restart(&mut self) -> Result<(), Error> {
        (self.before, self.ended) = ([0; 4], 0);
        match self.bits.restart() {
            true => Ok(()),
            false => Err(broken("a restart marker is missing")),
        }
    }

    #[inline(always)]
    fn progressive(
        &mut self,
        scan: &Scan,
        slot: usize,
        tables: Tables<'_>,
        mut block: Block<'_>,
    ) -> Result<(), Error> {
        match (scan.first, scan.high) {
            (0, 0) => {
                let level = self.first(slot, tables.first.ok_or_else(missing)?);
                block.set_first(level << scan.low);
            }
            (0, _) => block.refine_first((self.bits.take(1) << scan.low) as i16),
            (_, 0) => self.others(scan, tables.others.ok_or_else(missing)?, block),
            _ => self.refine(scan, tables.others.ok_or_else(missing)?, block),
        }
        Ok(())
    }

    /// A block whose coefficients all come at once.
    #[inline(always)]
    fn sequential(
        &mut self,
        slot: usize,
        tables: Tables<'_>,
        mut block: Block<'_>,
    ) -> Result<(), Error> {
        let level = self.first(slot, tables.first.ok_or_else(missing)?);
        block.set_first(level);
        let table = tables.others.ok_or_else(missing)?;
        let mut at = 1;
        while at < 64 {
            let symbol = u32::from(table.next(&mut self.bits));
            match (symbol >> 4, symbol & 15) {
                (15, 0) => at += 16,
                (_, 0) => break,
                (zeros, length) => {
                    at += zeros;
                    block.set(at.min(63), self.bits.take_signed(length));
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// The first coefficient, which is stored as its distance to the last block's.
    #[inline(always)]
    fn first(&mut self, slot: usize, table: &Table) -> i32 {
        let length = u32::from(table.next(&mut self.bits)).min(15);
        let distance = self.bits.take_signed(length);
        let Some(before) = self.before.get_mut(slot) else { return 0 };
        *before = before.wrapping_add(distance);
        *before
    }

    /// The highest bits of some of the other coefficients.
    #[inline(always)]
    fn others(&mut self, scan: &Scan, table: &Table, mut block: Block<'_>) {
        if self.ended > 0 {
            self.ended -= 1;
            return;
        }
        let mut at = scan.first;
        while at <= scan.last {
            let symbol = u32::from(table.next(&mut self.bits));
            match (symbol >> 4, symbol & 15) {
                (15, 0) => at += 16,
                (zeros, 0) => {
                    self.ended = (1 << zeros) + self.bits.take(zeros) - 1;
                    return;
                }
                (zeros, length) => {
                    at += zeros;
                    block.set(at.min(63), self.bits.take_signed(length) << scan.low);
                    at += 1;
                }
            }
        }
    }

    /// The next bit of coefficients that are not zero, and of those that become so.
    #[inline(always)]
    fn refine(&mut self, scan: &Scan, table: &Table, mut block: Block<'_>) {
        let bit = 1_i16 << scan.low;
        let mut at = scan.first;
        if self.ended == 0 {
            while at <= scan.last {
                let symbol = u32::from(table.next(&mut self.bits));
                let (mut zeros, length) = (symbol >> 4, symbol & 15);
                let mut new = None;
                if length > 0 {
                    new = Some(if self.bits.take(1) == 1 { bit } else { -bit });
                } else if zeros < 15 {
                    self.ended = (1 << zeros) + self.bits.take(zeros);
                    break;
                }
                while at <= scan.last {
                    if block.is_nonzero(at) {
                        if self.bits.take(1) == 1 {
                            block.refine(at, bit);
                        }
                    } else if zeros == 0 {
                        break;
                    } else {
                        zeros -= 1;
                    }
                    at += 1;
                }
                if let Some(new) = new.filter(|_| at <= scan.last) {
                    block.set(at, new.into());
                }
                at += 1;
            }
        }
        if self.ended > 0 {
            for at in at..=scan.last {
                if block.is_nonzero(at) && self.bits.take(1) == 1 {
                    block.refine(at, bit);
                }
            }
            self.ended -= 1;
        }
    }
}

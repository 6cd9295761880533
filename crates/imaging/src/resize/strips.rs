//! Pictures that are made smaller while their rows come in, so that memory follows the result.
//!
//! For every few rows of the result there is a strip of the source, as high as the filter reaches.
//! The rows of the result are made from it as they would be from the whole picture; then the strip
//! moves on.

use super::{LOBES, Resize, Window};
use crate::Error;
use crate::picture::{Buffer, Buffers, Channels, Pixels, Plane, Size, area};

/// A strip takes this much, or what it needs for [`LEAST_ROWS`].
const STRIP_BYTES: usize = 8 << 20;

/// Rows of the result that are made at once, at least: the rows around them that the filter reaches
/// are looked at again for the next ones.
const LEAST_ROWS: u32 = 4;

/// Samples of a direction that become one, at most. A steeper filter would reach over more rows
/// than are worth holding; the result is larger than wanted instead.
const STEEPEST: f64 = 16.0;

/// What the weights of a sample take: each has some six, in two kinds of numbers.
const WEIGHTS_BYTES: u64 = 128;

/// What [`Strips`] make of a picture that is wanted in this size: that size, or a multiple of it.
pub(crate) fn strips_size(from: Size, wanted: Size) -> Size {
    let ratio = |from: u32, wanted: u32| f64::from(from) / f64::from(wanted.max(1));
    let steepest = ratio(from.0, wanted.0).min(ratio(from.1, wanted.1));
    let times = (steepest / STEEPEST).ceil().max(1.0) as u32;
    let side = |from: u32, wanted: u32| wanted.saturating_mul(times).clamp(1, from.max(1));
    (side(from.0, wanted.0), side(from.1, wanted.1))
}

/// What [`Strips`] take at most, the result included.
pub(crate) fn strips_bytes(from: Size, wanted: Size, channels: Channels) -> u64 {
    let size = strips_size(from, wanted);
    let row = u64::from(from.0) * channels.count() as u64;
    let Heights { strip, made } = Heights::new(from, size.1, channels);
    // A copy multiplied by opacity.
    let strips = if channels.has_alpha() { 2 } else { 1 };
    // Rows on their way, and the weights of a row.
    let blended = u64::from(made) * row + u64::from(from.0) * WEIGHTS_BYTES;
    let result = area(size) as u64 * channels.count() as u64;
    (strip as u64 * row).saturating_mul(strips).saturating_add(blended).saturating_add(result)
}

/// Rows of a strip, and of the result made from it.
struct Heights {
    strip: usize,
    made: u32,
}

impl Heights {
    fn new(from: Size, rows: u32, channels: Channels) -> Self {
        let row = (from.0 as usize * channels.count()).max(1);
        let scale = f64::from(from.1) / f64::from(rows.max(1));
        let around = 2.0 * LOBES * scale.max(1.0) + 2.0;
        let made = ((STRIP_BYTES / row) as f64 - around) / scale;
        let made = (made as u32).clamp(LEAST_ROWS, rows.max(LEAST_ROWS)).min(rows.max(1));
        let strip = (f64::from(made) * scale + around).ceil() as usize + 1;
        Self { strip: strip.min(from.1 as usize).max(1), made }
    }
}

/// A picture of interleaved channels on its way.
pub(crate) struct Strips {
    from: Size,
    channels: Channels,
    result: Pixels,
    /// Rows of the source, the first of which has the number `first`.
    strip: Buffer,
    first: usize,
    filled: usize,
    /// Rows of the result that are made, and how many are made at once.
    made: u32,
    at_once: u32,
}

impl Strips {
    /// For a picture of the size `from`, of which [`strips_size`] is to come.
    pub(crate) fn new(buffers: &mut Buffers, from: Size, channels: Channels, wanted: Size) -> Self {
        let size = strips_size(from, wanted);
        let Heights { strip, made } = Heights::new(from, size.1, channels);
        let strip = buffers.take(strip * from.0 as usize * channels.count());
        let data = buffers.take(area(size) * channels.count());
        let result = Pixels { size, channels, data };
        Self { from, channels, result, strip, first: 0, filled: 0, made: 0, at_once: made }
    }

    /// Takes the next row, from the top.
    pub(crate) fn push(
        &mut self,
        resize: &mut Resize,
        fill: impl FnOnce(&mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let row = self.row_bytes();
        if self.from == self.result.size {
            let at = self.first * row;
            self.first += 1;
            return fill(self.result.data.get_mut(at..at + row).ok_or_else(too_many)?);
        }
        self.drop_passed();
        let at = self.filled * row;
        fill(self.strip.get_mut(at..at + row).ok_or_else(too_many)?)?;
        self.filled += 1;
        while self.made < self.result.size.1 && self.first + self.filled >= self.needed().1 {
            self.make(resize)?;
        }
        Ok(())
    }

    /// The picture, once all rows have been pushed.
    pub(crate) fn finish(self, buffers: &mut Buffers) -> Result<Pixels, Error> {
        if self.first + self.filled < self.from.1 as usize {
            return Err(fault("a picture ended before its last row"));
        }
        buffers.give(self.strip);
        Ok(self.result)
    }

    fn row_bytes(&self) -> usize {
        self.from.0 as usize * self.channels.count()
    }

    /// Rows of the source that become one.
    fn scale(&self) -> f64 {
        f64::from(self.from.1) / f64::from(self.result.size.1)
    }

    /// The last row of the result that is made next, and the one behind it.
    fn until(&self) -> u32 {
        self.made.saturating_add(self.at_once).min(self.result.size.1)
    }

    /// The rows of the source that the next rows of the result are made from.
    fn needed(&self) -> (usize, usize) {
        let scale = self.scale();
        let reach = LOBES * scale.max(1.0);
        let low = f64::from(self.made) * scale - reach;
        let high = f64::from(self.until()) * scale + reach;
        (low.floor().max(0.0) as usize, (high.ceil() as usize).min(self.from.1 as usize))
    }

    /// Moves the strip on when it is full, or has nothing that is still looked at.
    fn drop_passed(&mut self) {
        let row = self.row_bytes();
        if (self.filled + 1) * row <= self.strip.len() {
            return;
        }
        let (low, _) = self.needed();
        let passed = if self.made < self.result.size.1 {
            low.saturating_sub(self.first).min(self.filled)
        } else {
            self.filled
        };
        self.strip.copy_within(passed * row..self.filled * row, 0);
        self.first += passed;
        self.filled -= passed;
    }

    fn make(&mut self, resize: &mut Resize) -> Result<(), Error> {
        let (until, stride) = (self.until(), self.result.size.0 as usize * self.channels.count());
        let (rows, scale) = (until - self.made, self.scale());
        let top = f64::from(self.made) * scale - self.first as f64;
        let height = (f64::from(rows) * scale).min(self.filled as f64 - top);
        let window = Window { top, height, ..Window::whole(self.from) };
        let data = self.strip.get(..self.filled * self.row_bytes()).unwrap_or_default();
        let plane = Plane { data, stride: self.from.0 as usize, rows: self.filled };
        let range = self.made as usize * stride..until as usize * stride;
        let into = self.result.data.get_mut(range).ok_or_else(too_many)?;
        let size = (self.result.size.0, rows);
        resize.samples(plane, self.channels, window, (into, size), size)?;
        self.made = until;
        Ok(())
    }
}

fn too_many() -> Error {
    fault("a picture of more rows than it has")
}

fn fault(what: &'static str) -> Error {
    Error::Internal { what: what.into() }
}

#[cfg(test)]
mod tests;

//! Bits out of bytes; `None` where the bytes end.

/// Reads bits one after the other.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    order: Order,
}

/// Which bit of a byte comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The highest, as in HEVC.
    HighFirst,
    /// The lowest, as in JPEG XL.
    LowFirst,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8], order: Order) -> Self {
        Self { bytes, at: 0, order }
    }

    /// One bit.
    pub(super) fn flag(&mut self) -> Option<bool> {
        let byte = *self.bytes.get(self.at / 8)?;
        let within = self.at % 8;
        let shift = if self.order == Order::LowFirst { within } else { 7 - within };
        self.at += 1;
        Some(byte >> shift & 1 == 1)
    }

    /// Up to 32 bits as a number.
    pub(super) fn number(&mut self, count: u32) -> Option<u32> {
        let mut number = 0;
        for i in 0..count.min(32) {
            let bit = u32::from(self.flag()?);
            number =
                if self.order == Order::LowFirst { number | bit << i } else { number << 1 | bit };
        }
        Some(number)
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Goes on to the next whole byte.
    pub(super) fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }

    /// A number of Exp-Golomb coding: as many bits after the first one as zeros before it.
    pub(super) fn exp_golomb(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        Some((1_u32 << zeros) - 1 + self.number(zeros)?)
    }
}

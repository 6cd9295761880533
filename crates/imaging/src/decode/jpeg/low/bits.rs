//! The bits of a scan, out of bytes in which 255 is followed by a zero unless it begins a marker.

/// Bits from the first to the last; zeros behind the end.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The next bits, the lowest `count` of it.
    buffer: u64,
    count: u32,
    /// Zeros among them that are not in the file.
    made_up: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, buffer: 0, count: 0, made_up: 0 }
    }

    /// Where the marker is at which they end, if all have been taken.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Whether bits were taken that are not there.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.made_up > self.count
    }

    #[inline(always)]
    fn fill(&mut self) {
        while self.count <= 48 {
            let byte = match self.bytes.get(self.at) {
                Some(0xff) if self.bytes.get(self.at + 1) == Some(&0) => {
                    self.at += 2;
                    0xff
                }
                Some(0xff) | None => {
                    self.made_up += 8;
                    0
                }
                Some(byte) => {
                    self.at += 1;
                    *byte
                }
            };
            self.buffer = self.buffer << 8 | u64::from(byte);
            self.count += 8;
        }
    }

    /// The next 16 bits, which stay.
    #[inline(always)]
    pub(super) fn peek16(&mut self) -> u32 {
        if self.count < 16 {
            self.fill();
        }
        (self.buffer >> (self.count - 16)) as u32 & 0xffff
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.count = self.count.saturating_sub(count);
    }

    /// The next bits as a number; at most 16.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let number = self.peek16() >> (16 - count.min(16));
        self.skip(count);
        number
    }

    /// A number of so many bits, whose first is zero for negative ones.
    #[inline(always)]
    pub(super) fn take_signed(&mut self, count: u32) -> i32 {
        if count == 0 {
            return 0;
        }
        let number = self.take(count) as i32;
        if number < 1 << (count - 1) { number - (1 << count) + 1 } else { number }
    }

    /// Goes on behind the restart marker that must be next; whether it is.
    pub(super) fn restart(&mut self) -> bool {
        if self.is_overdrawn() {
            return false;
        }
        // Bits of the last byte, and bytes that stand before the marker.
        (self.buffer, self.count, self.made_up) = (0, 0, 0);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.windows(2).position(|pair| matches!(pair, [0xff, 0x01..=0xfe])) {
            Some(skipped) if matches!(rest.get(skipped + 1), Some(0xd0..=0xd7)) => {
                self.at += skipped + 2;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_end_at_a_marker_and_stuffing_is_left_out() {
        let bytes = [0b1010_0000, 0xff, 0x00, 0x80, 0xff, 0xd0, 0xff, 0xd9];
        let mut bits = Bits::new(&bytes, 0);
        assert_eq!((bits.take(3), bits.take(5), bits.take(16)), (0b101, 0, 0xff80));
        assert!(!bits.is_overdrawn() && bits.restart());
        assert!(bits.take(1) == 0 && bits.is_overdrawn(), "zeros behind the end");
        assert!(!bits.restart());
    }

    #[test]
    fn numbers_have_their_sign() {
        let mut bits = Bits::new(&[0b0101_1010], 0);
        let numbers = [bits.take_signed(1), bits.take_signed(2), bits.take_signed(2)];
        assert_eq!((numbers, bits.take_signed(3)), ([-1, 2, 3], -5));
    }
}

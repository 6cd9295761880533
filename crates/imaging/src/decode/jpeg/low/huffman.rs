//! Symbols by the codes of a Huffman table.

use super::bits::Bits;
use super::broken;
use crate::Error;

/// Codes of so many bits are found at once.
const SHORT: u32 = 9;

/// A table of a JPEG file.
pub(super) struct Table {
    /// For all bits that may come: the symbol and, above it, the length of its code; 0 if it is
    /// longer.
    short: Vec<u16>,
    /// For codes of each length: the first code behind them, on 16 bits, and what to add to a code
    /// to find its symbol.
    longer: [(u32, i32); 17],
    symbols: Vec<u8>,
}

impl Table {
    /// From how many codes there are of each length, and the symbols.
    pub(super) fn new(counts: &[u8; 16], symbols: &[u8]) -> Result<Self, Error> {
        let mut short = vec![0; 1 << SHORT];
        let mut longer = [(0, 0); 17];
        let (mut code, mut index) = (0_u32, 0_usize);
        for ((length, count), behind) in (1_u32..).zip(counts).zip(longer.iter_mut().skip(1)) {
            behind.1 = index as i32 - code as i32;
            for _ in 0..*count {
                let symbol = *symbols.get(index).ok_or_else(|| broken("a table cut off"))?;
                if length <= SHORT {
                    let first = (code << (SHORT - length)) as usize;
                    let same = short.get_mut(first..first + (1 << (SHORT - length)));
                    same.ok_or_else(too_many)?.fill((length as u16) << 8 | u16::from(symbol));
                }
                code += 1;
                index += 1;
            }
            if code > 1 << length {
                return Err(too_many());
            }
            behind.0 = code << (16 - length);
            code <<= 1;
        }
        Ok(Self { short, longer, symbols: symbols.to_vec() })
    }

    /// The next symbol; zero if there is no such code.
    #[inline(always)]
    pub(super) fn next(&self, bits: &mut Bits<'_>) -> u8 {
        let coming = bits.peek16();
        let found = self.short.get((coming >> (16 - SHORT)) as usize).copied().unwrap_or(0);
        if found != 0 {
            bits.skip(u32::from(found >> 8));
            return found as u8;
        }
        self.next_long(coming, bits)
    }

    #[cold]
    fn next_long(&self, coming: u32, bits: &mut Bits<'_>) -> u8 {
        for (length, (behind, add)) in (0_u32..).zip(self.longer).skip(SHORT as usize + 1) {
            if coming < behind {
                bits.skip(length);
                let index = (coming >> (16 - length)) as i32 + add;
                let symbol = usize::try_from(index).ok().and_then(|index| self.symbols.get(index));
                return symbol.copied().unwrap_or(0);
            }
        }
        bits.skip(16);
        0
    }
}

fn too_many() -> Error {
    broken("a table of too many codes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_all_lengths_are_found() {
        // One code of each length: 0, 10, 110 and so on.
        let symbols: Vec<u8> = (100..116).collect();
        let table = Table::new(&[1; 16], &symbols).unwrap();
        for (ones, symbol) in symbols.iter().enumerate() {
            let code = (0xffff_0000_u32 >> ones) as u16;
            let bytes = code.to_be_bytes();
            // 255 is followed by a zero in a file.
            let stuffed: Vec<u8> = bytes
                .iter()
                .flat_map(|byte| [*byte].into_iter().chain((*byte == 0xff).then_some(0)))
                .collect();
            assert_eq!(table.next(&mut Bits::new(&stuffed, 0)), *symbol, "{ones}");
        }
    }

    #[test]
    fn impossible_tables_are_refused() {
        let mut counts = [0; 16];
        counts[0] = 3;
        assert!(Table::new(&counts, &[1, 2, 3]).is_err());
        counts[0] = 2;
        assert!(Table::new(&counts, &[1]).is_err());
    }
}

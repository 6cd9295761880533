//! The segments of a file, and the tables in them.

use super::block::{Component, Places};
use super::huffman::Table;
use super::scan::Scan;
use super::{broken, cut_off, unsupported};
use crate::Error;
use crate::picture::Size;
use crate::read::{be16, slice_at};

/// A file on its way to coefficients.
pub(super) struct Image<'a> {
    bytes: &'a [u8],
    size: Size,
    pub(super) places: Places,
    pub(super) components: Vec<Component>,
    pub(super) is_progressive: bool,
    /// Whether all bits were there.
    pub(super) is_whole: bool,
    /// Steps of all channels together, across and down.
    pub(super) steps: (usize, usize),
    /// Steps between restart markers; 0 if there are none.
    pub(super) restart_interval: usize,
    quantizers: [Option<[u16; 64]>; 4],
    pub(super) first_tables: [Option<Table>; 4],
    pub(super) other_tables: [Option<Table>; 4],
}

impl<'a> Image<'a> {
    pub(super) fn new(bytes: &'a [u8], size: Size, places: Places) -> Self {
        Self {
            bytes,
            size,
            places,
            components: Vec::new(),
            is_progressive: false,
            is_whole: true,
            steps: (0, 0),
            restart_interval: 0,
            quantizers: [None; 4],
            first_tables: [const { None }; 4],
            other_tables: [const { None }; 4],
        }
    }

    /// Reads all scans up to the end of the image.
    pub(super) fn read_scans(&mut self, scans_max: u32) -> Result<(), Error> {
        let mut at = 2;
        let mut scans = 0;
        loop {
            let marker = match next_marker(self.bytes, at) {
                Some((marker, after)) => {
                    at = after;
                    marker
                }
                None if scans > 0 => {
                    self.is_whole = false;
                    return Ok(());
                }
                None => return Err(cut_off()),
            };
            match marker {
                0xd9 => return Ok(()),
                // Markers without a segment.
                0x01 | 0xd0..=0xd8 => continue,
                _ => {}
            }
            let length = usize::from(be16(self.bytes, at).ok_or_else(cut_off)?);
            let inside =
                length.checked_sub(2).ok_or_else(|| broken("a segment without a length"))?;
            let segment = slice_at(self.bytes, at + 2, inside).ok_or_else(cut_off)?;
            at += length;
            match marker {
                0xc0..=0xc2 => self.take_frame(segment, marker == 0xc2)?,
                0xc4 => self.take_tables(segment)?,
                0xc3 | 0xc5..=0xcf => return Err(unsupported()),
                0xdb => self.take_quantizers(segment)?,
                0xdd => self.restart_interval = be16(segment, 0).unwrap_or(0).into(),
                0xda => {
                    scans += 1;
                    if scans > scans_max {
                        return Err(broken("too many scans"));
                    }
                    let scan = self.scan(segment)?;
                    at = self.read_scan(&scan, self.bytes, at)?;
                }
                _ => {}
            }
        }
    }

    fn take_frame(&mut self, segment: &[u8], is_progressive: bool) -> Result<(), Error> {
        let fields = || Some((*segment.first()?, be16(segment, 1)?, be16(segment, 3)?));
        let (precision, height, width) = fields().ok_or_else(|| broken("a frame cut off"))?;
        if precision != 8 || (u32::from(width), u32::from(height)) != self.size {
            return Err(broken("an image of another size than its header says"));
        }
        if !self.components.is_empty() {
            return Err(broken("a second frame"));
        }
        self.is_progressive = is_progressive;
        let channels = segment.get(6..).unwrap_or_default().as_chunks::<3>().0;
        let factors = |factors: u8| (u32::from(factors >> 4), u32::from(factors & 15));
        let all = || channels.iter().map(|[_, both, _]| factors(*both));
        if all().any(|(across, down)| !(1..=4).contains(&across) || !(1..=4).contains(&down)) {
            return Err(broken("an impossible sampling"));
        }
        // A single channel has no steps but its blocks.
        let single = channels.len() == 1;
        let most = |factor: fn((u32, u32)) -> u32| match single {
            true => 1,
            false => all().map(factor).max().unwrap_or(1),
        };
        let (across, down) = (most(|(across, _)| across), most(|(_, down)| down));
        let (width, height) = self.size;
        let steps = (width.div_ceil(8 * across) as usize, height.div_ceil(8 * down) as usize);
        self.steps = steps;
        for [id, both, table] in channels {
            let of_channel = if single { (1, 1) } else { factors(*both) };
            let blocks = |pixels: u32, factor: u32, most: u32| {
                (pixels * factor).div_ceil(most).div_ceil(8) as usize
            };
            let own = (blocks(width, of_channel.0, across), blocks(height, of_channel.1, down));
            let room = (steps.0 * of_channel.0 as usize, steps.1 * of_channel.1 as usize);
            let component = Component::new((*id, *table), of_channel, own, room, &self.places);
            self.components.push(component);
        }
        Ok(())
    }

    fn take_quantizers(&mut self, mut segment: &[u8]) -> Result<(), Error> {
        let short = || broken("a quantizer cut off");
        while let Some((kind, rest)) = segment.split_first() {
            let mut table = [0_u16; 64];
            let wide = kind >> 4 != 0;
            let (numbers, rest) =
                rest.split_at_checked(if wide { 128 } else { 64 }).ok_or_else(short)?;
            match wide {
                true => table
                    .iter_mut()
                    .zip(numbers.as_chunks::<2>().0)
                    .for_each(|(into, number)| *into = u16::from_be_bytes(*number)),
                false => table
                    .iter_mut()
                    .zip(numbers)
                    .for_each(|(into, number)| *into = u16::from(*number)),
            }
            let slot = self.quantizers.get_mut(usize::from(kind & 15));
            *slot.ok_or_else(|| broken("too many quantizers"))? = Some(table);
            segment = rest;
        }
        Ok(())
    }

    fn take_tables(&mut self, mut segment: &[u8]) -> Result<(), Error> {
        let short = || broken("a table cut off");
        while let Some((kind, rest)) = segment.split_first() {
            let (counts, rest) = rest.split_first_chunk::<16>().ok_or_else(short)?;
            let count = counts.iter().map(|count| usize::from(*count)).sum();
            let (symbols, rest) = rest.split_at_checked(count).ok_or_else(short)?;
            let tables = match kind >> 4 {
                0 => &mut self.first_tables,
                1 => &mut self.other_tables,
                _ => return Err(broken("a table of an unknown kind")),
            };
            let slot = tables.get_mut(usize::from(kind & 15));
            *slot.ok_or_else(|| broken("too many tables"))? = Some(Table::new(counts, symbols)?);
            segment = rest;
        }
        Ok(())
    }

    /// What the header of a scan says.
    fn scan(&mut self, segment: &[u8]) -> Result<Scan, Error> {
        let short = || broken("the header of a scan cut off");
        let (count, rest) = segment.split_first().ok_or_else(short)?;
        let (channels, rest) = rest.split_at_checked(usize::from(*count) * 2).ok_or_else(short)?;
        let [first, last, bits] = *rest.first_chunk::<3>().ok_or_else(short)?;
        let mut scan = Scan {
            channels: Vec::new(),
            first: first.into(),
            last: last.into(),
            high: bits >> 4,
            low: bits & 15,
        };
        for [id, tables] in channels.as_chunks::<2>().0 {
            let index = self.components.iter().position(|component| component.id == *id);
            let index = index.ok_or_else(|| broken("a scan of an unknown channel"))?;
            if scan.channels.iter().any(|(other, ..)| *other == index) {
                return Err(broken("a scan of a channel twice"));
            }
            self.latch_quantizer(index)?;
            scan.channels.push((index, usize::from(tables >> 4), usize::from(tables & 15)));
        }
        scan.check(self.is_progressive)?;
        Ok(scan)
    }

    /// Tables may change between scans: that of the first scan of a channel counts.
    fn latch_quantizer(&mut self, index: usize) -> Result<(), Error> {
        let Some(component) = self.components.get_mut(index) else { return Ok(()) };
        if component.quantizer.is_none() {
            let table = self.quantizers.get(usize::from(component.table)).copied().flatten();
            let table = table.ok_or_else(|| broken("a quantizer is missing"))?;
            component.quantizer = Some(self.places.select(&table));
        }
        Ok(())
    }
}

/// The next marker at or after an offset, and where it ends.
fn next_marker(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let rest = bytes.get(at..)?;
    let found = rest.windows(2).position(|pair| matches!(pair, [0xff, 0x01..=0xfe]))?;
    Some((*rest.get(found + 1)?, at + found + 2))
}

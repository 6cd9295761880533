//! TGA, plain or packed.

use model::Shown;

use super::{Source, blank};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels};
use crate::probe::tga::{Header, Kind};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<(Pixels, Shown), Error> {
    let header = Header::read(source.bytes).ok_or_else(cut_off)?;
    source.expect_size(header.width, header.height)?;
    let stored = source.bytes.get(header.pixels..).unwrap_or_default();
    if stored.is_empty() {
        return Err(cut_off());
    }
    let palette = palette(&header, source.bytes);
    let channels = if header.has_alpha { Channels::Rgba } else { Channels::Rgb };
    let mut pixels = blank(source, channels, buffers);
    pixels.data.fill(0);
    let mut reader = Reader { header: &header, stored, run: None };
    let (width, height) = (header.width as usize, header.height as usize);
    let count = channels.count();
    let mut whole = true;
    'rows: for row in 0..height {
        let y = if header.from_top { row } else { height - 1 - row };
        for column in 0..width {
            let x = if header.from_right { width - 1 - column } else { column };
            let Some(stored) = reader.next() else {
                whole = false;
                break 'rows;
            };
            let color = color(&header, &palette, stored);
            let at = (y * width + x) * count;
            if let Some(pixel) = pixels.data.get_mut(at..at + count) {
                pixel.copy_from_slice(color.get(..count).unwrap_or_default());
            }
        }
    }
    // Many writers reserve bits for opacity and leave them empty.
    if header.has_alpha && pixels.data.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 0) {
        pixels.data.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
    }
    Ok((pixels, if whole { Shown::Whole } else { Shown::Incomplete }))
}

fn palette(header: &Header, bytes: &[u8]) -> Vec<[u8; 4]> {
    let each = usize::from(header.palette.bits).div_ceil(8).max(1);
    let end = header.palette.start + header.palette.count * each;
    let stored = bytes.get(header.palette.start..end.min(bytes.len())).unwrap_or_default();
    stored.chunks_exact(each).map(|color| unpack(color, header.palette.bits)).collect()
}

fn color(header: &Header, palette: &[[u8; 4]], stored: [u8; 4]) -> [u8; 4] {
    let bytes = usize::from(header.bits).div_ceil(8);
    match header.kind {
        Kind::Indexed => {
            let index = usize::from(stored[0]).checked_sub(header.palette.first);
            let color = index.and_then(|index| palette.get(index)).copied();
            color.unwrap_or([0, 0, 0, 255])
        }
        Kind::Gray if header.bits == 16 => [stored[0], stored[0], stored[0], stored[1]],
        Kind::Gray => [stored[0], stored[0], stored[0], 255],
        Kind::Colors => unpack(stored.get(..bytes).unwrap_or_default(), header.bits),
    }
}

/// A colour as it is stored, blue first.
fn unpack(stored: &[u8], bits: u8) -> [u8; 4] {
    match stored {
        [low, high] => {
            let number = u16::from_le_bytes([*low, *high]);
            let channel = |shift: u16| {
                let five = number >> shift & 31;
                (five << 3 | five >> 2) as u8
            };
            let alpha = if bits == 16 && number >> 15 == 0 { 0 } else { 255 };
            [channel(10), channel(5), channel(0), alpha]
        }
        [blue, green, red] => [*red, *green, *blue, 255],
        [blue, green, red, alpha] => [*red, *green, *blue, *alpha],
        _ => [0, 0, 0, 255],
    }
}

/// Stored pixels, one after the other.
struct Reader<'a> {
    header: &'a Header,
    stored: &'a [u8],
    /// How many pixels of a packet are left, and which one if they are all the same.
    run: Option<(u8, Option<[u8; 4]>)>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<[u8; 4]> {
        if !self.header.packed {
            return self.pixel();
        }
        let (left, same) = match self.run.take() {
            Some(run) => run,
            None => {
                let (head, rest) = self.stored.split_first()?;
                self.stored = rest;
                let same = if head & 0x80 != 0 { Some(self.pixel()?) } else { None };
                ((head & 0x7f) + 1, same)
            }
        };
        if left > 1 {
            self.run = Some((left - 1, same));
        }
        match same {
            Some(pixel) => Some(pixel),
            None => self.pixel(),
        }
    }

    fn pixel(&mut self) -> Option<[u8; 4]> {
        let bytes = usize::from(self.header.bits).div_ceil(8);
        let (stored, rest) = self.stored.split_at_checked(bytes)?;
        self.stored = rest;
        let mut pixel = [0; 4];
        pixel.iter_mut().zip(stored).for_each(|(into, byte)| *into = *byte);
        Some(pixel)
    }
}

fn cut_off() -> Error {
    Error::truncated("the pixels of a TGA image")
}

//! BMP, in all its depths and packings.
//!
//! What the format leaves open is done as browsers do it: an index beyond the palette is black,
//! opacity that is zero everywhere is none, and what a packed file does not draw has the first colour.

use model::Shown;

use super::{Source, blank};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels};
use crate::probe::bmp::{Header, Packing};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<(Pixels, Shown), Error> {
    let header = Header::read(source.bytes)?;
    source.expect_size(header.width, header.height)?;
    decode_with(&header, source, buffers)
}

/// Decodes pixels whose header may be anywhere.
pub(super) fn decode_with(
    header: &Header,
    source: &Source<'_>,
    buffers: &mut Buffers,
) -> Result<(Pixels, Shown), Error> {
    let stored = source.bytes.get(header.pixels..).unwrap_or_default();
    if stored.is_empty() {
        return Err(Error::truncated("the pixels of a BMP image"));
    }
    let colors = Colors::of(header, source.bytes);
    let opaque = header.alpha_mask() == 0;
    let mut pixels = blank(source, if opaque { Channels::Rgb } else { Channels::Rgba }, buffers);
    let whole = match (header.packing, header.bits) {
        (Packing::Runs, 4) => runs(header, stored, &colors, Run::Nibbles, &mut pixels),
        (Packing::Runs, 8) => runs(header, stored, &colors, Run::Bytes, &mut pixels),
        (Packing::Runs, _) => runs(header, stored, &colors, Run::Colors, &mut pixels),
        (Packing::Rows, _) => rows(header, stored, &colors, &mut pixels),
    };
    if !opaque && pixels.data.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 0) {
        pixels.data.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
    }
    Ok((pixels, if whole { Shown::Whole } else { Shown::Incomplete }))
}

/// What stored numbers stand for.
enum Colors {
    Palette(Vec<[u8; 3]>),
    Masks([Mask; 4]),
    /// Blue, green and red as bytes.
    Bytes,
}

/// The bits of a channel.
#[derive(Clone, Copy)]
struct Mask {
    bits: u32,
    shift: u32,
    most: u32,
}

impl Mask {
    fn new(bits: u32) -> Self {
        let shift = bits.trailing_zeros().min(31);
        Self { bits, shift, most: bits >> shift }
    }

    /// The channel of a pixel as 8 bits; 0 if it has none.
    fn of(self, pixel: u32) -> u8 {
        let value = u64::from((pixel & self.bits) >> self.shift);
        let scaled = (value * 255 + u64::from(self.most / 2)).checked_div(self.most.into());
        scaled.unwrap_or(0).min(255) as u8
    }
}

impl Colors {
    fn of(header: &Header, bytes: &[u8]) -> Self {
        match header.bits {
            ..=8 => {
                let (range, color_bytes) = &header.palette;
                let end = range.end.min(bytes.len());
                let stored = bytes.get(range.start..end).unwrap_or_default();
                let color = |color: &[u8]| match color {
                    [blue, green, red, ..] => [*red, *green, *blue],
                    _ => [0; 3],
                };
                Self::Palette(stored.chunks_exact(*color_bytes).map(color).collect())
            }
            24 => Self::Bytes,
            _ => Self::Masks(header.masks.map(Mask::new)),
        }
    }

    /// The colour of an index.
    fn named(&self, index: u8) -> [u8; 3] {
        match self {
            Self::Palette(colors) => colors.get(usize::from(index)).copied().unwrap_or_default(),
            _ => [0; 3],
        }
    }
}

/// Rows as they are; tells whether all were there.
fn rows(header: &Header, stored: &[u8], colors: &Colors, pixels: &mut Pixels) -> bool {
    let count = pixels.channels.count();
    let row_bytes = header.row_bytes().max(1);
    let width = header.width as usize;
    let mut from = stored.chunks(row_bytes);
    let mut whole = true;
    let mut draw = |into: &mut [u8]| {
        let row = from.next().unwrap_or_default();
        // The padding of the last row is missing in some files.
        whole &= row.len() >= (width * usize::from(header.bits)).div_ceil(8);
        into.fill(0);
        draw_row(header.bits, row, colors, into, count);
    };
    let rows = pixels.data.chunks_exact_mut((width * count).max(1));
    match header.top_down {
        true => rows.for_each(&mut draw),
        false => rows.rev().for_each(&mut draw),
    }
    whole
}

fn draw_row(bits: u16, row: &[u8], colors: &Colors, into: &mut [u8], count: usize) {
    let into = into.chunks_exact_mut(count);
    match (colors, bits) {
        (Colors::Palette(_), 8) => {
            into.zip(row).for_each(|(pixel, index)| pixel.copy_from_slice(&colors.named(*index)));
        }
        (Colors::Palette(_), _) => {
            let most = (1_u16 << bits) - 1;
            let within = |byte: &u8| {
                let byte = u16::from(*byte);
                (1..=8 / bits).map(move |part| (byte >> (8 - part * bits) & most) as u8)
            };
            let indices = row.iter().flat_map(within);
            into.zip(indices).for_each(|(pixel, index)| {
                pixel.copy_from_slice(&colors.named(index));
            });
        }
        (Colors::Bytes, _) => {
            for (pixel, [blue, green, red]) in into.zip(row.as_chunks::<3>().0) {
                pixel.copy_from_slice(&[*red, *green, *blue]);
            }
        }
        (Colors::Masks(masks), 16) => {
            let stored = row.as_chunks::<2>().0.iter().map(|p| u16::from_le_bytes(*p).into());
            into.zip(stored).for_each(|(pixel, stored)| unpack(masks, stored, pixel));
        }
        (Colors::Masks(masks), _) => {
            let stored = row.as_chunks::<4>().0.iter().map(|p| u32::from_le_bytes(*p));
            into.zip(stored).for_each(|(pixel, stored)| unpack(masks, stored, pixel));
        }
    }
}

fn unpack(masks: &[Mask; 4], stored: u32, pixel: &mut [u8]) {
    pixel.iter_mut().zip(masks).for_each(|(channel, mask)| *channel = mask.of(stored));
}

/// What a run repeats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Nibbles,
    Bytes,
    Colors,
}

/// Runs from the bottom to the top; tells whether the end of the picture was marked or reached.
fn runs(header: &Header, stored: &[u8], colors: &Colors, run: Run, pixels: &mut Pixels) -> bool {
    let first = if run == Run::Colors { [0; 3] } else { colors.named(0) };
    pixels.data.as_chunks_mut::<3>().0.fill(first);
    let size = (header.width as usize, header.height as usize);
    let mut canvas = Canvas { pixels: pixels.data.as_chunks_mut::<3>().0, size, x: 0, y: 0 };
    let mut codes = Codes { bytes: stored, run, colors };
    while canvas.y < size.1 {
        let Some([count, value]) = codes.pair() else { return false };
        match (count, value) {
            (0, 0) => (canvas.x, canvas.y) = (0, canvas.y + 1),
            (0, 1) => return true,
            (0, 2) => {
                let Some([right, up]) = codes.pair() else { return false };
                canvas.x += usize::from(right);
                canvas.y += usize::from(up);
            }
            (0, count) => {
                if codes.literals(count, &mut canvas).is_none() {
                    return false;
                }
            }
            (count, value) => {
                let Some(colors) = codes.repeated(value) else { return false };
                for color in colors.into_iter().cycle().take(count.into()) {
                    canvas.draw(color);
                }
            }
        }
    }
    true
}

/// Where runs are drawn; what is beyond the row is left out.
struct Canvas<'a> {
    pixels: &'a mut [[u8; 3]],
    size: (usize, usize),
    x: usize,
    /// Counted from the bottom.
    y: usize,
}

impl Canvas<'_> {
    fn draw(&mut self, color: [u8; 3]) {
        let (width, height) = self.size;
        if self.x < width && self.y < height {
            let at = (height - 1 - self.y) * width + self.x;
            if let Some(pixel) = self.pixels.get_mut(at) {
                *pixel = color;
            }
        }
        self.x += 1;
    }
}

struct Codes<'a> {
    bytes: &'a [u8],
    run: Run,
    colors: &'a Colors,
}

impl Codes<'_> {
    fn pair(&mut self) -> Option<[u8; 2]> {
        let (pair, rest) = self.bytes.split_first_chunk::<2>()?;
        self.bytes = rest;
        Some(*pair)
    }

    /// The two colours that a run takes in turn; `value` is the first byte of them.
    fn repeated(&mut self, value: u8) -> Option<[[u8; 3]; 2]> {
        Some(match self.run {
            Run::Nibbles => [value >> 4, value & 15].map(|index| self.colors.named(index)),
            Run::Bytes => [self.colors.named(value); 2],
            Run::Colors => {
                let [green, red] = self.pair()?;
                [[red, green, value]; 2]
            }
        })
    }

    /// Draws pixels that are written out; they fill whole groups of two bytes.
    fn literals(&mut self, count: u8, canvas: &mut Canvas<'_>) -> Option<()> {
        let count = usize::from(count);
        let length = match self.run {
            Run::Nibbles => count.div_ceil(2),
            Run::Bytes => count,
            Run::Colors => count * 3,
        };
        let (stored, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest.get(length % 2..).unwrap_or_default();
        match self.run {
            Run::Nibbles => {
                let indices = stored.iter().flat_map(|byte| [byte >> 4, byte & 15]).take(count);
                indices.for_each(|index| canvas.draw(self.colors.named(index)));
            }
            Run::Bytes => stored.iter().for_each(|index| canvas.draw(self.colors.named(*index))),
            Run::Colors => {
                for [blue, green, red] in stored.as_chunks::<3>().0 {
                    canvas.draw([*red, *green, *blue]);
                }
            }
        }
        Some(())
    }
}

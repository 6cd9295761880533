//! The picture of all layers in a Photoshop document: planes, as they are or as runs of bytes.

use model::Shown;

use super::{Source, blank, narrow};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels};
use crate::probe::psd::{Document, Mode};
use crate::read::{be16, be32};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<(Pixels, Shown), Error> {
    let document = Document::read(source.bytes)?;
    source.expect_size(document.width, document.height)?;
    let compression = be16(source.bytes, document.pixels).ok_or_else(cut_off)?;
    let stored = source.bytes.get(document.pixels + 2..).unwrap_or_default();
    if stored.is_empty() {
        return Err(cut_off());
    }
    let mut rows = match compression {
        0 => Rows::Plain(stored),
        1 => Rows::runs(stored, &document),
        _ => return Err(Error::unsupported("a PSD file whose picture is compressed by ZIP")),
    };
    let channels = match (document.mode, document.has_alpha) {
        (Mode::Bitmap | Mode::Gray, false) => Channels::Gray,
        (Mode::Gray, true) => Channels::GrayAlpha,
        (Mode::Rgb, true) => Channels::Rgba,
        (Mode::Cmyk, _) => Channels::Cmyk,
        _ => Channels::Rgb,
    };
    let mut pixels = blank(source, channels, buffers);
    pixels.data.fill(if channels == Channels::Cmyk { 0 } else { 255 });
    let mut whole = true;
    let planes = document.mode.channels() + usize::from(channels.has_alpha());
    let mut row = vec![0; row_bytes(&document)];
    for plane in 0..planes {
        for y in 0..document.height as usize {
            if whole && !rows.next(&mut row) {
                whole = false;
            }
            if whole {
                draw(&document, &row, plane, y, &mut pixels);
            }
        }
    }
    if channels == Channels::Rgba {
        take_white_out(&mut pixels.data);
    }
    Ok((pixels, if whole { Shown::Whole } else { Shown::Incomplete }))
}

/// Bytes of a row of one channel.
fn row_bytes(document: &Document<'_>) -> usize {
    (document.width as usize * usize::from(document.depth)).div_ceil(8)
}

fn draw(document: &Document<'_>, row: &[u8], plane: usize, y: usize, pixels: &mut Pixels) {
    let count = pixels.channels.count();
    let stride = document.width as usize * count;
    let line = pixels.data.get_mut(y * stride..(y + 1) * stride).unwrap_or_default();
    if document.mode == Mode::Indexed {
        for (pixel, index) in line.as_chunks_mut::<3>().0.iter_mut().zip(row) {
            let color = |channel: usize| document.palette.get(channel * 256 + usize::from(*index));
            *pixel = [0, 1, 2].map(|channel| color(channel).copied().unwrap_or(0));
        }
        return;
    }
    let into = line.iter_mut().skip(plane).step_by(count);
    // Inks are stored as paper: 0 is full ink.
    let inks = document.mode == Mode::Cmyk;
    let as_ink = |sample: u8| if inks { 255 - sample } else { sample };
    match document.depth {
        1 => {
            let bits = row.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
            into.zip(bits).for_each(|(into, bit)| *into = if bit == 1 { 0 } else { 255 });
        }
        8 => into.zip(row).for_each(|(into, sample)| *into = as_ink(*sample)),
        16 => {
            let samples = row.as_chunks::<2>().0.iter().map(|sample| u16::from_be_bytes(*sample));
            into.zip(samples).for_each(|(into, sample)| *into = as_ink(narrow(sample)));
        }
        _ => {
            let samples = row.as_chunks::<4>().0.iter().map(|sample| f32::from_be_bytes(*sample));
            into.zip(samples).for_each(|(into, sample)| *into = as_ink(encoded(sample)));
        }
    }
}

/// Samples of floating point are proportional to light.
fn encoded(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let value =
        if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

/// Colours that are not opaque are stored as they look on white.
fn take_white_out(rgba: &mut [u8]) {
    for [r, g, b, alpha] in rgba.as_chunks_mut::<4>().0 {
        let alpha = i32::from(*alpha);
        if alpha == 0 || alpha == 255 {
            continue;
        }
        for channel in [r, g, b] {
            let over_white = i32::from(*channel) - (255 - alpha);
            *channel = ((over_white * 255 + alpha / 2) / alpha).clamp(0, 255) as u8;
        }
    }
}

/// Stored rows, one after the other.
enum Rows<'a> {
    Plain(&'a [u8]),
    /// Their lengths, and runs as PackBits makes them.
    Runs {
        lengths: &'a [u8],
        wide: bool,
        runs: &'a [u8],
    },
}

impl<'a> Rows<'a> {
    fn runs(stored: &'a [u8], document: &Document<'_>) -> Self {
        let rows = document.channels.saturating_mul(document.height as usize);
        let bytes = rows.saturating_mul(if document.is_large { 4 } else { 2 });
        let (lengths, runs) = stored.split_at(bytes.min(stored.len()));
        Self::Runs { lengths, wide: document.is_large, runs }
    }

    /// Fills in the next row; tells whether it is there.
    fn next(&mut self, row: &mut [u8]) -> bool {
        match self {
            Self::Plain(stored) => {
                let Some((from, rest)) = stored.split_at_checked(row.len()) else { return false };
                row.copy_from_slice(from);
                *stored = rest;
                true
            }
            Self::Runs { lengths, wide, runs } => {
                let width = if *wide { 4 } else { 2 };
                let length = match *wide {
                    true => be32(lengths, 0).map(|length| length as usize),
                    false => be16(lengths, 0).map(usize::from),
                };
                let Some(length) = length else { return false };
                *lengths = lengths.get(width..).unwrap_or_default();
                let Some((packed, rest)) = runs.split_at_checked(length) else { return false };
                *runs = rest;
                unpack(packed, row)
            }
        }
    }
}

/// PackBits; tells whether it fills the row.
fn unpack(mut packed: &[u8], mut row: &mut [u8]) -> bool {
    while !row.is_empty() {
        let Some((head, rest)) = packed.split_first() else { return false };
        packed = rest;
        let count = match head.cast_signed() {
            -128 => continue,
            repeat @ ..0 => 1 + usize::from(repeat.unsigned_abs()),
            literal => 1 + usize::from(literal.unsigned_abs()),
        };
        let count = count.min(row.len());
        let (into, left) = row.split_at_mut(count);
        if head.cast_signed() < 0 {
            let Some((value, rest)) = packed.split_first() else { return false };
            into.fill(*value);
            packed = rest;
        } else {
            let Some((values, rest)) = packed.split_at_checked(count) else { return false };
            into.copy_from_slice(values);
            packed = rest;
        }
        row = left;
    }
    true
}

fn cut_off() -> Error {
    Error::truncated("the picture of a PSD file")
}

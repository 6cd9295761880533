//! The best picture of an icon.

use model::Shown;

use super::{Source, bmp, png};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels, area};
use crate::probe::bmp::Header;
use crate::probe::ico::{Entry, best};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<(Pixels, Shown), Error> {
    let (found, entry) = best(source.bytes)?;
    source.expect_size(found.width, found.height)?;
    match entry {
        Entry::Png(range) => {
            let bytes = source.bytes.get(range.start..range.end.min(source.bytes.len()));
            let source = Source { bytes: bytes.unwrap_or_default(), ..*source };
            png::decode(&source, buffers).map(|pixels| (pixels, Shown::Whole))
        }
        Entry::Bitmap(header) => bitmap(header, source, buffers),
    }
}

/// A bitmap whose opacity is in its pixels, or else in the mask above it.
fn bitmap(
    mut header: Header,
    source: &Source<'_>,
    buffers: &mut Buffers,
) -> Result<(Pixels, Shown), Error> {
    if header.bits == 32 {
        header.masks[3] = 0xff00_0000;
    }
    let (mut pixels, shown) = bmp::decode_with(&header, source, buffers)?;
    if pixels.channels == Channels::Rgba
        && pixels.data.as_chunks::<4>().0.iter().any(|p| p[3] < 255)
    {
        return Ok((pixels, shown));
    }
    let mut rgba = buffers.take(area(pixels.size) * 4);
    let count = pixels.channels.count();
    for (into, from) in rgba.as_chunks_mut::<4>().0.iter_mut().zip(pixels.data.chunks(count)) {
        let [r, g, b, ..] = from else { continue };
        *into = [*r, *g, *b, 255];
    }
    let below = header.row_bytes().saturating_mul(header.height as usize);
    let mask = source.bytes.get(header.pixels.saturating_add(below)..).unwrap_or_default();
    let width = header.width as usize;
    let lines = rgba.chunks_exact_mut((width * 4).max(1)).rev();
    for (line, bits) in lines.zip(mask.chunks_exact(width.div_ceil(32) * 4)) {
        let bits = bits.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        for (pixel, hidden) in line.as_chunks_mut::<4>().0.iter_mut().zip(bits) {
            pixel[3] = if hidden == 1 { 0 } else { 255 };
        }
    }
    buffers.give(std::mem::replace(&mut pixels.data, rgba));
    pixels.channels = Channels::Rgba;
    Ok((pixels, shown))
}

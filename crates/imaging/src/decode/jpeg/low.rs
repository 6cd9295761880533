//! Large JPEG files of several scans, with only as much of each block of coefficients as the scale
//! needs.
//!
//! Progressive files spread every block over all scans, so that libjpeg holds all coefficients of
//! the image, three bytes for a pixel at the least. A picture at a quarter of the size is made from
//! four of the 64 coefficients of a block: these are held, and for each of the others one bit, on
//! which the meaning of later scans depends.

mod bits;
mod block;
mod huffman;
mod idct;
mod markers;
mod scan;

use self::block::{Component, Places};
use self::markers::Image;
use super::SCANS_MAX;
use crate::Error;
use crate::picture::{Buffers, Channels, Coding, Picture, Pixels, Size, Ycc, area};

/// Coefficients of libjpeg that are not worth doing this for.
const WHOLE_BYTES_MAX: u64 = 96 << 20;

/// What all coefficients of a block take, and the bits that are held for them here.
const BLOCK_BYTES: u64 = 128;
const BITS_BYTES: u64 = 8;

/// Whether coefficients that would take so much are better held in part, at a scale of so many
/// eighths.
pub(crate) fn is_worth(coefficient_bytes: u64, eighths: usize) -> bool {
    coefficient_bytes > WHOLE_BYTES_MAX && eighths < 8
}

/// What those that are held take.
pub(crate) fn held_bytes(coefficient_bytes: u64, eighths: usize) -> u64 {
    let block = (eighths * eighths * 2) as u64 + BITS_BYTES;
    (coefficient_bytes / BLOCK_BYTES).saturating_mul(block)
}

/// Decodes grey or luma and chroma at a scale of one, two, four or eight eighths. `size` is that of the
/// file, `scaled` that at the scale. Also returns whether all of the pixels were there.
pub(super) fn decode(
    bytes: &[u8],
    size: Size,
    (scaled, eighths): (Size, usize),
    buffers: &mut Buffers,
) -> Result<(Picture, bool), Error> {
    let mut image = Image::new(bytes, size, Places::new(eighths));
    image.read_scans(SCANS_MAX)?;
    let picture = match image.components.as_slice() {
        [gray] => {
            let mut data = buffers.take(area(scaled));
            write(gray, eighths, &mut data, scaled)?;
            Picture::Pixels(Pixels { size: scaled, channels: Channels::Gray, data })
        }
        [luma, blue, red] => {
            let along = |large: u32, small: u32| large.checked_div(small).unwrap_or(1).max(1);
            let step = (along(luma.across, blue.across), along(luma.down, blue.down));
            let data = buffers.take(Ycc::bytes(scaled, step));
            let mut ycc = Ycc { size: scaled, step, coding: Coding::JPEG, data };
            let ([y, cb, cr], [luma_size, chroma_size]) = ycc.planes_mut();
            write(luma, eighths, y, luma_size)?;
            write(blue, eighths, cb, chroma_size)?;
            write(red, eighths, cr, chroma_size)?;
            Picture::Ycc(ycc)
        }
        _ => return Err(unsupported()),
    };
    Ok((picture, image.is_whole))
}

/// Writes a plane of a size, which the blocks may go beyond; where they do not reach, the last
/// sample is repeated.
fn write(
    component: &Component,
    eighths: usize,
    into: &mut [u8],
    (width, _): Size,
) -> Result<(), Error> {
    let basis = idct::Basis::new(eighths, component.quantizer()?);
    let stride = (width as usize).max(1);
    let mut rows = vec![0; component.row_blocks() * eighths * eighths];
    let mut last = 0;
    for (band, rows_of_plane) in into.chunks_mut(stride * eighths).enumerate() {
        if let Some(blocks) = component.blocks_of_row(band) {
            basis.row(blocks, &mut rows);
            last = band;
        }
        let row_len = component.row_blocks() * eighths;
        for (at, plane_row) in rows_of_plane.chunks_mut(stride).enumerate() {
            // Below the last block, its last row goes on.
            let at = if band > last { eighths - 1 } else { at };
            let row = rows.get(at * row_len..(at + 1) * row_len).unwrap_or_default();
            let inside = row.len().min(plane_row.len());
            let (filled, beyond) = plane_row.split_at_mut_checked(inside).unwrap_or_default();
            filled.copy_from_slice(row.get(..inside).unwrap_or_default());
            beyond.fill(row.last().copied().unwrap_or(0));
        }
    }
    Ok(())
}

fn unsupported() -> Error {
    Error::unsupported("a large JPEG file of several scans with these channels")
}

fn cut_off() -> Error {
    Error::truncated("the pixels of a JPEG image")
}

fn broken(what: &'static str) -> Error {
    Error::damaged(format!("JPEG: {what}"))
}

#[cfg(test)]
mod tests;

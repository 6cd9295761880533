use std::io::{Cursor, Read, Seek};

use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

use super::{Source, narrow, shrunk};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Pixels, Error> {
    let mut limits = Limits::default();
    let bytes = usize::try_from(source.limits.decoded_bytes).unwrap_or(usize::MAX);
    limits.decoding_buffer_size = bytes;
    limits.intermediate_buffer_size = bytes;
    let decoder = Decoder::new(Cursor::new(source.bytes)).map_err(damaged)?;
    let mut decoder = decoder.with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(damaged)?;
    source.expect_size(width, height)?;
    let color = decoder.colortype().map_err(damaged)?;
    let channels = match color {
        ColorType::Gray(_) => Channels::Gray,
        ColorType::GrayA(_) => Channels::GrayAlpha,
        ColorType::RGB(_) => Channels::Rgb,
        ColorType::RGBA(_) => Channels::Rgba,
        ColorType::CMYK(_) => Channels::Cmyk,
        other => return Err(Error::unsupported(format!("TIFF with colours {other:?}"))),
    };
    // 1 says that colours are multiplied by the opacity already.
    let extra = decoder.find_tag(Tag::ExtraSamples).map_err(damaged)?;
    let extra = extra.map(|extra| extra.into_u16_vec()).transpose().map_err(damaged)?;
    let premultiplied = extra.is_some_and(|extra| extra.first() == Some(&1))
        && matches!(channels, Channels::GrayAlpha | Channels::Rgba);
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let chunks = Chunks {
        decoder,
        channels: channels.count(),
        is_packed: color == ColorType::Gray(1),
        across: width.div_ceil(chunk_width.max(1)),
    };
    let mut rows = Rows { chunks, rows: chunk_height.max(1), row: 0, left: 0, band: Vec::new() };
    shrunk(source, channels, buffers, |into| {
        rows.next(into)?;
        if premultiplied {
            unpremultiply(into, channels.count());
        }
        Ok(())
    })
}

/// Strips have all of a row, tiles a part of it.
struct Chunks<R: Read + Seek> {
    decoder: Decoder<R>,
    channels: usize,
    /// Black and white, eight pixels in a byte.
    is_packed: bool,
    across: u32,
}

/// The rows of an image, which is read in bands as high as its strips or tiles.
struct Rows<R: Read + Seek> {
    chunks: Chunks<R>,
    /// Rows of a band.
    rows: u32,
    /// The number of the next row.
    row: u32,
    /// Rows of the present band that are still to come.
    left: u32,
    band: Vec<Part>,
}

/// What a chunk holds.
struct Part {
    samples: DecodingResult,
    /// Samples of one of its rows.
    stride: usize,
    /// Bytes that one of its rows becomes.
    bytes: usize,
}

impl<R: Read + Seek> Rows<R> {
    fn next(&mut self, mut into: &mut [u8]) -> Result<(), Error> {
        if self.left == 0 {
            self.band.clear();
            let band = self.row / self.rows;
            for chunk in 0..self.chunks.across {
                let part = self.chunks.read(band * self.chunks.across + chunk)?;
                self.band.push(part);
            }
            self.left = self.rows;
        }
        let row = (self.row % self.rows) as usize;
        for part in &self.band {
            let bytes = part.bytes.min(into.len());
            let (inside, rest) = into.split_at_mut_checked(bytes).unwrap_or_default();
            narrow_row(&part.samples, row * part.stride, inside, self.chunks.is_packed)?;
            into = rest;
        }
        self.row += 1;
        self.left -= 1;
        Ok(())
    }
}

impl<R: Read + Seek> Chunks<R> {
    fn read(&mut self, index: u32) -> Result<Part, Error> {
        let (width, _) = self.decoder.chunk_data_dimensions(index);
        let samples = self.decoder.read_chunk(index).map_err(damaged)?;
        let bytes = width as usize * self.channels;
        let stride = if self.is_packed { bytes.div_ceil(8) } else { bytes };
        Ok(Part { samples, stride, bytes })
    }
}

/// Colours as they are without their opacity, which is the last channel.
fn unpremultiply(row: &mut [u8], channels: usize) {
    for pixel in row.chunks_exact_mut(channels) {
        let Some((alpha, colors)) = pixel.split_last_mut() else { return };
        let alpha = u32::from(*alpha);
        for color in colors.iter_mut().filter(|_| alpha > 0) {
            *color = ((u32::from(*color) * 255 + alpha / 2) / alpha).min(255) as u8;
        }
    }
}

/// A row of samples from an index on, as bytes.
fn narrow_row(
    samples: &DecodingResult,
    from: usize,
    into: &mut [u8],
    is_packed: bool,
) -> Result<(), Error> {
    match samples {
        DecodingResult::U8(bytes) if is_packed => {
            let packed = samples_of(bytes, from, into.len().div_ceil(8))?;
            let bits = packed.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
            into.iter_mut().zip(bits).for_each(|(sample, bit)| *sample = bit * 255);
        }
        DecodingResult::U8(bytes) => into.copy_from_slice(samples_of(bytes, from, into.len())?),
        DecodingResult::U16(wide) => {
            let wide = samples_of(wide, from, into.len())?;
            into.iter_mut().zip(wide).for_each(|(byte, wide)| *byte = narrow(*wide));
        }
        DecodingResult::F32(floats) => {
            let floats = samples_of(floats, from, into.len())?;
            let narrow = |float: f32| (float.clamp(0.0, 1.0) * 255.0).round() as u8;
            into.iter_mut().zip(floats).for_each(|(byte, float)| *byte = narrow(*float));
        }
        _ => return Err(Error::unsupported("TIFF with samples of this kind")),
    }
    Ok(())
}

fn samples_of<T>(samples: &[T], from: usize, count: usize) -> Result<&[T], Error> {
    let samples = samples.get(from..from.saturating_add(count));
    samples.ok_or_else(|| Error::unsupported("TIFF with packed samples"))
}

fn damaged(error: TiffError) -> Error {
    match error {
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Error::truncated("the pixels of a TIFF image")
        }
        TiffError::UnsupportedError(error) => Error::unsupported(format!("TIFF: {error}")),
        error => Error::damaged(format!("TIFF: {error}")),
    }
}

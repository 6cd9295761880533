use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};

use super::{Source, blank, narrow, shrunk};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Pixels, Error> {
    let bytes = usize::try_from(source.limits.decoded_bytes).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(Cursor::new(source.bytes), Limits { bytes });
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    source.expect_size(reader.info().width, reader.info().height)?;

    let (color, depth) = reader.output_color_type();
    let channels = match color {
        ColorType::Grayscale => Channels::Gray,
        ColorType::GrayscaleAlpha => Channels::GrayAlpha,
        ColorType::Rgba => Channels::Rgba,
        ColorType::Rgb | ColorType::Indexed => Channels::Rgb,
    };
    let wide = depth == BitDepth::Sixteen;
    if reader.info().interlaced {
        return interlaced(&mut reader, blank(source, channels, buffers), wide, buffers);
    }
    let row = |into: &mut [u8]| {
        let row = reader.next_row().map_err(damaged)?;
        let row = row.ok_or_else(|| Error::truncated("the pixels of a PNG image"))?;
        copy(row.data(), into, wide);
        Ok(())
    };
    shrunk(source, channels, buffers, row)
}

/// The rows of an interlaced file are not whole before the last pass.
fn interlaced(
    reader: &mut Reader<Cursor<&[u8]>>,
    mut pixels: Pixels,
    wide: bool,
    buffers: &mut Buffers,
) -> Result<Pixels, Error> {
    if !wide {
        reader.next_frame(&mut pixels.data).map_err(damaged)?;
        return Ok(pixels);
    }
    let mut whole = buffers.take(pixels.data.len() * 2);
    reader.next_frame(&mut whole).map_err(damaged)?;
    copy(&whole, &mut pixels.data, true);
    buffers.give(whole);
    Ok(pixels)
}

fn copy(from: &[u8], into: &mut [u8], wide: bool) {
    if wide {
        let samples = from.as_chunks::<2>().0.iter().map(|sample| u16::from_be_bytes(*sample));
        into.iter_mut().zip(samples).for_each(|(into, sample)| *into = narrow(sample));
    } else {
        into.iter_mut().zip(from).for_each(|(into, sample)| *into = *sample);
    }
}

fn damaged(error: DecodingError) -> Error {
    match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Error::truncated("the pixels of a PNG image")
        }
        DecodingError::LimitsExceeded => Error::damaged("PNG: more memory than its size takes"),
        error => Error::damaged(format!("PNG: {error}")),
    }
}

use std::io::Cursor;

use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::{ColorType, TiffError};

use super::{Source, narrow};
use crate::Error;
use crate::picture::{Buffer, Buffers, Channels, Pixels, area};

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
    let samples = decoder.read_image().map_err(damaged)?;
    let narrowed = to_bytes(samples, buffers)?;
    let (channels, data) = match color {
        ColorType::Gray(1) => (Channels::Gray, bits(&narrowed, source, buffers)),
        ColorType::Gray(_) => (Channels::Gray, narrowed),
        ColorType::GrayA(_) => (Channels::GrayAlpha, narrowed),
        ColorType::RGB(_) => (Channels::Rgb, narrowed),
        ColorType::RGBA(_) => (Channels::Rgba, narrowed),
        ColorType::CMYK(_) => (Channels::Cmyk, narrowed),
        other => return Err(Error::unsupported(format!("TIFF with colours {other:?}"))),
    };
    if data.len() < area(source.size()) * channels.count() {
        return Err(Error::unsupported("TIFF with packed samples"));
    }
    Ok(Pixels { size: source.size(), channels, data })
}

fn to_bytes(samples: DecodingResult, buffers: &mut Buffers) -> Result<Buffer, Error> {
    Ok(match samples {
        DecodingResult::U8(bytes) => bytes.into(),
        DecodingResult::U16(wide) => {
            let mut bytes = buffers.take(wide.len());
            bytes.iter_mut().zip(&wide).for_each(|(byte, wide)| *byte = narrow(*wide));
            bytes
        }
        DecodingResult::F32(floats) => {
            let mut bytes = buffers.take(floats.len());
            let narrow = |float: f32| (float.clamp(0.0, 1.0) * 255.0).round() as u8;
            bytes.iter_mut().zip(&floats).for_each(|(byte, float)| *byte = narrow(*float));
            bytes
        }
        _ => return Err(Error::unsupported("TIFF with samples of this kind")),
    })
}

/// Black and white, eight pixels in a byte and rows in whole bytes.
fn bits(packed: &[u8], source: &Source<'_>, buffers: &mut Buffers) -> Buffer {
    let width = source.probe.width as usize;
    let mut data = buffers.take(area(source.size()));
    let rows = packed.chunks(width.div_ceil(8).max(1));
    for (into, row) in data.chunks_mut(width.max(1)).zip(rows) {
        let bits = row.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        into.iter_mut().zip(bits).for_each(|(sample, bit)| *sample = bit * 255);
    }
    data
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

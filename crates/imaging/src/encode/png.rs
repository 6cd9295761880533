use png::{BitDepth, ColorType, Encoder, EncodingError, Info};

use super::{Encoding, not_pixels};
use crate::Error;
use crate::picture::{Channels, Picture};

pub(super) fn encode(picture: &Picture, encoding: Encoding<'_>) -> Result<Vec<u8>, Error> {
    let Picture::Pixels(pixels) = picture else { return Err(not_pixels()) };
    let mut info = Info::with_size(pixels.size.0, pixels.size.1);
    info.bit_depth = BitDepth::Eight;
    info.color_type = match pixels.channels {
        Channels::Rgb => ColorType::Rgb,
        Channels::Rgba => ColorType::Rgba,
        _ => return Err(not_pixels()),
    };
    info.icc_profile = encoding.icc.map(|icc| icc.to_vec().into());
    let mut file = Vec::new();
    let encoder = Encoder::with_info(&mut file, info).map_err(|error| fault(&error))?;
    let mut writer = encoder.write_header().map_err(|error| fault(&error))?;
    writer.write_image_data(&pixels.data).map_err(|error| fault(&error))?;
    writer.finish().map_err(|error| fault(&error))?;
    Ok(file)
}

fn fault(error: &EncodingError) -> Error {
    Error::Internal { what: format!("PNG: {error}").into() }
}

use heic_decoder::{ColorInfo, DecodeOptions, DecodedImage, HeifError, RgbOptions};

use super::{Decoded, Source};
use crate::color::{Space, coding_of};
use crate::picture::{Buffers, Channels, Picture, Pixels, Size, Ycc};
use crate::{Error, Orientation};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let info = heic_decoder::probe(source.bytes).map_err(damaged)?;
    let coded = (side(info.coded_width)?, side(info.coded_height)?);
    source.limits.check_size(coded.0, coded.1)?;
    let shown = (side(info.width)?, side(info.height)?);
    // Turning is cheap once the picture is small. Only a crop must be left to the decoder.
    let orientation = source.probe.orientation;
    let cropped = orientation.apply_to_size(coded) != shown;
    let options = DecodeOptions { apply_transforms: cropped };
    let image = heic_decoder::decode_with(source.bytes, &options).map_err(damaged)?;

    let colors = image.color_info;
    let space = match (Space::of(&source.probe.color_profile), colors) {
        (Space::Unknown, Some(ColorInfo { color_primaries, transfer_characteristics, .. })) => {
            let code = |number: u16| u8::try_from(number).unwrap_or(2);
            let primaries = code(color_primaries);
            Space::CodePoints { primaries, transfer: code(transfer_characteristics) }
        }
        (space, _) => space,
    };
    let orientation = if cropped { Orientation::Upright } else { orientation };
    Ok(Decoded { picture: picture(&image, buffers)?, space, orientation })
}

fn picture(image: &DecodedImage, buffers: &mut Buffers) -> Result<Picture, Error> {
    let size = (side(image.width)?, side(image.height)?);
    if image.alpha.is_some() {
        let rgba = image.to_rgba8_with_options(&RgbOptions::default()).map_err(damaged)?;
        let mut data = rgba.data;
        if rgba.premultiplied {
            crate::color::unpremultiply(&mut data);
        }
        return Ok(Picture::Pixels(Pixels { size, channels: Channels::Rgba, data: data.into() }));
    }
    if image.chroma_format_idc == 0 {
        let rgb = image.to_rgb8().map_err(damaged)?.data.into();
        return Ok(Picture::Pixels(Pixels { size, channels: Channels::Rgb, data: rgb }));
    }
    let colors = image.color_info.unwrap_or_default();
    match coding_of(u32::from(colors.matrix_coefficients), colors.full_range) {
        Some(coding) if size.0.div_ceil(step(size, image).0) as usize == image.cb_width => {
            let step = step(size, image);
            let data = buffers.take(Ycc::bytes(size, step));
            let mut ycc = Ycc { size, step, coding, data };
            fill(&mut ycc, image);
            Ok(Picture::Ycc(ycc))
        }
        _ => {
            let rgb = image.to_rgb8().map_err(damaged)?.data.into();
            Ok(Picture::Pixels(Pixels { size, channels: Channels::Rgb, data: rgb }))
        }
    }
}

/// How many pixels share a chroma sample.
fn step(size: Size, image: &DecodedImage) -> Size {
    let along = |pixels: u32, samples: usize| if pixels as usize > samples { 2 } else { 1 };
    (along(size.0, image.cb_width), along(size.1, image.cb_height))
}

fn fill(ycc: &mut Ycc, image: &DecodedImage) {
    let ([y, cb, cr], [luma, _]) = ycc.planes_mut();
    let stride = luma.0 as usize;
    let depths = (image.bit_depth_luma, image.bit_depth_chroma);
    for (into, from) in y.chunks_mut(stride.max(1)).zip(image.y.chunks(image.width.max(1))) {
        narrow(from, depths.0, into);
    }
    narrow(&image.cb, depths.1, cb);
    narrow(&image.cr, depths.1, cr);
    ycc.pad(ycc.chroma_size());
}

fn narrow(from: &[i32], depth: u32, into: &mut [u8]) {
    let shift = depth.saturating_sub(8);
    let half = (1 << shift) >> 1;
    let narrow = |sample: i32| ((sample + half) >> shift).clamp(0, 255) as u8;
    into.iter_mut().zip(from).for_each(|(into, sample)| *into = narrow(*sample));
}

fn damaged(error: HeifError) -> Error {
    match error {
        HeifError::Truncated { .. } => Error::truncated("the pixels of a HEIC image"),
        HeifError::Unsupported(what) => Error::unsupported(format!("HEIC: {what}")),
        error => Error::damaged(format!("HEIC: {error}")),
    }
}

fn side(pixels: usize) -> Result<u32, Error> {
    u32::try_from(pixels).map_err(|_| Error::damaged("an impossible size"))
}

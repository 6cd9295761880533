//! HEIC by heic-decoder: tile by tile where the picture is made of tiles, so that no more than one
//! of them is held in the decoder's wide samples.

mod file;

use heic_decoder::{ColorInfo, DecodeOptions, DecodedImage, HeifError, RgbOptions};
use model::Shown;

use super::mosaic::Canvas;
use super::{Decoded, Source};
use crate::color::{Space, coding_of};
use crate::picture::{Buffers, Channels, Picture, Pixels, Size, Ycc};
use crate::probe::heif::{self, Still, still};
use crate::{Error, Orientation};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    match still(source.bytes) {
        Ok(still) if is_plain(&still) => tiles(source, &still, buffers),
        _ => match heif::without_empty_properties(source.bytes) {
            Some(bytes) => whole(&Source { bytes: &bytes, ..*source }, buffers),
            None => whole(source, buffers),
        },
    }
}

/// Whether its tiles are all there is to it.
fn is_plain(still: &Still<'_>) -> bool {
    let configured = still.color.tiles.iter().all(|tile| !tile.config.is_empty());
    still.alpha.is_none() && !still.special && configured
}

fn tiles(source: &Source<'_>, still: &Still<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let mosaic = &still.color;
    let mut canvas: Option<(Canvas, (Size, Size, u32))> = None;
    let mut colors = None;
    for (index, tile) in mosaic.tiles.iter().enumerate() {
        let options = DecodeOptions { apply_transforms: false };
        let image = heic_decoder::decode_with(&file::of_tile(tile), &options).map_err(damaged)?;
        let size = (side(image.width)?, side(image.height)?);
        let said = still.coding.map(|nclx| ColorInfo {
            color_primaries: nclx.primaries.into(),
            transfer_characteristics: nclx.transfer.into(),
            matrix_coefficients: nclx.matrix,
            full_range: nclx.full_range,
        });
        let coding = said.or(image.color_info);
        if mosaic.size.is_none() {
            source.expect_size(size.0, size.1)?;
            let space = space(source, coding);
            let image = DecodedImage { color_info: coding, ..image };
            let picture = picture(&image, buffers)?;
            let orientation = source.probe.orientation;
            return Ok(Decoded { picture, space, orientation, shown: Shown::Whole });
        }
        let kind = (size, step(size, &image), image.chroma_format_idc);
        if canvas.is_none() {
            colors = coding;
            canvas = Some((canvas_for(source, mosaic, &image, coding, buffers)?, kind));
        }
        let Some((canvas, first)) = &mut canvas else { continue };
        if *first != kind {
            return Err(Error::damaged("a HEIC image of tiles that differ"));
        }
        paste(&image, canvas, index);
    }
    let (canvas, _) = canvas.ok_or_else(|| Error::damaged("a HEIC image without tiles"))?;
    let space = space(source, colors);
    let orientation = source.probe.orientation;
    Ok(Decoded { picture: canvas.finish(), space, orientation, shown: Shown::Whole })
}

fn canvas_for(
    source: &Source<'_>,
    mosaic: &heif::Mosaic<'_>,
    tile: &DecodedImage,
    coding: Option<ColorInfo>,
    buffers: &mut Buffers,
) -> Result<Canvas, Error> {
    let whole = mosaic.size.unwrap_or_default();
    source.expect_size(whole.0, whole.1)?;
    let size = (side(tile.width)?, side(tile.height)?);
    let rows = mosaic.tiles.len() / mosaic.columns.max(1);
    let covers = |tile: u32, count: usize, all: u32| u64::from(tile) * count as u64 >= all.into();
    if !covers(size.0, mosaic.columns, whole.0) || !covers(size.1, rows, whole.1) {
        return Err(Error::damaged("a HEIC image whose tiles do not cover it"));
    }
    let shape = (whole, size, mosaic.columns);
    if tile.chroma_format_idc == 0 {
        return Ok(Canvas::pixels(shape, Channels::Gray, buffers));
    }
    let colors = coding.unwrap_or_default();
    let coding = coding_of(u32::from(colors.matrix_coefficients), colors.full_range);
    let coding = coding.ok_or_else(|| {
        Error::unsupported(format!("HEIC with the matrix {}", colors.matrix_coefficients))
    })?;
    Canvas::planes(shape, step(size, tile), coding, buffers)
}

fn paste(image: &DecodedImage, canvas: &mut Canvas, index: usize) {
    let luma = (&image.y, image.width, image.bit_depth_luma);
    let chroma = |plane| (plane, image.cb_width, image.bit_depth_chroma);
    let planes = [luma, chroma(&image.cb), chroma(&image.cr)];
    for (place, (plane, width, depth)) in canvas.places(index).iter_mut().zip(planes) {
        let shift = depth.saturating_sub(8);
        place.fill(plane.chunks(width.max(1)), 0, |sample| narrowed(sample, shift));
    }
}

/// The whole file in one go: with opacity, crops and pictures that others are predicted from.
fn whole(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let info = heic_decoder::probe(source.bytes).map_err(damaged)?;
    let coded = (side(info.coded_width)?, side(info.coded_height)?);
    source.limits.check_size(coded.0, coded.1)?;
    let shown = (side(info.width)?, side(info.height)?);
    // Turning is cheap once the picture is small. Only a crop must be left to the decoder.
    let orientation = source.probe.orientation;
    let cropped = orientation.apply_to_size(coded) != shown;
    let options = DecodeOptions { apply_transforms: cropped };
    let image = heic_decoder::decode_with(source.bytes, &options).map_err(damaged)?;
    let image = DecodedImage { color_info: Some(told(image.color_info)), ..image };
    let space = space(source, image.color_info);
    let orientation = if cropped { Orientation::Upright } else { orientation };
    let picture = picture(&image, buffers)?;
    Ok(Decoded { picture, space, orientation, shown: Shown::Whole })
}

/// How a picture is coded, also if it does not say so: then by BT.601, as encoders that say nothing
/// do it, whereas the decoder takes it for BT.709.
fn told(colors: Option<ColorInfo>) -> ColorInfo {
    const UNSAID: u16 = 2;
    let colors = colors.unwrap_or(ColorInfo {
        color_primaries: UNSAID,
        transfer_characteristics: UNSAID,
        matrix_coefficients: UNSAID,
        full_range: false,
    });
    let is_said = colors.matrix_coefficients != UNSAID;
    ColorInfo {
        matrix_coefficients: if is_said { colors.matrix_coefficients } else { 6 },
        ..colors
    }
}

fn space(source: &Source<'_>, colors: Option<ColorInfo>) -> Space {
    match (Space::of(&source.probe.color_profile), colors) {
        (Space::Unknown, Some(ColorInfo { color_primaries, transfer_characteristics, .. })) => {
            let code = |number: u16| u8::try_from(number).unwrap_or(2);
            let primaries = code(color_primaries);
            Space::CodePoints { primaries, transfer: code(transfer_characteristics) }
        }
        (space, _) => space,
    }
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
    into.iter_mut().zip(from).for_each(|(into, sample)| *into = narrowed(*sample, shift));
}

fn narrowed(sample: i32, shift: u32) -> u8 {
    let half = (1 << shift) >> 1;
    ((sample + half) >> shift).clamp(0, 255) as u8
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_of_its_colors_is_coded_by_bt_601() {
        let said = |matrix_coefficients| {
            Some(ColorInfo {
                color_primaries: 1,
                transfer_characteristics: 13,
                matrix_coefficients,
                full_range: true,
            })
        };
        let unsaid = told(None);
        assert_eq!((unsaid.matrix_coefficients, unsaid.full_range), (6, false));
        assert_eq!(told(said(2)).matrix_coefficients, 6);
        assert_eq!(told(said(9)).matrix_coefficients, 9);
        assert!(told(said(1)).full_range);
    }
}

//! AVIF by rav1d, the port of dav1d to Rust.

use av_data::pixel::{MatrixCoefficients, YUVRange};
use avif_parse::AvifData;
use re_rav1d::dav1d::{Decoder, Error as Av1Error, PixelLayout, PlanarImageComponent, Settings};

use super::{Decoded, Source};
use crate::Error;
use crate::color::{Space, coding_of, to_rgb, unpremultiply, with_alpha};
use crate::picture::{Buffers, Channels, Picture, Pixels, Size, Ycc, area};
use crate::resize::Resize;

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let file = read_items(source.bytes).map_err(container)?;
    let frame = decode_av1(source, &file.primary_item)?;
    source.expect_size(frame.width(), frame.height())?;
    let space = match Space::of(&source.probe.color_profile) {
        Space::Unknown => Space::CodePoints {
            primaries: frame.color_primaries() as u8,
            transfer: frame.transfer_characteristic() as u8,
        },
        space => space,
    };
    let mut picture = picture(&frame, buffers)?;
    drop(frame);
    if let Some(alpha) = &file.alpha_item {
        let alpha = decode_av1(source, alpha)?;
        source.expect_size(alpha.width(), alpha.height())?;
        picture = transparent(picture, &alpha, file.premultiplied_alpha, buffers)?;
    }
    Ok(Decoded { picture, space, orientation: source.probe.orientation })
}

/// The items of a file. That of an animation has a still image too, which the parser only looks at
/// if the file calls itself one.
fn read_items(bytes: &[u8]) -> avif_parse::Result<AvifData> {
    let animated = bytes.get(8..12) == Some(b"avis");
    match bytes.split_at_checked(12).filter(|_| animated) {
        Some((head, rest)) => {
            let head = [head.get(..8).unwrap_or_default(), b"avif"].concat();
            AvifData::from_reader(&mut std::io::Read::chain(&*head, rest))
        }
        None => AvifData::from_reader(&mut &*bytes),
    }
}

type Frame = re_rav1d::dav1d::Picture;

/// The first picture of a stream of AV1 data.
fn decode_av1(source: &Source<'_>, data: &[u8]) -> Result<Frame, Error> {
    // The decoder takes no data for a mistake of ours, and with debug assertions ends the process.
    if data.is_empty() {
        return Err(Error::truncated("an AVIF image without pixels"));
    }
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    let (width, height) = source.size();
    settings.set_frame_size_limit(u32::try_from(area((width, height))).unwrap_or(u32::MAX));
    let mut decoder = Decoder::with_settings(&settings).map_err(av1)?;
    match decoder.send_data(data.to_vec(), None, None, None) {
        Ok(()) | Err(Av1Error::Again) => {}
        Err(error) => return Err(av1(error)),
    }
    // The decoder asks for more data until it has gone through what it has; give up when it has
    // swallowed everything and still has nothing to show.
    for _ in 0..ROUNDS_MAX {
        match decoder.get_picture() {
            Ok(frame) => return Ok(frame),
            Err(Av1Error::Again) => match decoder.send_pending_data() {
                Ok(()) | Err(Av1Error::Again) => {}
                Err(error) => return Err(av1(error)),
            },
            Err(error) => return Err(av1(error)),
        }
    }
    Err(Error::truncated("the pixels of an AVIF image"))
}

const ROUNDS_MAX: usize = 64;

fn picture(frame: &Frame, buffers: &mut Buffers) -> Result<Picture, Error> {
    let size = (frame.width(), frame.height());
    let step = match frame.pixel_layout() {
        PixelLayout::I400 => return gray(frame, buffers),
        PixelLayout::I420 => (2, 2),
        PixelLayout::I422 => (2, 1),
        PixelLayout::I444 => (1, 1),
    };
    let matrix = frame.matrix_coefficients();
    let full = frame.color_range() == YUVRange::Full;
    if matrix == MatrixCoefficients::Identity {
        return identity(frame, size, full, buffers);
    }
    let coding = coding_of(matrix as u32, full)
        .ok_or_else(|| Error::unsupported(format!("AVIF with the matrix {matrix:?}")))?;
    let mut ycc = Ycc { size, step, coding, data: buffers.take(Ycc::bytes(size, step)) };
    let ([y, cb, cr], [luma, chroma]) = ycc.planes_mut();
    copy(frame, PlanarImageComponent::Y, y, luma);
    copy(frame, PlanarImageComponent::U, cb, chroma);
    copy(frame, PlanarImageComponent::V, cr, chroma);
    ycc.pad(ycc.chroma_size());
    Ok(Picture::Ycc(ycc))
}

fn gray(frame: &Frame, buffers: &mut Buffers) -> Result<Picture, Error> {
    let size = (frame.width(), frame.height());
    let mut data = buffers.take(area(size));
    copy(frame, PlanarImageComponent::Y, &mut data, size);
    if frame.color_range() != YUVRange::Full {
        data.iter_mut().for_each(|sample| *sample = widen(*sample));
    }
    Ok(Picture::Pixels(Pixels { size, channels: Channels::Gray, data }))
}

/// Green, blue and red stored as they are.
fn identity(
    frame: &Frame,
    size: Size,
    full: bool,
    buffers: &mut Buffers,
) -> Result<Picture, Error> {
    let mut data = buffers.take(area(size) * 3);
    let mut plane = buffers.take(area(size));
    let order =
        [(PlanarImageComponent::V, 0), (PlanarImageComponent::Y, 1), (PlanarImageComponent::U, 2)];
    for (component, channel) in order {
        copy(frame, component, &mut plane, size);
        let pixels = data.iter_mut().skip(channel).step_by(3);
        for (into, sample) in pixels.zip(plane.iter()) {
            *into = if full { *sample } else { widen(*sample) };
        }
    }
    buffers.give(plane);
    Ok(Picture::Pixels(Pixels { size, channels: Channels::Rgb, data }))
}

fn transparent(
    picture: Picture,
    alpha: &Frame,
    premultiplied: bool,
    buffers: &mut Buffers,
) -> Result<Picture, Error> {
    let size = picture.size();
    let mut opacity = buffers.take(area(size));
    copy(alpha, PlanarImageComponent::Y, &mut opacity, size);
    if alpha.color_range() != YUVRange::Full {
        opacity.iter_mut().for_each(|sample| *sample = widen(*sample));
    }
    // Colour must be whole before it is mixed by opacity, so this does not wait until it is small.
    let pixels = match picture {
        Picture::Ycc(ycc) => {
            let rgb = to_rgb(&mut Resize::default(), buffers, &ycc, size)?;
            buffers.give(ycc.data);
            rgb
        }
        Picture::Pixels(pixels) => pixels,
    };
    let mut rgba = with_alpha(&pixels, &opacity, buffers)?;
    buffers.give(pixels.data);
    buffers.give(opacity);
    if premultiplied {
        unpremultiply(&mut rgba.data);
    }
    Ok(Picture::Pixels(rgba))
}

/// Copies a plane row by row, as 8 bits.
fn copy(frame: &Frame, component: PlanarImageComponent, into: &mut [u8], size: Size) {
    let plane = frame.plane(component);
    let stride = (frame.stride(component) as usize).max(1);
    let rows = into.chunks_mut((size.0 as usize).max(1)).zip(plane.chunks(stride));
    if frame.bit_depth() == 8 {
        for (into, row) in rows {
            into.iter_mut().zip(row).for_each(|(into, sample)| *into = *sample);
        }
        return;
    }
    let shift = (frame.bit_depth() as u32).saturating_sub(8);
    let half = (1_u32 << shift) >> 1;
    let narrow = |sample: u16| ((u32::from(sample) + half) >> shift).min(255) as u8;
    for (into, row) in rows {
        let samples = row.as_chunks::<2>().0.iter().map(|sample| u16::from_ne_bytes(*sample));
        into.iter_mut().zip(samples).for_each(|(into, sample)| *into = narrow(sample));
    }
}

/// From limited range to full.
fn widen(sample: u8) -> u8 {
    ((f32::from(sample) - 16.0) * 255.0 / 219.0).round().clamp(0.0, 255.0) as u8
}

fn container(error: avif_parse::Error) -> Error {
    match error {
        avif_parse::Error::UnexpectedEOF => Error::truncated("an AVIF file"),
        avif_parse::Error::Unsupported(what) => Error::unsupported(format!("AVIF: {what}")),
        error => Error::damaged(format!("AVIF: {error}")),
    }
}

fn av1(error: Av1Error) -> Error {
    Error::damaged(format!("AVIF: {error}"))
}

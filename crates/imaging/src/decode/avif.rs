//! AVIF by rav1d, the port of dav1d to Rust, tile by tile.

use av_data::pixel::{MatrixCoefficients, YUVRange};
use model::Shown;
use re_rav1d::dav1d::{Decoder, Error as Av1Error, PixelLayout, PlanarImageComponent, Settings};

use super::mosaic::{Canvas, Place};
use super::{Decoded, Source};
use crate::Error;
use crate::color::{Space, coding_of, to_rgb, unpremultiply, with_alpha};
use crate::picture::{Buffer, Buffers, Channels, Picture, Size, area};
use crate::probe::heif::{Mosaic, Nclx, still};
use crate::resize::Resize;

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let still = still(source.bytes)?;
    if still.special {
        return Err(Error::unsupported("AVIF of which only a part is to be shown (a crop)"));
    }
    let mut code_points = (2, 2);
    let picture = assemble(source, &still.color, |frame, shape| {
        code_points = match still.coding {
            Some(coding) => (coding.primaries, coding.transfer),
            None => (frame.color_primaries() as u8, frame.transfer_characteristic() as u8),
        };
        color_canvas(frame, still.coding, shape, buffers)
    })?;
    let mut picture = picture.finish();
    if let Some(alpha) = &still.alpha {
        let opacity = assemble(source, alpha, |frame, shape| {
            let convert = Convert::of(frame, frame.color_range() == YUVRange::Full);
            Ok((Canvas::pixels(shape, Channels::Gray, buffers), Planes::Luma(convert)))
        })?;
        picture = transparent(picture, opacity.into_plane(), still.premultiplied, buffers)?;
    }
    let space = match Space::of(&source.probe.color_profile) {
        Space::Unknown => Space::CodePoints { primaries: code_points.0, transfer: code_points.1 },
        space => space,
    };
    let orientation = source.probe.orientation;
    Ok(Decoded { picture, space, orientation, shown: Shown::Whole })
}

type Frame = re_rav1d::dav1d::Picture;

/// The size of the whole, that of a tile, and the tiles in a row.
type Shape = (Size, Size, usize);

/// Which planes of a frame become what.
#[derive(Clone, Copy)]
enum Planes {
    /// Luma and chroma stay what they are.
    Ycc,
    /// Lightness or opacity.
    Luma(Convert),
    /// Green, blue and red stored as they are.
    Identity(Convert),
}

/// Decodes all tiles onto a canvas that is made when the first of them is known.
fn assemble(
    source: &Source<'_>,
    mosaic: &Mosaic<'_>,
    mut canvas_for: impl FnMut(&Frame, Shape) -> Result<(Canvas, Planes), Error>,
) -> Result<Canvas, Error> {
    let mut canvas: Option<(Canvas, Planes, (Size, PixelLayout, usize))> = None;
    for (index, tile) in mosaic.tiles.iter().enumerate() {
        let frame = decode_av1(source, &tile.data)?;
        let size = (frame.width(), frame.height());
        let kind = (size, frame.pixel_layout(), frame.bit_depth());
        if canvas.is_none() {
            let whole = mosaic.size.unwrap_or(size);
            source.expect_size(whole.0, whole.1)?;
            check_cover(whole, size, mosaic)?;
            let (made, planes) = canvas_for(&frame, (whole, size, mosaic.columns))?;
            canvas = Some((made, planes, kind));
        }
        let Some((canvas, planes, first)) = &mut canvas else { continue };
        if *first != kind {
            return Err(Error::damaged("an AVIF image of tiles that differ"));
        }
        paste(&frame, *planes, &mut canvas.places(index));
    }
    canvas.map(|(canvas, ..)| canvas).ok_or_else(|| Error::damaged("an AVIF image without tiles"))
}

/// Fails unless tiles of this size cover the whole.
fn check_cover(whole: Size, tile: Size, mosaic: &Mosaic<'_>) -> Result<(), Error> {
    let rows = mosaic.tiles.len() / mosaic.columns.max(1);
    let covers = |tile: u32, count: usize, all: u32| u64::from(tile) * count as u64 >= all.into();
    if covers(tile.0, mosaic.columns, whole.0) && covers(tile.1, rows, whole.1) {
        return Ok(());
    }
    Err(Error::damaged("an AVIF image whose tiles do not cover it"))
}

/// The first picture of a stream of AV1 data.
fn decode_av1(source: &Source<'_>, data: &[u8]) -> Result<Frame, Error> {
    // The decoder takes no data for a mistake of ours, and with debug assertions ends the process.
    if data.is_empty() {
        return Err(Error::truncated("an AVIF image without pixels"));
    }
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    let pixels = source.probe.surface_pixels().max(area(source.size()) as u64);
    settings.set_frame_size_limit(u32::try_from(pixels).unwrap_or(u32::MAX));
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

/// What the container says of the colours wins over what the frame says.
fn color_canvas(
    frame: &Frame,
    container: Option<Nclx>,
    shape: Shape,
    buffers: &mut Buffers,
) -> Result<(Canvas, Planes), Error> {
    let of_frame = (frame.matrix_coefficients() as u32, frame.color_range() == YUVRange::Full);
    let (matrix, full) = container.map_or(of_frame, |nclx| (nclx.matrix.into(), nclx.full_range));
    let convert = Convert::of(frame, full);
    let step = match frame.pixel_layout() {
        PixelLayout::I400 => {
            let canvas = Canvas::pixels(shape, Channels::Gray, buffers);
            return Ok((canvas, Planes::Luma(convert)));
        }
        PixelLayout::I420 => (2, 2),
        PixelLayout::I422 => (2, 1),
        PixelLayout::I444 => (1, 1),
    };
    if matrix == MatrixCoefficients::Identity as u32 && step == (1, 1) {
        let canvas = Canvas::pixels(shape, Channels::Rgb, buffers);
        return Ok((canvas, Planes::Identity(convert)));
    }
    let coding = coding_of(matrix, full)
        .ok_or_else(|| Error::unsupported(format!("AVIF with the matrix {matrix}")))?;
    Ok((Canvas::planes(shape, step, coding, buffers)?, Planes::Ycc))
}

fn paste(frame: &Frame, planes: Planes, places: &mut [Place<'_>]) {
    use PlanarImageComponent::{U, V, Y};
    let plain = Convert::of(frame, true);
    match planes {
        Planes::Ycc => {
            for (place, component) in places.iter_mut().zip([Y, U, V]) {
                copy(frame, component, place, 0, plain);
            }
        }
        Planes::Luma(convert) => {
            for place in places {
                copy(frame, Y, place, 0, convert);
            }
        }
        Planes::Identity(convert) => {
            for place in places {
                for (channel, component) in [V, Y, U].into_iter().enumerate() {
                    copy(frame, component, place, channel, convert);
                }
            }
        }
    }
}

/// How samples become bytes.
#[derive(Clone, Copy)]
struct Convert {
    shift: u32,
    full: bool,
}

impl Convert {
    fn of(frame: &Frame, full: bool) -> Self {
        Self { shift: (frame.bit_depth() as u32).saturating_sub(8), full }
    }

    fn narrow(self, sample: u16) -> u8 {
        let half = (1_u32 << self.shift) >> 1;
        let byte = ((u32::from(sample) + half) >> self.shift).min(255) as u8;
        if self.full { byte } else { widen(byte) }
    }
}

/// Copies a plane row by row, as 8 bits.
fn copy(
    frame: &Frame,
    component: PlanarImageComponent,
    place: &mut Place<'_>,
    channel: usize,
    convert: Convert,
) {
    let plane = frame.plane(component);
    let stride = (frame.stride(component) as usize).max(1);
    let (width, height) = plane_size(frame, component);
    if frame.bit_depth() == 8 {
        let rows = plane.chunks(stride).take(height);
        let rows = rows.map(|row| row.get(..width).unwrap_or(row));
        place.fill(rows, channel, |sample| convert.narrow(u16::from(sample)));
        return;
    }
    let rows = plane.chunks(stride).take(height).map(|row| row.as_chunks::<2>().0);
    let rows = rows.map(|row| row.get(..width).unwrap_or(row));
    place.fill(rows, channel, |sample| convert.narrow(u16::from_ne_bytes(sample)));
}

fn plane_size(frame: &Frame, component: PlanarImageComponent) -> (usize, usize) {
    let (width, height) = (frame.width() as usize, frame.height() as usize);
    match (component, frame.pixel_layout()) {
        (PlanarImageComponent::Y, _) | (_, PixelLayout::I400 | PixelLayout::I444) => {
            (width, height)
        }
        (_, PixelLayout::I422) => (width.div_ceil(2), height),
        (_, PixelLayout::I420) => (width.div_ceil(2), height.div_ceil(2)),
    }
}

fn transparent(
    picture: Picture,
    opacity: Buffer,
    premultiplied: bool,
    buffers: &mut Buffers,
) -> Result<Picture, Error> {
    let size = picture.size();
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

/// From limited range to full.
fn widen(sample: u8) -> u8 {
    ((f32::from(sample) - 16.0) * 255.0 / 219.0).round().clamp(0.0, 255.0) as u8
}

fn av1(error: Av1Error) -> Error {
    Error::damaged(format!("AVIF: {error}"))
}

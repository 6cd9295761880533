//! JPEG 2000 by hayro, at the smallest of its resolutions that is large enough.

use hayro_jpeg2000::{
    ColorSpace, DecodeError, DecodeSettings, DecoderContext, DecodingError, Image,
};
use model::Shown;

use super::{Decoded, Source};
use crate::Error;
use crate::color::Space;
use crate::picture::{Buffers, Channels, Picture, Pixels, Size, area};
use crate::resize::{Resize, Window};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let settings = DecodeSettings {
        resolve_palette_indices: true,
        strict: false,
        target_resolution: Some(enough(source.wanted)),
    };
    let image = Image::new(source.bytes, &settings).map_err(|error| damaged(&error))?;
    let (colors, has_alpha) = (image.color_space().clone(), image.has_alpha());
    let channels = match (colors.num_channels(), has_alpha) {
        (1, false) => Channels::Gray,
        (1, true) => Channels::GrayAlpha,
        (3, false) => Channels::Rgb,
        (3, true) => Channels::Rgba,
        (4, false) => Channels::Cmyk,
        (count, _) => return Err(Error::unsupported(format!("JPEG 2000 of {count} colours"))),
    };
    let mut context = DecoderContext::default();
    let decoded = image.decode(&mut context).map_err(|error| damaged(&error))?;
    let size = (image.width(), image.height());
    let full = source.size();
    if size.0 > full.0 || size.1 > full.1 || size.0 < source.wanted.0.min(full.0) {
        return Err(Error::damaged("an image of another size than its header says"));
    }
    let bytes = decoded.data_u8();
    if bytes.len() != area(size) * channels.count() {
        return Err(Error::unsupported("JPEG 2000 with channels of different sizes"));
    }
    let space = match colors {
        ColorSpace::Icc { profile, .. } if profile.get(16..20) == Some(b"Lab ") => {
            return Err(Error::unsupported("JPEG 2000 in Lab"));
        }
        ColorSpace::Icc { profile, .. } => Space::Icc(profile),
        _ => Space::of(&source.probe.color_profile),
    };
    let pixels = Pixels { size, channels, data: bytes.into() };
    let pixels = match scale_of(full, size) {
        Some(scale) => in_place(&pixels, scale, source, buffers)?,
        None => pixels,
    };
    let picture = Picture::Pixels(pixels);
    let orientation = source.probe.orientation;
    let shown = if ends(source.bytes) { Shown::Whole } else { Shown::Incomplete };
    Ok(Decoded { picture, space, orientation, shown })
}

/// Some more than is wanted: the resampling that follows needs something to work with.
fn enough(wanted: Size) -> Size {
    let more = |side: u32| side.saturating_add(side / 10 * 3);
    (more(wanted.0), more(wanted.1))
}

/// How many pixels in each direction a sample of a smaller resolution stands for; `None` at the
/// largest.
fn scale_of(full: Size, size: Size) -> Option<f64> {
    let halved = |levels: &u32| {
        let side = |side: u32| u64::from(side).div_ceil(1 << levels);
        (side(full.0), side(full.1)) == (u64::from(size.0), u64::from(size.1))
    };
    let levels = (0..=32).find(halved).filter(|levels| *levels > 0)?;
    Some((1_u64 << levels) as f64)
}

/// The size wanted of a smaller resolution. Its samples are not in the middle of the pixels that
/// they stand for, but on the first of them: taken as they are, the picture would lie too far to
/// the left and to the top, by up to half a sample.
fn in_place(
    pixels: &Pixels,
    scale: f64,
    source: &Source<'_>,
    buffers: &mut Buffers,
) -> Result<Pixels, Error> {
    let extended = extended(pixels, buffers);
    let start = 0.5 - 0.5 / scale;
    let (width, height) = source.size();
    let (width, height) = (f64::from(width) / scale, f64::from(height) / scale);
    let window = Window { left: start, top: start, width, height };
    let placed = Resize::default().pixels(buffers, &extended, window, source.wanted);
    buffers.give(extended.data);
    placed
}

/// With the last column and the last row twice.
fn extended(pixels: &Pixels, buffers: &mut Buffers) -> Pixels {
    let (count, (width, height)) = (pixels.channels.count(), pixels.size);
    let size = (width.saturating_add(1), height.saturating_add(1));
    let mut data = buffers.take(area(size) * count);
    let row = (width as usize * count).max(1);
    let rows = pixels.data.chunks_exact(row);
    let rows = rows.clone().chain(rows.last());
    for (into, from) in data.chunks_exact_mut(row + count).zip(rows) {
        let (inside, beyond) = into.split_at_mut(row);
        inside.copy_from_slice(from);
        beyond.copy_from_slice(from.rchunks_exact(count).next().unwrap_or_default());
    }
    Pixels { size, channels: pixels.channels, data }
}

/// Whether the mark is there that every stream ends with; behind it are further boxes only.
fn ends(bytes: &[u8]) -> bool {
    const END: &[u8] = b"\xff\xd9";
    let tail = bytes.get(bytes.len().saturating_sub(4096)..).unwrap_or(bytes);
    tail.windows(END.len()).any(|window| window == END)
}

fn damaged(error: &DecodeError) -> Error {
    match error {
        DecodeError::Decoding(DecodingError::UnexpectedEof) => {
            Error::truncated("the pixels of a JPEG 2000 image")
        }
        error => Error::damaged(format!("JPEG 2000: {error}")),
    }
}

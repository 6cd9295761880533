//! JPEG 2000 by hayro, at the smallest of its resolutions that is large enough.

use hayro_jpeg2000::{
    ColorSpace, DecodeError, DecodeSettings, DecoderContext, DecodingError, Image,
};
use model::Shown;

use super::{Decoded, Source};
use crate::Error;
use crate::color::Space;
use crate::picture::{Channels, Picture, Pixels, Size, area};

pub(super) fn decode(source: &Source<'_>) -> Result<Decoded, Error> {
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
    let picture = Picture::Pixels(Pixels { size, channels, data: bytes.into() });
    let orientation = source.probe.orientation;
    let shown = if ends(source.bytes) { Shown::Whole } else { Shown::Incomplete };
    Ok(Decoded { picture, space, orientation, shown })
}

/// Some more than is wanted: the resampling that follows needs something to work with.
fn enough(wanted: Size) -> Size {
    let more = |side: u32| side.saturating_add(side / 10 * 3);
    (more(wanted.0), more(wanted.1))
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

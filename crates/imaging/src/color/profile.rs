//! Colour management by qcms, the engine of Firefox.

use qcms::{DataType, Intent, Profile, Transform};

use crate::picture::{Buffers, Channels, Pixels, area};
use crate::{ColorProfile, ProfileKind};

/// What the numbers of a picture stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// sRGB, or what is shown as if it were.
    Srgb,
    /// By an ICC profile.
    Icc(Vec<u8>),
    /// By the code points of ITU-T H.273.
    CodePoints {
        /// Which red, green and blue.
        primaries: u8,
        /// Which curve.
        transfer: u8,
    },
    /// Adobe RGB (1998), named without its profile.
    AdobeRgb,
    /// Something else that the probe could not name.
    Unknown,
}

impl Space {
    /// As the probe found it.
    pub(crate) fn of(profile: &ColorProfile) -> Self {
        match (&profile.icc, profile.kind) {
            (_, ProfileKind::Srgb) => Self::Srgb,
            (Some(icc), _) => Self::Icc(icc.clone()),
            (None, ProfileKind::DisplayP3) => Self::CodePoints { primaries: 12, transfer: 13 },
            (None, ProfileKind::AdobeRgb) => Self::AdobeRgb,
            (None, ProfileKind::Gray | ProfileKind::Cmyk) => Self::Srgb,
            (None, ProfileKind::Other) => Self::Unknown,
        }
    }

    /// The profile that renditions get if they keep these colours.
    pub(crate) fn icc(&self) -> Option<&[u8]> {
        match self {
            Self::Icc(icc) if signature(icc) == Some(b"RGB ") => Some(icc),
            _ => None,
        }
    }

    fn profile(&self) -> Option<Box<Profile>> {
        match self {
            Self::Srgb | Self::Unknown => None,
            Self::Icc(icc) => Profile::new_from_slice(icc, false),
            Self::CodePoints { primaries, transfer } => {
                // Curves for high dynamic range need tone mapping, which no sRGB picture can show
                // well: their numbers are taken as if their curve were sRGB's.
                let transfer = if matches!(transfer, 2 | 16 | 18) { 13 } else { *transfer };
                let primaries = if *primaries == 2 { 1 } else { *primaries };
                Profile::new_cicp(primaries.into(), transfer.into())
            }
            Self::AdobeRgb => adobe_rgb(),
        }
    }

    /// The channels a profile speaks of, if it is one.
    fn signature(&self) -> Option<&[u8; 4]> {
        match self {
            Self::Icc(icc) => signature(icc),
            _ => Some(b"RGB "),
        }
    }
}

/// Pixels as RGB or RGBA in sRGB. What has no usable profile is taken for sRGB already; inks
/// without one are mixed as if they were ideal.
pub(crate) fn to_srgb(pixels: Pixels, space: &Space, buffers: &mut Buffers) -> Pixels {
    let (from, into, signature, channels) = match pixels.channels {
        Channels::Gray => (DataType::Gray8, DataType::RGB8, b"GRAY", Channels::Rgb),
        Channels::GrayAlpha => (DataType::GrayA8, DataType::RGBA8, b"GRAY", Channels::Rgba),
        Channels::Rgb => (DataType::RGB8, DataType::RGB8, b"RGB ", Channels::Rgb),
        Channels::Rgba => (DataType::RGBA8, DataType::RGBA8, b"RGB ", Channels::Rgba),
        Channels::Cmyk => (DataType::CMYK, DataType::RGB8, b"CMYK", Channels::Rgb),
    };
    let profile = space.profile().filter(|_| space.signature() == Some(signature));
    let transform = profile.and_then(|profile| {
        let mut srgb = Profile::new_sRGB();
        srgb.precache_output_transform();
        Transform::new_to(&profile, &srgb, from, into, Intent::Perceptual)
    });
    match transform {
        Some(transform) if from == into => {
            let mut pixels = pixels;
            transform.apply(&mut pixels.data);
            pixels
        }
        Some(transform) => {
            let mut data = buffers.take(area(pixels.size) * channels.count());
            transform.convert(&pixels.data, &mut data);
            let size = pixels.size;
            buffers.give(pixels.data);
            Pixels { size, channels, data }
        }
        None if from == into => pixels,
        None => {
            let size = pixels.size;
            let mut data = buffers.take(area(size) * channels.count());
            spread(&pixels, &mut data);
            buffers.give(pixels.data);
            Pixels { size, channels, data }
        }
    }
}

/// Grey or inks as RGB without any profile.
fn spread(pixels: &Pixels, data: &mut [u8]) {
    match pixels.channels {
        Channels::Gray => {
            let into = data.as_chunks_mut::<3>().0;
            into.iter_mut().zip(pixels.data.iter()).for_each(|(into, gray)| *into = [*gray; 3]);
        }
        Channels::GrayAlpha => {
            let from = pixels.data.as_chunks::<2>().0;
            for (into, [gray, alpha]) in data.as_chunks_mut::<4>().0.iter_mut().zip(from) {
                *into = [*gray, *gray, *gray, *alpha];
            }
        }
        Channels::Cmyk => {
            let from = pixels.data.as_chunks::<4>().0;
            for (into, [c, m, y, k]) in data.as_chunks_mut::<3>().0.iter_mut().zip(from) {
                let paper = 255 - u32::from(*k);
                *into = [c, m, y].map(|ink| ((255 - u32::from(*ink)) * paper / 255) as u8);
            }
        }
        Channels::Rgb | Channels::Rgba => {}
    }
}

fn signature(icc: &[u8]) -> Option<&[u8; 4]> {
    icc.get(16..20)?.first_chunk()
}

fn adobe_rgb() -> Option<Box<Profile>> {
    use qcms::{CIE_xyY, CIE_xyYTRIPLE};
    let point = |x, y| CIE_xyY { x, y, Y: 1.0 };
    let primaries =
        CIE_xyYTRIPLE { red: point(0.64, 0.33), green: point(0.21, 0.71), blue: point(0.15, 0.06) };
    let gamma = 563.0 / 256.0;
    Profile::new_rgb_with_gamma_set(point(0.3127, 0.3290), primaries, gamma, gamma, gamma)
}

//! TIFF: the first directory describes the image; more may describe pages, which are not shown.

use std::borrow::Cow;

use model::MediaType;

use super::icc::{ColorProfile, ProfileKind};
use super::{ColorModel, Probe, raw};
use crate::metadata::Carriers;
use crate::tiff::{Directory, Tiff};
use crate::{Error, exif};

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const BITS: u16 = 258;
const COMPRESSION: u16 = 259;
const PHOTOMETRIC: u16 = 262;
const FILL_ORDER: u16 = 266;
const SAMPLES: u16 = 277;
const STRIP_ROWS: u16 = 278;
const PLANAR: u16 = 284;
const TILE_WIDTH: u16 = 322;
const TILE_HEIGHT: u16 = 323;
const EXTRA_SAMPLES: u16 = 338;
const XMP: u16 = 700;
const IPTC: u16 = 33_723;
const PHOTOSHOP: u16 = 34_377;
const ICC_PROFILE: u16 = 34_675;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let tiff = Tiff::open(bytes).ok_or_else(cut_off)?;
    let main = tiff.directory(tiff.first).ok_or_else(cut_off)?;
    if raw::is_raw(tiff, main) {
        return raw::probe(bytes);
    }
    if !main.is_whole_with(BITS) || raw::is_cut_off(tiff, main) {
        return Err(cut_off());
    }
    let size = side(main, WIDTH).zip(side(main, HEIGHT));
    let (width, height) = size.ok_or_else(|| Error::damaged("a TIFF file without a size"))?;
    // 1 is "chunky": the channels of a pixel side by side.
    let apart = main.number(PLANAR).is_some_and(|planar| planar != 1);
    if apart && main.number(SAMPLES).is_some_and(|samples| samples > 1) {
        return Err(Error::unsupported("a TIFF file with a plane for each channel"));
    }
    // JPEG, in its two ways, has an order of bits of its own.
    let is_jpeg = matches!(main.number(COMPRESSION), Some(6 | 7));
    if main.number(FILL_ORDER) == Some(2) && !is_jpeg {
        return Err(Error::unsupported("a TIFF file with the bits of each byte in reverse order"));
    }
    let mut probe = Probe::new(MediaType::Tiff, width, height);
    take_color(&mut probe, main);
    let tile = side(main, TILE_WIDTH).zip(side(main, TILE_HEIGHT));
    if let Some((width, height)) = tile {
        probe.include_surface(width, height);
    }
    probe.held_bytes = band_bytes(&probe, main, tile);
    let carriers = carriers(tiff, main);
    probe.orientation = carriers.orientation();
    carriers.describe(&mut probe);
    Ok(probe)
}

/// What may say something about the picture, in a file that is a TIFF file itself.
pub(super) fn carriers<'a>(tiff: Tiff<'a>, main: Directory<'a>) -> Carriers<'a> {
    let data = |tag| main.find(tag).map(|entry| Cow::Borrowed(entry.data));
    let mut carriers = Carriers::new(Some(exif::read_directories(tiff, main)), data(XMP));
    carriers.iptc = data(IPTC);
    if let Some(resources) = main.find(PHOTOSHOP) {
        carriers.take_photoshop(resources.data);
    }
    carriers
}

/// Whether it holds what a sensor saw.
pub(super) fn is_raw(bytes: &[u8]) -> bool {
    let main = Tiff::open(bytes).and_then(|tiff| Some((tiff, tiff.directory(tiff.first)?)));
    main.is_some_and(|(tiff, main)| raw::is_raw(tiff, main))
}

fn take_color(probe: &mut Probe, main: Directory<'_>) {
    // 1 bit is what the standard says where nothing is said.
    let bits = main.number(BITS).unwrap_or(1);
    probe.bit_depth = u8::try_from(bits).unwrap_or(u8::MAX);
    match main.number(PHOTOMETRIC) {
        Some(0 | 1) => probe.color_model = ColorModel::Gray,
        Some(3) => probe.bit_depth = 8,
        Some(5) => {
            probe.color_model = ColorModel::Cmyk;
            probe.color_profile = ColorProfile::named(ProfileKind::Cmyk);
        }
        // L*a*b* in its three encodings.
        Some(8..=10) => probe.color_profile = ColorProfile::named(ProfileKind::Other),
        _ => {}
    }
    // 1 is premultiplied alpha, 2 is not; 0 is something else.
    let extra = main.find(EXTRA_SAMPLES);
    probe.has_alpha = matches!(extra.and_then(|entry| entry.number(0)), Some(1 | 2));
    // A fourth channel of red, green and blue that nothing is said of is taken for opacity.
    if main.number(PHOTOMETRIC) == Some(2) {
        let said = extra.map_or(0, |entry| entry.count() as u64);
        let samples = main.number(SAMPLES).unwrap_or(1);
        probe.has_alpha |= samples.checked_sub(said) == Some(4);
    }
    let icc = main.find(ICC_PROFILE).map(|entry| entry.data);
    if let Some(profile) = icc.and_then(ColorProfile::from_icc) {
        probe.color_profile = profile;
    }
}

/// What is decompressed at once: a strip, or a row of tiles; and a copy of it on the way.
fn band_bytes(probe: &Probe, main: Directory<'_>, tile: Option<(u32, u32)>) -> u64 {
    let (width, rows) = match tile {
        Some((width, rows)) => {
            (u64::from(probe.width).next_multiple_of(u64::from(width.max(1))), rows)
        }
        None => {
            let rows = side(main, STRIP_ROWS).unwrap_or(u32::MAX);
            (u64::from(probe.width), rows.min(probe.height))
        }
    };
    let bits = main.number(SAMPLES).unwrap_or(1).saturating_mul(probe.bit_depth.into());
    width.saturating_mul(rows.into()).saturating_mul(bits).div_ceil(8).saturating_mul(2)
}

fn side(directory: Directory<'_>, tag: u16) -> Option<u32> {
    directory.number(tag).map(|side| u32::try_from(side).unwrap_or(u32::MAX))
}

fn cut_off() -> Error {
    Error::truncated("a TIFF file that ends before or in its first directory")
}

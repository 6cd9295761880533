//! HEIC and AVIF: items with properties, one of which is the image.
//!
//! EXIF data may be there, but its orientation does not count: the properties `irot` and `imir`
//! do, in the order in which they are given.

mod items;
mod meta;

use model::MediaType;

use super::boxes::{Boxes, child};
use super::icc::ColorProfile;
use super::{ColorModel, FRAMES_COUNTED_MAX, Probe, hevc};
use crate::metadata::Carriers;
use crate::read::{array_at, be16, be32, be64, slice_at};
use crate::{Error, Orientation, exif};
use meta::{Meta, Property};

pub(crate) use items::{Mosaic, Nclx, Still, Tile, still};

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let Some(found) = child(bytes, b"meta") else {
        return sequence_only(bytes);
    };
    if found.cut_off {
        return Err(cut_off());
    }
    let meta = Meta::read(found.data).ok_or_else(|| Error::damaged("a HEIF file without items"))?;
    let primary = meta.primary().ok_or_else(|| Error::damaged("a HEIF file without an image"))?;
    let properties = meta.properties_of(primary);
    let media_type = media_type(&meta, primary)?;
    let (width, height) =
        size(&properties).ok_or_else(|| Error::damaged("a HEIF image without a size"))?;
    let mut probe = Probe::new(media_type, width, height);
    for property in meta.all_properties() {
        include_surface(&mut probe, property);
    }
    take_depth(&mut probe, &meta, primary, &properties);
    probe.orientation = orientation(&properties);
    probe.color_profile = color_profile(&properties).unwrap_or_default();
    probe.has_alpha = meta.alpha(primary).is_some();
    take_tiles(&mut probe, meta.tiles(primary).count() as u64, &properties);
    let exif = meta.exif(bytes, primary).and_then(exif_block).and_then(exif::read);
    Carriers::new(exif, meta.xmp(bytes, primary)).describe(&mut probe);
    if let Some(frames) = track(bytes).map(|track| track.frames) {
        probe.frames = frames.clamp(1, FRAMES_COUNTED_MAX);
    }
    Ok(probe)
}

/// What may say something about the picture.
pub(super) fn carriers(bytes: &[u8]) -> Carriers<'_> {
    let exif = exif_of(bytes).and_then(exif::read);
    let meta = child(bytes, b"meta").and_then(|found| Meta::read(found.data));
    let xmp = meta.and_then(|meta| meta.xmp(bytes, meta.primary()?));
    Carriers::new(exif, xmp)
}

/// The block of EXIF data of the image.
pub(super) fn exif_of(bytes: &[u8]) -> Option<&[u8]> {
    let meta = Meta::read(child(bytes, b"meta")?.data)?;
    exif_block(meta.exif(bytes, meta.primary()?)?)
}

/// The file without references to property 0, which stands for none and which decoders stumble
/// over; `None` if it has no such. Each becomes a second reference to another property of its item.
pub(crate) fn without_empty_properties(bytes: &[u8]) -> Option<Vec<u8>> {
    let meta = Meta::read(child(bytes, b"meta")?.data)?;
    let changes = meta.empty_associations();
    if changes.is_empty() {
        return None;
    }
    let mut file = bytes.to_vec();
    for (place, number) in changes {
        let at = place.as_ptr().addr().checked_sub(bytes.as_ptr().addr())?;
        *file.get_mut(at + place.len() - 1)? |= number;
    }
    Some(file)
}

/// What codes the image, or the tiles it is made of.
fn media_type(meta: &Meta<'_>, primary: u32) -> Result<MediaType, Error> {
    let tile = meta.tiles(primary).next().unwrap_or(primary);
    match meta.kind(tile).as_ref() {
        Some(b"av01") => Ok(MediaType::Avif),
        Some(b"hvc1" | b"hev1") => Ok(MediaType::Heic),
        _ => Err(Error::unsupported("a HEIF file coded neither as HEVC nor as AV1")),
    }
}

fn size(properties: &[Property<'_>]) -> Option<(u32, u32)> {
    let extents = properties.iter().find(|property| &property.kind == b"ispe")?;
    let (width, height) = be32(extents.data, 4).zip(be32(extents.data, 8))?;
    let aperture = properties.iter().find(|property| &property.kind == b"clap");
    let within = aperture.and_then(|property| aperture_size(property.data));
    // Codecs of a smallest size pad smaller images, and cut the padding off with an aperture.
    let within = within.filter(|within| within.0 <= width && within.1 <= height);
    Some(within.unwrap_or((width, height)))
}

/// Whether it is decoded tile by tile, and what a tile takes on the way: 24 bytes for each pixel, of
/// which those at the edges may have up to as many again outside.
fn take_tiles(probe: &mut Probe, tiles: u64, properties: &[Property<'_>]) {
    // What is cropped is decoded whole.
    let is_cropped = properties.iter().any(|property| &property.kind == b"clap");
    probe.tiled = tiles > 0 && !is_cropped;
    let pixels = u64::from(probe.width) * u64::from(probe.height);
    if let Some(tile) = pixels.checked_div(tiles).filter(|_| probe.tiled) {
        probe.held_bytes = tile.saturating_mul(2 * 24);
    }
}

/// Width and height of a clean aperture, each a fraction.
fn aperture_size(aperture: &[u8]) -> Option<(u32, u32)> {
    let side =
        |at| be32(aperture, at)?.checked_div(be32(aperture, at + 4)?).filter(|&side| side > 0);
    side(0).zip(side(8))
}

/// What any item claims to be large, and what a bitstream is whatever its item claims.
fn include_surface(probe: &mut Probe, property: Property<'_>) {
    let size = match &property.kind {
        b"ispe" => be32(property.data, 4).zip(be32(property.data, 8)),
        b"hvcC" => hevc::coded_size(property.data),
        _ => None,
    };
    if let Some((width, height)) = size {
        probe.include_surface(width, height);
    }
}

/// Bits per channel by `pixi`, else by the configuration of the decoder for the image or a tile.
fn take_depth(probe: &mut Probe, meta: &Meta<'_>, primary: u32, properties: &[Property<'_>]) {
    let of_tile = meta.tiles(primary).next().map(|tile| meta.properties_of(tile));
    let all = properties.iter().chain(of_tile.iter().flatten());
    for property in all {
        match &property.kind {
            b"pixi" => {
                let Some([channels, bits]) = array_at(property.data, 4) else { continue };
                probe.bit_depth = bits;
                probe.color_model = if channels == 1 { ColorModel::Gray } else { ColorModel::Rgb };
                return;
            }
            b"av1C" => {
                let Some(&flags) = property.data.get(2) else { continue };
                probe.bit_depth = match flags >> 5 & 3 {
                    0b10 => 10,
                    0b11 => 12,
                    _ => 8,
                };
                probe.color_model =
                    if flags >> 4 & 1 == 1 { ColorModel::Gray } else { ColorModel::Rgb };
            }
            b"hvcC" => {
                let Some([chroma, luma_bits]) = array_at(property.data, 16) else { continue };
                probe.bit_depth = 8 + (luma_bits & 7);
                probe.color_model =
                    if chroma & 3 == 0 { ColorModel::Gray } else { ColorModel::Rgb };
            }
            _ => {}
        }
    }
}

fn orientation(properties: &[Property<'_>]) -> Orientation {
    properties.iter().fold(Orientation::Upright, |so_far, property| {
        let next = match (&property.kind, property.data.first()) {
            // Quarters to the left.
            (b"irot", Some(turns)) => match turns & 3 {
                0 => Orientation::Upright,
                1 => Orientation::Rotate270,
                2 => Orientation::Rotate180,
                _ => Orientation::Rotate90,
            },
            (b"imir", Some(axis)) if axis & 1 == 0 => Orientation::FlipVertical,
            (b"imir", Some(_)) => Orientation::FlipHorizontal,
            _ => Orientation::Upright,
        };
        so_far.then(next)
    })
}

/// An ICC profile, else the code points.
fn color_profile(properties: &[Property<'_>]) -> Option<ColorProfile> {
    let colors = || properties.iter().filter(|property| &property.kind == b"colr");
    let icc = colors().find_map(|color| match color.data.split_at_checked(4)? {
        (b"prof" | b"rICC", icc) => ColorProfile::from_icc(icc),
        _ => None,
    });
    let code_points = || {
        colors().find_map(|color| {
            let numbers = color.data.strip_prefix(b"nclx")?;
            Some(ColorProfile::from_code_points(be16(numbers, 0)?, be16(numbers, 2)?))
        })
    };
    icc.or_else(code_points)
}

/// An EXIF item begins with the distance to the block in it.
fn exif_block(item: &[u8]) -> Option<&[u8]> {
    let skip = be32(item, 0)? as usize;
    item.get(4..)?.get(skip..)
}

/// A moving sequence without a still image of its own.
fn sequence_only(bytes: &[u8]) -> Result<Probe, Error> {
    let track = track(bytes).ok_or_else(cut_off)?;
    let media_type = match &track.kind {
        b"av01" => MediaType::Avif,
        b"hvc1" | b"hev1" => MediaType::Heic,
        _ => return Err(Error::unsupported("a HEIF sequence coded neither as HEVC nor as AV1")),
    };
    let mut probe = Probe::new(media_type, track.width.into(), track.height.into());
    probe.frames = track.frames.clamp(1, FRAMES_COUNTED_MAX);
    Ok(probe)
}

/// The first picture of a sequence, which must not need others.
fn first_sample(bytes: &[u8]) -> Option<&[u8]> {
    let movie = child(bytes, b"moov")?;
    let mut tracks = Boxes::new(movie.data).filter(|found| &found.kind == b"trak").take(16);
    tracks.find_map(|found| {
        let media = child(found.data, b"mdia")?.data;
        let table = child(child(media, b"minf")?.data, b"stbl")?.data;
        let sizes = child(table, b"stsz")?.data;
        let length = match be32(sizes, 4)? {
            0 => be32(sizes, 12)?,
            length => length,
        };
        let start = match child(table, b"co64") {
            Some(offsets) => usize::try_from(be64(offsets.data, 8)?).ok()?,
            None => be32(child(table, b"stco")?.data, 8)? as usize,
        };
        slice_at(bytes, start, length as usize)
    })
}

/// A sequence of pictures.
struct Track {
    kind: [u8; 4],
    width: u16,
    height: u16,
    frames: u32,
}

/// The first track of pictures.
fn track(bytes: &[u8]) -> Option<Track> {
    let movie = child(bytes, b"moov")?;
    let mut tracks = Boxes::new(movie.data).filter(|found| &found.kind == b"trak").take(16);
    tracks.find_map(|found| {
        let media = child(found.data, b"mdia")?.data;
        let handler = slice_at(child(media, b"hdlr")?.data, 8, 4)?;
        if handler != b"pict" {
            return None;
        }
        let table = child(child(media, b"minf")?.data, b"stbl")?.data;
        let frames = be32(child(table, b"stsz")?.data, 8)?;
        let entry = Boxes::new(child(table, b"stsd")?.data.get(8..)?).next()?;
        let (width, height) = be16(entry.data, 24).zip(be16(entry.data, 26))?;
        Some(Track { kind: entry.kind, width, height, frames })
    })
}

fn cut_off() -> Error {
    Error::truncated("a HEIF file that ends before the list of its items")
}

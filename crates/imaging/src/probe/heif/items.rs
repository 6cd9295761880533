//! What is to be decoded of a HEIF file: coded pictures, and how they are put together.

use std::borrow::Cow;

use super::meta::{Meta, Property};
use crate::Error;
use crate::probe::boxes::child;
use crate::read::{be16, be32};

/// Tiles of one picture; the largest cameras make some two hundred.
const TILES_MAX: usize = 1 << 14;

/// The main picture of a file.
pub(crate) struct Still<'a> {
    pub(crate) color: Mosaic<'a>,
    /// Its opacity, as a picture of its own.
    pub(crate) alpha: Option<Mosaic<'a>>,
    /// Whether colour is multiplied by opacity.
    pub(crate) premultiplied: bool,
    /// Whether only a part of it is to be seen, or other pictures are needed to decode it.
    pub(crate) special: bool,
    pub(crate) coding: Option<Nclx>,
}

/// Coded pictures of one size, by rows.
pub(crate) struct Mosaic<'a> {
    /// The size of the whole; `None` for that of its only picture.
    pub(crate) size: Option<(u32, u32)>,
    pub(crate) columns: usize,
    pub(crate) tiles: Vec<Tile<'a>>,
}

/// A coded picture.
pub(crate) struct Tile<'a> {
    /// How its decoder is to be set up (`hvcC`, `av1C`).
    pub(crate) config: &'a [u8],
    /// Its size as the container says it (`ispe`).
    pub(crate) extents: &'a [u8],
    pub(crate) data: Cow<'a, [u8]>,
}

/// What numbers stand for, by the code points of ITU-T H.273.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nclx {
    pub(crate) primaries: u8,
    pub(crate) transfer: u8,
    pub(crate) matrix: u16,
    pub(crate) full_range: bool,
}

/// Finds the main picture.
pub(crate) fn still(bytes: &[u8]) -> Result<Still<'_>, Error> {
    let Some(found) = child(bytes, b"meta") else {
        let data = super::first_sample(bytes).ok_or_else(no_pixels)?;
        let tile = Tile { config: &[], extents: &[], data: data.into() };
        let color = Mosaic { size: None, columns: 1, tiles: vec![tile] };
        return Ok(Still {
            color,
            alpha: None,
            premultiplied: false,
            special: false,
            coding: None,
        });
    };
    let meta = Meta::read(found.data).ok_or_else(|| Error::damaged("a HEIF file without items"))?;
    let primary = meta.primary().ok_or_else(|| Error::damaged("a HEIF file without an image"))?;
    let properties = meta.properties_of(primary);
    let alpha = meta.alpha(primary);
    let is_special = |property: &Property<'_>| &property.kind == b"clap";
    Ok(Still {
        color: mosaic(&meta, bytes, primary)?,
        premultiplied: alpha.is_some_and(|alpha| meta.refers(*b"prem", primary, alpha)),
        alpha: alpha.map(|alpha| mosaic(&meta, bytes, alpha)).transpose()?,
        special: properties.iter().any(is_special) || meta.refers_from(*b"pred", primary),
        coding: properties.iter().find_map(nclx),
    })
}

fn mosaic<'a>(meta: &Meta<'a>, bytes: &'a [u8], item: u32) -> Result<Mosaic<'a>, Error> {
    if meta.kind(item) != Some(*b"grid") {
        let tiles = vec![tile(meta, bytes, item)?];
        return Ok(Mosaic { size: None, columns: 1, tiles });
    }
    let grid = meta.data(bytes, item).and_then(|grid| Grid::read(&grid));
    let grid = grid.ok_or_else(|| Error::damaged("a HEIF grid without a description"))?;
    let tiles: Vec<u32> = meta.tiles(item).take(TILES_MAX).collect();
    if tiles.len() != grid.columns * grid.rows {
        return Err(Error::damaged("a HEIF grid with another number of tiles than it says"));
    }
    let tiles = tiles.into_iter().map(|item| tile(meta, bytes, item)).collect::<Result<_, _>>()?;
    Ok(Mosaic { size: Some(grid.size), columns: grid.columns, tiles })
}

fn tile<'a>(meta: &Meta<'a>, bytes: &'a [u8], item: u32) -> Result<Tile<'a>, Error> {
    let properties = meta.properties_of(item);
    let property = |kinds: &[&[u8; 4]]| {
        properties.iter().find(|found| kinds.contains(&&found.kind)).map_or(&[][..], |p| p.data)
    };
    Ok(Tile {
        config: property(&[b"hvcC", b"av1C"]),
        extents: property(&[b"ispe"]),
        data: meta.data(bytes, item).filter(|data| !data.is_empty()).ok_or_else(no_pixels)?,
    })
}

/// The description of a grid.
struct Grid {
    rows: usize,
    columns: usize,
    size: (u32, u32),
}

impl Grid {
    fn read(grid: &[u8]) -> Option<Self> {
        let [_, flags, rows, columns, ..] = grid else { return None };
        let size = if flags & 1 == 1 {
            be32(grid, 4).zip(be32(grid, 8))?
        } else {
            (be16(grid, 4)?.into(), be16(grid, 6)?.into())
        };
        Some(Self { rows: usize::from(*rows) + 1, columns: usize::from(*columns) + 1, size })
    }
}

fn nclx(property: &Property<'_>) -> Option<Nclx> {
    let numbers = property.data.strip_prefix(b"nclx").filter(|_| &property.kind == b"colr")?;
    let code = |at| be16(numbers, at).map(|number| u8::try_from(number).unwrap_or(2));
    Some(Nclx {
        primaries: code(0)?,
        transfer: code(2)?,
        matrix: be16(numbers, 4)?,
        full_range: numbers.get(6)? & 0x80 != 0,
    })
}

fn no_pixels() -> Error {
    Error::truncated("the pixels of a HEIF image")
}

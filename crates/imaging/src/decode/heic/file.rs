//! A HEIC file of one tile, for a decoder that takes whole files only.

use crate::probe::heif::Tile;

/// A file whose only picture is a tile.
pub(super) fn of_tile(tile: &Tile<'_>) -> Vec<u8> {
    let kinds = boxed(b"ftyp", &[b"heic\0\0\0\0mif1heic"]);
    // What is before the data does not change in length with where they are.
    let before = kinds.len() + meta(tile, 0).len() + 8;
    let meta = meta(tile, u32::try_from(before).unwrap_or(u32::MAX));
    [kinds, meta, boxed(b"mdat", &[&tile.data])].concat()
}

fn meta(tile: &Tile<'_>, start: u32) -> Vec<u8> {
    let handler = boxed(b"hdlr", &[&[0; 8], b"pict", &[0; 13]]);
    let primary = boxed(b"pitm", &[&[0; 4], &[0, 1]]);
    let info = boxed(b"infe", &[&[2, 0, 0, 0], &[0, 1], &[0, 0], b"hvc1\0"]);
    let infos = boxed(b"iinf", &[&[0; 4], &[0, 1], &info]);
    let length = u32::try_from(tile.data.len()).unwrap_or(u32::MAX);
    // Offsets and lengths of four bytes, one item, one extent.
    let place = [&[0; 4][..], &[0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]].concat();
    let location = boxed(b"iloc", &[&place, &start.to_be_bytes(), &length.to_be_bytes()]);
    let properties = [boxed(b"hvcC", &[tile.config]), boxed(b"ispe", &[tile.extents])].concat();
    let list = boxed(b"ipco", &[&properties]);
    let associations = boxed(b"ipma", &[&[0; 4], &[0, 0, 0, 1], &[0, 1, 2, 0x81, 2]]);
    let properties = boxed(b"iprp", &[&list, &associations]);
    boxed(b"meta", &[&[0; 4], &handler, &primary, &infos, &location, &properties])
}

fn boxed(kind: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let data = parts.concat();
    let length = u32::try_from(8 + data.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], kind, &data].concat()
}

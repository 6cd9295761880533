//! The `meta` box: which items there are, where they are, and what is said of them.

use std::borrow::Cow;

use crate::metadata::xmp::COPIED_BYTES_MAX;
use crate::probe::boxes::{Boxes, Found, child};
use crate::read::{array_at, be16, be32, be64, slice_at};

/// Items that are looked at in one file; an image in tiles of 512 pixels has some hundreds.
const ITEMS_MAX: usize = 1 << 16;

/// The parts of a `meta` box; missing ones are empty.
#[derive(Clone, Debug)]
pub(super) struct Meta<'a> {
    primary: &'a [u8],
    infos: &'a [u8],
    references: &'a [u8],
    locations: &'a [u8],
    data: &'a [u8],
    properties: Vec<Property<'a>>,
    associations: Vec<&'a [u8]>,
}

/// A property.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    pub(super) kind: [u8; 4],
    pub(super) data: &'a [u8],
}

impl<'a> Meta<'a> {
    pub(super) fn read(meta: &'a [u8]) -> Option<Self> {
        let list = meta.get(4..)?;
        let part = |kind| child(list, kind).map(|found| found.data).unwrap_or_default();
        let properties = part(b"iprp");
        let container = child(properties, b"ipco").map(|found| found.data).unwrap_or_default();
        let property = |found: Found<'a>| Property { kind: found.kind, data: found.data };
        let associations = Boxes::new(properties).filter(|found| &found.kind == b"ipma");
        Some(Self {
            primary: part(b"pitm"),
            infos: part(b"iinf"),
            references: part(b"iref"),
            locations: part(b"iloc"),
            data: part(b"idat"),
            properties: Boxes::new(container).map(property).collect(),
            associations: associations.map(|found| found.data).take(16).collect(),
        })
    }

    /// The item that is the image.
    pub(super) fn primary(&self) -> Option<u32> {
        id(self.primary, 4, version(self.primary)? > 0)
    }

    /// The type of an item.
    pub(super) fn kind(&self, item: u32) -> Option<[u8; 4]> {
        self.items().find(|(id, _)| *id == item).map(|(_, kind)| kind)
    }

    /// All properties of all items.
    pub(super) fn all_properties(&self) -> impl Iterator<Item = Property<'a>> {
        self.properties.iter().copied()
    }

    /// The properties of an item, in their order.
    pub(super) fn properties_of(&self, item: u32) -> Vec<Property<'a>> {
        let indices = self.associations.iter().find_map(|list| indices_of(list, item));
        let property = |index: usize| self.properties.get(index.checked_sub(1)?).copied();
        indices.unwrap_or_default().into_iter().filter_map(property).collect()
    }

    /// Where an item refers to property 0, and the number of a property that may stand there instead.
    pub(super) fn empty_associations(&self) -> Vec<(&'a [u8], u8)> {
        let turns = |number: &usize| {
            let property = number.checked_sub(1).and_then(|index| self.properties.get(index));
            property.is_none_or(|found| matches!(&found.kind, b"irot" | b"imir" | b"clap"))
        };
        let mut empty = Vec::new();
        for list in &self.associations {
            for places in places_of_indices(list) {
                let numbers = places.iter().map(|place| number_in(place));
                let other = numbers.clone().find(|number| *number < 128 && !turns(number));
                let Some(other) = other.and_then(|number| u8::try_from(number).ok()) else {
                    continue;
                };
                let zeros = places.iter().zip(numbers).filter(|(_, number)| *number == 0);
                empty.extend(zeros.map(|(place, _)| (*place, other)));
            }
        }
        empty
    }

    /// The items that an item is made of.
    pub(super) fn tiles(&self, item: u32) -> impl Iterator<Item = u32> {
        self.references(*b"dimg").filter(move |(from, _)| *from == item).map(|(_, to)| to)
    }

    /// The item that is the alpha channel of this one.
    pub(super) fn alpha(&self, item: u32) -> Option<u32> {
        let auxiliary = self.references(*b"auxl").filter(|(_, to)| *to == item).take(8);
        auxiliary.map(|(from, _)| from).find(|from| {
            self.properties_of(*from).iter().any(|property| {
                let name = property.data.get(4..).unwrap_or_default();
                &property.kind == b"auxC"
                    && (name.starts_with(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
                        || name.starts_with(b"urn:mpeg:hevc:2015:auxid:1"))
            })
        })
    }

    /// Whether there is a reference of a kind from one item to another.
    pub(super) fn refers(&self, kind: [u8; 4], from: u32, to: u32) -> bool {
        self.references(kind).any(|pair| pair == (from, to))
    }

    /// Whether there is a reference of a kind from an item.
    pub(super) fn refers_from(&self, kind: [u8; 4], from: u32) -> bool {
        self.references(kind).any(|pair| pair.0 == from)
    }

    /// The EXIF item that describes an item, or the only one there is.
    pub(super) fn exif(&self, file: &'a [u8], item: u32) -> Option<&'a [u8]> {
        let items = || self.items().filter(|(_, kind)| kind == b"Exif").map(|(id, _)| id).take(8);
        let describes = |exif: &u32| self.references(*b"cdsc").any(|pair| pair == (*exif, item));
        let exif = items().find(describes).or_else(|| items().next())?;
        match self.data(file, exif)? {
            Cow::Borrowed(block) => Some(block),
            Cow::Owned(_) => None,
        }
    }

    /// The XMP packet that describes an item, or the only one there is.
    pub(super) fn xmp(&self, file: &'a [u8], item: u32) -> Option<Cow<'a, [u8]>> {
        let items = || self.entries().filter(is_xmp).filter_map(entry_id).take(8);
        let describes = |xmp: &u32| self.references(*b"cdsc").any(|pair| pair == (*xmp, item));
        let xmp = items().find(describes).or_else(|| items().next())?;
        self.data_within(file, xmp, COPIED_BYTES_MAX)
    }

    /// Ids and types of the items.
    fn items(&self) -> impl Iterator<Item = (u32, [u8; 4])> {
        self.entries().filter_map(|entry| Some((entry_id(entry)?, entry_kind(entry)?.0)))
    }

    /// What is said of each item.
    fn entries(&self) -> impl Iterator<Item = &'a [u8]> {
        let head = if version(self.infos) == Some(0) { 6 } else { 8 };
        let entries = Boxes::new(self.infos.get(head..).unwrap_or_default());
        entries.filter(|found| &found.kind == b"infe").map(|found| found.data)
    }

    /// References of a kind, as pairs of from and to.
    fn references(&self, kind: [u8; 4]) -> impl Iterator<Item = (u32, u32)> {
        let wide = version(self.references).is_some_and(|version| version > 0);
        let width = if wide { 4 } else { 2 };
        let lists = Boxes::new(self.references.get(4..).unwrap_or_default());
        lists.filter(move |found| found.kind == kind).flat_map(move |found| {
            let from = id(found.data, 0, wide);
            let count = be16(found.data, width).unwrap_or(0);
            (0..usize::from(count))
                .map_while(move |i| from.zip(id(found.data, width + 2 + i * width, wide)))
        })
    }

    /// The bytes of an item, in the file or in the `idat` box.
    pub(super) fn data(&self, file: &'a [u8], item: u32) -> Option<Cow<'a, [u8]>> {
        self.data_within(file, item, file.len())
    }

    /// The same, if pieces that have to be put together are no longer than this.
    fn data_within(&self, file: &'a [u8], item: u32, most: usize) -> Option<Cow<'a, [u8]>> {
        let version = version(self.locations)?;
        let sizes = be16(self.locations, 4)?;
        let nibble = |shift: u16| usize::from(sizes >> shift & 15);
        let [offset, length, base] = [nibble(12), nibble(8), nibble(4)];
        let index = if version == 0 { 0 } else { nibble(0) };
        let mut cursor = Cursor { bytes: self.locations, at: 6 };
        let count = cursor.id(version > 1)?;
        for _ in 0..count.min(ITEMS_MAX as u32) {
            let id = cursor.id(version > 1)?;
            let method = if version == 0 { 0 } else { cursor.number(2)? & 15 };
            cursor.number(2)?;
            let base = cursor.number(base)?;
            let extents = cursor.number(2)?;
            if id != item {
                let step = usize::try_from(extents).ok()?.checked_mul(index + offset + length)?;
                cursor.at = cursor.at.checked_add(step)?;
                continue;
            }
            let whole = match method {
                0 => file,
                1 => self.data,
                _ => return None,
            };
            let mut extent = || {
                cursor.number(index)?;
                let start = usize::try_from(cursor.number(offset)?.checked_add(base)?).ok()?;
                match usize::try_from(cursor.number(length)?).ok()? {
                    // Nothing said means everything.
                    0 => whole.get(start..),
                    length => slice_at(whole, start, length),
                }
            };
            if extents == 1 {
                return extent().map(Cow::Borrowed);
            }
            let pieces = (0..extents).map(|_| extent());
            return joined(pieces, most).map(Cow::Owned);
        }
        None
    }
}

fn entry_id(entry: &[u8]) -> Option<u32> {
    id(entry, 4, version(entry)? > 2)
}

/// The type of an item, and what follows it.
fn entry_kind(entry: &[u8]) -> Option<([u8; 4], &[u8])> {
    let at = if version(entry)? > 2 { 10 } else { 8 };
    Some((array_at(entry, at)?, entry.get(at + 4..)?))
}

/// Whether an item is a document of the type of XMP.
fn is_xmp(entry: &&[u8]) -> bool {
    let Some((kind, rest)) = entry_kind(entry) else { return false };
    let mut names = rest.split(|&byte| byte == 0);
    &kind == b"mime" && names.nth(1) == Some(b"application/rdf+xml")
}

/// Pieces in one, if together they are no longer than this.
fn joined<'a>(pieces: impl Iterator<Item = Option<&'a [u8]>>, most: usize) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    for piece in pieces {
        data.extend_from_slice(piece?);
        if data.len() > most {
            return None;
        }
    }
    Some(data)
}

/// Which properties an item has, counted from 1, by one `ipma` box.
fn indices_of(list: &[u8], item: u32) -> Option<Vec<usize>> {
    let wide_ids = version(list)? > 0;
    let wide_indices = be32(list, 0)? & 1 == 1;
    let mut cursor = Cursor { bytes: list, at: 8 };
    for _ in 0..be32(list, 4)?.min(ITEMS_MAX as u32) {
        let id = cursor.id(wide_ids)?;
        let count = usize::try_from(cursor.number(1)?).ok()?;
        let width = if wide_indices { 2 } else { 1 };
        if id != item {
            cursor.at = cursor.at.checked_add(count * width)?;
            continue;
        }
        // The highest bit says whether a reader must know the property.
        let mask = if wide_indices { 0x7fff } else { 0x7f };
        let index = |_| cursor.number(width).and_then(|n| usize::try_from(n & mask).ok());
        return (0..count).map(index).collect();
    }
    None
}

/// Where the references of each item are in one `ipma` box.
fn places_of_indices(list: &[u8]) -> Vec<Vec<&[u8]>> {
    let wide_ids = version(list).is_some_and(|version| version > 0);
    let width = if be32(list, 0).is_some_and(|head| head & 1 == 1) { 2 } else { 1 };
    let mut cursor = Cursor { bytes: list, at: 8 };
    let mut items = Vec::new();
    let count = be32(list, 4).unwrap_or(0).min(ITEMS_MAX as u32);
    for _ in 0..count {
        let Some(count) = cursor.id(wide_ids).and_then(|_| cursor.number(1)) else { break };
        let places = (0..count).map_while(|_| {
            let place = slice_at(list, cursor.at, width)?;
            cursor.at += width;
            Some(place)
        });
        items.push(places.collect());
    }
    items
}

/// The number of a property in a reference to it.
fn number_in(place: &[u8]) -> usize {
    match place {
        [number] => usize::from(number & 0x7f),
        [high, low] => usize::from(high & 0x7f) << 8 | usize::from(*low),
        _ => 0,
    }
}

/// The version of a box that has one.
fn version(data: &[u8]) -> Option<u8> {
    data.first().copied()
}

fn id(data: &[u8], at: usize, wide: bool) -> Option<u32> {
    if wide { be32(data, at) } else { be16(data, at).map(u32::from) }
}

/// Numbers of varying width, one after the other.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn id(&mut self, wide: bool) -> Option<u32> {
        self.number(if wide { 4 } else { 2 }).and_then(|id| u32::try_from(id).ok())
    }

    fn number(&mut self, width: usize) -> Option<u64> {
        let number = match width {
            0 => 0,
            1 => u64::from(*self.bytes.get(self.at)?),
            2 => be16(self.bytes, self.at)?.into(),
            4 => be32(self.bytes, self.at)?.into(),
            8 => be64(self.bytes, self.at)?,
            _ => return None,
        };
        self.at = self.at.checked_add(width)?;
        Some(number)
    }
}

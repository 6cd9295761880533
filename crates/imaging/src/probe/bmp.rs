//! BMP: a header of one of many lengths, a palette, and where the pixels are.

use std::ops::Range;

use model::MediaType;

use super::Probe;
use super::icc::ColorProfile;
use crate::Error;
use crate::read::{le16, le32, slice_at};

/// Bytes before the header: the mark, the length of the file and where the pixels are.
const FILE_HEADER_BYTES: usize = 14;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let header = Header::read(bytes)?;
    let mut probe = Probe::new(MediaType::Bmp, header.width, header.height);
    probe.has_alpha = header.alpha_mask() != 0;
    if let Some(profile) = header.profile(bytes) {
        probe.color_profile = profile;
    }
    Ok(probe)
}

/// What a header says.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Whether the first row is the top one.
    pub(crate) top_down: bool,
    /// Bits of a pixel: 1, 2, 4, 8, 16, 24 or 32.
    pub(crate) bits: u16,
    pub(crate) packing: Packing,
    /// Bits of red, green, blue and opacity in pixels of 16 and 32 bits.
    pub(crate) masks: [u32; 4],
    /// Where the palette is, and the bytes of one of its colours.
    pub(crate) palette: (Range<usize>, usize),
    /// Where the pixels begin.
    pub(crate) pixels: usize,
    profile: Option<Range<usize>>,
}

/// How rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As they are, in whole groups of four bytes.
    Rows,
    /// As runs of pixels, from the bottom to the top.
    Runs,
}

impl Header {
    /// The header of a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        // An "array" of OS/2 has fourteen bytes before the first of its bitmaps.
        let start = if bytes.starts_with(b"BA") { FILE_HEADER_BYTES } else { 0 };
        let pixels = le32(bytes, start + 10).ok_or_else(cut_off)? as usize;
        let mut header = Self::read_at(bytes, start + FILE_HEADER_BYTES)?;
        // Files that say nothing have their pixels behind the palette, and so have those whose pixels
        // would begin where the palette does that they need.
        let needs_palette = header.bits <= 8;
        if pixels > header.palette.0.start || (pixels == header.palette.0.start && !needs_palette) {
            header.palette.0.end = header.palette.0.end.min(pixels);
            header.pixels = pixels;
        }
        Ok(header)
    }

    /// A header without a file around it, as icons have; the pixels follow the palette.
    pub(crate) fn read_at(bytes: &[u8], at: usize) -> Result<Self, Error> {
        let length = le32(bytes, at).ok_or_else(cut_off)? as usize;
        let fields = match length {
            12 => Fields::of_core(bytes, at),
            16..=64 | 108 | 124 => Fields::of_info(bytes, at, length),
            _ => return Err(Error::damaged("a BMP file with a header of an unknown length")),
        };
        fields.ok_or_else(cut_off)?.check()?.header(bytes, at, length)
    }

    /// Bytes of a stored row.
    pub(crate) fn row_bytes(&self) -> usize {
        (self.width as usize).saturating_mul(self.bits.into()).div_ceil(32) * 4
    }

    /// The bits of opacity, 0 if there is none.
    pub(crate) fn alpha_mask(&self) -> u32 {
        if self.bits >= 16 { self.masks[3] } else { 0 }
    }

    fn profile(&self, bytes: &[u8]) -> Option<ColorProfile> {
        bytes.get(self.profile.clone()?).and_then(ColorProfile::from_icc)
    }
}

/// The numbers of a header as they stand there.
struct Fields {
    width: i32,
    height: i32,
    bits: u16,
    compression: Compression,
    /// How many colours the palette has, if it is said.
    colors: usize,
    color_bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Runs,
    Masks { alpha: bool },
    Other(u32),
}

impl Fields {
    /// The first kind of header, of OS/2 and Windows 2.
    fn of_core(bytes: &[u8], at: usize) -> Option<Self> {
        Some(Self {
            width: le16(bytes, at + 4)?.into(),
            height: le16(bytes, at + 6)?.into(),
            bits: le16(bytes, at + 10)?,
            compression: Compression::None,
            colors: 0,
            color_bytes: 3,
        })
    }

    /// All later kinds begin alike. Those of OS/2 may end anywhere from the depth on, and number
    /// some compressions otherwise.
    fn of_info(bytes: &[u8], at: usize, length: usize) -> Option<Self> {
        let os2 = !matches!(length, 40 | 52 | 56 | 108 | 124);
        let field = |offset| if offset + 4 <= length { le32(bytes, at + offset) } else { Some(0) };
        let bits = le16(bytes, at + 14)?;
        let compression = match (field(16)?, bits, os2) {
            (0, ..) => Compression::None,
            (1, 8, _) | (2, 4, _) | (4, 24, true) => Compression::Runs,
            (3, 16 | 32, false) => Compression::Masks { alpha: length >= 56 },
            (6, 16 | 32, false) => Compression::Masks { alpha: true },
            (other, ..) => Compression::Other(other),
        };
        Some(Self {
            width: le32(bytes, at + 4)?.cast_signed(),
            height: le32(bytes, at + 8)?.cast_signed(),
            bits,
            compression,
            colors: field(32)? as usize,
            color_bytes: 4,
        })
    }

    /// Fails for what is not read.
    fn check(self) -> Result<Self, Error> {
        if self.width < 0 {
            return Err(Error::damaged("a BMP file of negative width"));
        }
        match self.compression {
            Compression::Other(JPEG_INSIDE | PNG_INSIDE) => {
                return Err(Error::unsupported("a BMP file with a JPEG or PNG file in it"));
            }
            Compression::Other(number) => {
                return Err(Error::unsupported(format!("a BMP file of the compression {number}")));
            }
            Compression::Runs if self.height < 0 => {
                return Err(Error::damaged("a BMP file with runs from top to bottom"));
            }
            _ => {}
        }
        match self.bits {
            1 | 2 | 4 | 8 | 16 | 24 | 32 => Ok(self),
            64 => Err(Error::unsupported("a BMP file of 64 bits a pixel")),
            _ => Err(Error::damaged("a BMP file of an impossible bit depth")),
        }
    }

    fn header(self, bytes: &[u8], at: usize, length: usize) -> Result<Header, Error> {
        // Masks stand behind the oldest header that knows them, and within all later ones.
        let masks_behind = match self.compression {
            Compression::Masks { alpha: true } if length == 40 => 16,
            Compression::Masks { .. } if length == 40 => 12,
            _ => 0,
        };
        let palette = at + length + masks_behind;
        let most = if self.bits <= 8 { 1_usize << self.bits } else { 0 };
        let colors = if self.colors == 0 { most } else { self.colors.min(most) };
        // More colours than there can be push the pixels back in files that do not say where.
        let stored = if self.colors == 0 { colors } else { self.colors.min(1 << 16) };
        let end = palette + colors * self.color_bytes;
        let behind = palette + if self.bits <= 8 { stored } else { 0 } * self.color_bytes;
        Ok(Header {
            width: self.width.unsigned_abs(),
            height: self.height.unsigned_abs(),
            top_down: self.height < 0,
            bits: self.bits,
            packing: match self.compression {
                Compression::Runs => Packing::Runs,
                _ => Packing::Rows,
            },
            masks: self.masks(bytes, at, length).ok_or_else(cut_off)?,
            palette: (palette..end, self.color_bytes),
            pixels: behind,
            profile: profile(bytes, at, length),
        })
    }

    fn masks(&self, bytes: &[u8], at: usize, length: usize) -> Option<[u32; 4]> {
        let Compression::Masks { alpha } = self.compression else {
            return Some(match self.bits {
                16 => [0x7c00, 0x03e0, 0x001f, 0],
                _ => [0x00ff_0000, 0xff00, 0xff, 0],
            });
        };
        let mask = |index: usize| le32(bytes, at + 40 + index * 4);
        let opacity = if alpha && (length == 40 || length >= 56) { mask(3)? } else { 0 };
        Some([mask(0)?, mask(1)?, mask(2)?, opacity])
    }
}

/// The newest header may name a profile; its place counts from the header.
fn profile(bytes: &[u8], at: usize, length: usize) -> Option<Range<usize>> {
    let embedded = length == 124 && slice_at(bytes, at + 56, 4) == Some(b"DEBM");
    let place = le32(bytes, at + 112).zip(le32(bytes, at + 116)).filter(|_| embedded)?;
    let start = at.checked_add(place.0 as usize)?;
    Some(start..start.checked_add(place.1 as usize)?)
}

/// Values of the field "compression".
const JPEG_INSIDE: u32 = 4;
const PNG_INSIDE: u32 = 5;

fn cut_off() -> Error {
    Error::truncated("a BMP file that ends in its header")
}

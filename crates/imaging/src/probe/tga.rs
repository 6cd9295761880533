//! TGA, which has no mark at its beginning: eighteen bytes that must make sense together.

use model::MediaType;

use super::Probe;
use crate::Error;
use crate::read::le16;

/// Whether the first bytes can be those of such a file and of nothing else.
pub(crate) fn is_tga(bytes: &[u8]) -> bool {
    Header::read(bytes).is_some()
}

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let header = Header::read(bytes)
        .ok_or_else(|| Error::truncated("a TGA file that ends in its header"))?;
    let mut probe = Probe::new(MediaType::Tga, header.width, header.height);
    probe.has_alpha = header.has_alpha;
    Ok(probe)
}

/// What the file says of its pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// Whether equal pixels in a row are stored once.
    pub(crate) packed: bool,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Bits of a pixel: 8, 15, 16, 24 or 32.
    pub(crate) bits: u8,
    pub(crate) has_alpha: bool,
    pub(crate) from_right: bool,
    pub(crate) from_top: bool,
    pub(crate) palette: Palette,
    /// Where the pixels are.
    pub(crate) pixels: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Indexed,
    Colors,
    Gray,
}

/// A list of colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    pub(crate) start: usize,
    /// The number of its first colour.
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Bits of a colour: 15, 16, 24 or 32.
    pub(crate) bits: u8,
}

impl Header {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let &[id_bytes, has_palette, kind, ..] = bytes else { return None };
        let (first, count) = (le16(bytes, 3)?, le16(bytes, 5)?);
        let palette_bits = *bytes.get(7)?;
        let (width, height) = (le16(bytes, 12)?, le16(bytes, 14)?);
        let &[bits, descriptor] = bytes.get(16..18)? else { return None };
        let packed = kind & 8 != 0;
        let kind = match kind & !8 {
            1 => Kind::Indexed,
            2 => Kind::Colors,
            3 => Kind::Gray,
            _ => return None,
        };
        let palette_fits = match (has_palette, kind) {
            (0, Kind::Indexed) => false,
            (0, _) => (first, count, palette_bits) == (0, 0, 0) || count == 0,
            (1, _) => count > 0 && matches!(palette_bits, 15 | 16 | 24 | 32),
            _ => false,
        };
        let bits_fit = match kind {
            Kind::Indexed => bits == 8,
            Kind::Colors => matches!(bits, 15 | 16 | 24 | 32),
            Kind::Gray => matches!(bits, 8 | 16),
        };
        let alpha_bits = descriptor & 15;
        let alpha_fits = alpha_bits <= 8 && descriptor & 0xc0 == 0;
        if !palette_fits || !bits_fit || !alpha_fits || width == 0 || height == 0 {
            return None;
        }
        let start = 18 + usize::from(id_bytes);
        let count = if has_palette == 1 { usize::from(count) } else { 0 };
        let palette = Palette { start, first: first.into(), count, bits: palette_bits };
        Some(Self {
            kind,
            packed,
            width: width.into(),
            height: height.into(),
            bits,
            has_alpha: match kind {
                Kind::Colors => alpha_bits > 0 && matches!(bits, 16 | 32),
                Kind::Indexed => alpha_bits > 0 && palette_bits == 32,
                Kind::Gray => bits == 16,
            },
            from_right: descriptor & 0x10 != 0,
            from_top: descriptor & 0x20 != 0,
            palette,
            pixels: start + count * usize::from(palette_bits).div_ceil(8),
        })
    }
}

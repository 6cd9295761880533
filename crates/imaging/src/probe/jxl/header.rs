//! The bits of a codestream's header, as ISO/IEC 18181-1 orders them.

use crate::Orientation;
use crate::probe::bits::{Bits, Order};
use crate::probe::icc::{ColorProfile, ProfileKind};

/// What the header says.
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) orientation: Orientation,
    pub(super) bit_depth: u8,
    pub(super) is_animated: bool,
    pub(super) has_alpha: bool,
    pub(super) is_gray: bool,
    pub(super) color_profile: ColorProfile,
    /// Whether the first frame is the picture and stored in groups that are decoded alone, as lossy
    /// ones are; not known behind a profile.
    pub(super) in_groups: bool,
}

/// How a number is packed: after two bits that choose, an offset and a count of bits.
type Choices = [(u32, u32); 4];

const SIZE: Choices = [(1, 9), (1, 13), (1, 18), (1, 30)];
const ENUM: Choices = [(0, 0), (1, 0), (2, 4), (18, 6)];

impl Header {
    /// Reads what follows the signature.
    pub(super) fn read(codestream: &[u8]) -> Option<Self> {
        let mut bits = Bits::new(codestream, Order::LowFirst);
        let (width, height) = size(&mut bits)?;
        let mut header = Self {
            width,
            height,
            orientation: Orientation::Upright,
            bit_depth: 8,
            is_animated: false,
            has_alpha: false,
            is_gray: false,
            color_profile: ColorProfile::default(),
            in_groups: false,
        };
        let all_default = bits.flag()?;
        let rest = match all_default {
            true => Some(()),
            false => header.read_metadata(&mut bits)?,
        };
        header.in_groups = rest.and_then(|()| is_in_groups(&mut bits)).unwrap_or(false);
        Some(header)
    }

    /// Within, whether what follows is at a known place.
    fn read_metadata(&mut self, bits: &mut Bits<'_>) -> Option<Option<()>> {
        let has_extra_fields = bits.flag()?;
        let mut has_preview = false;
        if has_extra_fields {
            self.orientation = Orientation::from_exif(bits.number(3)? + 1)?;
            if bits.flag()? {
                size(bits)?;
            }
            has_preview = bits.flag()?;
            if has_preview {
                skip_preview(bits)?;
            }
            self.is_animated = bits.flag()?;
            if self.is_animated {
                skip_animation(bits)?;
            }
        }
        self.bit_depth = bit_depth(bits)?;
        bits.flag()?;
        for _ in 0..choose(bits, [(0, 0), (1, 0), (2, 4), (1, 12)])? {
            self.has_alpha |= is_alpha(bits)?;
        }
        // Whether the pixels are XYB: what they are converted to follows.
        bits.flag()?;
        let known = self.read_color(bits)?.filter(|()| !has_preview);
        Some(known.and_then(|()| skip_metadata_end(bits, has_extra_fields)))
    }

    /// Within, whether no profile follows.
    fn read_color(&mut self, bits: &mut Bits<'_>) -> Option<Option<()>> {
        if bits.flag()? {
            return Some(Some(()));
        }
        let has_icc = bits.flag()?;
        let space = choose(bits, ENUM)?;
        self.is_gray = space == 1;
        if has_icc {
            let kind = if self.is_gray { ProfileKind::Gray } else { ProfileKind::Other };
            self.color_profile = ColorProfile::named(kind);
            return Some(None);
        }
        let kind = named_color(bits, space)?;
        self.color_profile = ColorProfile::named(kind);
        // What is to be done with colours that do not fit.
        choose(bits, ENUM)?;
        Some(Some(()))
    }
}

/// What follows the colours; `None` for extensions, which nobody writes.
fn skip_metadata_end(bits: &mut Bits<'_>, has_extra_fields: bool) -> Option<()> {
    if has_extra_fields && !bits.flag()? {
        // Brightness, in three numbers and a flag.
        bits.skip(49);
    }
    (bits.number(2)? == 0).then_some(())
}

/// Looks at the beginning of the first frame.
fn is_in_groups(bits: &mut Bits<'_>) -> Option<bool> {
    let has_default_transforms = bits.flag()?;
    if !has_default_transforms {
        return None;
    }
    bits.align();
    if bits.flag()? {
        return Some(true);
    }
    const REGULAR: u32 = 0;
    let (kind, is_modular) = (bits.number(2)?, bits.flag()?);
    Some(kind == REGULAR && !is_modular)
}

/// The profile that is given by numbers.
fn named_color(bits: &mut Bits<'_>, space: u32) -> Option<ProfileKind> {
    const GRAY: u32 = 1;
    const XYB: u32 = 2;
    let white = if space == XYB { 1 } else { point(bits, 1)? };
    let primaries = if space == XYB || space == GRAY { 1 } else { point(bits, 3)? };
    let has_gamma = bits.flag()?;
    let transfer = if has_gamma { bits.number(24).map(|_| 0)? } else { choose(bits, ENUM)? };
    let srgb_curve = transfer == 13;
    Some(match (white, primaries) {
        (1, 1) if srgb_curve => ProfileKind::Srgb,
        (1, 11) if srgb_curve => ProfileKind::DisplayP3,
        (_, 1) if space == GRAY => ProfileKind::Gray,
        _ => ProfileKind::Other,
    })
}

/// A white point or primaries by number; number 2 is followed by coordinates.
fn point(bits: &mut Bits<'_>, count: usize) -> Option<u32> {
    let number = choose(bits, ENUM)?;
    if number == 2 {
        for _ in 0..2 * count {
            choose(bits, [(0, 19), (524_288, 19), (1_048_576, 20), (2_097_152, 21)])?;
        }
    }
    Some(number)
}

fn size(bits: &mut Bits<'_>) -> Option<(u32, u32)> {
    let by_eight = bits.flag()?;
    let side = |bits: &mut Bits<'_>| {
        if by_eight { bits.number(5).map(|n| 8 * (n + 1)) } else { choose(bits, SIZE) }
    };
    let height = side(bits)?;
    let width = match bits.number(3)? {
        0 => side(bits)?,
        ratio => by_ratio(height, ratio)?,
    };
    Some((width, height))
}

/// The width that one of the fixed ratios makes of a height.
fn by_ratio(height: u32, ratio: u32) -> Option<u32> {
    let (above, below) = match ratio {
        1 => (1, 1),
        2 => (12, 10),
        3 => (4, 3),
        4 => (3, 2),
        5 => (16, 9),
        6 => (5, 4),
        _ => (2, 1),
    };
    u32::try_from(u64::from(height) * above / below).ok()
}

fn skip_preview(bits: &mut Bits<'_>) -> Option<()> {
    let by_eight = bits.flag()?;
    let choices = if by_eight {
        [(16, 0), (32, 0), (1, 5), (33, 9)]
    } else {
        [(1, 6), (65, 8), (321, 10), (1345, 12)]
    };
    choose(bits, choices)?;
    if bits.number(3)? == 0 {
        choose(bits, choices)?;
    }
    Some(())
}

fn skip_animation(bits: &mut Bits<'_>) -> Option<()> {
    choose(bits, [(100, 0), (1000, 0), (1, 10), (1, 30)])?;
    choose(bits, [(1, 0), (1001, 0), (1, 8), (1, 10)])?;
    choose(bits, [(0, 0), (0, 3), (0, 16), (0, 32)])?;
    bits.flag().map(drop)
}

fn bit_depth(bits: &mut Bits<'_>) -> Option<u8> {
    let is_float = bits.flag()?;
    if !is_float {
        return choose(bits, [(8, 0), (10, 0), (12, 0), (1, 6)]).and_then(|n| u8::try_from(n).ok());
    }
    let depth = choose(bits, [(32, 0), (16, 0), (24, 0), (1, 6)])?;
    bits.number(4)?;
    u8::try_from(depth).ok()
}

/// Reads an extra channel.
fn is_alpha(bits: &mut Bits<'_>) -> Option<bool> {
    const ALPHA: u32 = 0;
    const SPOT: u32 = 2;
    const FILTER: u32 = 5;
    let is_default = bits.flag()?;
    if is_default {
        return Some(true);
    }
    let kind = choose(bits, ENUM)?;
    bit_depth(bits)?;
    choose(bits, [(0, 0), (3, 0), (4, 0), (1, 3)])?;
    let name_bytes = choose(bits, [(0, 0), (0, 4), (16, 5), (48, 10)])?;
    bits.skip(8 * name_bytes as usize);
    match kind {
        ALPHA => drop(bits.flag()?),
        SPOT => bits.skip(64),
        FILTER => drop(choose(bits, [(1, 0), (0, 2), (3, 4), (19, 8)])?),
        _ => {}
    }
    Some(kind == ALPHA)
}

fn choose(bits: &mut Bits<'_>, choices: Choices) -> Option<u32> {
    let &(offset, count) = choices.get(bits.number(2)? as usize)?;
    bits.number(count)?.checked_add(offset)
}

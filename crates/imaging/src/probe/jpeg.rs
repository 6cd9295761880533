//! JPEG: a list of segments up to the first scan.

mod described;

use model::MediaType;

use super::icc::{ColorProfile, PROFILE_BYTES_MAX, ProfileKind};
use super::{ColorModel, Probe};
use crate::metadata::Carriers;
use crate::read::{be16, slice_at};
use crate::{Error, exif};
use described::Described;

/// Profiles and extended metadata come in pieces of 64 KB; real files have some dozens.
const SEGMENTS_MAX: usize = 10_000;
/// Decoders skip junk between segments; this much at most is skipped here.
const JUNK_BYTES_MAX: usize = 1 << 20;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let segments = Segments::read(bytes)?;
    let frame = segments.frame.ok_or_else(|| Error::damaged("a JPEG file without a frame"))?;
    let mut probe = Probe::new(MediaType::Jpeg, frame.width, frame.height);
    probe.bit_depth = frame.precision;
    probe.color_model = match frame.components {
        1 => ColorModel::Gray,
        3 => ColorModel::Rgb,
        4 => ColorModel::Cmyk,
        _ => return Err(Error::damaged("a JPEG file with an odd number of channels")),
    };
    if frame.is_progressive() || segments.scan_components < frame.components {
        probe.held_bytes = frame.coefficient_bytes;
        probe.held_in_part = frame.has_simple_planes && !segments.is_adobe_rgb;
    }
    probe.whole_only = frame.is_lossless();
    if let Some(profile) = segments.profile().and_then(|icc| ColorProfile::from_icc(&icc)) {
        probe.color_profile = profile;
    } else if probe.color_model == ColorModel::Cmyk {
        probe.color_profile = ColorProfile::named(ProfileKind::Cmyk);
    }
    let carriers = segments.carriers();
    let is_adobe_rgb = carriers.exif.as_ref().is_some_and(|found| found.is_adobe_rgb);
    if is_adobe_rgb && probe.color_profile == ColorProfile::default() {
        probe.color_profile = ColorProfile::named(ProfileKind::AdobeRgb);
    }
    probe.orientation = carriers.orientation();
    carriers.describe(&mut probe);
    Ok(probe)
}

/// Whether anything stands behind the head of the first scan.
pub(crate) fn has_pixels(bytes: &[u8]) -> bool {
    let scan = Segments::read(bytes).ok().and_then(|segments| segments.scan);
    let pixels = scan.and_then(|at| bytes.get(at + usize::from(be16(bytes, at)?)..));
    pixels.is_some_and(|pixels| pixels.len() > 2)
}

/// The file with those segments only that decoding takes, and nothing between them.
pub(crate) fn only_needed_segments(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut plain = b"\xff\xd8".to_vec();
    let mut at = 2;
    for _ in 0..SEGMENTS_MAX {
        let (marker, after) = next_marker(bytes, at)?;
        if marker == 0xda {
            plain.extend(bytes.get(after - 2..).unwrap_or_default());
            return Ok(plain);
        }
        if matches!(marker, 0x01 | 0xd0..=0xd9) {
            at = after;
            continue;
        }
        let length = usize::from(be16(bytes, after).ok_or_else(cut_off)?);
        let segment = slice_at(bytes, after, length).ok_or_else(cut_off)?;
        let needed = match marker {
            0xc0..=0xcf | 0xdb..=0xdd => true,
            0xe0 => segment.get(2..8) == Some(b"JFIF\0\x01"),
            0xee => segment.get(13).is_none_or(|transform| *transform <= 2),
            _ => false,
        };
        if needed {
            plain.extend([0xff, marker]);
            plain.extend(segment);
        }
        at = after + length.max(2);
    }
    Err(Error::damaged("a JPEG file of too many segments"))
}

/// What a frame header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    marker: u8,
    precision: u8,
    pub(super) width: u32,
    pub(super) height: u32,
    components: u8,
    /// What all coefficients take as numbers of 16 bits.
    coefficient_bytes: u64,
    /// Whether it is coded by Huffman, and is grey or has chroma that is sampled as usual.
    has_simple_planes: bool,
}

impl Frame {
    /// Whether all scans must be read before the first pixel is known.
    fn is_progressive(self) -> bool {
        matches!(self.marker, 0xc2 | 0xc6 | 0xca | 0xce)
    }

    /// Whether it is lossless JPEG, which RAW files use for the sensor's data.
    pub(super) fn is_lossless(self) -> bool {
        matches!(self.marker, 0xc3 | 0xc7 | 0xcb | 0xcf)
    }
}

/// What stands before the first scan.
#[derive(Default)]
pub(super) struct Segments<'a> {
    pub(super) frame: Option<Frame>,
    pub(super) exif: Option<&'a [u8]>,
    described: Described<'a>,
    /// Where the segment of the first scan begins.
    scan: Option<usize>,
    /// Channels in the first scan.
    scan_components: u8,
    /// Whether Adobe says that the channels are red, green and blue.
    is_adobe_rgb: bool,
    profile: Vec<(u8, &'a [u8])>,
    profile_pieces: u8,
}

impl<'a> Segments<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut found = Self::default();
        match found.walk(bytes) {
            // What follows is missing, but the frame is known.
            Err(Error::Truncated { .. }) if found.frame.is_some() => Ok(found),
            walked => walked.map(|()| found),
        }
    }

    fn walk(&mut self, bytes: &'a [u8]) -> Result<(), Error> {
        let mut at = 2;
        for _ in 0..SEGMENTS_MAX {
            let (marker, after) = next_marker(bytes, at)?;
            match marker {
                0xda => {
                    self.scan = Some(after);
                    self.scan_components = bytes.get(after + 2).copied().unwrap_or(u8::MAX);
                    return Ok(());
                }
                // The end.
                0xd9 => return Ok(()),
                // Markers without a segment.
                0x01 | 0xd0..=0xd8 => at = after,
                _ => {
                    let length = usize::from(be16(bytes, after).ok_or_else(cut_off)?);
                    if length < 2 {
                        return Err(Error::damaged("a JPEG segment without a length"));
                    }
                    let segment = slice_at(bytes, after + 2, length - 2);
                    self.take(marker, segment.ok_or_else(cut_off)?)?;
                    at = after + length;
                }
            }
        }
        Err(Error::damaged("a JPEG file of too many segments"))
    }

    fn take(&mut self, marker: u8, segment: &'a [u8]) -> Result<(), Error> {
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf if self.frame.is_none() => {
                self.frame = Some(frame(marker, segment)?);
            }
            0xe1 => match segment.strip_prefix(b"Exif\0") {
                Some(rest) if self.exif.is_none() => self.exif = rest.get(1..),
                _ => self.described.take_xmp(segment),
            },
            0xed => self.described.take_photoshop(segment),
            0xe2 => self.take_profile(segment),
            0xee if segment.starts_with(b"Adobe") => {
                self.is_adobe_rgb = segment.get(11) == Some(&0);
            }
            _ => {}
        }
        Ok(())
    }

    /// What may say something about the picture.
    pub(super) fn carriers(&self) -> Carriers<'a> {
        let mut carriers = Carriers::new(self.exif.and_then(exif::read), None);
        self.described.add_to(&mut carriers);
        carriers
    }

    fn take_profile(&mut self, segment: &'a [u8]) {
        let Some([number, pieces, data @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0") else {
            return;
        };
        if self.profile.len() < usize::from(u8::MAX) {
            self.profile_pieces = *pieces;
            self.profile.push((*number, data));
        }
    }

    /// The pieces of the profile put together, if none is missing.
    fn profile(&self) -> Option<Vec<u8>> {
        let mut pieces = self.profile.clone();
        pieces.sort_by_key(|(number, _)| *number);
        let complete = pieces.iter().map(|(number, _)| *number).eq(1..=self.profile_pieces);
        let length: usize = pieces.iter().map(|(_, data)| data.len()).sum();
        let usable = complete && !pieces.is_empty() && length <= PROFILE_BYTES_MAX;
        usable.then(|| pieces.into_iter().flat_map(|(_, data)| data).copied().collect())
    }
}

/// The next marker at or after an offset, and where it ends.
fn next_marker(bytes: &[u8], at: usize) -> Result<(u8, usize), Error> {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = rest.get(..JUNK_BYTES_MAX).unwrap_or(rest);
    for (i, pair) in rest.windows(2).enumerate() {
        if let [0xff, marker @ 0x01..=0xfe] = pair {
            return Ok((*marker, at + i + 2));
        }
    }
    if rest.len() == JUNK_BYTES_MAX {
        return Err(Error::damaged("a JPEG file with too much junk between its segments"));
    }
    Err(cut_off())
}

fn frame(marker: u8, segment: &[u8]) -> Result<Frame, Error> {
    let frame = || {
        let (width, height) = (be16(segment, 3)?.into(), be16(segment, 1)?.into());
        Some(Frame {
            marker,
            precision: *segment.first()?,
            height,
            width,
            components: *segment.get(5)?,
            coefficient_bytes: coefficient_bytes((width, height), segment.get(6..)?),
            has_simple_planes: marker <= 0xc2 && has_simple_planes(segment.get(6..)?),
        })
    };
    frame().ok_or_else(|| Error::damaged("a JPEG frame header that is too short"))
}

/// Blocks of 64 coefficients of every channel, up to whole steps of the one sampled least.
fn coefficient_bytes((width, height): (u32, u32), channels: &[u8]) -> u64 {
    let factors = || {
        channels.as_chunks::<3>().0.iter().take(4).map(|[_, factors, _]| {
            (u64::from(factors >> 4).clamp(1, 4), u64::from(factors & 15).clamp(1, 4))
        })
    };
    let across = factors().map(|(across, _)| across).max().unwrap_or(1);
    let down = factors().map(|(_, down)| down).max().unwrap_or(1);
    let steps = u64::from(width).div_ceil(8 * across) * u64::from(height).div_ceil(8 * down);
    factors().map(|(across, down)| steps * across * down * 64 * 2).sum()
}

/// Grey, or chroma that has one sample for 1, 2 or 4 of luma in a direction.
fn has_simple_planes(channels: &[u8]) -> bool {
    match channels.as_chunks::<3>().0 {
        [_] => true,
        [[b'R', ..], [b'G', ..], [b'B', ..], ..] => false,
        [[_, luma, _], [_, 0x11, _], [_, 0x11, _]] => {
            matches!(luma, 0x11 | 0x21 | 0x12 | 0x22 | 0x41 | 0x14)
        }
        _ => false,
    }
}

fn cut_off() -> Error {
    Error::truncated("a JPEG file that ends in its header")
}

//! GIF: a list of blocks; every image among them is a frame.

use std::borrow::Cow;

use model::MediaType;

use super::{FRAMES_COUNTED_MAX, Probe};
use crate::Error;
use crate::metadata::Carriers;
use crate::read::le16;

/// Data comes in blocks of at most 255 bytes; these are enough for a gigabyte.
const BLOCKS_MAX: u32 = 1 << 22;

pub(super) fn probe(bytes: &[u8]) -> Result<Probe, Error> {
    let (width, height) = le16(bytes, 6).zip(le16(bytes, 8)).ok_or_else(cut_off)?;
    let packed = *bytes.get(10).ok_or_else(cut_off)?;
    let mut probe = Probe::new(MediaType::Gif, width.into(), height.into());
    let at = 13 + table_bytes(packed);
    let mut walk = Walk { bytes, at, blocks_left: BLOCKS_MAX, xmp: None };
    let frames = walk.frames(&mut probe)?;
    if frames == 0 {
        // It stopped at the end of the bytes, in a frame's header, or at something else.
        let stopped_at = bytes.get(walk.at);
        return Err(if matches!(stopped_at, None | Some(0x2c)) { cut_off() } else { no_frame() });
    }
    probe.frames = frames;
    Carriers::new(None, walk.xmp.map(Cow::Borrowed)).describe(&mut probe);
    Ok(probe)
}

/// Bytes of the colour table that a packed field announces.
fn table_bytes(packed: u8) -> usize {
    if packed & 0x80 == 0 { 0 } else { 6 << (packed & 7) }
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    blocks_left: u32,
    xmp: Option<&'a [u8]>,
}

impl Walk<'_> {
    /// Counts the frames and notes what they need.
    fn frames(&mut self, probe: &mut Probe) -> Result<u32, Error> {
        let mut frames = 0;
        while frames < FRAMES_COUNTED_MAX {
            match self.bytes.get(self.at) {
                Some(0x21) => {
                    // A graphic control: transparent later frames show what is below them, but
                    // frames that are cleared away leave a hole.
                    if let Some([0xf9, _, flags]) = self.bytes.get(self.at + 1..self.at + 4) {
                        let (transparent, disposal) = (flags & 1 == 1, flags >> 2 & 7);
                        probe.has_alpha |= transparent && frames == 0 || disposal == 2;
                    }
                    let start = self.at;
                    self.at += 2;
                    self.skip_data()?;
                    let block = self.bytes.get(start..self.at).unwrap_or_default();
                    self.xmp = self.xmp.or_else(|| xmp(block));
                }
                Some(0x2c) => {
                    let Some(packed) = self.frame(probe, frames == 0) else { break };
                    frames += 1;
                    self.at += 11 + table_bytes(packed);
                    self.skip_data()?;
                }
                _ => break,
            }
        }
        Ok(frames)
    }

    /// Notes the frame's size; returns its packed field.
    fn frame(&self, probe: &mut Probe, first: bool) -> Option<u8> {
        let number = |offset| le16(self.bytes, self.at + offset).map(u32::from);
        let (left, top) = (number(1)?, number(3)?);
        let (width, height) = (number(5)?, number(7)?);
        probe.include_surface(width, height);
        let covers = left == 0 && top == 0 && width >= probe.width && height >= probe.height;
        probe.has_alpha |= first && !covers;
        self.bytes.get(self.at + 9).copied()
    }

    /// Skips blocks of data up to the empty one that ends them.
    fn skip_data(&mut self) -> Result<(), Error> {
        loop {
            self.blocks_left = self
                .blocks_left
                .checked_sub(1)
                .ok_or_else(|| Error::damaged("a GIF file of too many blocks"))?;
            let Some(&length) = self.bytes.get(self.at) else { return Ok(()) };
            self.at += 1 + usize::from(length);
            if length == 0 {
                return Ok(());
            }
        }
    }
}

/// The packet in an application's block: not in pieces as all else, but followed by bytes that make
/// it look so.
fn xmp(block: &[u8]) -> Option<&[u8]> {
    const TRAILER_BYTES: usize = 258;
    let packet = block.strip_prefix(b"\x21\xff\x0bXMP DataXMP")?;
    packet.get(..packet.len().checked_sub(TRAILER_BYTES)?)
}

fn no_frame() -> Error {
    Error::damaged("a GIF file without a frame")
}

fn cut_off() -> Error {
    Error::truncated("a GIF file that ends before its first frame")
}

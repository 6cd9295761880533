use super::Source;
use crate::Error;
use crate::picture::{Buffers, Picture, Pixels, Size};
use crate::webp::{AnimationReader, decode_pixels, decode_planes};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Picture, Error> {
    let (bytes, size, alpha) = (source.bytes, source.size(), source.probe.has_alpha);
    if source.probe.is_animated() {
        return first_frame(source, buffers).map(Picture::Pixels);
    }
    if alpha || is_lossless(bytes) {
        return decode_pixels(bytes, size, alpha, buffers).map(Picture::Pixels);
    }
    decode_planes(bytes, size, rescaled_size(size, source.wanted), buffers).map(Picture::Ycc)
}

/// An image that is so much larger than wanted is made smaller while it is decoded, by means over
/// areas, to twice the size wanted; what is left to do is done by a better filter.
const RESCALED_FROM: f64 = 2.6;

/// The size in which a lossy file without opacity is decoded that is wanted in this one.
pub(crate) fn rescaled_size(size: Size, wanted: Size) -> Size {
    let large = |side: u32, wanted: u32| f64::from(side) >= f64::from(wanted) * RESCALED_FROM;
    match large(size.0, wanted.0) && large(size.1, wanted.1) {
        true => (wanted.0 * 2, wanted.1 * 2),
        false => size,
    }
}

fn first_frame(source: &Source<'_>, buffers: &mut Buffers) -> Result<Pixels, Error> {
    let mut reader = AnimationReader::new(source.bytes, source.size())?;
    let frame = reader.next_frame()?.ok_or_else(|| Error::damaged("an empty animation"))?;
    let mut pixels = super::blank(source, crate::picture::Channels::Rgba, buffers);
    pixels.data.copy_from_slice(frame.0);
    Ok(pixels)
}

/// Whether the pixels are of the kind without loss, found by the name of their chunk.
fn is_lossless(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((name, after)) = rest.split_first_chunk::<4>() {
        match name {
            b"VP8 " => return false,
            b"VP8L" => return true,
            _ => {}
        }
        let Some((len, data)) = after.split_first_chunk::<4>() else { break };
        let len = u32::from_le_bytes(*len) as usize;
        rest = data.get(len.saturating_add(len % 2)..).unwrap_or_default();
    }
    true
}

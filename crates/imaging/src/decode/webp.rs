use super::Source;
use crate::Error;
use crate::picture::{Buffers, Picture, Pixels};
use crate::webp::{AnimationReader, decode_pixels, decode_planes};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Picture, Error> {
    let (bytes, size, alpha) = (source.bytes, source.size(), source.probe.has_alpha);
    if source.probe.is_animated() {
        return first_frame(source, buffers).map(Picture::Pixels);
    }
    if alpha || is_lossless(bytes) {
        return decode_pixels(bytes, size, alpha, buffers).map(Picture::Pixels);
    }
    decode_planes(bytes, size, buffers).map(Picture::Ycc)
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

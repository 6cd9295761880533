use super::Encoding;
use crate::Error;
use crate::color::limited;
use crate::picture::{Buffers, Picture, area};
use crate::webp::{Quality, encode_pixels, encode_planes};

pub(super) fn encode(
    picture: &Picture,
    encoding: Encoding<'_>,
    buffers: &mut Buffers,
) -> Result<Vec<u8>, Error> {
    let quality = Quality { asked: encoding.quality, is_scaled: encoding.is_scaled };
    let file = match picture {
        Picture::Pixels(pixels) => encode_pixels(pixels, quality)?,
        Picture::Ycc(ycc) => {
            let mut planes = limited(ycc, buffers);
            let chroma = (ycc.size.0.div_ceil(2), ycc.size.1.div_ceil(2));
            let (y, rest) = planes.split_at_mut_checked(area(ycc.size)).unwrap_or_default();
            let (u, v) = rest.split_at_mut_checked(area(chroma)).unwrap_or_default();
            let file = encode_planes([y, u, v], ycc.size, quality)?;
            buffers.give(planes);
            file
        }
    };
    match encoding.icc {
        Some(icc) => with_profile(&file, icc, picture),
        None => Ok(file),
    }
}

/// The file with a colour profile in it, by the rules of the extended format.
fn with_profile(file: &[u8], icc: &[u8], picture: &Picture) -> Result<Vec<u8>, Error> {
    const ICC_FLAG: u8 = 0x20;
    const HEADER_BYTES: usize = 10;
    let fault = || Error::Internal { what: "libwebp wrote an unknown layout".into() };
    let chunks = file.get(12..).ok_or_else(fault)?;
    let (flags, image) = match chunks.split_first_chunk::<4>().ok_or_else(fault)? {
        (b"VP8X", rest) => {
            let flags = rest.get(4).copied().ok_or_else(fault)?;
            (flags, rest.get(4 + HEADER_BYTES..).ok_or_else(fault)?)
        }
        _ => (0, chunks),
    };
    let (width, height) = picture.size();
    let mut header = [0; HEADER_BYTES];
    let (flag, sizes) = header.split_at_mut_checked(4).ok_or_else(fault)?;
    flag.copy_from_slice(&[flags | ICC_FLAG, 0, 0, 0]);
    let sides = [width, height].map(|side| side.saturating_sub(1).to_le_bytes());
    let sides = sides.iter().flat_map(|side| side.iter().take(3));
    sizes.iter_mut().zip(sides).for_each(|(into, byte)| *into = *byte);

    let mut body = b"WEBP".to_vec();
    for (name, data) in [(b"VP8X", &header[..]), (b"ICCP", icc)] {
        let len = u32::try_from(data.len()).map_err(|_| fault())?;
        body.extend_from_slice(name);
        body.extend_from_slice(&len.to_le_bytes());
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    body.extend_from_slice(image);
    let len = u32::try_from(body.len()).map_err(|_| fault())?;
    Ok([b"RIFF", &len.to_le_bytes()[..], &body].concat())
}

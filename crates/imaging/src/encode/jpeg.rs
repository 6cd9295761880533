use turbojpeg::{Compressor, Image, PixelFormat, Subsamp, YuvImage};

use super::Encoding;
use crate::Error;
use crate::color::flatten;
use crate::picture::{Buffers, Channels, Picture, Pixels};

pub(super) fn encode(
    picture: &Picture,
    encoding: Encoding<'_>,
    buffers: &mut Buffers,
) -> Result<Vec<u8>, Error> {
    let mut compressor = Compressor::new().map_err(|error| fault(&error))?;
    compressor.set_quality(i32::from(encoding.quality)).map_err(|error| fault(&error))?;
    compressor.set_subsamp(Subsamp::Sub2x2).map_err(|error| fault(&error))?;
    compressor.set_optimize(true).map_err(|error| fault(&error))?;
    let file = match picture {
        Picture::Ycc(ycc) => {
            let (width, height) = (ycc.size.0 as usize, ycc.size.1 as usize);
            let subsamp = Subsamp::Sub2x2;
            let image = YuvImage { pixels: &*ycc.data, width, height, subsamp, align: 1 };
            compressor.compress_yuv_to_vec(image)
        }
        Picture::Pixels(pixels) if pixels.channels == Channels::Rgba => {
            let flat = flatten(pixels, buffers);
            let file = compressor.compress_to_vec(image_of(&flat));
            buffers.give(flat.data);
            file
        }
        Picture::Pixels(pixels) => compressor.compress_to_vec(image_of(pixels)),
    };
    let file = file.map_err(|error| fault(&error))?;
    match encoding.icc {
        Some(icc) => with_profile(&file, icc),
        None => Ok(file),
    }
}

fn image_of(pixels: &Pixels) -> Image<&[u8]> {
    let (width, height) = (pixels.size.0 as usize, pixels.size.1 as usize);
    Image { pixels: &pixels.data, width, height, pitch: width * 3, format: PixelFormat::RGB }
}

/// The file with a colour profile after its first marker, in as many segments as it takes.
fn with_profile(file: &[u8], icc: &[u8]) -> Result<Vec<u8>, Error> {
    const NAME: &[u8] = b"ICC_PROFILE\0";
    const SEGMENT_BYTES_MAX: usize = 65_533 - NAME.len() - 2;
    let too_long = || Error::Internal { what: "the colour profile is too long".into() };
    let (start, rest) = file.split_at_checked(2).unwrap_or_default();
    let segments = icc.chunks(SEGMENT_BYTES_MAX);
    let count = u8::try_from(segments.len()).map_err(|_| too_long())?;
    let mut whole = start.to_vec();
    for (number, segment) in (1..=count).zip(segments) {
        let len = u16::try_from(2 + NAME.len() + 2 + segment.len()).map_err(|_| too_long())?;
        whole.extend_from_slice(&[0xff, 0xe2]);
        whole.extend_from_slice(&len.to_be_bytes());
        whole.extend_from_slice(NAME);
        whole.extend_from_slice(&[number, count]);
        whole.extend_from_slice(segment);
    }
    whole.extend_from_slice(rest);
    Ok(whole)
}

fn fault(error: &turbojpeg::Error) -> Error {
    Error::Internal { what: format!("libjpeg-turbo: {error}").into() }
}

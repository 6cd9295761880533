use zune_bmp::{BmpDecoder, BmpDecoderErrors};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

use super::{Source, blank};
use crate::Error;
use crate::picture::{Buffers, Channels, Pixels};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Pixels, Error> {
    let (width, height) = source.size();
    let options =
        DecoderOptions::default().set_max_width(width as usize).set_max_height(height as usize);
    let mut decoder = BmpDecoder::new_with_options(ZCursor::new(source.bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    if decoder.dimensions() != Some((width as usize, height as usize)) {
        return Err(Error::damaged("an image of another size than its header says"));
    }
    let channels = match decoder.colorspace() {
        Some(ColorSpace::Luma) => Channels::Gray,
        Some(ColorSpace::RGB) => Channels::Rgb,
        Some(ColorSpace::RGBA) => Channels::Rgba,
        other => return Err(Error::unsupported(format!("BMP with colours {other:?}"))),
    };
    let mut pixels = blank(source, channels, buffers);
    decoder.decode_into(&mut pixels.data).map_err(damaged)?;
    Ok(pixels)
}

fn damaged(error: BmpDecoderErrors) -> Error {
    match error {
        BmpDecoderErrors::IoErrors(_) => Error::truncated("the pixels of a BMP image"),
        error => Error::damaged(format!("BMP: {error:?}")),
    }
}

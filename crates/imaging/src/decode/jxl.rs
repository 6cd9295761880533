use std::io::Cursor;

use jxl_oxide::{
    AllocTracker, EnumColourEncoding, JxlImage, JxlThreadPool, PixelFormat, RenderingIntent,
};

use super::{Decoded, Source};
use crate::color::Space;
use crate::picture::{Buffers, Channels, Picture, Pixels, area};
use crate::{Error, Orientation};

pub(super) fn decode(source: &Source<'_>, buffers: &mut Buffers) -> Result<Decoded, Error> {
    let bytes = usize::try_from(source.limits.decoded_bytes).unwrap_or(usize::MAX);
    let mut image = JxlImage::builder()
        .pool(JxlThreadPool::none())
        .alloc_tracker(AllocTracker::with_limit(bytes))
        .read(Cursor::new(source.bytes))
        .map_err(|error| damaged(&*error))?;
    // The decoder turns the image upright.
    let shown = source.probe.display_size();
    if (image.width(), image.height()) != shown {
        return Err(Error::damaged("an image of another size than its header says"));
    }
    // Without its black, such an image would look washed out.
    if image.image_header().metadata.ec_info.iter().any(|channel| channel.is_black()) {
        return Err(Error::unsupported("JPEG XL in printing inks"));
    }
    let space = request_srgb(&mut image);
    if image.num_loaded_keyframes() == 0 {
        return Err(Error::truncated("the pixels of a JPEG XL image"));
    }
    let channels = match image.pixel_format() {
        PixelFormat::Gray => Channels::Gray,
        PixelFormat::Graya => Channels::GrayAlpha,
        PixelFormat::Rgb => Channels::Rgb,
        PixelFormat::Rgba => Channels::Rgba,
        other => return Err(Error::unsupported(format!("JPEG XL with colours {other:?}"))),
    };
    let render = image.render_frame(0).map_err(|error| damaged(&*error))?;
    let mut data = buffers.take(area(shown) * channels.count());
    let mut stream = render.stream();
    if stream.channels() as usize != channels.count() || (stream.width(), stream.height()) != shown
    {
        return Err(Error::unsupported("JPEG XL with further channels"));
    }
    stream.write_to_buffer::<u8>(&mut data);
    let picture = Picture::Pixels(Pixels { size: shown, channels, data });
    Ok(Decoded { picture, space, orientation: Orientation::Upright })
}

/// Lets the decoder convert to sRGB, which it can unless the file stores the pixels by a profile.
fn request_srgb(image: &mut JxlImage) -> Space {
    let stored_by_profile = !image.image_header().metadata.xyb_encoded;
    match image.original_icc() {
        Some(icc) if stored_by_profile => Space::Icc(icc.to_vec()),
        _ => {
            let intent = RenderingIntent::Relative;
            let srgb = match image.pixel_format().is_grayscale() {
                true => EnumColourEncoding::gray_srgb(intent),
                false => EnumColourEncoding::srgb(intent),
            };
            image.request_color_encoding(srgb);
            Space::Srgb
        }
    }
}

fn damaged(error: &(dyn std::error::Error + Send + Sync)) -> Error {
    let text = error.to_string();
    if text.contains("end of file") || text.contains("EOF") || text.contains("unexpected end") {
        return Error::truncated("the pixels of a JPEG XL image");
    }
    Error::damaged(format!("JPEG XL: {text}"))
}

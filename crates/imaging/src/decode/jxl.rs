use std::io::Cursor;

use jxl_oxide::{
    AllocTracker, CropInfo, EnumColourEncoding, JxlImage, JxlThreadPool, PixelFormat,
    RenderingIntent,
};

use model::Shown;

use super::{Decoded, Source};
use crate::color::Space;
use crate::picture::{Buffers, Channels, Picture, Pixels, Size, area};
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
    let mut data = buffers.take(area(shown) * channels.count());
    let rows = rows_at_once(&image, shown);
    let row_bytes = shown.0 as usize * channels.count();
    for (index, strip) in data.chunks_mut((rows as usize * row_bytes).max(1)).enumerate() {
        let top = index as u32 * rows;
        let height = rows.min(shown.1 - top);
        if rows < shown.1 {
            image.set_image_region(CropInfo { left: 0, top, width: shown.0, height });
        }
        let render = image.render_frame_cropped(0).map_err(|error| damaged(&*error))?;
        let mut stream = render.stream();
        let size = (stream.width(), stream.height());
        if stream.channels() as usize != channels.count() || size != (shown.0, height) {
            return Err(Error::unsupported("JPEG XL with further channels"));
        }
        stream.write_to_buffer::<u8>(strip);
    }
    let picture = Picture::Pixels(Pixels { size: shown, channels, data });
    Ok(Decoded { picture, space, orientation: Orientation::Upright, shown: Shown::Whole })
}

/// The decoder takes some ten times the memory of what it returns, so large images are decoded in
/// strips: as many rows as that many pixels take, in whole groups of the format's, which are decoded
/// alone. Where they are not, because all pixels share a palette or are stored by halving the
/// picture, everything would be decoded again for each strip.
fn rows_at_once(image: &JxlImage, (width, height): Size) -> u32 {
    const GROUP: u32 = 256;
    let lone = image.frame(0).and_then(|frame| frame.try_parse_lf_global::<i32>());
    let lone = lone.and_then(Result::ok).is_some_and(|global| {
        let modular = &global.gmodular.modular;
        !modular.has_palette() && !modular.has_squeeze()
    });
    let rows = (STRIP_PIXELS / width.max(1)).div_ceil(GROUP).max(1) * GROUP;
    let few = u64::from(width) * u64::from(height) <= u64::from(WHOLE_PIXELS_MAX);
    if few || !lone { height.max(1) } else { rows.min(height.max(1)) }
}

/// Pixels of a strip, and of images that are decoded whole.
const STRIP_PIXELS: u32 = 1 << 21;
const WHOLE_PIXELS_MAX: u32 = 1 << 22;

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

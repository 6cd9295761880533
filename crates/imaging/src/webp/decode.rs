use libwebp_sys as sys;

use super::{c_int, fault};
use crate::Error;
use crate::picture::{Buffers, Channels, Coding, Pixels, Size, Ycc, area};
use crate::resize::HALF_CHROMA;

/// Decodes a still image with opacity, or without loss.
pub(crate) fn decode_pixels(
    bytes: &[u8],
    size: Size,
    alpha: bool,
    buffers: &mut Buffers,
) -> Result<Pixels, Error> {
    let channels = if alpha { Channels::Rgba } else { Channels::Rgb };
    let mut pixels = Pixels { size, channels, data: buffers.take(area(size) * channels.count()) };
    let mut config = config_for(size)?;
    config.output.colorspace =
        if alpha { sys::WEBP_CSP_MODE::MODE_RGBA } else { sys::WEBP_CSP_MODE::MODE_RGB };
    config.output.u.RGBA = sys::WebPRGBABuffer {
        rgba: pixels.data.as_mut_ptr(),
        stride: c_int(size.0 as usize * channels.count())?,
        size: pixels.data.len(),
    };
    decode(bytes, size, &mut config)?;
    Ok(pixels)
}

/// Decodes a lossy still image without opacity into planes, made smaller on the way.
pub(crate) fn decode_planes(
    bytes: &[u8],
    size: Size,
    smaller: Size,
    buffers: &mut Buffers,
) -> Result<Ycc, Error> {
    let coding = Coding { full_range: false, ..Coding::JPEG };
    let data = buffers.take(Ycc::bytes(smaller, HALF_CHROMA));
    let mut ycc = Ycc { size: smaller, step: HALF_CHROMA, coding, data };
    let mut config = config_for(smaller)?;
    if smaller != size {
        config.options.use_scaling = 1;
        config.options.scaled_width = c_int(smaller.0)?;
        config.options.scaled_height = c_int(smaller.1)?;
    }
    let (planes, [luma, chroma]) = ycc.planes_mut();
    let [y, u, v] = planes;
    config.output.colorspace = sys::WEBP_CSP_MODE::MODE_YUV;
    config.output.u.YUVA = sys::WebPYUVABuffer {
        y: y.as_mut_ptr(),
        u: u.as_mut_ptr(),
        v: v.as_mut_ptr(),
        a: std::ptr::null_mut(),
        y_stride: c_int(luma.0)?,
        u_stride: c_int(chroma.0)?,
        v_stride: c_int(chroma.0)?,
        a_stride: 0,
        y_size: y.len(),
        u_size: u.len(),
        v_size: v.len(),
        a_size: 0,
    };
    decode(bytes, size, &mut config)?;
    ycc.pad(ycc.chroma_size());
    Ok(ycc)
}

fn config_for(size: Size) -> Result<sys::WebPDecoderConfig, Error> {
    let mut config = sys::WebPDecoderConfig::new().map_err(|()| fault("libwebp's version"))?;
    config.output.is_external_memory = 1;
    config.output.width = c_int(size.0)?;
    config.output.height = c_int(size.1)?;
    Ok(config)
}

fn decode(bytes: &[u8], size: Size, config: &mut sys::WebPDecoderConfig) -> Result<(), Error> {
    use sys::VP8StatusCode::{VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_OK, VP8_STATUS_SUSPENDED};
    // SAFETY: the slice is readable, and `input` is a structure for the library to fill in.
    let found = unsafe { sys::WebPGetFeatures(bytes.as_ptr(), bytes.len(), &mut config.input) };
    if found != VP8_STATUS_OK {
        return Err(Error::damaged("no WebP image"));
    }
    if config.input.width != c_int(size.0)? || config.input.height != c_int(size.1)? {
        return Err(Error::damaged("a WebP image of two sizes"));
    }
    // SAFETY: the configuration is initialised, and its output is memory with the sizes and
    // strides that it states, which the library checks against the size of the image.
    let status = unsafe { sys::WebPDecode(bytes.as_ptr(), bytes.len(), config) };
    match status {
        VP8_STATUS_OK => Ok(()),
        VP8_STATUS_NOT_ENOUGH_DATA | VP8_STATUS_SUSPENDED => {
            Err(Error::truncated("the pixels of a WebP image"))
        }
        status => Err(Error::damaged(format!("WebP: {status:?}"))),
    }
}

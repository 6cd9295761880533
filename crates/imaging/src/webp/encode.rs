use std::ffi::c_int;

use libwebp_sys as sys;

use super::fault;
use crate::Error;
use crate::picture::{Channels, Pixels, Size, area};

/// How hard libwebp tries, from 0 to 6. From 2 to 3 the time more than doubles, for 4 to 7 % less
/// bytes at the same quality.
const METHOD: c_int = 2;

/// Pictures of fewer pixels lose by that effort, the smaller the more: next to the usual one, 4, half
/// a point of SSIMULACRA2 at the same quality.
const SMALL: f32 = 560_000.0;

/// So they are asked for up to that much more quality, which makes up for it and takes 2 to 3 % more
/// bytes, but no more time.
const SMALL_MORE: f32 = 1.1;

/// A picture that was scaled down while it was decoded is a little less sharp than one that was not.
/// That much more quality more than makes up for it, and takes 2 % more bytes.
const SCALED_MORE: f32 = 0.3;

/// How good a still shall be.
#[derive(Clone, Copy)]
pub(crate) struct Quality {
    /// What was asked for.
    pub(crate) asked: u8,
    /// Whether the decoder has scaled the picture down.
    pub(crate) is_scaled: bool,
}

/// A picture handed to libwebp, freed with what the library allocated for it.
pub(super) struct Frame {
    pub(super) picture: sys::WebPPicture,
}

impl Frame {
    /// An empty picture of this size.
    pub(super) fn new(size: Size) -> Result<Self, Error> {
        let mut picture = sys::WebPPicture::new().map_err(|()| fault("libwebp's version"))?;
        picture.width = super::c_int(size.0)?;
        picture.height = super::c_int(size.1)?;
        Ok(Self { picture })
    }

    /// Copies RGB or RGBA pixels in, as the library's own planes or, for animations, as ARGB.
    pub(super) fn import(&mut self, pixels: &Pixels, argb: bool) -> Result<(), Error> {
        let stride = pixels.size.0 as usize * pixels.channels.count();
        let import = match pixels.channels {
            Channels::Rgb => sys::WebPPictureImportRGB,
            Channels::Rgba => sys::WebPPictureImportRGBA,
            _ => return Err(fault("pixels that are neither RGB nor RGBA")),
        };
        let fits = pixels.data.len() >= stride * pixels.size.1 as usize
            && self.picture.width == super::c_int(pixels.size.0)?
            && self.picture.height == super::c_int(pixels.size.1)?;
        if !fits {
            return Err(fault("fewer pixels than the size says"));
        }
        self.picture.use_argb = c_int::from(argb);
        let stride = super::c_int(stride)?;
        // SAFETY: the picture is initialised, and the slice has `height` rows of `stride` bytes.
        let done = unsafe { import(&mut self.picture, pixels.data.as_ptr(), stride) };
        if done == 0 { Err(fault("libwebp could not take the pixels")) } else { Ok(()) }
    }

    fn encode(mut self, config: &sys::WebPConfig) -> Result<Vec<u8>, Error> {
        let mut encoded: Vec<u8> = Vec::new();
        self.picture.writer = Some(append);
        self.picture.custom_ptr = (&raw mut encoded).cast();
        // SAFETY: config and picture are initialised, planes are as large as they must be
        // (checked where they were set), and `encoded` outlives the call.
        let done = unsafe { sys::WebPEncode(config, &mut self.picture) };
        if done == 0 {
            let code = self.picture.error_code;
            return Err(Error::Internal { what: format!("libwebp: {code:?}").into() });
        }
        Ok(encoded)
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the picture is initialised; this frees only what the library allocated, never
        // planes that were lent to it.
        unsafe { sys::WebPPictureFree(&mut self.picture) };
    }
}

/// Encodes RGB or RGBA pixels.
pub(crate) fn encode_pixels(pixels: &Pixels, quality: Quality) -> Result<Vec<u8>, Error> {
    let mut frame = Frame::new(pixels.size)?;
    frame.import(pixels, false)?;
    frame.encode(&still_config(quality, pixels.size)?)
}

/// Encodes planes of BT.601 in limited range, chroma at half width and height, without padding.
pub(crate) fn encode_planes(
    [y, u, v]: [&mut [u8]; 3],
    size: Size,
    quality: Quality,
) -> Result<Vec<u8>, Error> {
    let chroma = (size.0.div_ceil(2), size.1.div_ceil(2));
    if y.len() < area(size) || u.len() < area(chroma) || v.len() < area(chroma) {
        return Err(fault("fewer samples than the size says"));
    }
    let mut frame = Frame::new(size)?;
    frame.picture.use_argb = 0;
    frame.picture.colorspace = sys::WebPEncCSP::WEBP_YUV420;
    frame.picture.y_stride = super::c_int(size.0)?;
    frame.picture.uv_stride = super::c_int(chroma.0)?;
    // The planes are lent for the call below: the library does not free them.
    frame.picture.y = y.as_mut_ptr();
    frame.picture.u = u.as_mut_ptr();
    frame.picture.v = v.as_mut_ptr();
    frame.encode(&still_config(quality, size)?)
}

/// How a still of this size is encoded.
fn still_config(quality: Quality, size: Size) -> Result<sys::WebPConfig, Error> {
    let mut config = config(quality.asked)?;
    let small = SMALL_MORE * (1.0 - area(size) as f32 / SMALL);
    let scaled = if quality.is_scaled { SCALED_MORE } else { 0.0 };
    config.quality = (config.quality + small.max(0.0) + scaled).min(100.0);
    Ok(config)
}

/// How frames of animations are encoded.
pub(super) fn config(quality: u8) -> Result<sys::WebPConfig, Error> {
    let mut config = sys::WebPConfig::new().map_err(|()| fault("libwebp's version"))?;
    config.quality = f32::from(quality);
    config.method = METHOD;
    config.alpha_quality = 100;
    Ok(config)
}

/// Appends what libwebp has encoded to the vector behind the picture's pointer.
unsafe extern "C" fn append(
    data: *const u8,
    len: usize,
    picture: *const sys::WebPPicture,
) -> c_int {
    // SAFETY: libwebp passes `len` readable bytes and the picture of `Frame::encode`, whose
    // pointer is to a vector that nothing else uses during the call.
    let (bytes, encoded) = unsafe {
        (std::slice::from_raw_parts(data, len), &mut *(*picture).custom_ptr.cast::<Vec<u8>>())
    };
    encoded.extend_from_slice(bytes);
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_scaled_pictures_are_asked_for_more() {
        let config = |asked, size, is_scaled| {
            still_config(Quality { asked, is_scaled }, size).unwrap().quality
        };
        let quality = |asked, size| config(asked, size, false);
        assert!((80.2..80.4).contains(&config(80, (2048, 1536), true)));
        assert_eq!(config(100, (2048, 1536), true), 100.0);
        assert_eq!(quality(80, (1280, 960)), 80.0);
        assert!((80.4..80.6).contains(&quality(80, (640, 480))));
        assert!((80.9..81.1).contains(&quality(80, (256, 256))));
        assert_eq!(quality(100, (256, 256)), 100.0);
    }
}

use std::mem::MaybeUninit;
use std::time::Duration;

use libwebp_sys as sys;

use super::encode::{Frame, config};
use super::{c_int, fault};
use crate::Error;
use crate::picture::{Pixels, Size, area};

/// Reads an animation frame by frame; holds two canvases, whatever the number of frames.
pub(crate) struct AnimationReader<'a> {
    decoder: *mut sys::WebPAnimDecoder,
    size: Size,
    loops: u32,
    // The decoder reads the file as it goes on.
    _bytes: &'a [u8],
}

impl<'a> AnimationReader<'a> {
    /// Opens an animated WebP file, whose canvas must be of this size.
    pub(crate) fn new(bytes: &'a [u8], size: Size) -> Result<Self, Error> {
        let mut options = MaybeUninit::<sys::WebPAnimDecoderOptions>::uninit();
        // SAFETY: initialises the options; the result says whether the versions agree.
        if unsafe { sys::WebPAnimDecoderOptionsInit(options.as_mut_ptr()) } == 0 {
            return Err(fault("libwebp's version"));
        }
        // SAFETY: initialised just now.
        let mut options = unsafe { options.assume_init() };
        options.color_mode = sys::WEBP_CSP_MODE::MODE_RGBA;
        options.use_threads = 0;
        let data = sys::WebPData { bytes: bytes.as_ptr(), size: bytes.len() };
        // SAFETY: the bytes live as long as the decoder (`'a`), the options only for the call.
        let decoder = unsafe { sys::WebPAnimDecoderNew(&data, &options) };
        if decoder.is_null() {
            return Err(Error::damaged("an animated WebP image"));
        }
        let mut reader = Self { decoder, size, loops: 0, _bytes: bytes };
        let mut info = sys::WebPAnimInfo::default();
        // SAFETY: the decoder is alive, and `info` is for it to fill in.
        let known = unsafe { sys::WebPAnimDecoderGetInfo(reader.decoder, &mut info) };
        if known == 0 || (info.canvas_width, info.canvas_height) != size {
            return Err(Error::damaged("an animated WebP image of two sizes"));
        }
        reader.loops = info.loop_count;
        Ok(reader)
    }

    /// How often it plays; 0 is for ever.
    pub(crate) fn loops(&self) -> u32 {
        self.loops
    }

    /// The next frame as RGBA and when it ends; `None` after the last.
    pub(crate) fn next_frame(&mut self) -> Result<Option<(&[u8], Duration)>, Error> {
        // SAFETY: the decoder is alive.
        if unsafe { sys::WebPAnimDecoderHasMoreFrames(self.decoder) } == 0 {
            return Ok(None);
        }
        let (mut pixels, mut end) = (std::ptr::null_mut(), 0);
        // SAFETY: the decoder is alive and sets both.
        let done = unsafe { sys::WebPAnimDecoderGetNext(self.decoder, &mut pixels, &mut end) };
        if done == 0 || pixels.is_null() {
            return Err(Error::damaged("a frame of a WebP animation"));
        }
        // SAFETY: the library returns a canvas of RGBA in its own memory, valid until the next
        // call, which the borrow of `self` keeps away.
        let canvas = unsafe { std::slice::from_raw_parts(pixels, area(self.size) * 4) };
        Ok(Some((canvas, Duration::from_millis(u64::try_from(end).unwrap_or(0)))))
    }
}

impl Drop for AnimationReader<'_> {
    fn drop(&mut self) {
        // SAFETY: the decoder is alive and not used afterwards.
        unsafe { sys::WebPAnimDecoderDelete(self.decoder) };
    }
}

/// Writes an animation frame by frame; holds a few frames and what is encoded.
pub(crate) struct AnimationWriter {
    encoder: *mut sys::WebPAnimEncoder,
    config: sys::WebPConfig,
    size: Size,
}

impl AnimationWriter {
    /// An animation of this size that plays so often (0 is for ever).
    pub(crate) fn new(size: Size, loops: u32, quality: u8) -> Result<Self, Error> {
        let mut options = MaybeUninit::<sys::WebPAnimEncoderOptions>::uninit();
        let version = c_int(sys::WEBP_MUX_ABI_VERSION)?;
        // SAFETY: initialises the options; the result says whether the versions agree.
        if unsafe { sys::WebPAnimEncoderOptionsInitInternal(options.as_mut_ptr(), version) } == 0 {
            return Err(fault("libwebp's version"));
        }
        // SAFETY: initialised just now.
        let mut options = unsafe { options.assume_init() };
        options.anim_params.loop_count = c_int(loops.min(u32::from(u16::MAX)))?;
        let (width, height) = (c_int(size.0)?, c_int(size.1)?);
        // SAFETY: the options are initialised and copied.
        let encoder = unsafe { sys::WebPAnimEncoderNewInternal(width, height, &options, version) };
        if encoder.is_null() {
            return Err(fault("libwebp has no memory for an animation"));
        }
        Ok(Self { encoder, config: config(quality)?, size })
    }

    /// Adds a frame that starts at this time.
    pub(crate) fn add(&mut self, pixels: &Pixels, start: Duration) -> Result<(), Error> {
        let mut frame = Frame::new(self.size)?;
        frame.import(pixels, true)?;
        let start = c_int(start.as_millis())?;
        // SAFETY: encoder, picture and configuration are alive; the picture is copied or encoded
        // within the call.
        let done = unsafe {
            sys::WebPAnimEncoderAdd(self.encoder, &mut frame.picture, start, &self.config)
        };
        if done == 0 { Err(fault("libwebp could not encode a frame")) } else { Ok(()) }
    }

    /// The animation, whose last frame ends at this time.
    pub(crate) fn finish(self, end: Duration) -> Result<Vec<u8>, Error> {
        let end = c_int(end.as_millis())?;
        let mut data = sys::WebPData::default();
        // SAFETY: a null frame marks the end of the last one, as the library documents; `data` is
        // for it to fill in.
        let done = unsafe {
            sys::WebPAnimEncoderAdd(self.encoder, std::ptr::null_mut(), end, std::ptr::null()) != 0
                && sys::WebPAnimEncoderAssemble(self.encoder, &mut data) != 0
        };
        if !done || data.bytes.is_null() {
            return Err(fault("libwebp could not assemble an animation"));
        }
        // SAFETY: the library says so many bytes are there; they are copied and then given back.
        unsafe {
            let bytes = std::slice::from_raw_parts(data.bytes, data.size).to_vec();
            sys::WebPDataClear(&mut data);
            Ok(bytes)
        }
    }
}

impl Drop for AnimationWriter {
    fn drop(&mut self) {
        // SAFETY: the encoder is alive and not used afterwards.
        unsafe { sys::WebPAnimEncoderDelete(self.encoder) };
    }
}

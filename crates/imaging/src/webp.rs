//! WebP, by libwebp: unsafe code, since libwebp is written in C.
//!
//! Everything given to the library is a slice whose length is checked here against the size and
//! the strides that go with it, so the functions of this module are safe for any arguments.
#![allow(unsafe_code)]

mod animation;
mod decode;
mod encode;

pub(crate) use animation::{AnimationReader, AnimationWriter};
pub(crate) use decode::{decode_pixels, decode_planes};
pub(crate) use encode::{Quality, encode_pixels, encode_planes};

use crate::Error;

/// The library failed though the file was not to blame.
fn fault(what: &'static str) -> Error {
    Error::Internal { what: what.into() }
}

/// A number as C wants it.
fn c_int(number: impl TryInto<i32>) -> Result<i32, Error> {
    number.try_into().map_err(|_| fault("a size beyond what libwebp takes"))
}

//! Making pictures smaller.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::faces::Error;
use crate::{Pixels, Square};

/// A picture of our own.
pub(crate) struct Small {
    pub(crate) rgb: Vec<u8>,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Small {
    /// To look at.
    pub(crate) fn pixels(&self) -> Option<Pixels<'_>> {
        Pixels::new(&self.rgb, self.width, self.height)
    }
}

/// A part of a picture at this size, every pixel of it counting.
pub(crate) fn shrink(
    pixels: &Pixels<'_>,
    part: Square,
    width: u32,
    height: u32,
) -> Result<Small, Error> {
    let fault = |error: &dyn std::fmt::Display| Error::Failed(error.to_string());
    let from = ImageRef::new(pixels.width(), pixels.height(), pixels.rgb(), PixelType::U8x3)
        .map_err(|error| fault(&error))?;
    let mut to = Image::new(width, height, PixelType::U8x3);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Bilinear))
        .crop(part.left.into(), part.top.into(), part.width.into(), part.height.into());
    Resizer::new().resize(&from, &mut to, &options).map_err(|error| fault(&error))?;
    Ok(Small { rgb: to.into_vec(), width, height })
}

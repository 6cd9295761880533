//! Pixels for those who look at them, instead of files for those who show them.

use model::{RenditionFormat, SizeSpec};

use super::plan::Plan;
use super::{RenderOptions, Renderer, fault};
use crate::color::to_rgb;
use crate::decode::{Source, decode};
use crate::encode::{Encoding, encode, takes_planes};
use crate::picture::{Buffer, Channels, Picture, Pixels};
use crate::resize::Window;
use crate::{Error, Probe, allocators};

/// A picture as red, green and blue bytes, upright, row after row without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Three bytes for every pixel.
    pub rgb: Vec<u8>,
}

/// A part of a raster, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From the left.
    pub left: u32,
    /// From the top.
    pub top: u32,
    /// Pixels wide.
    pub width: u32,
    /// Pixels high.
    pub height: u32,
}

const PORTRAIT_QUALITY: u8 = 80;

impl Renderer {
    /// The pixels of an image, not larger than this size; of an animation, those of its first frame.
    /// What is transparent is white.
    ///
    /// `probe` must be that of `bytes`. Takes [`Probe::decoded_bytes`] of memory at most, and
    /// afterwards what the raster takes.
    pub fn raster(
        &mut self,
        bytes: &[u8],
        probe: &Probe,
        size: &SizeSpec,
        options: &RenderOptions,
    ) -> Result<Raster, Error> {
        let sizes = std::slice::from_ref(size);
        probe.check(&options.limits, sizes)?;
        allocators::keep_no_large_blocks();
        self.buffers.wake();
        self.guarded(|renderer| renderer.raster_checked(bytes, probe, sizes, options))
    }

    fn raster_checked(
        &mut self,
        bytes: &[u8],
        probe: &Probe,
        sizes: &[SizeSpec],
        options: &RenderOptions,
    ) -> Result<Raster, Error> {
        let plan = Plan::new(probe.display_size(), sizes);
        let wanted = probe.orientation.apply_to_size(plan.frame);
        let full_chroma = sizes.iter().any(|size| !takes_planes(size.format()));
        let source = Source { bytes, probe, limits: &options.limits, wanted, full_chroma };
        let decoded = decode(&source, &mut self.buffers)?;
        let plain = RenderOptions { keep_wide_gamut: false, ..*options };
        let (picture, _) = self.develop(decoded, &plan, sizes, &plain)?;
        let pixels = match picture {
            Picture::Pixels(pixels) => pixels,
            Picture::Ycc(ycc) => {
                let pixels = to_rgb(&mut self.resize, &mut self.buffers, &ycc, ycc.size)?;
                self.buffers.give(ycc.data);
                pixels
            }
        };
        let rgb = on_white(&pixels)?;
        let (width, height) = pixels.size;
        self.buffers.give(pixels.data);
        Ok(Raster { width, height, rgb })
    }

    /// A part of a raster as a WebP file, no side longer than `side_max`.
    pub fn portrait(
        &mut self,
        raster: &Raster,
        part: Part,
        side_max: u32,
    ) -> Result<Vec<u8>, Error> {
        let right = part.left.checked_add(part.width).filter(|right| *right <= raster.width);
        let bottom = part.top.checked_add(part.height).filter(|bottom| *bottom <= raster.height);
        if right.is_none() || bottom.is_none() || part.width == 0 || part.height == 0 {
            return Err(fault("a part lies outside of its picture"));
        }
        self.buffers.wake();
        self.guarded(|renderer| renderer.portrait_checked(raster, part, side_max.max(1)))
    }

    fn portrait_checked(
        &mut self,
        raster: &Raster,
        part: Part,
        side_max: u32,
    ) -> Result<Vec<u8>, Error> {
        let cut = cut(raster, part)?;
        let scale = f64::from(side_max) / f64::from(part.width.max(part.height));
        let side = |side: u32| (f64::from(side) * scale.min(1.0)).round().max(1.0) as u32;
        let size = (side(part.width), side(part.height));
        let whole = Window::whole(cut.size);
        let small = self.resize.pixels(&mut self.buffers, &cut, whole, size)?;
        let format = RenditionFormat::Webp;
        let encoding = Encoding { format, quality: PORTRAIT_QUALITY, icc: None, is_scaled: false };
        let picture = Picture::Pixels(small);
        let bytes = encode(&picture, encoding, &mut self.buffers)?;
        self.buffers.give(picture.into_buffer());
        Ok(bytes)
    }
}

fn cut(raster: &Raster, part: Part) -> Result<Pixels, Error> {
    let stride = raster.width as usize * 3;
    let (from, length) = (part.left as usize * 3, part.width as usize * 3);
    let rows = raster.rgb.chunks_exact(stride.max(1)).skip(part.top as usize);
    let mut data = Vec::with_capacity(length * part.height as usize);
    for row in rows.take(part.height as usize) {
        let inside = row.get(from..from + length).ok_or_else(|| fault("a row is too short"))?;
        data.extend_from_slice(inside);
    }
    let size = (part.width, part.height);
    Ok(Pixels { size, channels: Channels::Rgb, data: Buffer::from(data) })
}

fn on_white(pixels: &Pixels) -> Result<Vec<u8>, Error> {
    match pixels.channels {
        Channels::Rgb => Ok(pixels.data.to_vec()),
        Channels::Rgba => {
            let mut rgb = Vec::with_capacity(pixels.data.len() / 4 * 3);
            for pixel in pixels.data.chunks_exact(4) {
                let [red, green, blue, alpha] = pixel else { continue };
                let over = |color: u8| {
                    let (color, alpha) = (u32::from(color), u32::from(*alpha));
                    u8::try_from((color * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
                };
                rgb.extend([over(*red), over(*green), over(*blue)]);
            }
            Ok(rgb)
        }
        Channels::Gray | Channels::GrayAlpha | Channels::Cmyk => {
            Err(fault("a picture in sRGB has red, green and blue"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster() -> Raster {
        let (width, height) = (40_u32, 20_u32);
        let pixel = |n: u32| if n % width < 20 { [200, 10, 10] } else { [10, 10, 200] };
        Raster { width, height, rgb: (0..width * height).flat_map(pixel).collect() }
    }

    #[test]
    fn a_part_is_cut_out_and_read_back() {
        let mut renderer = Renderer::new();
        let part = Part { left: 20, top: 2, width: 16, height: 16 };
        let file = renderer.portrait(&raster(), part, 8).unwrap();
        let probe = crate::probe(&file).unwrap();
        assert_eq!((probe.width, probe.height), (8, 8));
        let size = SizeSpec::new(
            "x".parse().unwrap(),
            (64, 64),
            model::Fit::Inside,
            RenditionFormat::Png,
            80,
        );
        let options = RenderOptions::default();
        let back = renderer.raster(&file, &probe, &size.unwrap(), &options).unwrap();
        assert_eq!((back.width, back.height, back.rgb.len()), (8, 8, 8 * 8 * 3));
        assert!(back.rgb.chunks(3).all(|pixel| pixel[2] > 150 && pixel[0] < 60), "blue");
    }

    #[test]
    fn a_part_outside_is_refused() {
        let part = Part { left: 30, top: 0, width: 16, height: 16 };
        assert!(Renderer::new().portrait(&raster(), part, 8).is_err());
        let part = Part { left: u32::MAX, top: 0, width: 16, height: 16 };
        assert!(Renderer::new().portrait(&raster(), part, 8).is_err());
    }
}

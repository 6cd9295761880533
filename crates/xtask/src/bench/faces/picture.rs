//! Pictures with faces in them, made of the two portraits that `scripts/setup test` gets.

use std::fs;
use std::path::Path;

use faces::Pixels;

use crate::Outcome;
use crate::shared::repository::installed;

/// Red, green and blue bytes.
#[derive(Clone)]
pub struct Picture {
    pub rgb: Vec<u8>,
    pub width: usize,
    pub height: usize,
}

impl Picture {
    /// Eileen Collins and Grace Hopper.
    pub fn portraits() -> Outcome<[Self; 2]> {
        let folder = installed("test-faces")?;
        let collins = image::open(folder.join("astronaut.png"))?.into_rgb8();
        let (width, height) = (collins.width() as usize, collins.height() as usize);
        let collins = Self { rgb: collins.into_raw(), width, height };
        Ok([collins, Self::from_jpeg(&fs::read(folder.join("grace_hopper.jpg"))?)?])
    }

    pub fn from_jpeg(bytes: &[u8]) -> Outcome<Self> {
        let image = turbojpeg::decompress(bytes, turbojpeg::PixelFormat::RGB)?;
        Ok(Self { width: image.width, height: image.height, rgb: image.pixels })
    }

    pub fn to_jpeg(&self) -> Outcome<Vec<u8>> {
        let image = turbojpeg::Image {
            pixels: self.rgb.as_slice(),
            width: self.width,
            pitch: 3 * self.width,
            height: self.height,
            format: turbojpeg::PixelFormat::RGB,
        };
        Ok(turbojpeg::compress(image, 90, turbojpeg::Subsamp::Sub2x2)?.to_vec())
    }

    /// As a file that every program can read without doing much: PPM.
    pub fn save(&self, path: &Path) -> Outcome {
        let mut file = format!("P6\n{} {}\n255\n", self.width, self.height).into_bytes();
        file.extend(&self.rgb);
        Ok(fs::write(path, file)?)
    }

    pub fn load(path: &Path) -> Outcome<Self> {
        let file = fs::read(path)?;
        let mut parts = file.splitn(4, |byte| *byte == b'\n').skip(1);
        let size = str::from_utf8(parts.next().ok_or("no size")?)?;
        let (width, height) = size.split_once(' ').ok_or("no size")?;
        let rgb = parts.nth(1).ok_or("no pixels")?.to_vec();
        Ok(Self { rgb, width: width.parse()?, height: height.parse()? })
    }

    pub fn pixels(&self) -> Outcome<Pixels<'_>> {
        let (width, height) = (u32::try_from(self.width)?, u32::try_from(self.height)?);
        Ok(Pixels::new(&self.rgb, width, height).ok_or("the pixels do not fit the size")?)
    }

    /// Something between light and dark, different everywhere.
    pub fn background(width: usize, height: usize, number: usize) -> Self {
        let mut rgb = Vec::with_capacity(width * height * 3);
        for place in 0..width * height {
            let (x, y) = (place % width, place / width);
            let wave = (x * (7 + number % 5) / 40 + y * (3 + number % 3) / 30) % 90;
            let noise = (place.wrapping_mul(2_654_435_761).wrapping_add(number) >> 7) & 7;
            let light = u8::try_from(70 + wave + noise).unwrap_or(u8::MAX);
            rgb.extend([light, light.saturating_sub(10), light / 2 + 40]);
        }
        Self { rgb, width, height }
    }

    /// Puts another picture there, every pixel of which becomes so many; what does not fit is cut.
    pub fn put(&mut self, other: &Self, left: usize, top: usize, scale: f64) {
        let size = |side: usize| (side as f64 * scale) as usize;
        for y in 0..size(other.height).min(self.height.saturating_sub(top)) {
            for x in 0..size(other.width).min(self.width.saturating_sub(left)) {
                let from = |to: usize| (to as f64 / scale) as usize;
                let source = (from(y) * other.width + from(x)) * 3;
                let target = ((top + y) * self.width + left + x) * 3;
                let pair =
                    (self.rgb.get_mut(target..target + 3), other.rgb.get(source..source + 3));
                if let (Some(to), Some(from)) = pair {
                    to.copy_from_slice(from);
                }
            }
        }
    }

    /// Lighter or darker by this much.
    pub fn lit(mut self, by: i16) -> Self {
        for byte in &mut self.rgb {
            *byte = u8::try_from((i16::from(*byte) + by).clamp(0, 255)).unwrap_or_default();
        }
        self
    }
}

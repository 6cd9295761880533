//! Photos for tests, and what may happen to them.

use std::fs;
use std::path::{Path, PathBuf};

/// Something that `scripts/setup test` has put into the folder of tools.
pub fn tool(what: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tools = std::env::var_os("FERROTYPE_TOOLS").unwrap_or_else(|| ".tools".into());
    let path = root.join(tools).join(what);
    assert!(path.exists(), "{} is missing: run scripts/setup test", path.display());
    path
}

#[derive(Clone)]
pub struct Photo {
    pub rgb: Vec<u8>,
    pub width: u32,
    pub height: u32,
}

impl Photo {
    pub fn load(name: &str) -> Self {
        let path = tool("test-faces").join(name);
        assert!(path.exists(), "{} is missing: run scripts/setup test", path.display());
        let bytes = fs::read(path).expect("read");
        if name.ends_with(".png") { Self::from_png(&bytes) } else { Self::from_jpeg(&bytes) }
    }

    fn from_png(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        pixels.truncate(info.buffer_size());
        let rgb = match info.color_type {
            png::ColorType::Rgb => pixels,
            png::ColorType::Rgba => pixels.chunks(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
            png::ColorType::Grayscale => pixels.iter().flat_map(|grey| [*grey; 3]).collect(),
            other => panic!("{other:?}"),
        };
        Self { rgb, width: info.width, height: info.height }
    }

    fn from_jpeg(bytes: &[u8]) -> Self {
        let image = turbojpeg::decompress(bytes, turbojpeg::PixelFormat::RGB).expect("a JPEG");
        Self { width: image.width as u32, height: image.height as u32, rgb: image.pixels }
    }

    pub fn filled(width: u32, height: u32, byte: impl Fn(u64) -> u8) -> Self {
        let rgb = (0..u64::from(width) * u64::from(height) * 3).map(byte).collect();
        Self { rgb, width, height }
    }

    /// Each pixel of the new size from a place in the old one.
    fn map(&self, width: u32, height: u32, from: impl Fn(f32, f32) -> (f32, f32)) -> Self {
        let mut rgb = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let (x, y) = from(x as f32 + 0.5, y as f32 + 0.5);
                rgb.extend(self.between(x - 0.5, y - 0.5));
            }
        }
        Self { rgb, width, height }
    }

    fn between(&self, x: f32, y: f32) -> [u8; 3] {
        let (left, top) = (x.floor(), y.floor());
        let mut sum = [0.0; 3];
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let weight = (1.0 - (x - left - dx).abs()) * (1.0 - (y - top - dy).abs());
            let column = (left + dx).clamp(0.0, self.width as f32 - 1.0) as usize;
            let row = (top + dy).clamp(0.0, self.height as f32 - 1.0) as usize;
            let place = (row * self.width as usize + column) * 3;
            (0..3).for_each(|c| sum[c] += weight * f32::from(self.rgb[place + c]));
        }
        sum.map(|part| part.round() as u8)
    }

    pub fn scaled(&self, by: f32) -> Self {
        // Blurred first where pixels would be skipped.
        let source = if by < 0.6 { self.blurred((0.5 / by) as u32) } else { self.clone() };
        let side = |side: u32| (side as f32 * by) as u32;
        source.map(side(self.width), side(self.height), |x, y| (x / by, y / by))
    }

    pub fn turned(&self, degrees: f32) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (cx, cy) = (self.width as f32 / 2.0, self.height as f32 / 2.0);
        self.map(self.width, self.height, |x, y| {
            let (x, y) = (x - cx, y - cy);
            (cx + cos * x - sin * y, cy + sin * x + cos * y)
        })
    }

    pub fn mirrored(&self) -> Self {
        self.map(self.width, self.height, |x, y| (self.width as f32 - x, y))
    }

    pub fn lit(&self, times: f32, plus: f32) -> Self {
        let rgb = self.rgb.iter().map(|byte| (f32::from(*byte) * times + plus) as u8).collect();
        Self { rgb, ..*self }
    }

    pub fn grey(&self) -> Self {
        let grey =
            |p: &[u8]| [((u32::from(p[0]) + 2 * u32::from(p[1]) + u32::from(p[2])) / 4) as u8; 3];
        Self { rgb: self.rgb.chunks(3).flat_map(grey).collect(), ..*self }
    }

    /// With boxes of this many pixels to each side, twice.
    pub fn blurred(&self, radius: u32) -> Self {
        let once = |photo: &Self| {
            let mut rgb = photo.rgb.clone();
            for (dx, dy) in [(1_i64, 0_i64), (0, 1)] {
                let from = rgb.clone();
                for y in 0..i64::from(photo.height) {
                    for x in 0..i64::from(photo.width) {
                        for c in 0..3 {
                            let radius = i64::from(radius);
                            let sum: u32 = (-radius..=radius)
                                .map(|step| {
                                    let column =
                                        (x + dx * step).clamp(0, i64::from(photo.width) - 1);
                                    let row = (y + dy * step).clamp(0, i64::from(photo.height) - 1);
                                    let place = (row * i64::from(photo.width) + column) * 3;
                                    u32::from(from[place as usize + c])
                                })
                                .sum();
                            let place = ((y * i64::from(photo.width) + x) * 3) as usize;
                            rgb[place + c] = (sum / (2 * radius as u32 + 1)) as u8;
                        }
                    }
                }
            }
            Self { rgb, ..*photo }
        };
        once(&once(self))
    }

    pub fn as_jpeg(&self, quality: i32) -> Self {
        let image = turbojpeg::Image {
            pixels: self.rgb.as_slice(),
            width: self.width as usize,
            pitch: self.width as usize * 3,
            height: self.height as usize,
            format: turbojpeg::PixelFormat::RGB,
        };
        let bytes =
            turbojpeg::compress(image, quality, turbojpeg::Subsamp::Sub2x2).expect("a JPEG");
        Self::from_jpeg(&bytes)
    }

    /// In the middle of a grey picture.
    pub fn on_canvas(&self, width: u32, height: u32) -> Self {
        let mut canvas = Self::filled(width, height, |_| 128);
        canvas.put(self, (width - self.width) / 2, (height - self.height) / 2);
        canvas
    }

    pub fn beside(&self, other: &Self) -> Self {
        let height = self.height.max(other.height);
        let mut canvas = Self::filled(self.width + other.width, height, |_| 128);
        canvas.put(self, 0, 0);
        canvas.put(other, self.width, 0);
        canvas
    }

    fn put(&mut self, photo: &Self, left: u32, top: u32) {
        for (y, row) in photo.rgb.chunks(photo.width as usize * 3).enumerate() {
            let start = ((top as usize + y) * self.width as usize + left as usize) * 3;
            self.rgb[start..start + row.len()].copy_from_slice(row);
        }
    }
}

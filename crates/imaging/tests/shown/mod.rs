//! What an image shows, as pixels, and how near two pictures are.
#![allow(dead_code, reason = "not every test uses everything")]

use imaging::{Error, Orientation, RenderOptions, Rendered, Renderer, probe};
use model::{Fit, RenditionFormat, SizeSpec};
use ssimulacra2::{ColorPrimaries, Rgb, TransferCharacteristic, compute_frame_ssimulacra2};

/// A picture of RGBA.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 4]>,
}

impl Shown {
    pub fn at(&self, x: usize, y: usize) -> [u8; 4] {
        self.pixels[y * self.width + x]
    }

    pub fn from_fn(width: usize, height: usize, pixel: impl Fn(usize, usize) -> [u8; 4]) -> Self {
        let pixels = (0..width * height).map(|i| pixel(i % width, i / width)).collect();
        Self { width, height, pixels }
    }

    /// As it looks after being turned upright.
    pub fn turned(&self, orientation: Orientation) -> Self {
        let (w, h) = (self.width, self.height);
        let (width, height) = if orientation.swaps_sides() { (h, w) } else { (w, h) };
        Self::from_fn(width, height, |x, y| match orientation {
            Orientation::Upright => self.at(x, y),
            Orientation::FlipHorizontal => self.at(w - 1 - x, y),
            Orientation::Rotate180 => self.at(w - 1 - x, h - 1 - y),
            Orientation::FlipVertical => self.at(x, h - 1 - y),
            Orientation::Transpose => self.at(y, x),
            Orientation::Rotate90 => self.at(y, h - 1 - x),
            Orientation::Transverse => self.at(w - 1 - y, h - 1 - x),
            Orientation::Rotate270 => self.at(w - 1 - y, x),
        })
    }

    /// Mean distance of the channels, in levels.
    pub fn distance(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let channels = self.pixels.as_flattened().iter().zip(other.pixels.as_flattened());
        let sum: f64 = channels.map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
        sum / (self.pixels.len() * 4) as f64
    }

    /// SSIMULACRA2: 100 is identical, 90 cannot be told apart, 70 is high quality, 50 medium.
    pub fn likeness(&self, other: &Self) -> f64 {
        compute_frame_ssimulacra2(self.rgb(), other.rgb()).unwrap()
    }

    fn rgb(&self) -> Rgb {
        let channel = |channel: u8| f32::from(channel) / 255.0;
        let data = self.pixels.iter().map(|p| [channel(p[0]), channel(p[1]), channel(p[2])]);
        let (transfer, primaries) = (TransferCharacteristic::SRGB, ColorPrimaries::BT709);
        Rgb::new(data.collect(), self.width, self.height, transfer, primaries).unwrap()
    }

    /// Lanczos resampling of the part in the middle with the shape of the result, in floating point: slow, but each step
    /// is plain to see.
    pub fn resampled(&self, width: usize, height: usize) -> Self {
        let part_width = (self.width as f64).min(self.height as f64 * width as f64 / height as f64);
        let part_height =
            (self.height as f64).min(self.width as f64 * height as f64 / width as f64);
        self.resampled_part((part_width, part_height), width, height)
    }

    /// The same of the whole, whatever the shape of the result.
    pub fn squeezed(&self, width: usize, height: usize) -> Self {
        self.resampled_part((self.width as f64, self.height as f64), width, height)
    }

    fn resampled_part(
        &self,
        (part_width, part_height): (f64, f64),
        width: usize,
        height: usize,
    ) -> Self {
        let across = taps(self.width, part_width, width);
        let down = taps(self.height, part_height, height);
        let rows: Vec<Vec<[f64; 4]>> = (0..self.height)
            .map(|y| {
                across.iter().map(|taps| mix(taps, |x| self.at(x, y).map(f64::from))).collect()
            })
            .collect();
        Self::from_fn(width, height, |x, y| {
            mix(&down[y], |row| rows[row][x]).map(|v| v.round().clamp(0.0, 255.0) as u8)
        })
    }
}

/// Which samples make up each new one, and with what weight.
fn taps(samples: usize, part: f64, wanted: usize) -> Vec<Vec<(usize, f64)>> {
    let scale = part / wanted as f64;
    let start = (samples as f64 - part) / 2.0;
    let lanczos = |x: f64| match x.abs() {
        0.0 => 1.0,
        x if x >= 3.0 => 0.0,
        x => {
            let pi_x = std::f64::consts::PI * x;
            3.0 * pi_x.sin() * (pi_x / 3.0).sin() / (pi_x * pi_x)
        }
    };
    (0..wanted)
        .map(|index| {
            let centre = start + (index as f64 + 0.5) * scale;
            let near = |at: &usize| (*at as f64 + 0.5 - centre).abs() < 3.0 * scale.max(1.0);
            let weigh = |at: usize| (at, lanczos((at as f64 + 0.5 - centre) / scale.max(1.0)));
            let taps: Vec<_> = (0..samples).filter(near).map(weigh).collect();
            let sum: f64 = taps.iter().map(|(_, weight)| weight).sum();
            taps.into_iter().map(|(at, weight)| (at, weight / sum)).collect()
        })
        .collect()
}

fn mix(taps: &[(usize, f64)], sample: impl Fn(usize) -> [f64; 4]) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for (at, weight) in taps {
        sum.iter_mut().zip(sample(*at)).for_each(|(sum, value)| *sum += value * weight);
    }
    sum
}

/// The picture that all fixtures show: a gradient with a red square at the top left.
pub fn drawn() -> Shown {
    drawn_with_shift(0)
}

/// The picture of a later frame.
pub fn drawn_with_shift(shift: usize) -> Shown {
    Shown::from_fn(64, 48, |x, y| match (x, y) {
        (..=16, ..=12) => [230, 20, 20, 255],
        _ => [((x * 255 / 64 + shift) % 256) as u8, (y * 255 / 48) as u8, 128, 255],
    })
}

/// A specification by its format, within a square box.
pub fn spec(name: &str, side: u32, fit: Fit, format: RenditionFormat) -> SizeSpec {
    SizeSpec::new(name.parse().unwrap(), (side, side), fit, format, 80).unwrap()
}

/// Renders with the default options.
pub fn render(bytes: &[u8], sizes: &[SizeSpec]) -> Result<Rendered, Error> {
    Renderer::new().render(bytes, &probe(bytes)?, sizes, &RenderOptions::default())
}

/// What an image shows, upright and in sRGB, at its full size.
pub fn shown(bytes: &[u8]) -> Shown {
    try_shown(bytes).unwrap()
}

/// The same, or why not.
pub fn try_shown(bytes: &[u8]) -> Result<Shown, Error> {
    let whole = spec("whole", SizeSpec::SIDE_MAX, Fit::Inside, RenditionFormat::Png);
    Ok(read_png(&render(bytes, &[whole])?.renditions[0].bytes))
}

pub fn read_png(bytes: &[u8]) -> Shown {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut data).unwrap();
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    Shown { width, height, pixels: data.as_chunks::<4>().0.to_vec() }
}

/// A PNG file of a picture.
pub fn write_png(shown: &Shown) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, shown.width as u32, shown.height as u32);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(shown.pixels.as_flattened()).unwrap();
    writer.finish().unwrap();
    bytes
}

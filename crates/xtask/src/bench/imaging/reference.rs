//! What a rendition ideally looks like: the decoded original, resized straight to its size by a
//! plain Lanczos filter in floating point.
//!
//! This is written out here, slowly, so that it is nobody's code. It works on the encoded sRGB
//! values, as all contenders do unless told otherwise: in linear light all of them would lose
//! alike, and a little difference between two of them would drown in that.

use std::f64::consts::PI;

/// Lobes of the filter.
const LOBES: f64 = 3.0;

/// Pixels, 8 bits of red, green and blue each.
pub struct Pixels {
    pub width: usize,
    pub height: usize,
    pub rgb: Vec<u8>,
}

/// Pixels from 0 to 1.
#[derive(Clone, Debug)]
pub struct FloatPixels {
    pub width: usize,
    pub height: usize,
    pub rgb: Vec<[f32; 3]>,
}

/// A length of a side that becomes another number of pixels.
#[derive(Clone, Copy)]
struct Span {
    start: f64,
    length: f64,
}

impl Pixels {
    /// Turned a quarter clockwise, as EXIF orientation 6 asks for.
    pub fn turned(&self) -> Self {
        let (width, height) = (self.height, self.width);
        let mut rgb = Vec::with_capacity(self.rgb.len());
        let rows: Vec<&[u8]> = self.rgb.chunks_exact(3 * self.width).collect();
        for x in 0..self.width {
            for row in rows.iter().rev() {
                rgb.extend_from_slice(row.get(3 * x..3 * x + 3).unwrap_or(&[0; 3]));
            }
        }
        Self { width, height, rgb }
    }

    /// The whole picture in another size.
    pub fn resized(&self, width: usize, height: usize) -> FloatPixels {
        let whole = |length: usize| Span { start: 0.0, length: length as f64 };
        self.resized_part(whole(self.width), whole(self.height), width, height)
    }

    /// The middle of the picture that has the shape asked for, in all ways to round: who resizes
    /// the whole picture first has a whole number of pixels to cut from, and cuts at one of two.
    pub fn covering(&self, width: usize, height: usize) -> Vec<FloatPixels> {
        let (from_width, from_height) = (self.width as f64, self.height as f64);
        let scale = f64::min(from_width / width as f64, from_height / height as f64);
        let downs = middles(from_height, height, scale);
        let across = middles(from_width, width, scale).into_iter();
        across
            .flat_map(|across| downs.iter().map(move |down| (across, *down)))
            .map(|(across, down)| self.resized_part(across, down, width, height))
            .collect()
    }

    fn resized_part(&self, across: Span, down: Span, width: usize, height: usize) -> FloatPixels {
        let columns = weights(across, self.width, width);
        let narrow: Vec<Vec<[f32; 3]>> = self
            .rgb
            .chunks_exact(3 * self.width)
            .map(|row| {
                let (pixels, _) = row.as_chunks::<3>();
                columns.iter().map(|column| column.sum(pixels)).collect()
            })
            .collect();
        let rows = weights(down, self.height, height);
        let mut rgb = Vec::with_capacity(width * height);
        for row in &rows {
            let from = narrow.iter().skip(row.first).zip(&row.weights);
            let mut sums = vec![[0.0_f32; 3]; width];
            for (line, weight) in from {
                for (sum, pixel) in sums.iter_mut().zip(line) {
                    *sum = add(*sum, *pixel, *weight);
                }
            }
            rgb.extend(sums.into_iter().map(|sum| sum.map(|channel| channel.clamp(0.0, 1.0))));
        }
        FloatPixels { width, height, rgb }
    }
}

/// The parts of a side that may be called its middle, `to` pixels long after scaling.
fn middles(side: f64, to: usize, scale: f64) -> Vec<Span> {
    let exact = scale * to as f64;
    let mut spans = vec![Span { start: (side - exact) / 2.0, length: exact }];
    let whole = side / scale;
    for rounded in [whole.floor(), whole.ceil()] {
        let left = (rounded - to as f64) / 2.0;
        for start in [left.floor(), left.ceil()] {
            let scale = side / rounded;
            let span = Span { start: start * scale, length: to as f64 * scale };
            let known = |known: &Span| {
                (known.start - span.start).abs() + (known.length - span.length).abs() < 1e-6
            };
            if left >= 0.0 && !spans.iter().any(known) {
                spans.push(span);
            }
        }
    }
    spans
}

/// Which pixels make one, and how much each counts.
struct Weights {
    first: usize,
    weights: Vec<f32>,
}

impl Weights {
    fn sum(&self, pixels: &[[u8; 3]]) -> [f32; 3] {
        let pixels = pixels.iter().skip(self.first).zip(&self.weights);
        pixels.fold([0.0; 3], |sum, (pixel, weight)| {
            add(sum, pixel.map(|channel| f32::from(channel) / 255.0), *weight)
        })
    }
}

fn add(sum: [f32; 3], pixel: [f32; 3], weight: f32) -> [f32; 3] {
    let [red, green, blue] = pixel;
    let [sum_red, sum_green, sum_blue] = sum;
    [sum_red + red * weight, sum_green + green * weight, sum_blue + blue * weight]
}

fn weights(span: Span, from: usize, to: usize) -> Vec<Weights> {
    let scale = span.length / to as f64;
    // The filter is widened when pixels get fewer, never narrowed.
    let widened = f64::max(scale, 1.0);
    let reach = LOBES * widened;
    let one = |index: usize| {
        let center = span.start + (index as f64 + 0.5) * scale;
        let first = f64::max((center - reach).floor(), 0.0) as usize;
        let end = usize::min((center + reach).ceil() as usize, from);
        let raw: Vec<f64> =
            (first..end).map(|at| lanczos((at as f64 + 0.5 - center) / widened)).collect();
        let sum: f64 = raw.iter().sum();
        Weights { first, weights: raw.iter().map(|weight| (weight / sum) as f32).collect() }
    };
    (0..to).map(one).collect()
}

fn lanczos(x: f64) -> f64 {
    if x.abs() >= LOBES {
        return 0.0;
    }
    sinc(x) * sinc(x / LOBES)
}

fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-9 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// What must hold of a reference; called by the test of the whole benchmark.
pub fn check() -> Result<(), &'static str> {
    let rgb = (0..12_u8).map(|number| number * 20).collect();
    let picture = Pixels { width: 2, height: 2, rgb };
    let same = picture.resized(2, 2);
    let levels = same.rgb.iter().flatten().map(|channel| (channel * 255.0).round() as u8);
    if !levels.eq(picture.rgb.iter().copied()) {
        return Err("a picture changes when it is resized to its own size");
    }
    let turned = picture.turned();
    if turned.rgb.get(..6) != Some(&[120, 140, 160, 0, 20, 40]) {
        return Err("a picture is not turned clockwise");
    }
    let flat = Pixels { width: 60, height: 40, rgb: vec![200; 7_200] };
    let small = flat.covering(17, 17);
    // From 25.5 pixels, from 25, or from 26 at two places.
    if small.len() != 4 {
        return Err("a picture is not cut in all ways");
    }
    let mut channels = small.iter().flat_map(|small| small.rgb.iter().flatten());
    if channels.any(|channel| (channel * 255.0 - 200.0).abs() > 0.01) {
        return Err("a flat picture does not stay flat");
    }
    Ok(())
}

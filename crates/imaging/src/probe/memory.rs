//! What it takes to decode and render an image, before anything is allocated.
//!
//! The figures were measured, each kind of file alone in a process; `tests/render_memory.rs` does
//! so again.

use model::{Fit, MediaType, RenditionFormat, SizeSpec};

use super::{ColorModel, Probe};

/// What every image takes, however small: tables of the codecs, and what they read ahead.
const LEAST_BYTES: u64 = 12 << 20;

/// A pixel of red, green, blue and opacity.
const PIXEL_BYTES: u64 = 4;

/// What libwebp takes for each pixel of a rendition's opacity, which it stores without loss; 30 to
/// 37 were measured.
const OPACITY_BYTES: u64 = 40;

impl Probe {
    /// Memory that decoding it and making these renditions take at most, the file itself included:
    /// what a [`crate::MemoryBudget`] is asked for.
    pub fn decoded_bytes(&self, sizes: &[SizeSpec]) -> u64 {
        let renditions = Renditions::new(self, sizes);
        let pixels = self.surface_pixels();
        // What was decoded is shrunk while it is still there, and its buffer is kept until the
        // last rendition is made.
        let decoding = pixels
            .saturating_mul(self.bytes_per_pixel())
            .saturating_add(renditions.largest.saturating_mul(2 * PIXEL_BYTES));
        let encoding =
            pixels.saturating_mul(self.bytes_per_pixel_kept()).saturating_add(renditions.bytes);
        self.size_bytes
            .saturating_mul(if self.is_animated() { 4 } else { 1 })
            .saturating_add(decoding.max(encoding))
            .saturating_add(LEAST_BYTES)
    }

    /// What is held for each pixel while an image is decoded and shrunk, at most.
    fn bytes_per_pixel(&self) -> u64 {
        let channels = if self.color_model == ColorModel::Gray { 2 } else { 4 };
        // The samples as they are in the file, and as bytes.
        let samples = channels * u64::from(self.bit_depth.div_ceil(8)) + channels;
        // Rows of the new width, and a copy multiplied by opacity.
        let shrinking = match self.has_alpha {
            true => self.canvas_bytes() + 6,
            false => self.canvas_bytes().div_ceil(2) * 3,
        };
        let decoding = match self.coding() {
            // Progressive files are held as coefficients of 16 bits until the last scan.
            MediaType::Jpeg if self.progressive => 10,
            MediaType::Jpeg => 0,
            // Planes, their conversion and the canvas; JPEG XL works in floating point.
            MediaType::Avif if self.has_alpha => 30,
            MediaType::Avif => 16,
            MediaType::Heic => 24,
            MediaType::Jxl => 40,
            // Coefficients, channels and the result.
            MediaType::Jp2 => 40,
            // A strip is decompressed before it is taken apart, and may be the whole image.
            MediaType::Tiff => samples + 8,
            _ => samples,
        };
        // The canvas, what it was before, the frame drawn on it and a copy of the result.
        let moving = if self.is_animated() { 4 * PIXEL_BYTES + shrinking } else { 0 };
        decoding.max(shrinking).max(moving)
    }

    /// What is held for each pixel while its renditions are encoded.
    fn bytes_per_pixel_kept(&self) -> u64 {
        if self.is_animated() { 4 * PIXEL_BYTES } else { self.canvas_bytes() }
    }

    /// A pixel of what was decoded. Photographs stay in planes.
    fn canvas_bytes(&self) -> u64 {
        let planes = self.coding() == MediaType::Jpeg && self.color_model != ColorModel::Cmyk;
        if planes { 3 } else { PIXEL_BYTES }
    }
}

/// What making the renditions takes.
struct Renditions {
    /// Pixels of the largest picture they are made from.
    largest: u64,
    /// Pictures of all sizes, and the encoder with the greatest needs.
    bytes: u64,
}

impl Renditions {
    fn new(probe: &Probe, sizes: &[SizeSpec]) -> Self {
        let pixels = |size: &SizeSpec| frame_pixels(probe.display_size(), size);
        let largest = sizes.iter().map(pixels).max().unwrap_or(0);
        let pictures: u64 = sizes.iter().map(|size| pixels(size) * PIXEL_BYTES).sum();
        let encode = |size: &SizeSpec| pixels(size).saturating_mul(encoder_bytes(probe, size));
        let encoder = sizes.iter().map(encode).max().unwrap_or(0);
        // Every moving rendition has three canvases until the last frame.
        let writers = if probe.is_animated() { 3 * pictures } else { 0 };
        let turned = largest * PIXEL_BYTES;
        Self { largest, bytes: pictures.saturating_add(turned + writers).saturating_add(encoder) }
    }
}

/// What an encoder takes for each pixel.
fn encoder_bytes(probe: &Probe, size: &SizeSpec) -> u64 {
    match size.format() {
        // A frame of an animation is transparent where it does not change.
        RenditionFormat::Webp if probe.has_alpha || probe.is_animated() => OPACITY_BYTES,
        RenditionFormat::Webp => 6,
        RenditionFormat::Jpeg => 12,
        RenditionFormat::Png => 12,
        RenditionFormat::Avif if probe.has_alpha => 120,
        RenditionFormat::Avif => 90,
    }
}

/// Pixels of the whole image at the scale of a rendition.
fn frame_pixels((width, height): (u32, u32), size: &SizeSpec) -> u64 {
    let across = f64::from(size.width()) / f64::from(width.max(1));
    let down = f64::from(size.height()) / f64::from(height.max(1));
    let scale = match size.fit() {
        Fit::Inside => across.min(down),
        Fit::Cover => across.max(down),
    };
    let side = |side: u32| (f64::from(side) * scale.min(1.0)).ceil() as u64;
    side(width) * side(height)
}

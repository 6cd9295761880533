//! What it takes to decode and render an image, before anything is allocated.
//!
//! The figures were measured, each kind of file alone in a process; `tests/render_memory.rs` does
//! so again.

use model::{Fit, MediaType, RenditionFormat, SizeSpec};

use super::{ColorModel, Probe};
use crate::decode::{coefficient_bytes, rescaled_size, scaled_size};
use crate::picture::{Channels, Size, area};
use crate::render::Plan;
use crate::resize::strips_bytes;

/// What every image takes, however small: tables of the codecs, and what they read ahead.
const LEAST_BYTES: u64 = 12 << 20;

/// A pixel of red, green, blue and opacity.
const PIXEL_BYTES: u64 = 4;

/// What libwebp takes for each pixel of a rendition's opacity, which it stores without loss; 30 to
/// 37 were measured.
const OPACITY_BYTES: u64 = 40;

/// What JPEG XL takes for a strip that is decoded at once, and for images up to twice that.
const JXL_STRIP_BYTES: u64 = 160 << 20;

impl Probe {
    /// Memory that decoding it and making these renditions take at most, the file itself included:
    /// what a [`crate::MemoryBudget`] is asked for.
    pub fn decoded_bytes(&self, sizes: &[SizeSpec]) -> u64 {
        let renditions = Renditions::new(self, sizes);
        let frame = Plan::new(self.display_size(), sizes).frame;
        let Decoding { peak, kept } = self.decoding(self.orientation.apply_to_size(frame));
        // What was decoded is shrunk while it is still there, and its buffer is kept until the
        // last rendition is made.
        let decoding = peak.saturating_add(renditions.largest.saturating_mul(2 * PIXEL_BYTES));
        let encoding = kept.saturating_add(renditions.bytes);
        self.size_bytes
            .saturating_mul(if self.is_animated() { 4 } else { 1 })
            .saturating_add(decoding.max(encoding))
            .saturating_add(LEAST_BYTES)
    }

    /// What decoding takes if the image is wanted in this size, as stored.
    fn decoding(&self, wanted: Size) -> Decoding {
        match self.coding() {
            MediaType::Jpeg => self.scaled(wanted),
            MediaType::Webp
                if !(self.has_alpha
                    || self.whole_only
                    || self.is_animated()
                    || self.has_larger_surface()) =>
            {
                self.scaled(wanted)
            }
            MediaType::Png if !self.whole_only => self.by_rows(wanted),
            MediaType::Tiff => self.by_rows(wanted),
            // Opacity is decoded apart, and put to the colours when both are whole.
            _ if self.tiled && !self.has_alpha && !self.is_animated() => self.in_tiles(),
            _ => self.whole(),
        }
    }

    /// Of files that are decoded at a smaller scale.
    fn scaled(&self, wanted: Size) -> Decoding {
        let size = (self.width, self.height);
        let pixels = match self.coding() {
            _ if self.whole_only => size,
            MediaType::Webp => rescaled_size(size, wanted),
            _ => scaled_size(size, wanted),
        };
        let pixels = area(pixels) as u64;
        // Photographs stay in planes.
        let canvas = if self.color_model == ColorModel::Cmyk { PIXEL_BYTES } else { 3 };
        let peak = pixels.saturating_mul(canvas.div_ceil(2) * 3);
        let held = coefficient_bytes(self.held_bytes, self.held_in_part, size, wanted);
        Decoding { peak: peak.saturating_add(held), kept: pixels.saturating_mul(canvas) }
    }

    /// Of files that are made smaller row by row.
    fn by_rows(&self, wanted: Size) -> Decoding {
        let bytes = strips_bytes((self.width, self.height), wanted, self.channels());
        let bytes = bytes.saturating_add(self.held_bytes);
        Decoding { peak: bytes, kept: bytes }
    }

    /// Of files that are decoded tile by tile onto a canvas, or in strips of groups.
    fn in_tiles(&self) -> Decoding {
        let pixels = self.surface_pixels();
        let (kept, held) = match self.coding() {
            // What is at a scale of 1/8 for all of it, and a strip in floating point: 4.5 bytes for
            // each pixel and 79 MB were measured.
            MediaType::Jxl => (5, JXL_STRIP_BYTES.min(pixels.saturating_mul(40))),
            // Photographs stay in planes, which are shrunk while they are still there.
            _ => (6, self.held_bytes),
        };
        let held = pixels.saturating_mul(kept).saturating_add(held);
        Decoding { peak: held, kept: pixels.saturating_mul(PIXEL_BYTES) }
    }

    /// The channels of a file that holds pixels one after the other.
    fn channels(&self) -> Channels {
        match (self.color_model, self.has_alpha) {
            (ColorModel::Gray, false) => Channels::Gray,
            (ColorModel::Gray, true) => Channels::GrayAlpha,
            (ColorModel::Rgb, false) => Channels::Rgb,
            (ColorModel::Rgb, true) => Channels::Rgba,
            (ColorModel::Cmyk, _) => Channels::Cmyk,
        }
    }

    /// Of files that are decoded whole.
    fn whole(&self) -> Decoding {
        let pixels = self.surface_pixels();
        let kept = if self.is_animated() { 4 * PIXEL_BYTES } else { PIXEL_BYTES };
        Decoding {
            peak: pixels.saturating_mul(self.bytes_per_pixel()),
            kept: pixels.saturating_mul(kept),
        }
    }

    /// What is held for each pixel while an image is decoded whole and shrunk, at most.
    fn bytes_per_pixel(&self) -> u64 {
        let channels = if self.color_model == ColorModel::Gray { 2 } else { 4 };
        // The samples as they are in the file, and as bytes.
        let samples = channels * u64::from(self.bit_depth.div_ceil(8)) + channels;
        // Rows of the new width, and a copy multiplied by opacity.
        let shrinking = if self.has_alpha { PIXEL_BYTES + 6 } else { PIXEL_BYTES / 2 * 3 };
        let decoding = match self.coding() {
            // Planes, their conversion and the canvas; JPEG XL works in floating point.
            MediaType::Avif if self.has_alpha => 30,
            MediaType::Avif => 16,
            MediaType::Heic => 24,
            MediaType::Jxl => 40,
            // Coefficients, channels and the result.
            MediaType::Jp2 => 40,
            _ => samples,
        };
        // The canvas, what it was before, the frame drawn on it and a copy of the result.
        let moving = if self.is_animated() { 4 * PIXEL_BYTES + shrinking } else { 0 };
        decoding.max(shrinking).max(moving)
    }
}

/// What decoding takes.
struct Decoding {
    /// At most, until the picture has its largest size needed.
    peak: u64,
    /// While its renditions are encoded.
    kept: u64,
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

//! What it takes to decode and render an image, before anything is allocated.

use model::MediaType;

use super::{ColorModel, Probe};

/// Renditions on their way and the encoders' own needs, whatever the image.
const WORKING_BYTES: u64 = 48 << 20;

/// What libwebp takes for each pixel of a rendition's opacity, which it stores without loss; 30 to
/// 37 were measured.
const ALPHA_BYTES_PER_PIXEL: u64 = 40;

/// The pixels of the largest of the usual renditions.
const RENDITION_PIXELS_MAX: u64 = 2048 * 2048;

impl Probe {
    /// Memory that decoding and rendering take at most, the file itself included: what a
    /// [`crate::MemoryBudget`] is asked for.
    pub fn decoded_bytes(&self) -> u64 {
        let pixels = self.surface_pixels();
        // An animation is composed on a second canvas.
        let canvases = if self.is_animated() { 2 } else { 1 };
        let decoding = pixels.saturating_mul(self.bytes_per_pixel() * canvases);
        let opacity = match self.has_alpha {
            true => pixels.min(RENDITION_PIXELS_MAX) * ALPHA_BYTES_PER_PIXEL,
            false => 0,
        };
        self.size_bytes
            .saturating_add(decoding)
            .saturating_add(opacity)
            .saturating_add(WORKING_BYTES)
    }

    /// What the decoder of a format holds for each pixel while it works, at most.
    fn bytes_per_pixel(&self) -> u64 {
        let channel_bytes = if self.bit_depth > 8 { 2 } else { 1 };
        let channels = if self.color_model == ColorModel::Gray { 2 } else { 4 };
        let canvas = channels * channel_bytes;
        match self.media_type {
            // Progressive files are held as coefficients of 16 bits until the last scan.
            MediaType::Jpeg | MediaType::Raw if self.progressive => canvas + 6,
            MediaType::Jpeg | MediaType::Raw => canvas,
            // Planes, their conversion and the canvas; JPEG XL works in floating point. Measured at
            // 3 and 12 MP, with all that is counted elsewhere: 6 to 15, 17 to 27 and 30 to 43.
            MediaType::Avif => canvas + 8,
            MediaType::Heic => 20,
            MediaType::Jxl => 32,
            _ => canvas + 4,
        }
    }
}

//! What it takes to decode and render an image, before anything is allocated.

use model::MediaType;

use super::{ColorModel, Probe};

/// Renditions on their way and the encoders' own needs, whatever the image.
const WORKING_BYTES: u64 = 48 << 20;

impl Probe {
    /// Memory that decoding and rendering take at most, the file itself included: what a
    /// [`crate::MemoryBudget`] is asked for.
    pub fn decoded_bytes(&self) -> u64 {
        let pixels = self.surface_pixels();
        // An animation is composed on a second canvas.
        let canvases = if self.is_animated() { 2 } else { 1 };
        let decoding = pixels.saturating_mul(self.bytes_per_pixel() * canvases);
        self.size_bytes.saturating_add(decoding).saturating_add(WORKING_BYTES)
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
            // Planes, their conversion and the canvas; JPEG XL works in floating point.
            MediaType::Avif => canvas + 8,
            MediaType::Heic => 20,
            MediaType::Jxl => 32,
            _ => canvas + 4,
        }
    }
}

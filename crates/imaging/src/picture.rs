//! Pixels in memory, and the buffers they live in.
//!
//! A picture is either interleaved channels or planes of luma and chroma, always 8 bits per sample.
//! Photographs stay in planes from decoder to encoder, which takes half the memory of RGB.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a renderer keeps between images; the rest goes back to the system.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// What all renderers that rest keep together: no budget counts it.
const RESTING_BYTES_MAX: usize = 48 << 20;

/// What they keep now.
static RESTING_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Buffers that are used again: fresh pages cost as much as decoding a third of an image.
#[derive(Default)]
pub(crate) struct Buffers {
    free: Vec<Vec<u8>>,
    /// What is counted in [`RESTING_BYTES`].
    resting: usize,
}

impl Buffers {
    /// A buffer of this length with anything in it.
    pub(crate) fn take(&mut self, len: usize) -> Buffer {
        let fits = |bytes: &Vec<u8>| bytes.len() >= len;
        let best =
            self.free.iter().enumerate().filter(|(_, b)| fits(b)).min_by_key(|(_, b)| b.len());
        let bytes = match best.map(|(index, _)| index) {
            Some(index) => self.free.swap_remove(index),
            None => vec![0; len],
        };
        Buffer { bytes, len }
    }

    /// Gives a buffer back.
    pub(crate) fn give(&mut self, buffer: Buffer) {
        if !buffer.bytes.is_empty() {
            self.free.push(buffer.bytes);
        }
    }

    /// The work that begins has been admitted with the memory it takes, these buffers included.
    pub(crate) fn wake(&mut self) {
        RESTING_BYTES.fetch_sub(std::mem::take(&mut self.resting), Ordering::Relaxed);
    }

    /// Lets the system have what is more than a renderer may keep, largest first. `beside` is kept
    /// elsewhere and counts.
    pub(crate) fn rest(&mut self, beside: usize) {
        self.wake();
        self.free.sort_by_key(Vec::len);
        self.resting = beside;
        let mut all = RESTING_BYTES.fetch_add(beside, Ordering::Relaxed) + beside;
        self.free.retain(|bytes| {
            let len = bytes.len();
            if self.resting + len > KEPT_BYTES_MAX || all + len > RESTING_BYTES_MAX {
                return false;
            }
            self.resting += len;
            all = RESTING_BYTES.fetch_add(len, Ordering::Relaxed) + len;
            true
        });
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        self.wake();
    }
}

/// Bytes taken from [`Buffers`].
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        let len = bytes.len();
        Self { bytes, len }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.len).unwrap_or_default()
    }
}

/// A size in pixels.
pub(crate) type Size = (u32, u32);

/// Pixels in a size.
pub(crate) fn area((width, height): Size) -> usize {
    width as usize * height as usize
}

/// A picture on its way from decoder to encoder.
pub(crate) enum Picture {
    /// Luma and chroma.
    Ycc(Ycc),
    /// Interleaved channels.
    Pixels(Pixels),
}

impl Picture {
    /// Its size.
    pub(crate) fn size(&self) -> Size {
        match self {
            Self::Ycc(ycc) => ycc.size,
            Self::Pixels(pixels) => pixels.size,
        }
    }

    /// Its memory.
    pub(crate) fn into_buffer(self) -> Buffer {
        match self {
            Self::Ycc(ycc) => ycc.data,
            Self::Pixels(pixels) => pixels.data,
        }
    }
}

/// Interleaved channels of 8 bits, rows without gaps.
pub(crate) struct Pixels {
    pub(crate) size: Size,
    pub(crate) channels: Channels,
    pub(crate) data: Buffer,
}

/// What a pixel is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channels {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
    /// Ink where the number is large.
    Cmyk,
}

impl Channels {
    /// Bytes of a pixel.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::Cmyk => 4,
        }
    }

    /// Whether the last channel is opacity.
    pub(crate) fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba)
    }
}

/// A plane of luma and two of chroma, one after the other.
///
/// Chroma has one sample for `step` pixels in each direction, in the middle of them. The luma
/// plane is padded to whole steps, as TurboJPEG does.
pub(crate) struct Ycc {
    pub(crate) size: Size,
    pub(crate) step: Size,
    pub(crate) coding: Coding,
    pub(crate) data: Buffer,
}

/// How luma and chroma stand for red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coding {
    /// Weight of red in luma.
    pub(crate) red: f32,
    /// Weight of blue in luma.
    pub(crate) blue: f32,
    /// Whether luma goes from 0 to 255 instead of from 16 to 235.
    pub(crate) full_range: bool,
}

impl Coding {
    /// That of JPEG files: BT.601 in full range.
    pub(crate) const JPEG: Self = Self { red: 0.299, blue: 0.114, full_range: true };
}

/// A plane within the data of [`Ycc`].
#[derive(Clone, Copy)]
pub(crate) struct Plane<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) stride: usize,
    pub(crate) rows: usize,
}

impl Ycc {
    /// Bytes of the three planes.
    pub(crate) fn bytes(size: Size, step: Size) -> usize {
        let (luma, chroma) = plane_sizes(size, step);
        area(luma) + 2 * area(chroma)
    }

    /// Luma, blue-difference and red-difference.
    pub(crate) fn planes(&self) -> [Plane<'_>; 3] {
        let (luma, chroma) = plane_sizes(self.size, self.step);
        let (y, rest) = self.data.split_at_checked(area(luma)).unwrap_or_default();
        let (cb, cr) = rest.split_at_checked(area(chroma)).unwrap_or_default();
        let plane =
            |data, size: Size| Plane { data, stride: size.0 as usize, rows: size.1 as usize };
        [plane(y, luma), plane(cb, chroma), plane(cr, chroma)]
    }

    /// The three planes to write into, with the size of luma and of chroma.
    pub(crate) fn planes_mut(&mut self) -> ([&mut [u8]; 3], [Size; 2]) {
        let (luma, chroma) = plane_sizes(self.size, self.step);
        let (y, rest) = self.data.split_at_mut_checked(area(luma)).unwrap_or_default();
        let (cb, cr) = rest.split_at_mut_checked(area(chroma)).unwrap_or_default();
        ([y, cb, cr], [luma, chroma])
    }

    /// Repeats the last column and row of luma where it is padded, and of chroma beyond what has
    /// been filled in: resampling looks at them.
    pub(crate) fn pad(&mut self, chroma_filled: Size) {
        let size = self.size;
        let ([y, cb, cr], [luma, chroma]) = self.planes_mut();
        repeat_edges(y, luma, size);
        repeat_edges(cb, chroma, chroma_filled);
        repeat_edges(cr, chroma, chroma_filled);
    }

    /// The size of each plane of chroma.
    pub(crate) fn chroma_size(&self) -> Size {
        plane_sizes(self.size, self.step).1
    }
}

fn repeat_edges(plane: &mut [u8], (stride, _): Size, (width, height): Size) {
    let (stride, width, height) = (stride.max(1) as usize, width as usize, height as usize);
    for row in plane.chunks_exact_mut(stride).take(height) {
        if let Some((inside, padding)) = row.split_at_mut_checked(width) {
            padding.fill(inside.last().copied().unwrap_or(0));
        }
    }
    if let Some((inside, padding)) = plane.split_at_mut_checked(stride * height) {
        let last = inside.rchunks_exact(stride).next().unwrap_or_default();
        padding.chunks_exact_mut(stride).for_each(|row| row.copy_from_slice(last));
    }
}

fn plane_sizes((width, height): Size, step: Size) -> (Size, Size) {
    let chroma = (width.div_ceil(step.0.max(1)), height.div_ceil(step.1.max(1)));
    ((chroma.0 * step.0, chroma.1 * step.1), chroma)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_used_again_and_kept_only_within_bounds() {
        let mut buffers = Buffers::default();
        let first = buffers.take(1000);
        let address = first.as_ptr();
        buffers.give(first);
        let second = buffers.take(600);
        assert_eq!((second.as_ptr(), second.len()), (address, 600));
        buffers.give(second);
        let large = buffers.take(KEPT_BYTES_MAX + 1);
        buffers.give(large);
        buffers.rest(0);
        assert_eq!(buffers.free.iter().map(Vec::len).collect::<Vec<_>>(), [1000]);
    }

    #[test]
    fn planes_of_odd_sizes_are_padded_to_whole_steps() {
        let size = (5, 3);
        let data = Buffer::from(vec![0; Ycc::bytes(size, (2, 2))]);
        let ycc = Ycc { size, step: (2, 2), coding: Coding::JPEG, data };
        let shapes = ycc.planes().map(|plane| (plane.stride, plane.rows, plane.data.len()));
        assert_eq!(shapes, [(6, 4, 24), (3, 2, 6), (3, 2, 6)]);
    }
}

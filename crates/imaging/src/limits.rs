use crate::Error;

/// How large an image may be. Checked by [`crate::Probe::check`], before anything is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of the file.
    pub bytes: u64,
    /// Pixels of one frame.
    pub pixels: u64,
    /// Pixels along the longer side.
    pub side: u32,
    /// Frames of an animation.
    pub frames: u32,
    /// Memory that decoding and rendering take at most.
    pub decoded_bytes: u64,
}

impl Default for Limits {
    /// Enough for every camera sold (200 megapixels) and for long animations.
    fn default() -> Self {
        Self {
            bytes: 256 << 20,
            pixels: 256 << 20,
            side: 65_535,
            frames: 5_000,
            decoded_bytes: 2 << 30,
        }
    }
}

impl Limits {
    /// Fails unless a file of so many bytes is allowed.
    pub fn check_bytes(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.bytes;
        if bytes > limit { Err(Error::TooManyBytes { bytes, limit }) } else { Ok(()) }
    }

    /// Fails unless an image of this size is allowed.
    pub fn check_size(&self, width: u32, height: u32) -> Result<(), Error> {
        let (side, limit) = (width.max(height), self.side);
        if side > limit {
            return Err(Error::SideTooLong { side, limit });
        }
        self.check_pixels(u64::from(width) * u64::from(height))
    }

    /// Fails unless so many pixels are allowed.
    pub fn check_pixels(&self, pixels: u64) -> Result<(), Error> {
        let limit = self.pixels;
        if pixels > limit { Err(Error::TooManyPixels { pixels, limit }) } else { Ok(()) }
    }

    /// Fails unless so many frames are allowed.
    pub fn check_frames(&self, frames: u32) -> Result<(), Error> {
        let limit = self.frames;
        if frames > limit { Err(Error::TooManyFrames { frames, limit }) } else { Ok(()) }
    }

    /// Fails unless so much memory may be taken.
    pub fn check_decoded_bytes(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.decoded_bytes;
        if bytes > limit { Err(Error::TooMuchMemory { bytes, limit }) } else { Ok(()) }
    }
}

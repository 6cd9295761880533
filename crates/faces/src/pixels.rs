//! What faces are looked for in.

/// A picture as rows of red, green and blue bytes, upright already: who is sideways is not found.
#[derive(Clone, Copy)]
pub struct Pixels<'a> {
    rgb: &'a [u8],
    width: u32,
    height: u32,
}

impl<'a> Pixels<'a> {
    /// `None` unless there are exactly three bytes for every pixel, and at least one pixel.
    #[must_use]
    pub fn new(rgb: &'a [u8], width: u32, height: u32) -> Option<Self> {
        let wanted = u64::from(width) * u64::from(height) * 3;
        (wanted > 0 && rgb.len() as u64 == wanted).then_some(Self { rgb, width, height })
    }

    /// How many pixels wide.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many pixels high.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All bytes, row after row.
    pub(crate) fn rgb(&self) -> &'a [u8] {
        self.rgb
    }

    /// The pixel at whole coordinates; black outside.
    pub(crate) fn at(&self, x: f32, y: f32) -> [u8; 3] {
        let inside = x >= 0.0 && y >= 0.0 && x < self.width as f32 && y < self.height as f32;
        let place = (y as usize * self.width as usize + x as usize) * 3;
        let pixel = inside.then(|| self.rgb.get(place..)?.first_chunk::<3>()).flatten();
        pixel.copied().unwrap_or_default()
    }
}

/// What must be done to the stored pixels to see the image upright. The discriminants are EXIF's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Orientation {
    /// Nothing.
    #[default]
    Upright = 1,
    /// Swap left and right.
    FlipHorizontal = 2,
    /// Turn by half.
    Rotate180 = 3,
    /// Swap top and bottom.
    FlipVertical = 4,
    /// Mirror at the diagonal from top left to bottom right.
    Transpose = 5,
    /// Turn right by a quarter.
    Rotate90 = 6,
    /// Mirror at the diagonal from top right to bottom left.
    Transverse = 7,
    /// Turn left by a quarter.
    Rotate270 = 8,
}

impl Orientation {
    /// All eight, in EXIF's order.
    pub const ALL: [Self; 8] = [
        Self::Upright,
        Self::FlipHorizontal,
        Self::Rotate180,
        Self::FlipVertical,
        Self::Transpose,
        Self::Rotate90,
        Self::Transverse,
        Self::Rotate270,
    ];

    /// By the number EXIF gives it; `None` for a number EXIF does not know.
    pub fn from_exif(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|orientation| u32::from(orientation.to_exif()) == number)
    }

    /// The number EXIF gives it, from 1 to 8.
    pub fn to_exif(self) -> u8 {
        self as u8
    }

    /// Whether width and height change places.
    pub fn swaps_sides(self) -> bool {
        self.to_exif() >= Self::Transpose.to_exif()
    }

    /// The size as seen of an image stored with this size.
    pub fn apply_to_size(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.swaps_sides() { (height, width) } else { (width, height) }
    }

    /// This, and then the other.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), next.parts());
        // Each is `turns` quarters to the right after a flip; a flip turns the sense of what
        // went before it.
        let turns = if d { c + 4 - a } else { c + a };
        Self::from_parts(turns % 4, b != d)
    }

    /// Quarters to turn right, after a horizontal flip or none.
    fn parts(self) -> (u8, bool) {
        match self {
            Self::Upright => (0, false),
            Self::FlipHorizontal => (0, true),
            Self::Rotate180 => (2, false),
            Self::FlipVertical => (2, true),
            Self::Transpose => (3, true),
            Self::Rotate90 => (1, false),
            Self::Transverse => (1, true),
            Self::Rotate270 => (3, false),
        }
    }

    fn from_parts(turns: u8, flip: bool) -> Self {
        let same = |orientation: &Self| orientation.parts() == (turns, flip);
        Self::ALL.into_iter().find(same).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the pixel at (x, y) of a 2×3 image goes.
    fn apply(orientation: Orientation, (x, y): (u32, u32), (w, h): (u32, u32)) -> (u32, u32) {
        match orientation {
            Orientation::Upright => (x, y),
            Orientation::FlipHorizontal => (w - 1 - x, y),
            Orientation::Rotate180 => (w - 1 - x, h - 1 - y),
            Orientation::FlipVertical => (x, h - 1 - y),
            Orientation::Transpose => (y, x),
            Orientation::Rotate90 => (h - 1 - y, x),
            Orientation::Transverse => (h - 1 - y, w - 1 - x),
            Orientation::Rotate270 => (y, w - 1 - x),
        }
    }

    #[test]
    fn one_after_the_other_is_one_orientation() {
        for first in Orientation::ALL {
            for second in Orientation::ALL {
                for pixel in [(0, 0), (1, 0), (0, 2), (1, 1)] {
                    let size = first.apply_to_size((2, 3));
                    let twice = apply(second, apply(first, pixel, (2, 3)), size);
                    let once = apply(first.then(second), pixel, (2, 3));
                    assert_eq!(once, twice, "{first:?} then {second:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_exifs() {
        for number in 1..=8 {
            assert_eq!(
                Orientation::from_exif(number).map(Orientation::to_exif),
                u8::try_from(number).ok()
            );
        }
        assert_eq!(Orientation::from_exif(0), None);
        assert_eq!(Orientation::from_exif(9), None);
    }
}

//! How much is measured.

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Images of the largest library.
    pub images: u64,
    /// Requests of every kind, in every library.
    pub requests: usize,
    pub seed: u64,
}

impl Plan {
    /// Smaller libraries show nothing.
    pub const IMAGES_MIN: u64 = 200;

    /// The libraries: a hundredth, a tenth, and all of the images.
    pub fn sizes(&self) -> Vec<u64> {
        let sizes = [self.images / 100, self.images / 10, self.images];
        sizes.into_iter().filter(|size| *size >= Self::IMAGES_MIN).collect()
    }
}

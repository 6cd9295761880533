//! How much is measured.

use crate::kind::Kind;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Images of the largest library.
    pub images: u64,
    /// Requests of every kind, in every library.
    pub requests: usize,
    pub seed: u64,
    /// Only the kinds of requests whose names contain this.
    pub only: Option<String>,
}

impl Plan {
    /// Smaller libraries show nothing.
    pub const IMAGES_MIN: u64 = 200;

    /// The kinds of requests.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        let only = self.only.as_deref().unwrap_or_default();
        Kind::ALL.into_iter().filter(move |kind| kind.to_string().contains(only))
    }

    /// The libraries: a hundredth, a tenth, and all of the images.
    pub fn sizes(&self) -> Vec<u64> {
        let sizes = [self.images / 100, self.images / 10, self.images];
        sizes.into_iter().filter(|size| *size >= Self::IMAGES_MIN).collect()
    }
}

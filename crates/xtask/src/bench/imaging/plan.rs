//! How much is measured, and what is asked of everyone.

use std::path::PathBuf;

use model::{Fit, SizeSpec};
use serde::Serialize;

use crate::contender::Contender;

/// The effort of libwebp that Ferrotype uses and sharp at its best is given.
pub const EFFORT: u8 = 2;

#[derive(Clone, Debug)]
pub struct Plan {
    pub rounds: usize,
    pub seed: u64,
    /// Width and height of the smaller photos; the large ones have twice as much of both.
    pub size: (usize, usize),
    /// Small JPEG photos.
    pub photos: usize,
    /// Large JPEG photos, and photos of every other format.
    pub others: usize,
    /// A folder of photos to render instead.
    pub own: Option<PathBuf>,
    /// Whether there are small JPEG photos only.
    pub only_jpeg: bool,
    /// Who is compared; Ferrotype alone needs nothing installed.
    pub contenders: &'static [Contender],
}

/// What every contender is told to make.
#[derive(Clone, Debug, Serialize)]
pub struct Job {
    pub quality: u8,
    pub effort: u8,
    /// From the largest to the smallest.
    pub sizes: Vec<Size>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Size {
    pub name: String,
    pub width: u32,
    pub height: u32,
    pub fit: Fit,
}

impl Plan {
    pub const PHOTOS: usize = 6;
    pub const OTHERS: usize = 2;
    pub const SIZE: (usize, usize) = (4_000, 3_000);
}

impl Job {
    /// The renditions that Ferrotype makes unless told otherwise.
    pub fn of_default_sizes() -> Self {
        let mut sizes: Vec<Size> = model::default_sizes().iter().map(Size::of).collect();
        sizes.sort_by_key(|size| std::cmp::Reverse(size.width));
        Self { quality: SizeSpec::QUALITY_DEFAULT, effort: EFFORT, sizes }
    }
}

impl Size {
    fn of(spec: &SizeSpec) -> Self {
        let name = spec.name().to_string();
        Self { name, width: spec.width(), height: spec.height(), fit: spec.fit() }
    }
}

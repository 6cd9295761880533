//! Finding the faces of a picture.

use std::path::{Path, PathBuf};

use crate::{Bounds, Pixels, Point, Quality, Vector};

/// The files that [`Faces::load`] wants in its folder.
pub const MODEL_FILES: [&str; 2] = [
    "face_detection_yunet_2023mar_int8bq.onnx",
    "face_recognition_sface_2021dec_int8bq.onnx",
];

/// Both models, ready to look at pictures. Loading takes a moment and some memory: do it once and
/// share it between threads.
pub struct Faces {}

/// A face in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where it is.
    pub bounds: Bounds,
    /// The eyes, the tip of the nose and the corners of the mouth; of eyes and corners, the one
    /// that is left in the picture comes first.
    pub landmarks: [Point; 5],
    /// How sure the detector is that this is a face, up to 1.
    pub confidence: f32,
    /// How much it can be relied on.
    pub quality: Quality,
    /// What it looks like.
    pub vector: Vector,
}

/// Why the models cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such file: people are off until it is there.
    #[error("{} is missing: `scripts/setup models` gets it", .0.display())]
    Missing(PathBuf),
    /// It is not the file that this version knows.
    #[error("{} is damaged or of another version: delete it and run `scripts/setup models`", .0.display())]
    Damaged(PathBuf),
    /// It is there but cannot be read.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// The bytes are right, but this build cannot run them.
    #[error("{} cannot be run: {}", .0.display(), .1)]
    Unusable(PathBuf, String),
}

/// Why a picture could not be looked at: never because of what is in it, so trying again is of use
/// only after a change of version.
#[derive(Debug, thiserror::Error)]
#[error("the face models failed: {0}")]
pub struct Error(pub(crate) String);

impl Faces {
    /// Reads the [`MODEL_FILES`] in this folder and checks that they are the ones this version
    /// knows.
    ///
    /// # Errors
    /// When a file is missing, damaged or unreadable; which one is in the error.
    pub fn load(_folder: &Path) -> Result<Self, LoadError> {
        todo!()
    }

    /// A short stable name of both models and of how they are used. Store it with each vector, and
    /// never compare vectors of different names.
    #[must_use]
    pub fn model(&self) -> &str {
        "yunet-2023mar+sface-2021dec/1"
    }

    /// All faces of a picture, the most prominent first.
    ///
    /// # Errors
    /// When the models fail, which no pixels should make them do.
    pub fn find(&self, _pixels: &Pixels<'_>) -> Result<Vec<Found>, Error> {
        todo!()
    }
}

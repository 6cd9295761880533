//! Finding the faces of a picture.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::align::align;
use crate::detect::detect;
use crate::nets::{Candidate, SFace, Unusable, Weights, YuNet};
use crate::{Bounds, Pixels, Point, Quality, Vector};

/// The files that [`Faces::load`] wants in its folder: the detector and the embedder.
pub const MODEL_FILES: [&str; 2] =
    ["face_detection_yunet_2023mar_int8bq.onnx", "face_recognition_sface_2021dec_int8bq.onnx"];

/// What these files are, byte for byte.
const MODEL_SHA256: [[u8; 32]; 2] = [
    *b"\x49\xf0\x00\xec\x50\x1f\xef\x24\x73\x90\x71\xfc\x7e\x68\x26\x7d\
       \x32\x20\x90\x45\xb6\x82\x2c\x0c\x72\xdc\xe1\xda\x25\x72\x6f\x10",
    *b"\xfb\x14\x3e\xea\x07\x83\x8a\xa5\x32\xd1\xc9\x5d\xf5\xf6\x98\x99\
       \x97\x4e\xa0\x14\x0e\x1f\xba\x05\xe9\x42\x04\xbe\x13\xed\x74\xee",
];

/// Changes with whatever makes vectors incomparable: the weights, how faces are aligned, how
/// vectors are rounded.
const MODEL: &str = "yunet-2023mar+sface-2021dec/1";

/// Both models, ready to look at pictures. Loading takes a moment and some memory: do it once and
/// share it between threads.
pub struct Faces {
    detector: YuNet,
    embedder: SFace,
}

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
    Unreadable(PathBuf, io::Error),
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
    pub fn load(folder: &Path) -> Result<Self, LoadError> {
        let [detector, embedder] = MODEL_FILES;
        let [of_detector, of_embedder] = &MODEL_SHA256;
        Ok(Self {
            detector: load(&folder.join(detector), of_detector, YuNet::new)?,
            embedder: load(&folder.join(embedder), of_embedder, SFace::new)?,
        })
    }

    /// A short stable name of both models and of how they are used. Store it with each vector, and
    /// never compare vectors of different names.
    #[must_use]
    pub fn model(&self) -> &str {
        MODEL
    }

    /// All faces of a picture, the surest first. What has no size or is outside the picture is not
    /// among them.
    ///
    /// # Errors
    /// When the models fail, which no pixels should make them do.
    pub fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, Error> {
        let mut found = Vec::new();
        for face in detect(&self.detector, pixels)? {
            found.extend(self.describe(pixels, &face)?);
        }
        Ok(found)
    }

    /// How many faces a picture has, without looking at whose they are.
    ///
    /// # Errors
    /// As [`Faces::find`].
    pub fn count(&self, pixels: &Pixels<'_>) -> Result<usize, Error> {
        Ok(detect(&self.detector, pixels)?.len())
    }

    fn describe(&self, pixels: &Pixels<'_>, face: &Candidate) -> Result<Option<Found>, Error> {
        let Some(bounds) = Bounds::of(face, pixels) else { return Ok(None) };
        let Some(aligned) = align(pixels, &face.landmarks)? else { return Ok(None) };
        let vector = self.embedder.embed(&aligned).and_then(|said| Vector::quantised(&said));
        Ok(vector.map(|vector| Found {
            bounds,
            landmarks: face.landmarks.map(|(x, y)| Point {
                x: x / pixels.width() as f32,
                y: y / pixels.height() as f32,
            }),
            confidence: face.score,
            quality: Quality::of(face, &aligned),
            vector,
        }))
    }
}

fn load<Net>(
    path: &Path,
    sha256: &[u8; 32],
    make: impl FnOnce(&Weights<'_>) -> Result<Net, Unusable>,
) -> Result<Net, LoadError> {
    let file = std::fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.to_owned()),
        _ => LoadError::Unreadable(path.to_owned(), error),
    })?;
    if Sha256::digest(&file).as_slice() != sha256 {
        return Err(LoadError::Damaged(path.to_owned()));
    }
    let net = Weights::parse(&file).and_then(|weights| make(&weights));
    net.map_err(|reason| LoadError::Unusable(path.to_owned(), reason))
}

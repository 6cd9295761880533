//! Finding the faces of a picture.

use std::fs::File;
use std::io::{self, Read as _};
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

/// Changes with whatever makes vectors incomparable: the weights, how faces are aligned, what of
/// them is looked at, how vectors are rounded.
pub(crate) const MODEL: &str = "yunet-2023mar+sface-2021dec/2";

/// Both models, ready to look at pictures. Loading takes a moment and some 30 MB: do it once and
/// share it between threads, or let [`Models`](crate::Models) do it when it is needed.
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

/// Why a picture could not be looked at: never because of what is in it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The models were there and failed: trying again is of use only after a change of version.
    #[error("the face models failed: {0}")]
    Failed(String),
    /// The models were there when [`Models`](crate::Models) were opened, and cannot be loaded now:
    /// trying again is of use when their files are back.
    #[error("the face models cannot be loaded: {0}")]
    NotLoaded(#[from] LoadError),
}

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

    /// Whether [`load`](Self::load) would find the files that this version knows. Reads them piece
    /// by piece, so that it takes no memory worth mentioning.
    ///
    /// # Errors
    /// When a file is missing, damaged or unreadable; which one is in the error.
    pub(crate) fn check(folder: &Path) -> Result<(), LoadError> {
        MODEL_FILES
            .iter()
            .zip(&MODEL_SHA256)
            .try_for_each(|(file, sha256)| check(&folder.join(file), sha256))
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

impl LoadError {
    fn of_reading(path: &Path, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing(path.to_owned()),
            _ => Self::Unreadable(path.to_owned(), error),
        }
    }
}

/// What is read of a file at once, to check it.
const PIECE_BYTES: usize = 64 * 1024;

fn check(path: &Path, sha256: &[u8; 32]) -> Result<(), LoadError> {
    let unread = |error| LoadError::of_reading(path, error);
    let mut file = File::open(path).map_err(unread)?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut hash = Sha256::new();
    loop {
        let length = match file.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unread(error)),
        };
        hash.update(piece.get(..length).unwrap_or_default());
    }
    match hash.finalize().as_slice() == sha256 {
        true => Ok(()),
        false => Err(LoadError::Damaged(path.to_owned())),
    }
}

fn load<Net>(
    path: &Path,
    sha256: &[u8; 32],
    make: impl FnOnce(&Weights<'_>) -> Result<Net, Unusable>,
) -> Result<Net, LoadError> {
    let file = std::fs::read(path).map_err(|error| LoadError::of_reading(path, error))?;
    if Sha256::digest(&file).as_slice() != sha256 {
        return Err(LoadError::Damaged(path.to_owned()));
    }
    let net = Weights::parse(&file).and_then(|weights| make(&weights));
    net.map_err(|reason| LoadError::Unusable(path.to_owned(), reason))
}

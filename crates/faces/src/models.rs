//! Models that are known to be there, and are loaded while somebody needs them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::faces::MODEL;
use crate::{Error, Faces, Found, LoadError, Pixels};

/// The models of a folder. Their files were checked; their networks are loaded when the first
/// picture is to be looked at, and let go when none was for long. Most servers hardly ever have
/// something to look at, and need not keep the memory for it.
pub struct Models {
    folder: PathBuf,
    state: Mutex<State>,
}

struct State {
    faces: Option<Arc<Faces>>,
    /// When they were last needed.
    used: Instant,
}

impl Models {
    /// The models of this folder, if its files are the ones this version knows.
    ///
    /// # Errors
    /// When a file is missing, damaged or unreadable; which one is in the error.
    pub fn open(folder: &Path) -> Result<Self, LoadError> {
        Faces::check(folder)?;
        let state = State { faces: None, used: Instant::now() };
        Ok(Self { folder: folder.to_owned(), state: Mutex::new(state) })
    }

    /// As [`Faces::model`].
    #[must_use]
    pub fn model(&self) -> &str {
        MODEL
    }

    /// As [`Faces::find`], loading the networks first if they are not there.
    ///
    /// # Errors
    /// As [`Faces::find`]; and when the files cannot be loaded any more. The next call tries it
    /// again.
    pub fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, Error> {
        let faces = self.faces()?;
        let found = faces.find(pixels);
        self.lock().used = Instant::now();
        found
    }

    /// Lets the networks go if nobody has needed them for so long.
    pub fn rest(&self, unused: Duration) {
        let mut state = self.lock();
        if state.used.elapsed() >= unused {
            state.faces = None;
        }
    }

    /// Whether the networks are in memory.
    #[must_use]
    pub fn are_loaded(&self) -> bool {
        self.lock().faces.is_some()
    }

    /// Whoever comes while they are being loaded waits, instead of loading them again.
    fn faces(&self) -> Result<Arc<Faces>, LoadError> {
        let mut state = self.lock();
        state.used = Instant::now();
        if let Some(faces) = &state.faces {
            return Ok(Arc::clone(faces));
        }
        let faces = Arc::new(Faces::load(&self.folder)?);
        state.faces = Some(Arc::clone(&faces));
        Ok(faces)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Whatever happened to who held it, networks are there whole or not at all.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Libraries that were grouped before, kept in memory so that only what is new has to be compared.
//!
//! They are never believed: all faces are read each time, and a kept one is used only if it is by
//! its bytes what was read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use faces::Vector;
use faces::grouping::{FaceKey, Library, PhotoKey};
use model::{Face, FaceId, UserId};

use super::census::{Known, face_of, key_of};

/// Faces of all libraries that are kept together. Each takes some 190 bytes; a library that is not
/// kept is compared all with all whenever it is grouped: by reckoning ten minutes for so many.
const KEPT_FACES_MAX: usize = 1_000_000;

/// The libraries that were grouped last.
#[derive(Default)]
pub(crate) struct KeptLibraries(Mutex<Vec<(UserId, Libraries)>>);

/// The faces of one user's library, for each model: vectors of different ones cannot be compared.
#[derive(Default)]
pub(super) struct Libraries {
    models: Vec<OfModel>,
}

/// Pairs of faces about which something was decided.
pub(super) type Pairs = BTreeSet<(FaceKey, FaceKey)>;

/// The faces of one model.
pub(super) struct OfModel {
    model: String,
    pub(super) library: Library,
    together: Pairs,
    apart: Pairs,
}

impl KeptLibraries {
    /// What is kept of a library; whoever takes it has it alone.
    pub(super) fn take(&self, owner: UserId) -> Libraries {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(known, _)| *known == owner);
        at.map(|at| kept.remove(at).1).unwrap_or_default()
    }

    /// Keeps a library, and no longer those that were grouped longest ago if that is too much.
    pub(super) fn put(&self, owner: UserId, libraries: Libraries) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| *known != owner);
        kept.push((owner, libraries));
        while kept.iter().map(|(_, libraries)| libraries.faces()).sum::<usize>() > KEPT_FACES_MAX {
            kept.remove(0);
        }
    }
}

impl Libraries {
    /// Takes a face in, and says which model's it is. Faces that nobody is to be recognised by are
    /// left out; so are those without a vector, of which nothing is said.
    pub(super) fn offer(&mut self, face: &Face, is_wanted: bool) -> Option<(usize, Vector)> {
        let bytes = face.vector.as_ref()?.0.as_slice().try_into().ok()?;
        let vector = Vector::from_bytes(bytes);
        let at = self.of_model(&face.model);
        if let Some(of_model) = self.models.get_mut(at).filter(|_| is_wanted) {
            let (key, photo) = (key_of(face.id), PhotoKey(face.image.to_bits()));
            of_model.library.add(key, photo, vector, face.quality.shapes);
        }
        Some((at, vector))
    }

    /// Ends reading: what was not read as it is here is no more.
    pub(super) fn keep_only(&mut self, read: &BTreeMap<FaceId, Known>) {
        for (at, of_model) in self.models.iter_mut().enumerate() {
            of_model.library.retain(|key| {
                let known = read.get(&face_of(key));
                known.is_some_and(|known| known.is_wanted && known.library == Some(at))
            });
        }
    }

    /// All of them, by the numbers that [`offer`](Self::offer) gives.
    pub(super) fn models(&self) -> &[OfModel] {
        &self.models
    }

    pub(super) fn models_mut(&mut self) -> &mut [OfModel] {
        &mut self.models
    }

    fn faces(&self) -> usize {
        self.models.iter().map(|of_model| of_model.library.len()).sum()
    }

    fn of_model(&mut self, model: &str) -> usize {
        let known = self.models.iter().position(|known| known.model == model);
        known.unwrap_or_else(|| {
            self.models.push(OfModel {
                model: model.to_owned(),
                library: Library::new(),
                together: BTreeSet::new(),
                apart: BTreeSet::new(),
            });
            self.models.len() - 1
        })
    }
}

impl OfModel {
    /// Puts decisions in the place of those before.
    pub(super) fn decide(&mut self, together: Pairs, apart: Pairs) {
        for (one, other) in self.together.difference(&together) {
            self.library.take_back_together(*one, *other);
        }
        for (one, other) in self.apart.difference(&apart) {
            self.library.take_back_apart(*one, *other);
        }
        for (one, other) in together.difference(&self.together) {
            self.library.together(*one, *other);
        }
        for (one, other) in apart.difference(&self.apart) {
            self.library.apart(*one, *other);
        }
        (self.together, self.apart) = (together, apart);
    }
}

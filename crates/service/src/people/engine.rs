//! What finds faces, if there is anything.

use std::sync::Arc;
use std::time::Duration;

use faces::{Found, Models, Pixels};
use model::WorkKind;

use crate::Service;

/// How long nothing must have waited before models are let go. Loading them takes as long as
/// looking at some photos.
const UNUSED: Duration = Duration::from_secs(5 * 60);

/// Finds faces in pictures. Models are shared by all who look.
pub trait FindFaces: Send + Sync {
    /// Which models, and how they are used. Vectors of other ones cannot be compared with theirs.
    fn model(&self) -> &str;

    /// All faces of a picture, the most prominent first.
    ///
    /// # Errors
    /// When the models cannot be loaded; and when they fail, which no picture should make them do.
    fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, faces::Error>;

    /// Nothing waits to be looked at; called from time to time. What has not been needed for long
    /// may be let go.
    fn rest(&self) {}
}

impl FindFaces for Models {
    fn model(&self) -> &str {
        self.model()
    }

    fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, faces::Error> {
        self.find(pixels)
    }

    fn rest(&self) {
        self.rest(UNUSED);
    }
}

/// Whether faces are looked for.
#[derive(Clone)]
pub enum People {
    /// By this.
    On(Arc<dyn FindFaces>),
    /// Not at all. What is known already can be seen and changed.
    Off {
        /// Why, and how to change it; for those who run the server.
        why: String,
    },
}

impl Default for People {
    fn default() -> Self {
        Self::Off { why: "no models were given".to_owned() }
    }
}

impl People {
    /// What finds faces.
    pub fn finder(&self) -> Option<&Arc<dyn FindFaces>> {
        match self {
            Self::On(finder) => Some(finder),
            Self::Off { .. } => None,
        }
    }
}

impl Service {
    /// Says that nothing of this kind waits, so that what it takes may be let go.
    pub fn rest(&self, kind: WorkKind) {
        if kind == WorkKind::Faces
            && let Some(finder) = self.people().finder()
        {
            finder.rest();
        }
    }
}

//! What finds faces, if there is anything.

use std::sync::Arc;

use faces::{Faces, Found, Pixels};

/// Finds faces in pictures. Models are loaded once and shared by all who look.
pub trait FindFaces: Send + Sync {
    /// Which models, and how they are used. Vectors of other ones cannot be compared with theirs.
    fn model(&self) -> &str;

    /// All faces of a picture, the most prominent first.
    ///
    /// # Errors
    /// When the models fail, which no picture should make them do.
    fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, faces::Error>;
}

impl FindFaces for Faces {
    fn model(&self) -> &str {
        self.model()
    }

    fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, faces::Error> {
        self.find(pixels)
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

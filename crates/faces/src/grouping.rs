//! Persons, made of the faces of one library.
//!
//! Which faces are one person is a function of the set of faces and of what people have decided,
//! and of nothing else: not of the order in which they came, nor of how often [`Library::regroup`]
//! was called in between. See `docs/people.md` for the rules.

use crate::{Similarity, Vector};

/// Which face; the caller's own number. Ties are broken by it, so it must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceKey(pub u128);

/// Which photo a face is in; the caller's own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhotoKey(pub u128);

/// The faces of one person, in the order of their keys; never empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// All of them, those too that do not shape it.
    pub faces: Vec<FaceKey>,
}

/// A group that resembles something.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// Which.
    pub group: Group,
    /// Mean similarity of what was asked about to the group's shaping faces.
    pub similarity: Similarity,
}

/// All faces of one library, in memory.
#[derive(Default)]
pub struct Library {}

impl Library {
    /// Without a face.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many faces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        todo!()
    }

    /// Whether there is no face.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a face, or puts it in the place of the one with the same key.
    pub fn add(&mut self, _face: FaceKey, _photo: PhotoKey, _vector: Vector, _shapes: bool) {
        todo!()
    }

    /// Removes a face; whether there was one. Decisions that name it are kept and count again
    /// should it come back; take them back to forget them.
    pub fn remove(&mut self, _face: FaceKey) -> bool {
        todo!()
    }

    /// Somebody has decided that two faces are the same person. It counts for more than any
    /// similarity, but not for more than [`Library::apart`], nor does it make one person of two
    /// faces in one photo. Either face may come later.
    pub fn together(&mut self, _one: FaceKey, _other: FaceKey) {
        todo!()
    }

    /// Takes back [`Library::together`]; whether there was such a decision.
    pub fn take_back_together(&mut self, _one: FaceKey, _other: FaceKey) -> bool {
        todo!()
    }

    /// Somebody has decided that two faces are different persons. Either face may come later.
    pub fn apart(&mut self, _one: FaceKey, _other: FaceKey) {
        todo!()
    }

    /// Takes back [`Library::apart`]; whether there was such a decision.
    pub fn take_back_apart(&mut self, _one: FaceKey, _other: FaceKey) -> bool {
        todo!()
    }

    /// Groups anew what changes since the last time can have touched, and gives the groups that
    /// are not as they were, in the order of their first faces: every face that is in another
    /// company than before is in exactly one of them.
    pub fn regroup(&mut self) -> Vec<Group> {
        todo!()
    }

    /// All groups as of the last [`Library::regroup`], in the order of their first faces.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        todo!()
    }

    /// The group of a face as of the last [`Library::regroup`].
    #[must_use]
    pub fn group_of(&self, _face: FaceKey) -> Option<Group> {
        todo!()
    }

    /// The groups that a vector resembles most, the best first: for a face that is not in the
    /// library, such as that of a profile picture. Only groups that would be a fair guess are given.
    #[must_use]
    pub fn nearest(&self, _vector: &Vector, _limit: usize) -> Vec<Near> {
        todo!()
    }

    /// The groups that the group of this face resembles most and could be one person with, the
    /// best first: "same person?". Those that share a photo with it, or that somebody has set
    /// apart from it, are not among them.
    #[must_use]
    pub fn resembling(&self, _face: FaceKey, _limit: usize) -> Vec<Near> {
        todo!()
    }
}

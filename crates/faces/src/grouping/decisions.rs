//! What people have decided about pairs of faces.

use std::collections::{BTreeMap, BTreeSet};

use super::FaceKey;

/// Pairs, found from either end. They are kept whether their faces are there or not.
#[derive(Default)]
pub(super) struct Pairs(BTreeMap<FaceKey, BTreeSet<FaceKey>>);

impl Pairs {
    /// Whether it was not there.
    pub(super) fn add(&mut self, one: FaceKey, other: FaceKey) -> bool {
        if one == other {
            return false;
        }
        self.0.entry(one).or_default().insert(other);
        self.0.entry(other).or_default().insert(one)
    }

    /// Whether it was there.
    pub(super) fn remove(&mut self, one: FaceKey, other: FaceKey) -> bool {
        self.remove_from(one, other) | self.remove_from(other, one)
    }

    pub(super) fn of(&self, face: FaceKey) -> impl Iterator<Item = FaceKey> {
        self.0.get(&face).into_iter().flatten().copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn remove_from(&mut self, one: FaceKey, other: FaceKey) -> bool {
        let Some(ends) = self.0.get_mut(&one) else { return false };
        let was = ends.remove(&other);
        if ends.is_empty() {
            self.0.remove(&one);
        }
        was
    }
}

//! Which groups resemble something: for suggestions, and for faces that are not in the library.

use std::collections::HashSet;

use super::packed::Numbers;
use super::scan::{Hit, scan};
use super::store::Slot;
use super::{FaceKey, Library, Near, PhotoKey};
use crate::vector::dot;
use crate::{Similarity, Vector};

/// How similar a group has to be to be worth a question.
const WORTH_ASKING: Similarity = Similarity::of_cosine(0.30);
/// How similar at least one of its faces has to be for it to be looked at.
const LOOKED_AT: Similarity = Similarity::of_cosine(0.36);

impl Library {
    /// The groups that a vector resembles most, the best first: for a face that is not in the
    /// library, such as that of a profile picture. Only groups that are worth a question are given.
    #[must_use]
    pub fn nearest(&self, vector: &Vector, limit: usize) -> Vec<Near> {
        let mut near = self.near(&[*vector.numbers()], &[]);
        near.truncate(limit);
        near
    }

    /// The groups that the group of this face resembles most and could be one person with, the
    /// best first: "same person?". Those that share a photo with it, or that somebody has set
    /// apart from it, are not among them.
    #[must_use]
    pub fn resembling(&self, face: FaceKey, limit: usize) -> Vec<Near> {
        let Some(slot) = self.store.find(face) else { return Vec::new() };
        let own = self.rings.of(slot);
        let shaping: Vec<Slot> =
            own.iter().copied().filter(|slot| self.store.shapes(*slot)).collect();
        let Some(middle) = middle(shaping.iter().map(|slot| self.store.vector(*slot))) else {
            return Vec::new();
        };
        let mut near = self.near(&[*middle.numbers()], &own);
        near.retain(|near| self.could_be_one(&own, near));
        near.truncate(limit);
        near
    }

    /// All groups but this one that resemble these vectors, the best first.
    fn near(&self, wanted: &[Numbers], own: &[Slot]) -> Vec<Near> {
        let hits = scan(&self.store, wanted, LOOKED_AT.0);
        let mut seen: HashSet<Slot> = own.iter().copied().collect();
        let mut groups = Vec::new();
        for Hit { slot, .. } in hits.into_iter().flatten() {
            if self.store.shapes(slot) && !seen.contains(&slot) {
                let group = self.rings.of(slot);
                seen.extend(&group);
                groups.push(group);
            }
        }
        let mut near: Vec<Near> = groups
            .into_iter()
            .filter_map(|group| {
                let similarity = self.mean(wanted, &group)?;
                (similarity >= WORTH_ASKING).then(|| Near { group: self.name(&group), similarity })
            })
            .collect();
        near.sort_by(|a, b| b.similarity.cmp(&a.similarity).then_with(|| a.group.cmp(&b.group)));
        near
    }

    /// Mean similarity to the faces that shape a group.
    fn mean(&self, wanted: &[Numbers], group: &[Slot]) -> Option<Similarity> {
        let shaping = group.iter().filter(|slot| self.store.shapes(**slot));
        let all: Vec<i64> = shaping
            .flat_map(|slot| {
                wanted.iter().map(|wanted| i64::from(dot(wanted, &self.store.vector(*slot))))
            })
            .collect();
        let mean = all.iter().sum::<i64>().checked_div(all.len() as i64)?;
        i32::try_from(mean).ok().map(Similarity)
    }

    fn could_be_one(&self, own: &[Slot], near: &Near) -> bool {
        let others: Vec<Slot> =
            near.group.faces.iter().filter_map(|face| self.store.find(*face)).collect();
        let photos: HashSet<PhotoKey> = own.iter().map(|own| self.store.photo(*own)).collect();
        let share = others.iter().any(|other| photos.contains(&self.store.photo(*other)));
        let apart = own.iter().any(|own| {
            self.apart
                .of(self.store.key(*own))
                .any(|other| near.group.faces.binary_search(&other).is_ok())
        });
        !share && !apart
    }
}

/// The direction in which these lie together.
fn middle(vectors: impl Iterator<Item = Numbers>) -> Option<Vector> {
    let mut sum = [0.0_f32; Vector::LENGTH];
    for vector in vectors {
        sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += f32::from(number));
    }
    Vector::quantised(&sum)
}

//! Sets that grow together while groups are made: of persons, and of looks of a person.

use std::collections::{HashMap, HashSet};

use super::PhotoKey;
use super::agglomerate::Ground;
use super::packed::Numbers;
use super::store::{Slot, Store};
use crate::Vector;
use crate::vector::dot;

/// Sets of places that can be joined.
struct Sets {
    parents: Vec<usize>,
    sizes: Vec<usize>,
}

impl Sets {
    fn new(count: usize) -> Self {
        Self { parents: (0..count).collect(), sizes: vec![1; count] }
    }

    /// The place that stands for its set.
    fn root(&mut self, place: usize) -> usize {
        let mut at = place;
        while let Some(parent) = self.parents.get(at).copied().filter(|parent| *parent != at) {
            let above = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(entry) = self.parents.get_mut(at) {
                *entry = above;
            }
            at = above;
        }
        at
    }

    fn size(&self, root: usize) -> usize {
        self.sizes.get(root).copied().unwrap_or(1)
    }

    /// Joins two roots; gives the one that stands for both from now on, then the other.
    fn join(&mut self, one: usize, other: usize) -> (usize, usize) {
        let (large, small) =
            if self.size(one) < self.size(other) { (other, one) } else { (one, other) };
        let size = self.size(large) + self.size(small);
        if let (Some(parent), Some(entry)) =
            (self.parents.get_mut(small), self.sizes.get_mut(large))
        {
            *parent = large;
            *entry = size;
        }
        (large, small)
    }
}

/// Groups, with what keeps two of them from being joined.
pub(super) struct Persons {
    sets: Sets,
    /// By root: the photos that have several faces here. The others keep nobody apart.
    photos: HashMap<usize, HashSet<PhotoKey>>,
    /// By root: the pairs of places that somebody has set apart, the one here first.
    apart: HashMap<usize, Vec<(usize, usize)>>,
}

impl Persons {
    pub(super) fn new(ground: &Ground<'_>, faces: &[Slot], places: &HashMap<Slot, usize>) -> Self {
        let mut in_photo: HashMap<PhotoKey, Vec<usize>> = HashMap::new();
        for (place, slot) in faces.iter().enumerate() {
            in_photo.entry(ground.store.photo(*slot)).or_default().push(place);
        }
        let mut photos: HashMap<usize, HashSet<PhotoKey>> = HashMap::new();
        for (photo, places) in in_photo.into_iter().filter(|(_, places)| places.len() > 1) {
            for place in places {
                photos.entry(place).or_default().insert(photo);
            }
        }
        Self { sets: Sets::new(faces.len()), photos, apart: apart(ground, faces, places) }
    }

    pub(super) fn is_alone(&mut self, place: usize) -> bool {
        let root = self.sets.root(place);
        self.sets.size(root) == 1
    }

    /// Makes one group of two, unless something forbids it; whether they are one now.
    pub(super) fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.sets.root(one), self.sets.root(other));
        if one == other {
            return true;
        }
        if self.share_a_photo(one, other) || self.are_set_apart(one, other) {
            return false;
        }
        let (large, small) = self.sets.join(one, other);
        if let Some(photos) = self.photos.remove(&small) {
            self.photos.entry(large).or_default().extend(photos);
        }
        if let Some(apart) = self.apart.remove(&small) {
            self.apart.entry(large).or_default().extend(apart);
        }
        true
    }

    fn share_a_photo(&self, one: usize, other: usize) -> bool {
        match (self.photos.get(&one), self.photos.get(&other)) {
            (Some(one), Some(other)) => !one.is_disjoint(other),
            _ => false,
        }
    }

    fn are_set_apart(&mut self, one: usize, other: usize) -> bool {
        let Some(pairs) = self.apart.get(&one) else { return false };
        let ends: Vec<usize> = pairs.iter().map(|(_, end)| *end).collect();
        ends.into_iter().any(|end| self.sets.root(end) == other)
    }

    pub(super) fn groups(mut self, faces: &[Slot]) -> Vec<Vec<Slot>> {
        let mut groups: HashMap<usize, Vec<Slot>> = HashMap::new();
        for (place, slot) in faces.iter().enumerate() {
            groups.entry(self.sets.root(place)).or_default().push(*slot);
        }
        groups.into_values().collect()
    }
}

fn apart(
    ground: &Ground<'_>,
    faces: &[Slot],
    places: &HashMap<Slot, usize>,
) -> HashMap<usize, Vec<(usize, usize)>> {
    let mut apart: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    if ground.apart.is_empty() {
        return apart;
    }
    for (place, slot) in faces.iter().enumerate() {
        let ends = ground.apart.of(ground.store.key(*slot));
        for end in ends.filter_map(|key| places.get(&ground.store.find(key)?).copied()) {
            apart.entry(place).or_default().push((place, end));
        }
    }
    apart
}

/// What of a group was put together by similarity alone. A person as a child and grown up is one
/// group by decision and two looks: a new face has to resemble one of them, not the mean of both.
pub(super) struct Looks {
    sets: Sets,
    /// By root, where there is more than one face: the sum of their vectors.
    sums: HashMap<usize, Box<[i32; Vector::LENGTH]>>,
}

impl Looks {
    pub(super) fn new(count: usize) -> Self {
        Self { sets: Sets::new(count), sums: HashMap::new() }
    }

    pub(super) fn root(&mut self, place: usize) -> usize {
        self.sets.root(place)
    }

    /// The mean similarity between the faces of two looks, rounded down.
    pub(super) fn mean(&self, store: &Store, faces: &[Slot], one: usize, other: usize) -> i32 {
        let pairs = (self.sets.size(one) * self.sets.size(other)) as i64;
        let total = match (self.sums.get(&one), self.sums.get(&other)) {
            (None, None) => {
                i64::from(dot(&single(store, faces, one), &single(store, faces, other)))
            }
            (Some(sum), None) => against(sum, &single(store, faces, other)),
            (None, Some(sum)) => against(sum, &single(store, faces, one)),
            (Some(one), Some(other)) => {
                one.iter().zip(other.iter()).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
            }
        };
        total.div_euclid(pairs) as i32
    }

    pub(super) fn join(&mut self, store: &Store, faces: &[Slot], one: usize, other: usize) {
        let (large, small) = self.sets.join(one, other);
        let single_sum = |place| Box::new(single(store, faces, place).map(i32::from));
        let more = self.sums.remove(&small).unwrap_or_else(|| single_sum(small));
        let sum = self.sums.entry(large).or_insert_with(|| single_sum(large));
        sum.iter_mut().zip(more.iter()).for_each(|(sum, more)| *sum += more);
    }
}

fn single(store: &Store, faces: &[Slot], place: usize) -> Numbers {
    store.vector(faces.get(place).copied().unwrap_or(Slot::MAX))
}

fn against(sum: &[i32; Vector::LENGTH], vector: &Numbers) -> i64 {
    sum.iter().zip(vector).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
}

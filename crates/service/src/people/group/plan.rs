//! From a census to who is who.

use std::collections::{BTreeMap, BTreeSet};

use catalog::Likeness;
use faces::Similarity;
use faces::grouping::{Group, Library, Near};
use model::{Cover, FaceId, ImageId, PersonId};

use super::census::{Census, Known, face_of, key_of};
use super::decisions::pair;
use super::kept::{OfModel, Pairs};

/// What is to become of a library.
pub(super) struct Plan {
    /// Whose each face is; those of deleted persons are nobody's.
    pub(super) whose: BTreeMap<FaceId, Whose>,
    /// How many persons there must be that were not there before.
    pub(super) new_persons: usize,
    /// Pairs that look alike, most alike first; by whom they are.
    pub(super) likenesses: Vec<(Somebody, Somebody, f64)>,
    pub(super) census: Census,
}

/// Whose a face is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    /// Nobody knows.
    Nobodys,
    /// Somebody's.
    Somebodys(Somebody),
    /// A deleted person's: nothing of it is to be known.
    Deleted(PersonId),
}

/// A person, who may not be there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Somebody {
    Known(PersonId),
    /// The so-manieth new one.
    New(usize),
}

/// Pairs kept at most, and persons that are compared with all others.
const LIKENESSES_MAX: usize = 100;
const COMPARED_MAX: usize = 500;
const ALIKE: usize = 3;
/// More than there are faces in a library.
const HINT: usize = 1 << 32;

impl Plan {
    pub(super) fn of(mut census: Census) -> Self {
        let mut groups: Vec<(usize, Group)> = Vec::new();
        let mut libraries = std::mem::take(&mut census.libraries);
        for (at, of_model) in libraries.models_mut().iter_mut().enumerate() {
            let (together, apart) = census.decided(at);
            of_model.decide(together, apart);
            of_model.library.regroup();
            groups.extend(of_model.library.groups().map(|group| (at, group)));
        }
        let (somebody, new_persons) = census.name_groups(&groups);
        let mut whose = BTreeMap::new();
        for ((_, group), somebody) in groups.iter().zip(&somebody) {
            let Some(somebody) = somebody else { continue };
            for face in &group.faces {
                whose.insert(face_of(*face), Whose::Somebodys(*somebody));
            }
        }
        for (face, known) in &census.faces {
            let is_grouped = whose.contains_key(face);
            if let Some(other) = census.whose_apart_from_groups(*face, known, is_grouped) {
                whose.insert(*face, other);
            }
        }
        let named: Vec<(usize, &Group, Somebody)> = groups
            .iter()
            .zip(&somebody)
            .filter_map(|((at, group), somebody)| Some((*at, group, (*somebody)?)))
            .collect();
        let likenesses = census.likenesses(libraries.models(), &named);
        census.libraries = libraries;
        Self { whose, new_persons, likenesses, census }
    }

    /// The best face of each person, by which they are to be known.
    pub(super) fn covers(&self) -> BTreeMap<Somebody, Cover> {
        let mut best: BTreeMap<Somebody, (f32, FaceId, ImageId)> = BTreeMap::new();
        for (face, whose) in &self.whose {
            let (Whose::Somebodys(somebody), Some(known)) = (whose, self.census.faces.get(face))
            else {
                continue;
            };
            let better = best.get(somebody).is_none_or(|(score, ..)| known.score > *score);
            if better {
                best.insert(*somebody, (known.score, *face, known.image));
            }
        }
        let cover = |(_, face, image)| Cover { image, face, chosen: false };
        best.into_iter().map(|(somebody, best)| (somebody, cover(best))).collect()
    }

    /// Likenesses by the ids that persons have once the new ones are there.
    pub(super) fn likenesses(&self, id_of: impl Fn(Somebody) -> Option<PersonId>) -> Vec<Likeness> {
        let pairs = self.likenesses.iter().filter_map(|(one, other, confidence)| {
            let (one, other) = pair(id_of(*one)?, id_of(*other)?);
            Some(Likeness { one, other, confidence: *confidence })
        });
        pairs.collect()
    }
}

impl Census {
    /// What was decided about the faces of one model: which are one person, and which are not.
    fn decided(&self, at: usize) -> (Pairs, Pairs) {
        let is_here =
            |face: &FaceId| self.faces.get(face).is_some_and(|known| known.library == Some(at));
        let (mut together, mut apart) = (Pairs::new(), Pairs::new());
        let mut first: BTreeMap<PersonId, FaceId> = BTreeMap::new();
        let mut last: BTreeMap<PersonId, FaceId> = BTreeMap::new();
        for (face, person) in self.decisions.pins.iter().filter(|(face, _)| is_here(face)) {
            first.entry(*person).or_insert(*face);
            if let Some(before) = last.insert(*person, *face) {
                together.insert((key_of(before), key_of(*face)));
            }
        }
        let pinned: Vec<FaceId> = first.values().copied().collect();
        for (n, one) in pinned.iter().enumerate() {
            let others = pinned.iter().skip(n + 1);
            apart.extend(others.map(|other| (key_of(*one), key_of(*other))));
        }
        for (face, persons) in self.decisions.parts.iter().filter(|(face, _)| is_here(face)) {
            let others = persons.iter().filter_map(|person| first.get(person));
            apart.extend(others.map(|other| (key_of(*face), key_of(*other))));
        }
        (together, apart)
    }

    /// The person of each group, and how many new ones that takes.
    fn name_groups(&self, groups: &[(usize, Group)]) -> (Vec<Option<Somebody>>, usize) {
        let mut named: Vec<Option<Somebody>> = vec![None; groups.len()];
        let mut taken: BTreeSet<(usize, PersonId)> = BTreeSet::new();
        let mut claims: Vec<(usize, PersonId, usize)> = Vec::new();
        for (n, (at, group)) in groups.iter().enumerate() {
            if let Some(person) = self.pinned_person(group) {
                taken.insert((*at, person));
                if let Some(named) = named.get_mut(n) {
                    *named = Some(Somebody::Known(person));
                }
                continue;
            }
            claims.extend(self.votes(group).into_iter().map(|(person, votes)| (votes, person, n)));
        }
        claims.sort_by(|one, other| {
            other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)).then_with(|| one.2.cmp(&other.2))
        });
        // While only some faces are known by new models, parts of a person may stand alone.
        let is_mixed = self.is_mixed();
        for (_, person, n) in claims {
            let Some((at, _)) = groups.get(n) else { continue };
            let is_free = is_mixed || !taken.contains(&(*at, person));
            if let Some(named @ None) = named.get_mut(n).filter(|_| is_free) {
                *named = Some(Somebody::Known(person));
                taken.insert((*at, person));
            }
        }
        let mut new = 0;
        for (named, (_, group)) in named.iter_mut().zip(groups) {
            if named.is_none() && self.is_shaped(group) {
                *named = Some(Somebody::New(new));
                new += 1;
            }
        }
        (named, new)
    }

    fn is_mixed(&self) -> bool {
        let used: BTreeSet<usize> = self.faces.values().filter_map(|known| known.library).collect();
        used.len() > 1
    }

    fn known<'c>(&'c self, group: &'c Group) -> impl Iterator<Item = (FaceId, &'c Known)> {
        group.faces.iter().filter_map(|key| {
            let face = face_of(*key);
            Some((face, self.faces.get(&face)?))
        })
    }

    fn is_shaped(&self, group: &Group) -> bool {
        self.known(group).any(|(_, known)| known.shapes)
    }

    fn is_there(&self, person: PersonId) -> bool {
        self.persons.get(&person).is_some_and(model::Person::is_somebody)
    }

    /// The person that somebody said a group is: the one that most of its faces are said to be.
    fn pinned_person(&self, group: &Group) -> Option<PersonId> {
        let mut counts: BTreeMap<PersonId, usize> = BTreeMap::new();
        for (face, _) in self.known(group) {
            if let Some(person) = self.decisions.pins.get(&face).filter(|id| self.is_there(**id)) {
                *counts.entry(*person).or_default() += 1;
            }
        }
        most(counts)
    }

    /// How many faces of a group were whose. Whoever undoes a merge wants back what was before, also
    /// if more has come since: what is known of that counts for more than where faces are now.
    fn votes(&self, group: &Group) -> BTreeMap<PersonId, usize> {
        let mut counts: BTreeMap<PersonId, usize> = BTreeMap::new();
        let mut refused: BTreeSet<PersonId> = BTreeSet::new();
        for (face, known) in self.known(group) {
            refused.extend(self.decisions.parts.get(&face).into_iter().flatten());
            if let Some(person) = known.person.map(|person| self.decisions.resolve(person)) {
                *counts.entry(person).or_default() += 1;
            }
            if let Some(person) = self.decisions.hints.get(&face) {
                *counts.entry(self.decisions.resolve(*person)).or_default() += HINT;
            }
        }
        counts.retain(|person, _| self.is_there(*person) && !refused.contains(person));
        counts
    }

    /// Whose a face is for other reasons than its group: because it has none, or a deleted person's.
    fn whose_apart_from_groups(
        &self,
        face: FaceId,
        known: &Known,
        is_grouped: bool,
    ) -> Option<Whose> {
        let person = known.person.map(|person| self.decisions.resolve(person));
        if let Some(person) = person.filter(|person| self.decisions.deleted.contains(person)) {
            return Some(Whose::Deleted(person));
        }
        if is_grouped || known.is_deleted {
            return None;
        }
        let pinned = self.decisions.pins.get(&face).copied();
        // What no model can tell stays as it is.
        let kept = person.filter(|person| {
            let is_untold = known.library.is_none() || self.unrecognised.contains(person);
            is_untold && self.decisions.allows(face, *person)
        });
        let whose = pinned.or(kept).filter(|person| self.is_there(*person));
        Some(whose.map_or(Whose::Nobodys, |person| Whose::Somebodys(Somebody::Known(person))))
    }

    fn likenesses(
        &self,
        libraries: &[OfModel],
        named: &[(usize, &Group, Somebody)],
    ) -> Vec<(Somebody, Somebody, f64)> {
        let whose: BTreeMap<(usize, FaceId), Somebody> = named
            .iter()
            .filter_map(|(at, group, somebody)| {
                group.faces.first().map(|face| ((*at, face_of(*face)), *somebody))
            })
            .collect();
        let mut largest: Vec<&(usize, &Group, Somebody)> = named.iter().collect();
        largest.sort_by_key(|(_, group, _)| std::cmp::Reverse(group.faces.len()));
        let mut best: BTreeMap<(Somebody, Somebody), Similarity> = BTreeMap::new();
        for (at, group, somebody) in largest.into_iter().take(COMPARED_MAX) {
            let Some(of_model) = libraries.get(*at) else { continue };
            for near in self.near(&of_model.library, group, *somebody) {
                let first = near.group.faces.first().map(|face| (*at, face_of(*face)));
                let other = first.and_then(|first| whose.get(&first)).copied();
                let Some(other) = other.filter(|other| !self.is_different(*somebody, *other))
                else {
                    continue;
                };
                let key = ((*somebody).min(other), (*somebody).max(other));
                let known = best.entry(key).or_insert(near.similarity);
                *known = (*known).max(near.similarity);
            }
        }
        let mut all: Vec<_> = best.into_iter().collect();
        all.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let pairs = all.into_iter().take(LIKENESSES_MAX);
        pairs.map(|((one, other), similarity)| (one, other, confidence(similarity))).collect()
    }

    /// Groups that look like one: those that could be one with it, and of persons with names also
    /// those that are kept apart from it only because both have one.
    fn near(&self, library: &Library, group: &Group, somebody: Somebody) -> Vec<Near> {
        let first = group.faces.first();
        let mut near = first.map(|face| library.resembling(*face, ALIKE)).unwrap_or_default();
        let Somebody::Known(person) = somebody else { return near };
        let cover = self.persons.get(&person).and_then(|person| person.cover);
        if let Some(vector) = cover.and_then(|cover| self.covers.get(&cover.face)) {
            near.extend(library.nearest(vector, ALIKE + 1));
        }
        near
    }

    fn is_different(&self, one: Somebody, other: Somebody) -> bool {
        match (one, other) {
            _ if one == other => true,
            (Somebody::Known(one), Somebody::Known(other)) => {
                self.decisions.different.contains(&pair(one, other))
            }
            _ => false,
        }
    }
}

/// The one with the most, and of several the one with the lowest number.
fn most(counts: BTreeMap<PersonId, usize>) -> Option<PersonId> {
    let best = counts
        .into_iter()
        .max_by(|one, other| one.1.cmp(&other.1).then_with(|| other.0.cmp(&one.0)));
    best.map(|(person, _)| person)
}

/// How alike two groups are, between strangers and what is taken for one person without asking.
fn confidence(similarity: Similarity) -> f64 {
    const STRANGERS: f64 = 0.2;
    const SAME: f64 = 0.5;
    let share = (f64::from(similarity.cosine()) - STRANGERS) / (SAME - STRANGERS);
    (share.clamp(0.0, 1.0) * 100.0).round() / 100.0
}

//! Making groups of faces by their links: what people have decided first, then the strongest link
//! first, as long as nothing speaks against it.
//!
//! A link that is refused has no effect. So the history of a group depends on the links inside it
//! only, and a group stays as it is as long as all links that leave it are refused: this is what
//! lets [`super::region`] look at the neighbourhood of a change only.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::decisions::Pairs;
use super::links::Links;
use super::store::{Slot, Store};
use super::union::{Looks, Persons};
use super::{FaceKey, LEAST_MEAN};

/// What groups are made of.
pub(super) struct Ground<'a> {
    pub(super) store: &'a Store,
    pub(super) links: &'a Links,
    pub(super) together: &'a Pairs,
    pub(super) apart: &'a Pairs,
}

/// The kinds of links, in the order in which they count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Somebody has decided so.
    Decided,
    /// Both are similar, and good enough to say something.
    Alike,
    /// One of them is not good enough to shape a person, but goes with one.
    Follows,
}

/// A link between two places in the list of faces.
struct Link {
    kind: Kind,
    similarity: Reverse<i32>,
    keys: (FaceKey, FaceKey),
    ends: (usize, usize),
}

/// The groups of these faces, as if there were no others.
pub(super) fn agglomerate(ground: &Ground<'_>, faces: &[Slot]) -> Vec<Vec<Slot>> {
    let places: HashMap<Slot, usize> = faces.iter().copied().zip(0..).collect();
    let mut persons = Persons::new(ground, faces, &places);
    let mut looks = Looks::new(faces.len());
    for link in sorted_links(ground, faces, &places) {
        let (one, other) = link.ends;
        match link.kind {
            Kind::Decided => {
                persons.join(one, other);
            }
            Kind::Alike => {
                let (one_look, other_look) = (looks.root(one), looks.root(other));
                let near = one_look != other_look
                    && looks.mean(ground.store, faces, one_look, other_look) >= LEAST_MEAN.0;
                if near && persons.join(one, other) {
                    looks.join(ground.store, faces, one_look, other_look);
                }
            }
            Kind::Follows => {
                let follower = if shapes(ground, faces, one) { other } else { one };
                if persons.is_alone(follower) {
                    persons.join(one, other);
                }
            }
        }
    }
    persons.groups(faces)
}

fn shapes(ground: &Ground<'_>, faces: &[Slot], place: usize) -> bool {
    faces.get(place).is_some_and(|slot| ground.store.shapes(*slot))
}

fn sorted_links(ground: &Ground<'_>, faces: &[Slot], places: &HashMap<Slot, usize>) -> Vec<Link> {
    let mut links = Vec::new();
    for (place, slot) in faces.iter().enumerate() {
        let similar = ground.links.of(*slot).filter_map(|end| {
            let kind = match ground.store.shapes(*slot) && ground.store.shapes(end) {
                true => Kind::Alike,
                false => Kind::Follows,
            };
            Some((kind, end, *places.get(&end)?))
        });
        let decided = ground.together.of(ground.store.key(*slot)).filter_map(|other| {
            let end = ground.store.find(other)?;
            Some((Kind::Decided, end, *places.get(&end)?))
        });
        for (kind, end, other) in similar.chain(decided).filter(|(.., other)| place < *other) {
            links.push(link(ground.store, kind, (*slot, end), (place, other)));
        }
    }
    links.sort_unstable_by_key(|link| (link.kind, link.similarity, link.keys));
    links
}

fn link(store: &Store, kind: Kind, (one, other): (Slot, Slot), ends: (usize, usize)) -> Link {
    let (key, other_key) = (store.key(one), store.key(other));
    let similarity = match kind {
        Kind::Decided => 0,
        Kind::Alike | Kind::Follows => store.similarity(one, other),
    };
    Link {
        kind,
        similarity: Reverse(similarity),
        keys: (key.min(other_key), key.max(other_key)),
        ends,
    }
}

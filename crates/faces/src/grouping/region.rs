//! Grouping anew only around what has changed.
//!
//! The groups that a change touches are made anew together with all groups that links or decisions
//! lead to. If those neighbours come out as they were, nothing beyond them can have changed; if one
//! does not, it counts as touched too, and its neighbours are looked at.

use std::collections::{BTreeSet, HashSet};

use super::agglomerate::{Ground, agglomerate};
use super::rings::Rings;
use super::store::Slot;

/// After so many rounds, all neighbours count as touched: a change that spreads gets there sooner.
const PATIENT_ROUNDS: usize = 4;

/// The groups of and around these faces, which are whole groups, as they are to be; all that were
/// there before and are not among them are as they were.
pub(super) fn group_around(
    ground: &Ground<'_>,
    rings: &Rings,
    mut inside: BTreeSet<Slot>,
) -> Vec<Vec<Slot>> {
    for round in 0.. {
        let around = whole_groups(rings, neighbours(ground, &inside));
        let region: Vec<Slot> = inside.union(&around).copied().collect();
        let groups = agglomerate(ground, &region);
        let mut changed: Vec<Slot> = Vec::new();
        for group in &groups {
            let outside = group.iter().copied().find(|slot| !inside.contains(slot));
            if let Some(outside) = outside.filter(|slot| !is_same(&rings.of(*slot), group)) {
                changed.push(outside);
                changed.extend(group.iter().filter(|slot| !inside.contains(slot)));
            }
        }
        if changed.is_empty() {
            return groups
                .into_iter()
                .filter(|group| group.iter().any(|slot| inside.contains(slot)))
                .collect();
        }
        let more = if round < PATIENT_ROUNDS { changed } else { around.into_iter().collect() };
        inside.extend(whole_groups(rings, more.into_iter()));
    }
    Vec::new()
}

fn is_same(one: &[Slot], other: &[Slot]) -> bool {
    one.len() == other.len() && {
        let one: HashSet<_> = one.iter().collect();
        other.iter().all(|slot| one.contains(slot))
    }
}

fn whole_groups(rings: &Rings, slots: impl Iterator<Item = Slot>) -> BTreeSet<Slot> {
    let mut all = BTreeSet::new();
    for slot in slots {
        if !all.contains(&slot) {
            all.extend(rings.of(slot));
        }
    }
    all
}

/// What links and decisions lead to. Decisions to keep apart lead nowhere: they refuse, and a
/// refusal between two groups needs both to be looked at only if a link joins them.
fn neighbours(ground: &Ground<'_>, slots: &BTreeSet<Slot>) -> impl Iterator<Item = Slot> {
    slots.iter().flat_map(|slot| {
        let decided = ground.together.of(ground.store.key(*slot));
        let decided = decided.filter_map(|key| ground.store.find(key));
        ground.links.of(*slot).chain(decided).filter(|end| !slots.contains(end))
    })
}

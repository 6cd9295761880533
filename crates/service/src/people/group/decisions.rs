//! What was decided by hand, all together.

use std::collections::{BTreeMap, BTreeSet};

use model::{FaceId, PeopleEdit, PeopleEditKind, PersonId};

/// What decisions that were not undone say, later ones before earlier ones.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::people) struct Decisions {
    /// Whose a face is.
    pub(in crate::people) pins: BTreeMap<FaceId, PersonId>,
    /// Whose a face is not.
    pub(in crate::people) parts: BTreeMap<FaceId, BTreeSet<PersonId>>,
    /// Whose a face was before decisions that were undone.
    pub(in crate::people) hints: BTreeMap<FaceId, PersonId>,
    /// Persons of whom nothing is to be known.
    pub(in crate::people) deleted: BTreeSet<PersonId>,
    /// Pairs that somebody said are not the same.
    pub(in crate::people) different: BTreeSet<(PersonId, PersonId)>,
    /// Who turned out to be whom.
    merged: BTreeMap<PersonId, PersonId>,
}

impl Decisions {
    /// Of all decisions of a library, oldest first.
    pub(in crate::people) fn of<'e>(edits: impl IntoIterator<Item = &'e PeopleEdit>) -> Self {
        let mut all = Self::default();
        for edit in edits {
            match (edit.undone_at, edit.kind) {
                (None, _) => all.add(edit),
                (Some(_), PeopleEditKind::Merge) => {
                    all.hints.extend(edit.pins.iter().map(|pin| (pin.face, pin.person)));
                }
                // Whose they were before they were taken away, and by whom that one is known.
                (Some(_), _) => {
                    let parted: BTreeSet<PersonId> =
                        edit.parts.iter().map(|part| part.person).collect();
                    let theirs = edit.pins.iter().filter(|pin| parted.contains(&pin.person));
                    let theirs = theirs.chain(&edit.parts);
                    all.hints.extend(theirs.map(|pin| (pin.face, pin.person)));
                }
            }
        }
        all.resolve_all();
        all
    }

    /// The person somebody turned out to be.
    pub(in crate::people) fn resolve(&self, person: PersonId) -> PersonId {
        let mut found = person;
        // As long as the longest chain can be, should there be a circle.
        for _ in 0..=self.merged.len() {
            match self.merged.get(&found) {
                Some(next) => found = *next,
                None => return found,
            }
        }
        found
    }

    /// Whether a face may be a person's.
    pub(in crate::people) fn allows(&self, face: FaceId, person: PersonId) -> bool {
        !self.parts.get(&face).is_some_and(|parts| parts.contains(&person))
    }

    fn add(&mut self, edit: &PeopleEdit) {
        for part in &edit.parts {
            if self.pins.get(&part.face) == Some(&part.person) {
                self.pins.remove(&part.face);
            }
            self.parts.entry(part.face).or_default().insert(part.person);
        }
        for pin in &edit.pins {
            self.pins.insert(pin.face, pin.person);
            if let Some(parts) = self.parts.get_mut(&pin.face) {
                parts.remove(&pin.person);
            }
        }
        match (edit.kind, edit.other) {
            (PeopleEditKind::Merge, Some(other)) if self.resolve(edit.person) != other => {
                self.merged.insert(other, edit.person);
            }
            (PeopleEditKind::Different, Some(other)) => {
                self.different.insert(pair(edit.person, other));
            }
            (PeopleEditKind::Delete, _) => {
                self.deleted.insert(edit.person);
            }
            _ => {}
        }
    }

    fn resolve_all(&mut self) {
        let pins = std::mem::take(&mut self.pins);
        let pins = pins.into_iter().map(|(face, person)| (face, self.resolve(person)));
        self.pins = pins.filter(|(_, person)| !self.deleted.contains(person)).collect();
        let parts = std::mem::take(&mut self.parts);
        let resolved = |persons: BTreeSet<PersonId>| {
            persons.into_iter().map(|person| self.resolve(person)).collect()
        };
        self.parts = parts.into_iter().map(|(face, persons)| (face, resolved(persons))).collect();
        // To be somebody counts for more than not to be somebody whom others turned out to be.
        for (face, person) in &self.pins {
            if let Some(parts) = self.parts.get_mut(face) {
                parts.remove(person);
            }
        }
    }
}

/// Two persons in one order.
pub(in crate::people) fn pair(one: PersonId, other: PersonId) -> (PersonId, PersonId) {
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use model::{FacePin, PeopleEditId, Timestamp, UserId};

    use super::*;

    fn person(number: u64) -> PersonId {
        PersonId::new(number).unwrap()
    }

    fn face(number: u128) -> FaceId {
        FaceId::from_bits(number)
    }

    fn edit(kind: PeopleEditKind, of: u64, other: Option<u64>) -> PeopleEdit {
        let at = Timestamp::from_millis(1);
        let user = UserId::new(at, 1);
        let id = PeopleEditId::new(at, rand::random());
        let edit = PeopleEdit::new(id, user, user, kind, person(of));
        PeopleEdit { other: other.map(person), ..edit }
    }

    fn pin(of: u128, to: u64) -> Vec<FacePin> {
        vec![FacePin { face: face(of), person: person(to) }]
    }

    #[test]
    fn later_decisions_about_a_face_replace_earlier_ones() {
        let assign = PeopleEdit { pins: pin(1, 7), ..edit(PeopleEditKind::Assign, 7, None) };
        let reject = PeopleEdit { parts: pin(1, 7), ..edit(PeopleEditKind::Reject, 7, None) };
        let both = Decisions::of([&assign, &reject]);
        assert!(both.pins.is_empty() && !both.allows(face(1), person(7)));
        let other_way = Decisions::of([&reject, &assign]);
        assert_eq!(other_way.pins.get(&face(1)), Some(&person(7)));
        assert!(other_way.allows(face(1), person(7)));
        let undone = PeopleEdit { undone_at: Some(Timestamp::EPOCH), ..reject };
        assert_eq!(Decisions::of([&assign, &undone]).pins.get(&face(1)), Some(&person(7)));
    }

    #[test]
    fn what_is_said_of_somebody_holds_for_whom_they_turned_out_to_be() {
        let reject = PeopleEdit { parts: pin(1, 2), ..edit(PeopleEditKind::Reject, 2, None) };
        let named = PeopleEdit { pins: pin(3, 2), ..edit(PeopleEditKind::Rename, 2, None) };
        let merges =
            [edit(PeopleEditKind::Merge, 5, Some(2)), edit(PeopleEditKind::Merge, 9, Some(5))];
        let all = Decisions::of([&reject, &named, &merges[0], &merges[1]]);
        assert_eq!(all.resolve(person(2)), person(9));
        assert!(!all.allows(face(1), person(9)));
        assert_eq!(all.pins.get(&face(3)), Some(&person(9)));
    }

    #[test]
    fn a_circle_is_never_closed() {
        let merges =
            [edit(PeopleEditKind::Merge, 1, Some(2)), edit(PeopleEditKind::Merge, 2, Some(1))];
        let all = Decisions::of(&merges);
        assert_eq!((all.resolve(person(1)), all.resolve(person(2))), (person(1), person(1)));
    }

    #[test]
    fn nothing_is_said_of_deleted_persons() {
        let named = PeopleEdit { pins: pin(3, 2), ..edit(PeopleEditKind::Rename, 2, None) };
        let all = Decisions::of([&named, &edit(PeopleEditKind::Delete, 2, None)]);
        assert!(all.pins.is_empty() && all.deleted.contains(&person(2)));
    }
}

//! "Same person?"

use std::collections::BTreeMap;

use model::PersonId;

use super::group::pair;
use super::{ChangedPersons, SeenPerson};
use crate::{Caller, Result, Scope, Service};

/// Two persons who may be the same.
#[derive(Clone, Debug)]
pub struct Suggested {
    /// Both of them.
    pub persons: [SeenPerson; 2],
    /// How alike they look, from 0 to 1.
    pub confidence: f64,
}

impl Service {
    /// Persons of the caller's own library who may be the same, most alike first.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn list_same_persons(&self, caller: &Caller) -> Result<Vec<Suggested>> {
        caller.require(Scope::Read)?;
        let pairs = self.catalog().find_likenesses(caller.user).await?;
        let ids: Vec<PersonId> = pairs.iter().flat_map(|pair| [pair.one, pair.other]).collect();
        let found = self.catalog().find_persons(&ids).await?;
        let persons: BTreeMap<PersonId, SeenPerson> = found
            .into_iter()
            .filter(|person| person.is_somebody() && !person.hidden && person.face_count > 0)
            .map(|person| (person.id, SeenPerson::own(person)))
            .collect();
        // What was answered since is not asked again.
        let edits = self.all_edits(caller.user).await?;
        let decisions = super::group::Decisions::of(&edits);
        let open = pairs
            .into_iter()
            .filter(|likeness| !decisions.different.contains(&pair(likeness.one, likeness.other)));
        let suggested = open.filter_map(|likeness| {
            let one = persons.get(&likeness.one)?.clone();
            let other = persons.get(&likeness.other)?.clone();
            Some(Suggested { persons: [one, other], confidence: likeness.confidence })
        });
        Ok(suggested.collect())
    }

    /// Says whether two persons of the caller's own library are the same.
    ///
    /// # Errors
    /// As [`merge_persons`](Self::merge_persons).
    pub async fn answer_same_persons(
        &self,
        caller: &Caller,
        one: PersonId,
        other: PersonId,
        same: bool,
    ) -> Result<ChangedPersons> {
        caller.require(Scope::Write)?;
        let one = self.own_person(caller, one).await?;
        let other = self.own_person(caller, other).await?;
        if !same {
            let edit = self.tell_apart(caller, &one, &other).await?;
            return Ok(ChangedPersons { person: None, edits: vec![edit] });
        }
        // Whoever has a name stays who they are.
        let (into, from) = match (&one.name, &other.name) {
            (None, Some(_)) => (other.id, one.id),
            _ => (one.id, other.id),
        };
        self.merge_persons(caller, into, &[from]).await
    }
}

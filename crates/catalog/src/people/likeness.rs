//! Persons who may be the same: what grouping was not sure of.

use model::{PersonId, UserId, Work};
use serde::{Deserialize, Serialize};
use table::{Action, Item};

use crate::{Catalog, Held, Result, keys, row, work};

/// Two persons who look alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Likeness {
    /// One of them.
    pub one: PersonId,
    /// The other.
    pub other: PersonId,
    /// How sure it is that they are the same, from 0 to 1.
    pub confidence: f64,
}

#[derive(Default, Serialize, Deserialize)]
struct Likenesses {
    pairs: Vec<Likeness>,
}

impl Catalog {
    /// Persons of a library who may be the same, most alike first.
    pub async fn find_likenesses(&self, owner: UserId) -> Result<Vec<Likeness>> {
        let found: Option<Likenesses> = self.find(&keys::likenesses(owner)).await?;
        Ok(found.unwrap_or_default().pairs)
    }

    /// Puts these in the place of those before, as long as the work is held.
    pub async fn put_likenesses(&self, held: &Work, pairs: Vec<Likeness>) -> Result<Held> {
        let key = keys::likenesses(held.owner);
        let attributes = row::attributes_of(&key, &Likenesses { pairs })?;
        let put = Action::put(Item::of(key, attributes));
        let outcome = self.table.transact(vec![work::check_held(held), put]).await?;
        Ok(if outcome.is_done() { Held::Still } else { Held::Lost })
    }
}

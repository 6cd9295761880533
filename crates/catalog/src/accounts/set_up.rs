//! The one-time set-up, by which the first administrator gets in.

use model::{Sha256Hex, Timestamp};
use table::{Action, Condition, Item, Transacted};

use crate::{Catalog, Error, Result, keys};

/// Whether set-up can still be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetUp {
    /// Nobody has offered it yet.
    NotOffered,
    /// By whoever has the token with this hash.
    Open(Sha256Hex),
    /// There is an administrator, or has been one.
    Done,
}

const HASH: &str = "hash";
const DONE_AT: &str = "doneAt";

impl Catalog {
    /// Whether set-up can still be done.
    pub async fn find_set_up(&self) -> Result<SetUp> {
        let Some(row) = self.table.get(&keys::set_up()).await? else {
            return Ok(SetUp::NotOffered);
        };
        match row.str(HASH) {
            None => Ok(SetUp::Done),
            Some(hash) => {
                let hash = hash.parse().map_err(|error| Error::bad_row(&row.key, error))?;
                Ok(SetUp::Open(hash))
            }
        }
    }

    /// Opens set-up for the token with this hash, and for no earlier one. Tells whether set-up
    /// can still be done.
    pub async fn offer_set_up(&self, hash: &Sha256Hex) -> Result<bool> {
        let offer = Action::update(keys::set_up())
            .set(HASH, hash.to_string())
            .when(Condition::Lacks(DONE_AT.to_owned()));
        Ok(self.table.transact(vec![offer]).await? == Transacted::Done)
    }
}

/// Ends set-up, for whoever has the token with this hash.
pub(super) fn finish(hash: &Sha256Hex, now: Timestamp) -> Action {
    Action::put(done_row(now)).when(Condition::equals(HASH, hash.to_string()))
}

pub(super) fn done_row(now: Timestamp) -> Item {
    Item::new(keys::set_up()).with(DONE_AT, now.to_string())
}

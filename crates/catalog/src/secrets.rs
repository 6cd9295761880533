//! Secrets that all servers on one table share.

use table::{Action, Condition, Item, Value};

use crate::{Catalog, Error, Result, keys};

const BYTES: &str = "bytes";

impl Catalog {
    /// The secret of this name; `candidate` becomes it if there is none. Whoever asks gets the
    /// same, however many ask at once.
    pub async fn load_secret(&self, name: &str, candidate: &[u8]) -> Result<Vec<u8>> {
        let key = keys::secret(name);
        let new = Item::new(key.clone()).with(BYTES, Value::B(candidate.to_vec()));
        if let Some(found) = self.table.get(&key).await? {
            return bytes_of(&found);
        }
        let put = Action::put(new).when(Condition::Absent);
        let outcome = self.table.transact(vec![put]).await?;
        match outcome.refusal(0).and_then(|refusal| refusal.found.as_ref()) {
            None => Ok(candidate.to_vec()),
            Some(first) => bytes_of(first),
        }
    }
}

fn bytes_of(item: &Item) -> Result<Vec<u8>> {
    match item.attributes.value(BYTES) {
        Some(Value::B(bytes)) => Ok(bytes),
        _ => Err(Error::bad_row(&item.key, "it has no bytes")),
    }
}

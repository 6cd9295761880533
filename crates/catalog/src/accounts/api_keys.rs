//! API keys.

use model::{ApiKey, Sha256Hex, UserId};
use table::{Action, Condition, Item, Query};

use crate::paging::PageRequest;
use crate::{Catalog, Listed, Result, keys, row};

impl Catalog {
    /// Adds an API key to a user. Tells whether there is such a user and no such key.
    pub async fn create_api_key(&self, api_key: &ApiKey) -> Result<bool> {
        let key = keys::api_key(api_key.owner, &api_key.hash);
        let attributes = row::attributes_of(&key, api_key)?;
        let actions = vec![
            Action::put(Item::of(key, attributes)).when(Condition::Absent),
            Action::check(keys::profile(api_key.owner)).when(Condition::Present),
        ];
        Ok(self.table.transact(actions).await?.is_done())
    }

    /// A user's API key with this hash, unless it has ended.
    pub async fn find_api_key(&self, owner: UserId, hash: &Sha256Hex) -> Result<Option<ApiKey>> {
        self.find(&keys::api_key(owner, hash)).await
    }

    /// A user's API keys.
    pub async fn list_api_keys(&self, owner: UserId, page: &PageRequest) -> Result<Listed<ApiKey>> {
        let query = Query::partition(keys::user_partition(owner)).prefix(keys::API_KEYS);
        self.list_entities(query, page).await
    }

    /// Takes an API key from a user. Tells whether there was such a key.
    pub async fn delete_api_key(&self, owner: UserId, hash: &Sha256Hex) -> Result<bool> {
        let delete = Action::delete(keys::api_key(owner, hash)).when(Condition::Present);
        Ok(self.table.transact(vec![delete]).await?.is_done())
    }
}

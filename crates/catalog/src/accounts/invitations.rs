//! Invitations. They are used up with the account they make, see
//! [`create_account`](Catalog::create_account).

use model::{Invitation, Sha256Hex};
use table::{Action, Condition, Item, Query};

use crate::paging::PageRequest;
use crate::schema::{GLOBAL, GLOBAL_PK, GLOBAL_SK};
use crate::{Catalog, Listed, Result, keys, row};

impl Catalog {
    /// Keeps an invitation.
    pub async fn put_invitation(&self, invitation: &Invitation) -> Result<()> {
        let key = keys::invitation(&invitation.hash);
        let attributes = row::attributes_of(&key, invitation)?;
        let place = keys::invited(invitation.created_at, &invitation.hash);
        let row =
            Item::of(key, attributes).with(GLOBAL_PK, keys::INVITATIONS).with(GLOBAL_SK, place);
        let _ = self.table.transact(vec![Action::put(row)]).await?;
        Ok(())
    }

    /// The invitation with this hash, unless it was used or has ended.
    pub async fn find_invitation(&self, hash: &Sha256Hex) -> Result<Option<Invitation>> {
        self.find(&keys::invitation(hash)).await
    }

    /// All invitations that wait to be used, newest first.
    pub async fn list_invitations(&self, page: &PageRequest) -> Result<Listed<Invitation>> {
        self.list_entities(Query::index(GLOBAL, keys::INVITATIONS).descending(), page).await
    }

    /// Takes an invitation back. Tells whether there was one.
    pub async fn delete_invitation(&self, hash: &Sha256Hex) -> Result<bool> {
        Ok(self.table.transact(vec![use_up(hash)]).await?.is_done())
    }
}

pub(super) fn use_up(hash: &Sha256Hex) -> Action {
    Action::delete(keys::invitation(hash)).when(Condition::Present)
}

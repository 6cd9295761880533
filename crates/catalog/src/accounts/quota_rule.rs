//! What new accounts may keep, as administrators have decided it.

use model::{ByteRule, QuotaRule};
use table::{Action, Item};

use crate::{Catalog, Error, Result, keys};

const IMAGES: &str = "images";
const BYTES: &str = "bytes";

impl Catalog {
    /// What new accounts may keep, if that was ever decided.
    pub async fn find_quota_rule(&self) -> Result<Option<QuotaRule>> {
        let Some(row) = self.table.get(&keys::quota_rule()).await? else { return Ok(None) };
        let bytes: ByteRule = match row.str(BYTES) {
            Some(text) => text.parse().map_err(|error| Error::bad_row(&row.key, error))?,
            None => ByteRule::Unlimited,
        };
        Ok(Some(QuotaRule { images: row.i64(IMAGES), bytes }))
    }

    /// Decides what new accounts may keep. Those that there are keep what they have.
    pub async fn put_quota_rule(&self, rule: QuotaRule) -> Result<()> {
        // Nothing that it could be refused for is asked.
        let _ = self.table.transact(vec![Action::put(row(rule))]).await?;
        Ok(())
    }
}

/// Without a limit, there is no number of images.
pub(super) fn row(rule: QuotaRule) -> Item {
    let row = Item::new(keys::quota_rule()).with(BYTES, rule.bytes.to_string());
    match rule.images {
        Some(images) => row.with(IMAGES, images),
        None => row,
    }
}

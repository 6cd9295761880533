//! Whether bytes are there already, so that a whole library need not be sent to find out.

use model::{Image, Sha256Hex};

use crate::{Caller, Error, Result, Scope, Service};

/// Sums asked about at once.
pub const SUMS_AT_ONCE_MAX: usize = 500;

impl Service {
    /// The caller's images that have bytes of these sums, in their order; also those in the trash.
    ///
    /// Who may upload learns the same by uploading, so `write` is enough, as is `read`.
    ///
    /// # Errors
    /// When there are too many, or the caller's key allows neither.
    pub async fn find_by_sums(
        &self,
        caller: &Caller,
        sums: &[Sha256Hex],
    ) -> Result<Vec<Option<Image>>> {
        if !caller.scopes.contains(Scope::Write) {
            caller.require(Scope::Read)?;
        }
        if sums.len() > SUMS_AT_ONCE_MAX {
            let message = format!("at most {SUMS_AT_ONCE_MAX} at once, not {}", sums.len());
            return Err(Error::invalid("sha256", message));
        }
        Ok(self.catalog().find_duplicates(caller.user, sums).await?)
    }
}

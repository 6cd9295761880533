//! Uploads that can be resumed: which parts of the bytes have come, in their order.

use model::ImageId;
use serde::{Deserialize, Serialize};
use table::{Action, Condition, Item};

use super::attach;
use crate::{Catalog, Result, keys, row};

/// Some of an upload's bytes, stored as an object of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadPart {
    /// Names the object; below 2^63, as rows take it.
    pub part: u64,
    /// How many bytes it has.
    pub size_bytes: u64,
}

/// What has come of an upload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadParts {
    /// The parts, in the order of their bytes.
    pub parts: Vec<UploadPart>,
    /// Counts the changes.
    pub version: i64,
}

impl UploadParts {
    /// How many bytes have come.
    pub fn size_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.size_bytes).sum()
    }
}

/// How adding parts ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Appended {
    /// They belong to the upload now.
    Appended(UploadParts),
    /// Somebody else added parts first.
    Conflict,
    /// There is no such upload any more.
    Gone,
}

impl Catalog {
    /// What has come of an upload.
    pub async fn find_upload_parts(&self, image: ImageId) -> Result<UploadParts> {
        Ok(self.find(&keys::upload_parts(image)).await?.unwrap_or_default())
    }

    /// Adds parts behind those of `before`, if it is still like that and the upload is waited for.
    pub async fn append_upload_parts(
        &self,
        image: ImageId,
        before: &UploadParts,
        new: &[UploadPart],
    ) -> Result<Appended> {
        let mut after = before.clone();
        after.parts.extend_from_slice(new);
        after.version += 1;
        let key = keys::upload_parts(image);
        let attributes = row::attributes_of(&key, &after)?;
        let unchanged = match before.version {
            0 => Condition::Absent,
            version => Condition::version(version),
        };
        let actions = vec![
            Action::put(Item::of(key, attributes)).when(unchanged),
            attach(image).when(Condition::equals("status", "pending")),
        ];
        let outcome = self.table.transact(actions).await?;
        Ok(match (outcome.is_done(), outcome.refusal(1)) {
            (true, _) => Appended::Appended(after),
            (false, Some(_)) => Appended::Gone,
            (false, None) => Appended::Conflict,
        })
    }
}

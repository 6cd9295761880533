use serde::{Deserialize, Serialize};

use crate::{Name, Sha256Hex, Timestamp, UserId};

/// A key by which a program acts for a user. Only its hash is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// Whom it acts for.
    pub owner: UserId,
    /// The SHA-256 of the key, by which it is found.
    pub hash: Sha256Hex,
    /// What its owner calls it.
    pub name: Name,
    /// What it may do.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends, in seconds since 1970, if ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<i64>,
}

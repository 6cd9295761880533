//! What lets somebody into an account. No secret is ever kept, only its hash.

use serde::{Deserialize, Serialize};

use crate::{Email, Role, Sha256Hex, Timestamp, UserId};

/// A password, as it is kept.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PasswordHash {
    /// Hash, salt and parameters as PHC text (`$argon2id$…`).
    pub hash: String,
    /// When it was chosen.
    pub changed_at: Timestamp,
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasswordHash").field("changed_at", &self.changed_at).finish_non_exhaustive()
    }
}

/// That somebody signed in somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Who.
    pub user: UserId,
    /// The SHA-256 of the session's token, by which it is found.
    pub hash: Sha256Hex,
    /// The user's [`generation`](crate::User::generation) at that time. The session has ended
    /// when the user has a later one.
    pub generation: i64,
    /// What they signed in with, as its program calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When they signed in.
    pub created_at: Timestamp,
    /// When it ends, in seconds since 1970.
    pub ttl: i64,
}

/// A link by which one person may make an account, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// The SHA-256 of the invitation's token, by which it is found.
    pub hash: Sha256Hex,
    /// What the account will be allowed.
    pub role: Role,
    /// The only address it is good for, if it was sent to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// Who invites.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends, in seconds since 1970.
    pub ttl: i64,
}

/// Who somebody is for an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The SHA-256 of issuer and subject, by which it is found.
    pub hash: Sha256Hex,
    /// The provider, as it names itself.
    pub issuer: String,
    /// The provider's name for them; never given to anybody else.
    pub subject: String,
    /// Whose it is here.
    pub user: UserId,
    /// Since when.
    pub linked_at: Timestamp,
}

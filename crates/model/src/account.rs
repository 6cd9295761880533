//! What lets somebody into an account. No secret is ever kept, only its hash.

use serde::{Deserialize, Serialize};

use crate::{Email, Name, Role, Sha256Hex, Timestamp, UserId};

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

/// A key pair on somebody's device that lets them in; only the public one is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// The SHA-256 of the credential's id, by which it is found.
    pub hash: Sha256Hex,
    /// Whom it lets in.
    pub user: UserId,
    /// The credential's id, as base64url.
    pub credential: String,
    /// What verifies its signatures, as the authenticator wrote it (COSE), as base64url.
    pub public_key: String,
    /// How often it was used, if the authenticator counts; else 0.
    pub sign_count: i64,
    /// Whether it can ever be on more than one device.
    pub backup_eligible: bool,
    /// Whether it was when it was last used.
    pub backed_up: bool,
    /// What its owner calls it.
    pub name: Name,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used to sign in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

//! Accounts: who may come in, by what, and what they may change about it.
//!
//! Secrets leave here once, when they are made; only their hashes are kept.

mod api_keys;
mod attempts;
mod authenticate;
mod identities;
mod invitations;
mod logins;
mod passkeys;
mod password;
mod profiles;
mod quotas;
mod sessions;
mod set_up;
mod settings;
mod sign_in;
mod sign_up;
mod token;
mod users;

pub use api_keys::NewApiKey;
pub(crate) use attempts::Counted;
pub use authenticate::{Authenticated, Proof};
pub(crate) use authenticate::{KNOWN_TOKENS_MAX, KnownTokens};
pub use identities::ProvenIdentity;
pub use invitations::NewInvitation;
pub use passkeys::{PASSKEY_TIME, PasskeyOffer};
pub(crate) use password::Passwords;
pub use password::{BadPassword, Password};
pub use quotas::{DefaultQuota, QuotaSource};
pub use settings::{AccountSettings, AttemptLimits, BadSignUp, PasswordCost, SignUp};
pub use sign_in::{Client, NewSession};
pub use token::Token;
pub use users::{NewUser, Profile};

//! Accounts: how they begin, what lets somebody in, and how they end.
//!
//! Everything of a user is in the user's own partition, or is named there: who removes a user
//! finds all of it.

mod administrators;
mod api_keys;
mod attempts;
mod create;
mod credentials;
mod erase;
mod identities;
mod invitations;
mod passkeys;
mod quota_rule;
mod sessions;
mod set_up;

pub(crate) use administrators::{admit_administrator, dismiss_administrator};
pub use attempts::Attempted;
pub use create::{CreatedUser, Entry, NewAccount};
pub use erase::BegunErase;
pub use identities::Linked;
pub use passkeys::CreatedPasskey;
pub use set_up::SetUp;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What an installation has decided about accounts.
#[derive(Clone, Debug)]
pub struct AccountSettings {
    /// Who may make an account.
    pub sign_up: SignUp,
    /// Whether somebody whom the identity provider sends gets an account by that.
    pub create_for_identity: bool,
    /// How long a session lasts.
    pub session_time: Duration,
    /// How long an invitation can be used.
    pub invitation_time: Duration,
    /// How often a password may be tried.
    pub attempts: AttemptLimits,
    /// What it costs to try one.
    pub password_cost: PasswordCost,
}

/// Who may make an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignUp {
    /// Nobody; administrators make them.
    Closed,
    /// Who has an invitation.
    Invitation,
    /// Everybody.
    Open,
}

/// How often passwords may be tried within a window of time.
#[derive(Clone, Copy, Debug)]
pub struct AttemptLimits {
    /// Counted from the first attempt.
    pub window: Duration,
    /// Failed attempts for one e-mail address, from wherever.
    pub per_email: i64,
    /// Failed attempts from one client address, for whomever.
    pub per_address: i64,
}

/// What one try of a password costs: memory and passes of argon2id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
}

impl Default for AccountSettings {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        Self {
            sign_up: SignUp::Invitation,
            create_for_identity: true,
            session_time: 30 * DAY,
            invitation_time: 7 * DAY,
            attempts: AttemptLimits::default(),
            password_cost: PasswordCost::default(),
        }
    }
}

impl Default for AttemptLimits {
    fn default() -> Self {
        Self { window: Duration::from_secs(15 * 60), per_email: 10, per_address: 100 }
    }
}

impl Default for PasswordCost {
    /// What OWASP recommends.
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, passes: 2 }
    }
}

impl PasswordCost {
    /// Next to nothing, for tests that sign in all the time.
    pub fn for_tests() -> Self {
        Self { memory_kib: 8, passes: 1 }
    }
}

impl fmt::Display for SignUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "closed",
            Self::Invitation => "invitation",
            Self::Open => "open",
        })
    }
}

/// A text that says nothing about sign-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("closed, invitation or open")]
pub struct BadSignUp;

impl FromStr for SignUp {
    type Err = BadSignUp;

    fn from_str(text: &str) -> Result<Self, BadSignUp> {
        [Self::Closed, Self::Invitation, Self::Open]
            .into_iter()
            .find(|sign_up| sign_up.to_string() == text)
            .ok_or(BadSignUp)
    }
}

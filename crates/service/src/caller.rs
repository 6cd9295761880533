//! Who asks, and what they may.

use std::fmt;
use std::str::FromStr;

use model::{Role, Timestamp, UserId};

use crate::{Error, Result};

/// Somebody whose identity has been established.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who.
    pub user: UserId,
    /// What their account allows.
    pub role: Role,
    /// What the way they signed in allows of that.
    pub scopes: Scopes,
}

impl Caller {
    /// Somebody who may do everything that their account allows.
    pub fn new(user: UserId, role: Role) -> Self {
        Self { user, role, scopes: Scopes::all() }
    }

    /// Whoever can run commands on the server itself. May do everything, and is no user.
    pub fn operator() -> Self {
        Self::new(UserId::new(Timestamp::EPOCH, 0), Role::Administrator)
    }

    /// Refuses a caller whose key does not have a scope.
    ///
    /// # Errors
    /// [`Error::ScopeMissing`].
    pub fn require(&self, scope: Scope) -> Result<()> {
        if self.scopes.contains(scope) { Ok(()) } else { Err(Error::ScopeMissing { scope }) }
    }

    /// Refuses everybody but administrators.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], or [`Error::ScopeMissing`] if only the key does not allow it.
    pub fn require_administrator(&self) -> Result<()> {
        if self.role != Role::Administrator {
            return Err(Error::NotAdministrator);
        }
        self.require(Scope::Admin)
    }
}

/// A part of what an account allows, for API keys that shall not do everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// See images, albums, persons and changes.
    Read,
    /// Upload and change them.
    Write,
    /// Put them into the trash, and remove them for good.
    Delete,
    /// Change the account itself: profile, keys, sessions.
    Account,
    /// What only administrators may.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Delete, Self::Account, Self::Admin];

    fn bit(self) -> u8 {
        1 << self as u8
    }

    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Account => "account",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a scope (read, write, delete, account, admin)")]
pub struct BadScope(String);

impl FromStr for Scope {
    type Err = BadScope;

    fn from_str(text: &str) -> std::result::Result<Self, BadScope> {
        let scope = Self::ALL.into_iter().find(|scope| scope.name() == text);
        scope.ok_or_else(|| BadScope(text.chars().take(64).collect()))
    }
}

/// A set of scopes: a bit for each, because every request carries one about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// Everything.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Whether a scope is among them.
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// The scopes, in order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(role: Role, scopes: Scopes) -> Caller {
        Caller { user: UserId::new(Timestamp::from_millis(0), 1), role, scopes }
    }

    #[test]
    fn scopes_are_spelt_alike_everywhere() {
        for scope in Scope::ALL {
            assert_eq!(scope.to_string().parse(), Ok(scope));
        }
        assert!("everything".parse::<Scope>().is_err());
    }

    #[test]
    fn a_key_allows_no_more_than_its_scopes_and_its_owner() {
        let reader = caller(Role::User, [Scope::Read].into_iter().collect());
        assert!(reader.require(Scope::Read).is_ok());
        assert!(matches!(
            reader.require(Scope::Write),
            Err(Error::ScopeMissing { scope: Scope::Write })
        ));
        let user = caller(Role::User, Scopes::all());
        assert!(matches!(user.require_administrator(), Err(Error::NotAdministrator)));
        let limited = caller(Role::Administrator, [Scope::Read].into_iter().collect());
        assert!(limited.require_administrator().is_err());
        assert!(caller(Role::Administrator, Scopes::all()).require_administrator().is_ok());
    }
}

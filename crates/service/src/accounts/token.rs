//! Texts that let somebody in. They are long and random, so one SHA-256 suffices to keep them.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::{Sha256Hex, UserId};
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// A secret that is shown to whoever it was made for; all but those of links only once.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The text. Never log it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn hash(&self) -> Result<Sha256Hex> {
        hash_of(&self.0)
    }

    /// A token that says whose it is, so that its hash is found in their partition.
    pub(super) fn of_user(kind: Kind, user: UserId) -> Self {
        Self(format!("{}{user}_{}", kind.prefix(), random()))
    }

    /// A token that is made of what it proves.
    pub(crate) fn of_link(text: String) -> Self {
        Self(text)
    }

    /// A token for somebody who has no account yet.
    pub(super) fn for_entry(kind: EntryKind) -> Self {
        Self(format!("{}{}", kind.prefix(), random()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// What a user's token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Session,
    ApiKey,
}

/// What a token for a new account is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    SetUp,
    Invitation,
}

impl Kind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Session => "fts_",
            Self::ApiKey => "ftk_",
        }
    }
}

impl EntryKind {
    fn prefix(self) -> &'static str {
        match self {
            Self::SetUp => "ftu_",
            Self::Invitation => "fti_",
        }
    }
}

/// A user's token, as far as its text tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claimed {
    pub(super) kind: Kind,
    pub(super) user: UserId,
    pub(super) hash: Sha256Hex,
}

/// Takes a token apart, if it can be one of ours.
pub(super) fn parse(text: &str) -> Option<Claimed> {
    let kinds = [Kind::Session, Kind::ApiKey];
    let (kind, rest) =
        kinds.into_iter().find_map(|kind| Some((kind, text.strip_prefix(kind.prefix())?)))?;
    let (user, secret) = rest.split_once('_')?;
    if secret.len() != SECRET_CHARS {
        return None;
    }
    Some(Claimed { kind, user: user.parse().ok()?, hash: hash_of(text).ok()? })
}

/// The hash by which an invitation or a set-up token is kept.
pub(super) fn hash_of(text: &str) -> Result<Sha256Hex> {
    hex(&Sha256::digest(text.as_bytes()))
}

/// 32 bytes as they are written in keys.
pub(super) fn hex(bytes: &[u8]) -> Result<Sha256Hex> {
    crate::hex::hex(bytes).parse().map_err(Error::internal)
}

/// Characters of 32 bytes.
const SECRET_CHARS: usize = 43;

fn random() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

#[cfg(test)]
mod tests {
    use model::Timestamp;

    use super::*;

    #[test]
    fn a_token_tells_its_kind_and_user_and_nothing_else_parses() {
        let user = UserId::new(Timestamp::from_millis(1), u128::MAX);
        for kind in [Kind::Session, Kind::ApiKey] {
            let token = Token::of_user(kind, user);
            let claimed = parse(token.as_str()).unwrap();
            assert_eq!(claimed, Claimed { kind, user, hash: token.hash().unwrap() });
            assert_ne!(token, Token::of_user(kind, user));
            assert!(!format!("{token:?}").contains("ft"));
            for wrong in [format!("{}x", token.as_str()), token.as_str().to_lowercase()] {
                assert_eq!(parse(&wrong), None);
            }
        }
        for wrong in ["", "fts_", "fts__", "eyJhbGciOiJSUzI1NiJ9.e30.x", "ftx_a_b"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(parse(Token::for_entry(EntryKind::Invitation).as_str()), None);
    }
}

//! What the browser says about a ceremony: which one, on whose page, for which challenge.

use serde::Deserialize;

use crate::{Refused, RelyingParty, decode};

/// Which ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceremony {
    Register,
    SignIn,
}

/// What the browser says, and the bytes in which it does: these are signed.
pub(crate) struct ClientData {
    pub(crate) bytes: Vec<u8>,
    said: Said,
    challenge: Vec<u8>,
}

/// What is not named here is for others, or for later.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    #[serde(rename = "type")]
    ceremony: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: Option<bool>,
    #[serde(default)]
    top_origin: Option<String>,
}

impl ClientData {
    pub(crate) fn read(text: &str) -> Result<Self, Refused> {
        let bytes = decode(text)?;
        let said: Said = serde_json::from_slice(&bytes).map_err(|_| Refused::BadClientData)?;
        let challenge = decode(&said.challenge)?;
        Ok(Self { bytes, said, challenge })
    }

    /// The challenge that it says it answers.
    pub(crate) fn into_challenge(self) -> Vec<u8> {
        self.challenge
    }

    pub(crate) fn check(
        &self,
        ceremony: Ceremony,
        site: &RelyingParty,
        challenge: &[u8],
    ) -> Result<(), Refused> {
        let expected = match ceremony {
            Ceremony::Register => "webauthn.create",
            Ceremony::SignIn => "webauthn.get",
        };
        if self.said.ceremony != expected {
            return Err(Refused::WrongCeremony);
        }
        if self.challenge != challenge {
            return Err(Refused::WrongChallenge);
        }
        if self.said.origin != site.origin() {
            return Err(Refused::WrongOrigin);
        }
        if self.said.cross_origin == Some(true) || self.said.top_origin.is_some() {
            return Err(Refused::CrossOrigin);
        }
        Ok(())
    }
}

//! Passkeys: what a browser hands over after one was made or used, verified as Web Authentication
//! (W3C, level 3, sections 7.1 and 7.2) demands.
//!
//! Whoever calls has to know that a challenge was given out, lately and to whom, that it is used
//! once, and which passkeys there are. Everything here is decided by the bytes alone, and no bytes
//! make it panic.

mod authenticator_data;
mod cbor;
mod client_data;
mod key;
mod refused;
mod registration;
mod relying_party;
mod sign_in;

pub use key::ALGORITHMS;
pub use refused::Refused;
pub use registration::{NewCredential, Registration};
pub use relying_party::{NoRelyingParty, RelyingParty};
pub use sign_in::{Assertion, KnownCredential, Proven};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Bytes of a credential's id at most; what is longer is refused.
pub const CREDENTIAL_ID_BYTES_MAX: usize = 1023;

/// Nothing that a browser hands over is longer than this, with attestation and all.
const BASE64_CHARS_MAX: usize = 64 << 10;

/// Bytes as browsers write them in JSON.
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Bytes that a browser has written in JSON.
pub fn decode(text: &str) -> Result<Vec<u8>, Refused> {
    if text.len() > BASE64_CHARS_MAX {
        return Err(Refused::TooLong);
    }
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Refused::NotBase64)
}

/// The id of a credential, which the browser tells twice.
fn credential_id(kind: &str, id: &str, raw_id: &str) -> Result<Vec<u8>, Refused> {
    if kind != "public-key" {
        return Err(Refused::WrongKind);
    }
    if id != raw_id {
        return Err(Refused::OtherCredential);
    }
    let id = decode(id)?;
    if id.is_empty() || id.len() > CREDENTIAL_ID_BYTES_MAX {
        return Err(Refused::BadCredentialId);
    }
    Ok(id)
}

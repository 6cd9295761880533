//! Signed texts in the compact form of RFC 7515, as far as providers use it: RS256 and ES256.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature;
use serde::Deserialize;

use super::OidcError;
use super::keys::Key;

/// How something is signed. Nothing else is ever accepted, least of all `none` or a secret that
/// both sides share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Algorithm {
    RS256,
    ES256,
}

/// What a signed text says about itself.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Header {
    pub(super) alg: Algorithm,
    /// Which of the provider's keys.
    pub(super) kid: Option<String>,
    /// What must be understood; we understand nothing more.
    #[serde(default)]
    crit: Option<serde_json::Value>,
}

/// A signed text, not verified yet.
pub(super) struct Jws<'a> {
    pub(super) header: Header,
    signed: &'a str,
    payload: &'a str,
    signature: Vec<u8>,
}

/// A token longer than this is none of a provider's.
const CHARS_MAX: usize = 16 << 10;

/// Takes a signed text apart.
pub(super) fn parse(token: &str) -> Result<Jws<'_>, OidcError> {
    let refused = |what: &str| OidcError::Refused(what.to_owned());
    if token.len() > CHARS_MAX {
        return Err(refused("it is too long"));
    }
    let (signed, signature) = token.rsplit_once('.').ok_or_else(|| refused("it has no parts"))?;
    let (header, payload) = signed.split_once('.').ok_or_else(|| refused("it has two parts"))?;
    let header = decode(header)?;
    let header: Header = serde_json::from_slice(&header)
        .map_err(|error| OidcError::Refused(format!("its header: {error}")))?;
    if header.crit.is_some() {
        return Err(refused("it asks for extensions"));
    }
    Ok(Jws { header, signed, payload, signature: decode(signature)? })
}

impl Jws<'_> {
    /// What is signed, if it is signed by this key.
    pub(super) fn verify(&self, key: &Key) -> Result<Vec<u8>, OidcError> {
        let message = self.signed.as_bytes();
        let verified = match (self.header.alg, key) {
            (Algorithm::RS256, Key::Rsa { n, e }) => signature::RsaPublicKeyComponents { n, e }
                .verify(&signature::RSA_PKCS1_2048_8192_SHA256, message, &self.signature),
            (Algorithm::ES256, Key::P256 { point }) => {
                signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, point)
                    .verify(message, &self.signature)
            }
            _ => return Err(OidcError::Refused("the key is of another kind".to_owned())),
        };
        verified.map_err(|_| OidcError::Refused("the signature is wrong".to_owned()))?;
        decode(self.payload)
    }
}

pub(super) fn decode(text: &str) -> Result<Vec<u8>, OidcError> {
    let decoded = URL_SAFE_NO_PAD.decode(text);
    decoded.map_err(|_| OidcError::Refused("it is not base64url".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by another library, with keys that nobody has any more.
    const RS256: &str = include_str!("../../tests/fixtures/signed-rs256.txt");
    const RS256_KEY: &str = include_str!("../../tests/fixtures/signed-rs256-key.json");
    const ES256: &str = include_str!("../../tests/fixtures/signed-es256.txt");
    const ES256_KEY: &str = include_str!("../../tests/fixtures/signed-es256-key.json");

    fn key(text: &str) -> Key {
        super::super::keys::parse_key(&serde_json::from_str(text).unwrap()).unwrap()
    }

    #[test]
    fn signatures_of_others_verify_with_their_own_keys_only() {
        for (token, own, other) in [(RS256, RS256_KEY, ES256_KEY), (ES256, ES256_KEY, RS256_KEY)] {
            let jws = parse(token.trim()).unwrap();
            let payload = jws.verify(&key(own)).unwrap();
            assert!(String::from_utf8(payload).unwrap().contains("\"iss\":\"joe\""));
            assert!(jws.verify(&key(other)).is_err());
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        for (token, own) in [(RS256, RS256_KEY), (ES256, ES256_KEY)] {
            let (signed, signature) = token.trim().rsplit_once('.').unwrap();
            let (header, payload) = signed.split_once('.').unwrap();
            let changed = format!("{header}.{}A.{signature}", &payload[..payload.len() - 1]);
            assert!(parse(&changed).unwrap().verify(&key(own)).is_err());
        }
    }

    #[test]
    fn other_algorithms_are_refused_before_anything_is_verified() {
        for alg in ["none", "None", "HS256", "HS512", "PS256", "RS384", "EdDSA", ""] {
            let header = URL_SAFE_NO_PAD.encode(format!("{{\"alg\":\"{alg}\"}}"));
            for signature in ["", "AAAA"] {
                assert!(parse(&format!("{header}.e30.{signature}")).is_err(), "{alg}");
            }
        }
        let critical = URL_SAFE_NO_PAD.encode(r#"{"alg":"RS256","crit":["b64"]}"#);
        assert!(parse(&format!("{critical}.e30.AAAA")).is_err());
        for nonsense in ["", ".", "..", "a.b", "a.b.c.d", "é.é.é"] {
            assert!(parse(nonsense).is_err(), "{nonsense}");
        }
    }
}

//! The provider's keys, as it publishes them. Providers change them now and then: a token with
//! a key that we do not know makes us look again, but not more often than every few seconds.

use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::jws::{Algorithm, Header, decode};
use super::{OidcError, fetch};

/// A key that signatures are verified with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256 { point: Vec<u8> },
}

/// A key as the provider publishes it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Jwk {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Deserialize)]
struct Jwks {
    /// Those that cannot be read are for others.
    keys: Vec<serde_json::Value>,
}

/// The keys that were fetched last.
pub(super) struct Keys {
    client: Client,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    keys: Vec<Jwk>,
    /// When they were fetched.
    fetched: Option<Instant>,
    /// When we last tried to.
    tried: Option<Instant>,
}

/// Who sends tokens with made-up keys shall not have us ask the provider all the time.
const PAUSE: Duration = Duration::from_secs(5);
/// After this, keys that the provider has withdrawn are forgotten.
const FRESH: Duration = Duration::from_secs(15 * 60);
/// A provider that cannot be reached does not shut everybody out at once.
const USABLE: Duration = Duration::from_secs(24 * 60 * 60);

impl Keys {
    pub(super) fn new(client: Client) -> Self {
        Self { client, known: Mutex::default() }
    }

    /// The key that a token says it is signed with.
    pub(super) async fn find(&self, url: &str, header: &Header) -> Result<Key, OidcError> {
        // One at a time: a thousand tokens with a new key cost one request.
        let mut known = self.known.lock().await;
        let found = choose(&known.keys, header);
        let is_fresh = known.fetched.is_some_and(|at| at.elapsed() < FRESH);
        if is_fresh && let Some(key) = found {
            return Ok(key);
        }
        let may_ask = known.tried.is_none_or(|at| at.elapsed() >= PAUSE);
        if may_ask {
            known.tried = Some(Instant::now());
            match self.fetch(url).await {
                Ok(keys) => {
                    known.keys = keys;
                    known.fetched = Some(Instant::now());
                }
                Err(error) => {
                    tracing::warn!(%error, "the keys of the identity provider were not fetched");
                }
            }
        }
        match known.fetched {
            Some(at) if at.elapsed() < USABLE => choose(&known.keys, header)
                .ok_or_else(|| OidcError::Refused("the provider has no such key".to_owned())),
            _ => Err(OidcError::Unavailable("its keys could not be fetched".to_owned())),
        }
    }
}

impl Keys {
    /// How many keys the provider publishes that can verify something here.
    pub(super) async fn count(&self, url: &str) -> Result<usize, OidcError> {
        let keys = self.fetch(url).await?;
        Ok(keys.iter().filter_map(parse_key).count())
    }

    async fn fetch(&self, url: &str) -> Result<Vec<Jwk>, OidcError> {
        let jwks: Jwks = fetch::json(self.client.get(url)).await?;
        let keys = jwks.keys.into_iter();
        Ok(keys.filter_map(|key| serde_json::from_value(key).ok()).collect())
    }
}

/// The key that a header names; without a name, the only one that it can be.
fn choose(keys: &[Jwk], header: &Header) -> Option<Key> {
    let named = |jwk: &&Jwk| header.kid.is_none() || jwk.kid == header.kid;
    let mut fitting = keys.iter().filter(named).filter(|jwk| jwk.fits(header.alg));
    let first = fitting.next()?;
    if header.kid.is_none() && fitting.next().is_some() {
        return None;
    }
    parse_key(first)
}

impl Jwk {
    fn fits(&self, algorithm: Algorithm) -> bool {
        let (kty, alg) = match algorithm {
            Algorithm::RS256 => ("RSA", "RS256"),
            Algorithm::ES256 => ("EC", "ES256"),
        };
        self.kty == kty
            && self.alg.as_deref().is_none_or(|own| own == alg)
            && self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
    }
}

pub(super) fn parse_key(jwk: &Jwk) -> Option<Key> {
    let bytes = |text: &Option<String>| text.as_deref().and_then(|text| decode(text).ok());
    match jwk.kty.as_str() {
        "RSA" => Some(Key::Rsa { n: bytes(&jwk.n)?, e: bytes(&jwk.e)? }),
        "EC" if jwk.crv.as_deref() == Some("P-256") => {
            let (x, y) = (bytes(&jwk.x)?, bytes(&jwk.y)?);
            if x.len() != 32 || y.len() != 32 {
                return None;
            }
            // The uncompressed form of a point.
            Some(Key::P256 { point: [&[4], x.as_slice(), y.as_slice()].concat() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys() -> Vec<Jwk> {
        let keys = json!([
            { "kty": "RSA", "kid": "1", "n": "AQ", "e": "AQAB" },
            { "kty": "RSA", "kid": "2", "n": "Ag", "e": "AQAB", "use": "enc" },
            { "kty": "RSA", "kid": "3", "n": "Aw", "e": "AQAB", "alg": "RS512" },
            { "kty": "EC", "kid": "4", "crv": "P-256", "x": "A".repeat(43), "y": "A".repeat(43) },
            { "kty": "EC", "kid": "5", "crv": "P-384", "x": "AA", "y": "AA" },
            { "kty": "oct", "kid": "6", "k": "AA" },
        ]);
        serde_json::from_value(keys).unwrap()
    }

    fn header(alg: &str, kid: Option<&str>) -> Header {
        serde_json::from_value(json!({ "alg": alg, "kid": kid })).unwrap()
    }

    #[test]
    fn a_key_is_chosen_by_name_and_kind() {
        let choose = |alg, kid| choose(&keys(), &header(alg, kid));
        assert!(matches!(choose("RS256", Some("1")), Some(Key::Rsa { .. })));
        assert!(matches!(choose("ES256", Some("4")), Some(Key::P256 { .. })));
        assert!(matches!(choose("RS256", None), Some(Key::Rsa { n, .. }) if n == [1]));
        for (alg, kid) in [
            ("RS256", "2"),
            ("RS256", "3"),
            ("RS256", "4"),
            ("ES256", "1"),
            ("ES256", "5"),
            ("RS256", "6"),
            ("RS256", "7"),
        ] {
            assert_eq!(choose(alg, Some(kid)), None, "{alg} {kid}");
        }
    }
}

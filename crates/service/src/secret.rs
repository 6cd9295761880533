//! The secret that all servers on one table share, and the keys made from it.

use std::fmt;

use catalog::Catalog;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::hex::hex;
use crate::{Error, Result};

/// Random bytes from which a key is derived for every use, so that no signature made for one use
/// is ever good for another. The keys are kept ready: a page of images has a hundred signatures.
#[derive(Clone)]
pub(crate) struct MasterSecret([Hmac<Sha256>; Purpose::ALL.len()]);

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Page keys that clients hold.
    Cursors,
    /// URLs of images.
    Urls,
    /// URLs of objects that our own server answers.
    Storage,
    /// Names of counters of attempts.
    Attempts,
    /// What a browser keeps while it is at an identity provider.
    Logins,
    /// What proves a link, and that its password was known.
    Links,
}

impl MasterSecret {
    pub(crate) async fn load(catalog: &Catalog) -> Result<Self> {
        let stored = catalog.load_secret("master", &rand::random::<[u8; 32]>()).await?;
        // Whatever its length, every bit of it counts.
        Ok(Self::of(sign(keyed(&stored), &[b"ferrotype master secret"])))
    }

    fn of(secret: [u8; 32]) -> Self {
        Self(Purpose::ALL.map(|purpose| keyed(&sign(keyed(&secret), &[purpose.label()]))))
    }

    /// What signs URLs of objects.
    pub(crate) fn for_storage(&self) -> Result<blob::Secret> {
        let key = self.sign(Purpose::Storage, &[b"key"]);
        blob::Secret::for_signing(hex(&key)).map_err(Error::internal)
    }

    /// The signature of some parts, for one purpose. Parts are told apart: moving a byte from one
    /// to the next gives another signature.
    pub(crate) fn sign(&self, purpose: Purpose, parts: &[&[u8]]) -> [u8; 32] {
        let [cursors, urls, storage, attempts, logins, links] = &self.0;
        let key = match purpose {
            Purpose::Cursors => cursors,
            Purpose::Urls => urls,
            Purpose::Storage => storage,
            Purpose::Attempts => attempts,
            Purpose::Logins => logins,
            Purpose::Links => links,
        };
        sign(key.clone(), parts)
    }
}

impl Purpose {
    /// All of them, in the order of their keys.
    const ALL: [Self; 6] =
        [Self::Cursors, Self::Urls, Self::Storage, Self::Attempts, Self::Logins, Self::Links];

    /// What its key is derived with.
    fn label(self) -> &'static [u8] {
        match self {
            Self::Cursors => b"cursors",
            Self::Urls => b"urls",
            Self::Storage => b"storage",
            Self::Attempts => b"attempts",
            Self::Logins => b"logins",
            Self::Links => b"links",
        }
    }
}

/// Compares without telling by the time taken how much agrees.
pub(crate) fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).fold(0, |differs, (l, r)| differs | (l ^ r)) == 0
}

/// An HMAC with this key, which may have any length.
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    match Hmac::new_from_slice(key) {
        Ok(mac) => mac,
        Err(_) => unreachable!("an HMAC takes keys of any length"),
    }
}

fn sign(mut mac: Hmac<Sha256>, parts: &[&[u8]]) -> [u8; 32] {
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

impl fmt::Debug for MasterSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_differ_by_secret_purpose_and_parts() {
        let secret = MasterSecret::of([1; 32]);
        let signed = secret.sign(Purpose::Urls, &[b"ab", b"c"]);
        assert_eq!(signed, secret.sign(Purpose::Urls, &[b"ab", b"c"]));
        assert_ne!(signed, secret.sign(Purpose::Urls, &[b"a", b"bc"]));
        assert_ne!(signed, secret.sign(Purpose::Cursors, &[b"ab", b"c"]));
        assert_ne!(signed, MasterSecret::of([2; 32]).sign(Purpose::Urls, &[b"ab", b"c"]));
        assert_ne!(signed, secret.sign(Purpose::Storage, &[b"ab", b"c"]));
        assert!(same(&signed, &signed) && !same(&signed, &[0; 32]) && !same(&signed, b""));
    }
}

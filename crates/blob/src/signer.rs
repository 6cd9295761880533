//! Signed URLs that our own HTTP server serves.
//!
//! The signature is an HMAC-SHA256 over the method, the key and the query text exactly as
//! it stands in the URL, so there is nothing to normalise and nothing that can be added,
//! dropped, reordered or respelled. There is no clock here: whoever verifies says what
//! time it is.

use hmac::{Hmac, KeyInit, Mac};
use model::Timestamp;
use url::{Url, form_urlencoded};

use crate::signed::required_headers;
use crate::{Access, BlobKey, ContentType, PutTerms, Secret, Sha256Sum, SignedUrl};

/// Signs URLs below a base address and verifies them.
#[derive(Clone, Debug)]
pub struct LocalSigner {
    base: Url,
    /// Keyed and empty; every signature starts from a copy.
    keyed: Hmac<sha2::Sha256>,
}

/// What a verified URL allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The only object it is about.
    pub key: BlobKey,
    /// What may be done with it.
    pub access: Access,
    /// The last moment at which it may be done.
    pub expires_at: Timestamp,
}

/// Why a URL allows nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// It is not a signed URL of this server at all.
    #[error("this is not a signed URL of this server: ask for a new one")]
    Malformed,
    /// It was signed for another method, object or terms, with another secret, or not by us.
    #[error("the signature does not fit this method and URL: ask for a new URL, use it unchanged")]
    Forged,
    /// It was good until a moment that has passed.
    #[error("this URL expired at {at}: ask for a new one")]
    Expired {
        /// The last moment at which it was good.
        at: Timestamp,
    },
}

/// An address that signed URLs cannot start with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a base address such as https://photos.example.org/blobs/")]
pub struct BadBaseUrl(String);

/// Keeps signatures of this purpose and version apart from all others of the same secret.
const PURPOSE: &str = "ferrotype signed URL 1";
const SIGNATURE: &str = "&signature=";

impl LocalSigner {
    /// Signs URLs that start with `base_url`, the address where the server answers them.
    pub fn new(base_url: &str, secret: &Secret) -> Result<Self, BadBaseUrl> {
        let bad = || BadBaseUrl(base_url.chars().take(256).collect());
        let mut base = Url::parse(base_url).map_err(|_| bad())?;
        let plain = matches!(base.scheme(), "http" | "https")
            && base.query().is_none()
            && base.fragment().is_none();
        if !plain {
            return Err(bad());
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Ok(Self { base, keyed: keyed(secret) })
    }

    /// A URL for `access` to `key` that works up to and including `expires_at`, which
    /// counts in whole seconds: a fraction is cut off.
    pub fn sign(&self, key: &BlobKey, access: &Access, expires_at: Timestamp) -> SignedUrl {
        let expires_at = whole_seconds(expires_at);
        let terms = terms_query(access, expires_at);
        let signature = Sha256Sum::from_bytes(
            self.mac(access.method(), key, &terms).finalize().into_bytes().into(),
        );
        let mut url = self.base.clone();
        url.set_path(&format!("{}{key}", self.base.path()));
        url.set_query(Some(&format!("{terms}{SIGNATURE}{signature}")));
        let headers = required_headers(access);
        SignedUrl { url, method: access.method(), headers, expires_at }
    }

    /// What a request with this method, path and query text may do at the moment `now`.
    ///
    /// A URL is good at the very moment it expires and refused one millisecond later. A URL
    /// for GET is not good for HEAD.
    pub fn verify(
        &self,
        method: &str,
        path: &str,
        query: &str,
        now: Timestamp,
    ) -> Result<Grant, SignatureError> {
        let key = path.strip_prefix(self.base.path()).and_then(|key| key.parse().ok());
        let key: BlobKey = key.ok_or(SignatureError::Malformed)?;
        let (terms, signature) = query.rsplit_once(SIGNATURE).ok_or(SignatureError::Malformed)?;
        let signature: Sha256Sum = signature.parse().map_err(|_| SignatureError::Malformed)?;
        // Compares in constant time.
        self.mac(method, &key, terms)
            .verify_slice(signature.as_bytes())
            .map_err(|_| SignatureError::Forged)?;
        let (access, expires_at) = read_terms(method, terms).ok_or(SignatureError::Malformed)?;
        if now > expires_at {
            return Err(SignatureError::Expired { at: expires_at });
        }
        Ok(Grant { key, access, expires_at })
    }

    fn mac(&self, method: &str, key: &BlobKey, terms: &str) -> Hmac<sha2::Sha256> {
        let mut mac = self.keyed.clone();
        mac.update(format!("{PURPOSE}\n{method}\n{key}\n{terms}").as_bytes());
        mac
    }
}

/// An HMAC keyed with the hash of `secret`, so that every length gives a whole key.
fn keyed(secret: &Secret) -> Hmac<sha2::Sha256> {
    let hash = Sha256Sum::of(secret.reveal().as_bytes());
    let block: [u8; 64] = std::array::from_fn(|i| hash.as_bytes().get(i).copied().unwrap_or(0));
    Hmac::new(&block.into())
}

fn whole_seconds(moment: Timestamp) -> Timestamp {
    Timestamp::from_millis(moment.as_seconds().saturating_mul(1000))
}

fn terms_query(access: &Access, expires_at: Timestamp) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("expires", &expires_at.as_seconds().to_string());
    if let Access::Put(terms) = access {
        query.append_pair("size-max", &terms.size_bytes_max.to_string());
        if let Some(content_type) = &terms.content_type {
            query.append_pair("type", content_type.as_str());
        }
    }
    query.finish()
}

/// Reads terms that are known to be ours, as the signature fitted.
fn read_terms(method: &str, query: &str) -> Option<(Access, Timestamp)> {
    let mut expires_at = None;
    let mut size_bytes_max = None;
    let mut content_type = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match name.as_ref() {
            "expires" => {
                let seconds: i64 = value.parse().ok()?;
                expires_at = Some(Timestamp::from_millis(seconds.checked_mul(1000)?));
            }
            "size-max" => size_bytes_max = Some(value.parse().ok()?),
            "type" => content_type = Some(value.parse::<ContentType>().ok()?),
            _ => return None,
        }
    }
    let access = match method {
        "GET" => Access::Get,
        "PUT" => Access::Put(PutTerms { size_bytes_max: size_bytes_max?, content_type }),
        _ => return None,
    };
    Some((access, expires_at?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ImageId;
    use std::time::Duration;

    const NOW: i64 = 1_754_040_262_000;

    fn at(millis_after_now: i64) -> Timestamp {
        Timestamp::from_millis(NOW + millis_after_now)
    }

    fn signer() -> LocalSigner {
        signer_with(&"s".repeat(32))
    }

    fn signer_with(secret: &str) -> LocalSigner {
        let secret = Secret::for_signing(secret).unwrap();
        LocalSigner::new("https://photos.example.org/blobs", &secret).unwrap()
    }

    fn upload() -> BlobKey {
        BlobKey::Upload(ImageId::new(at(0), 7))
    }

    fn every_access() -> Vec<Access> {
        let put = |size_bytes_max, content_type: Option<&str>| {
            let content_type = content_type.map(|text| text.parse().unwrap());
            Access::Put(PutTerms { size_bytes_max, content_type })
        };
        vec![Access::Get, put(50_000_000, None), put(1_234, Some("image/svg+xml"))]
    }

    fn check(
        signer: &LocalSigner,
        method: &str,
        url: &Url,
        now: i64,
    ) -> Result<Grant, SignatureError> {
        signer.verify(method, url.path(), url.query().unwrap_or(""), at(now))
    }

    #[test]
    fn a_signed_url_grants_exactly_what_was_signed() {
        for access in every_access() {
            let signed = signer().sign(&upload(), &access, at(60_000));
            let grant = check(&signer(), signed.method, &signed.url, 0).unwrap();
            assert_eq!(grant, Grant { key: upload(), access, expires_at: at(60_000) });
            assert!(signed.url.as_str().starts_with("https://photos.example.org/blobs/uploads/"));
        }
    }

    #[test]
    fn the_client_is_told_which_headers_to_send() {
        let headers = |access| signer().sign(&upload(), access, at(0)).headers;
        let [get, put, put_svg] = every_access().try_into().unwrap();
        assert_eq!(headers(&get), []);
        assert_eq!(headers(&put), []);
        assert_eq!(headers(&put_svg), [("content-type", "image/svg+xml".to_owned())]);
    }

    #[test]
    fn it_is_good_at_the_moment_it_expires_and_not_a_millisecond_later() {
        let signed = signer().sign(&upload(), &Access::Get, at(10_000));
        assert!(check(&signer(), "GET", &signed.url, 10_000).is_ok());
        let expired = Err(SignatureError::Expired { at: at(10_000) });
        assert_eq!(check(&signer(), "GET", &signed.url, 10_001), expired);
    }

    #[test]
    fn a_fraction_of_a_second_is_cut_off() {
        let signed = signer().sign(&upload(), &Access::Get, at(10_999));
        assert_eq!(signed.expires_at, at(10_000));
        assert!(check(&signer(), "GET", &signed.url, 10_001).is_err());
    }

    #[test]
    fn another_method_is_refused() {
        for access in every_access() {
            let signed = signer().sign(&upload(), &access, at(60_000));
            for method in ["GET", "PUT", "HEAD", "DELETE", "POST", "get", ""] {
                let allowed = method == signed.method;
                let result = check(&signer(), method, &signed.url, 0);
                assert_eq!(result.is_ok(), allowed, "{method} on a URL for {}", signed.method);
            }
        }
    }

    #[test]
    fn another_secret_is_refused() {
        let signed = signer_with(&"t".repeat(32)).sign(&upload(), &Access::Get, at(60_000));
        assert_eq!(check(&signer(), "GET", &signed.url, 0), Err(SignatureError::Forged));
    }

    #[test]
    fn another_object_is_refused() {
        let signed = signer().sign(&upload(), &Access::Get, at(60_000));
        let mut url = signed.url;
        url.set_path(&format!("/blobs/{}", BlobKey::Original(ImageId::new(at(0), 7))));
        assert_eq!(check(&signer(), "GET", &url, 0), Err(SignatureError::Forged));
    }

    #[test]
    fn no_character_of_the_url_can_be_changed_dropped_or_doubled() {
        for access in every_access() {
            let signed = signer().sign(&upload(), &access, at(60_000));
            let path = signed.url.path();
            let query = signed.url.query().unwrap();
            let refused = |path: &str, query: &str| {
                let result = signer().verify(signed.method, path, query, at(0));
                assert!(result.is_err(), "{path}?{query} was accepted");
            };
            for i in 0..query.len() {
                let other = if &query[i..=i] == "1" { "2" } else { "1" };
                refused(path, &format!("{}{other}{}", &query[..i], &query[i + 1..]));
                refused(path, &format!("{}{}", &query[..i], &query[i + 1..]));
                refused(path, &format!("{}{}", &query[..=i], &query[i..]));
            }
            for i in 0..path.len() {
                let other = if &path[i..=i] == "1" { "2" } else { "1" };
                refused(&format!("{}{other}{}", &path[..i], &path[i + 1..]), query);
            }
            refused(path, &format!("{query}&x=1"));
            refused(path, &format!("x=1&{query}"));
            refused(path, &format!("expires=9999999999&{query}"));
            refused(path, &query.replace("expires=", "expires=0"));
            refused(path, &query.to_uppercase());
            refused(path, "");
        }
    }

    #[test]
    fn terms_cannot_be_exchanged() {
        let access = |size_bytes_max| Access::Put(PutTerms { size_bytes_max, content_type: None });
        let small = signer().sign(&upload(), &access(5), at(60_000)).url;
        let large = small.query().unwrap().replace("size-max=5", "size-max=50");
        let result = signer().verify("PUT", small.path(), &large, at(0));
        assert_eq!(result, Err(SignatureError::Forged));
    }

    #[test]
    fn far_and_past_expiries_neither_wrap_nor_panic() {
        for moment in [i64::MIN, -1, 0, i64::MAX] {
            let expires_at = Timestamp::from_millis(moment);
            let signed = signer().sign(&upload(), &Access::Get, expires_at);
            let good = expires_at >= at(0);
            assert_eq!(check(&signer(), "GET", &signed.url, 0).is_ok(), good, "{moment}");
        }
        assert!(at(0).after(Duration::MAX) > at(0));
    }

    #[test]
    fn only_plain_web_addresses_can_be_the_base() {
        let secret = Secret::for_signing("s".repeat(32)).unwrap();
        for bad in ["", "photos", "ftp://host/", "https://host/?a=b", "https://host/#a", "data:,x"]
        {
            assert!(LocalSigner::new(bad, &secret).is_err(), "{bad}");
        }
    }
}

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use model::Timestamp;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::signer::{HeaderName, HeaderValue, Method, SignedUrlOptions, Signer};
use url::Url;

use super::failure::classify;
use crate::signed::required_headers;
use crate::{Access, Error, Result, SignedUrl};

/// The longest S3 accepts.
const LIFETIME_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long credentials that run out are at least still valid when the library hands them
/// to us. A URL dies with the credentials that signed it.
const TEMPORARY_LIFETIME_MAX: Duration = Duration::from_secs(5 * 60);
/// The clock may strike while we sign, but not so often in a row.
const ATTEMPTS_MAX: usize = 5;

/// Presigns a URL that expires exactly at the second of `expires_at`.
///
/// S3 counts from the second of signing, which the library takes from the system's clock
/// by itself. So the lifetime is computed for the present second, and if that was over
/// before the library looked at the clock, we sign again.
pub(super) async fn presign(
    store: &AmazonS3,
    path: &Path,
    access: &Access,
    expires_at: Timestamp,
) -> Result<SignedUrl> {
    let options = options(access)?;
    let method = match access {
        Access::Get => Method::GET,
        Access::Put(_) => Method::PUT,
    };
    let temporary = has_temporary_credentials(store).await?;
    for _ in 0..ATTEMPTS_MAX {
        let now = now_seconds();
        let lifetime = lifetime(expires_at, now, temporary)?;
        let signed = store.signed_url_opts(method.clone(), path, lifetime, &options).await;
        let url = signed.map_err(|error| classify(&format!("signing a URL for {path}"), &error))?;
        // Signed in this very second, as it is not over even now.
        if now_seconds() == now {
            return Ok(signed_url(url, access, expires_at));
        }
    }
    Err(Error::Unavailable {
        action: format!("signing a URL for {path}"),
        cause: "the system clock moves too fast".to_owned(),
    })
}

fn signed_url(url: Url, access: &Access, expires_at: Timestamp) -> SignedUrl {
    let expires_at = Timestamp::from_millis(expires_at.as_seconds().saturating_mul(1000));
    SignedUrl { url, method: access.method(), headers: required_headers(access), expires_at }
}

fn lifetime(expires_at: Timestamp, now: i64, temporary: bool) -> Result<Duration> {
    let bad = |problem: String| Error::BadExpiry { expires_at: expires_at.to_string(), problem };
    let seconds = u64::try_from(expires_at.as_seconds().saturating_sub(now)).unwrap_or(0);
    let lifetime = Duration::from_secs(seconds);
    if lifetime.is_zero() {
        return Err(bad("that is not in the future".to_owned()));
    }
    if lifetime > LIFETIME_MAX {
        return Err(bad("S3 allows at most 7 days: choose an earlier moment".to_owned()));
    }
    if temporary && lifetime > TEMPORARY_LIFETIME_MAX {
        return Err(bad(
            "the S3 credentials are temporary, and the URL would end with them: give permanent \
             credentials, or set a signing secret so that our own server serves the URLs"
                .to_owned(),
        ));
    }
    Ok(lifetime)
}

async fn has_temporary_credentials(store: &AmazonS3) -> Result<bool> {
    let credential = store.credentials().get_credential().await;
    let credential = credential.map_err(|error| classify("asking for credentials", &error))?;
    Ok(credential.token.is_some())
}

fn options(access: &Access) -> Result<SignedUrlOptions> {
    let mut options = SignedUrlOptions::new();
    for (name, value) in required_headers(access) {
        let value = HeaderValue::from_str(&value).map_err(|error| Error::Failed {
            action: format!("signing the header {name}"),
            cause: error.to_string(),
        })?;
        options = options.with_signed_header(HeaderName::from_static(name), value);
    }
    Ok(options)
}

fn now_seconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_754_040_262;

    fn after(seconds: i64) -> Timestamp {
        Timestamp::from_millis((NOW + seconds) * 1000)
    }

    #[test]
    fn a_lifetime_is_exact_to_the_second() {
        assert_eq!(lifetime(after(3600), NOW, false), Ok(Duration::from_secs(3600)));
        let fraction = Timestamp::from_millis(after(3600).as_millis() + 999);
        assert_eq!(lifetime(fraction, NOW, false), Ok(Duration::from_secs(3600)));
    }

    #[test]
    fn impossible_lifetimes_are_refused() {
        let week = 7 * 24 * 60 * 60;
        assert!(lifetime(after(week), NOW, false).is_ok());
        for bad in [week + 1, 0, -1] {
            assert!(
                matches!(lifetime(after(bad), NOW, false), Err(Error::BadExpiry { .. })),
                "{bad}"
            );
        }
    }

    #[test]
    fn temporary_credentials_sign_only_what_they_outlive() {
        assert!(lifetime(after(300), NOW, true).is_ok());
        let error = lifetime(after(301), NOW, true).unwrap_err();
        assert!(error.to_string().contains("signing secret"), "{error}");
    }
}

use std::net::IpAddr;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use url::{Host, Url};

use crate::{Error, Result, Secret};

/// Where the objects are and how to get there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct S3Config {
    /// The address of the server; none for Amazon's own in the region.
    pub endpoint: Option<String>,
    /// The bucket, which must exist.
    pub bucket: String,
    /// What all keys start with, so that several installations can share a bucket.
    pub prefix: Option<String>,
    /// The region; none for what the environment says, or `us-east-1`.
    pub region: Option<String>,
    /// Who we are.
    pub credentials: S3Credentials,
    /// How the bucket is addressed.
    pub addressing: Addressing,
    /// Whether credentials may be sent to an endpoint without TLS. Loopback addresses need
    /// no permission.
    pub allow_http: bool,
    /// How long a request that fails for passing reasons is repeated.
    pub retry_for_max: Duration,
}

impl S3Config {
    /// Amazon's own S3 with the credentials of the environment.
    pub fn new(bucket: impl Into<String>) -> Self {
        Self {
            endpoint: None,
            bucket: bucket.into(),
            prefix: None,
            region: None,
            credentials: S3Credentials::Environment,
            addressing: Addressing::Path,
            allow_http: false,
            retry_for_max: Duration::from_secs(30),
        }
    }
}

/// Who we are to S3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum S3Credentials {
    /// What the `AWS_…` environment variables say: keys, a web identity or a container role;
    /// failing these, the role of the machine.
    Environment,
    /// These keys.
    Static {
        /// The name of the key.
        access_key_id: String,
        /// The key.
        secret_access_key: Secret,
        /// For keys that are valid for a limited time.
        session_token: Option<Secret>,
    },
}

/// How a bucket is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressing {
    /// `https://host/bucket/key`, which every server understands.
    Path,
    /// `https://bucket.host/key`
    VirtualHost,
}

const RETRIES_MAX: usize = 8;
const BACKOFF_FIRST: Duration = Duration::from_millis(100);
const BACKOFF_MAX: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection may stay silent. There is no limit on a whole request: a large
/// object for a slow reader may take its time.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(30);

/// What the config says, in the words of the library.
pub(super) fn builder(config: &S3Config) -> Result<AmazonS3Builder> {
    let mut builder = with_credentials(&config.credentials)
        .with_bucket_name(&config.bucket)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_virtual_hosted_style_request(config.addressing == Addressing::VirtualHost)
        .with_retry(retry(config.retry_for_max));
    if config.bucket.is_empty() || config.bucket.contains('/') {
        return Err(Error::Misconfigured {
            setting: "S3 bucket",
            problem: format!("{:?} is not the name of a bucket", config.bucket),
            remedy: "give the plain name of an existing bucket",
        });
    }
    if let Some(region) = &config.region {
        builder = builder.with_region(region);
    }
    let mut allow_http = false;
    if let Some(endpoint) = &config.endpoint {
        let endpoint = check_endpoint(endpoint, config.allow_http)?;
        allow_http = endpoint.scheme() == "http";
        builder = builder.with_endpoint(bucket_endpoint(endpoint, config)?);
    }
    let client = ClientOptions::new()
        .with_allow_http(allow_http)
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_timeout_disabled()
        .with_read_timeout(SILENCE_TIMEOUT);
    Ok(builder.with_client_options(client))
}

/// What all keys start with, as a path.
pub(super) fn prefix(config: &S3Config) -> Result<Path> {
    let text = config.prefix.as_deref().unwrap_or_default().trim_matches('/');
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./".contains(&b);
    Path::parse(text).ok().filter(|_| text.bytes().all(plain)).ok_or_else(|| Error::Misconfigured {
        setting: "S3 prefix",
        problem: format!("{text:?} cannot start a key"),
        remedy: "use letters, digits, dashes, underscores and dots, separated by slashes",
    })
}

fn with_credentials(credentials: &S3Credentials) -> AmazonS3Builder {
    match credentials {
        S3Credentials::Environment => AmazonS3Builder::from_env(),
        S3Credentials::Static { access_key_id, secret_access_key, session_token } => {
            let builder = AmazonS3Builder::new()
                .with_access_key_id(access_key_id)
                .with_secret_access_key(secret_access_key.reveal());
            match session_token {
                Some(token) => builder.with_token(token.reveal()),
                None => builder,
            }
        }
    }
}

fn retry(retry_for_max: Duration) -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig { init_backoff: BACKOFF_FIRST, max_backoff: BACKOFF_MAX, base: 2. },
        max_retries: RETRIES_MAX,
        retry_timeout: retry_for_max,
    }
}

fn check_endpoint(text: &str, allow_http: bool) -> Result<Url> {
    let wrong = |problem: String, remedy| Error::Misconfigured {
        setting: "S3 endpoint",
        problem: format!("{text:?} {problem}"),
        remedy,
    };
    let remedy = "give an address such as https://s3.example.org";
    let url = Url::parse(text).map_err(|e| wrong(format!("is not an address ({e})"), remedy))?;
    match url.scheme() {
        "https" => Ok(url),
        "http" if allow_http || is_loopback(&url) => Ok(url),
        "http" => Err(wrong(
            "would send everything in the clear".to_owned(),
            "use https, or allow http for this endpoint if the network is yours",
        )),
        _ => Err(wrong("is not a web address".to_owned(), remedy)),
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// With virtual hosts the library wants the bucket to be part of a given endpoint.
fn bucket_endpoint(mut endpoint: Url, config: &S3Config) -> Result<String> {
    if config.addressing == Addressing::VirtualHost {
        let host = endpoint.host_str().unwrap_or_default();
        let host = format!("{}.{host}", config.bucket);
        endpoint.set_host(Some(&host)).map_err(|error| Error::Misconfigured {
            setting: "S3 addressing",
            problem: format!("{host:?} is not a host name ({error})"),
            remedy: "address the bucket by path",
        })?;
    }
    Ok(endpoint.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(endpoint: &str) -> S3Config {
        S3Config { endpoint: Some(endpoint.to_owned()), ..S3Config::new("photos") }
    }

    fn setting_refused(config: &S3Config) -> &'static str {
        match builder(config).map(drop).and_then(|()| prefix(config).map(drop)) {
            Err(Error::Misconfigured { setting, .. }) => setting,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn http_is_for_loopback_unless_allowed() {
        for good in
            ["https://s3.example.org", "http://127.0.0.1:9", "http://[::1]:9", "http://localhost"]
        {
            assert!(builder(&config(good)).is_ok(), "{good}");
        }
        let open = config("http://s3.example.org");
        assert_eq!(setting_refused(&open), "S3 endpoint");
        assert!(builder(&S3Config { allow_http: true, ..open }).is_ok());
    }

    #[test]
    fn wrong_settings_are_named() {
        assert_eq!(setting_refused(&config("s3.example.org")), "S3 endpoint");
        assert_eq!(setting_refused(&config("ftp://s3.example.org")), "S3 endpoint");
        assert_eq!(setting_refused(&S3Config::new("")), "S3 bucket");
        assert_eq!(setting_refused(&S3Config::new("a/b")), "S3 bucket");
        for bad in ["a//b", "../x", "a b", "ä"] {
            let config = S3Config { prefix: Some(bad.to_owned()), ..S3Config::new("photos") };
            assert_eq!(setting_refused(&config), "S3 prefix", "{bad}");
        }
    }

    #[test]
    fn a_virtual_host_carries_the_bucket() {
        let by_host = S3Config {
            addressing: Addressing::VirtualHost,
            ..config("https://s3.example.org:9000/")
        };
        let endpoint = Url::parse("https://s3.example.org:9000/").unwrap();
        let expected = "https://photos.s3.example.org:9000";
        assert_eq!(bucket_endpoint(endpoint, &by_host), Ok(expected.to_owned()));
        let by_address =
            S3Config { addressing: Addressing::VirtualHost, ..config("http://127.0.0.1:9") };
        assert_eq!(setting_refused(&by_address), "S3 addressing");
    }

    #[test]
    fn secrets_are_not_printed() {
        let credentials = S3Credentials::Static {
            access_key_id: "id".to_owned(),
            secret_access_key: Secret::new("hunter2"),
            session_token: Some(Secret::new("hunter2")),
        };
        assert!(!format!("{credentials:?}").contains("hunter2"));
    }
}

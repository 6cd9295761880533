//! How this program asks others over HTTP.

use std::net::IpAddr;

use reqwest::{ClientBuilder, Url};

use crate::build_info::VERSION;

/// A client for requests to the host of `url`, with our TLS and our name; times and redirects are
/// the caller's to set.
pub fn builder(url: &str) -> ClientBuilder {
    // The first one in the process to choose the cryptography decides; all choose the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().user_agent(format!("ferrotype/{VERSION}"));
    // A proxy that the environment names is the way to others, not to ourselves.
    if Url::parse(url).is_ok_and(|url| is_loopback(&url)) { builder.no_proxy() } else { builder }
}

/// Whether a URL is one of this machine.
pub fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

/// What went wrong and why: the outer message of a request alone says next to nothing. URLs stay
/// out of it, since some are secret.
pub fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut deepest: &dyn std::error::Error = &error;
    while let Some(cause) = deepest.source() {
        deepest = cause;
    }
    deepest.to_string()
}

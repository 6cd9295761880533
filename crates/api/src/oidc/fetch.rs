//! Requests to the provider, bounded in time and size.

use std::time::Duration;

use futures::StreamExt;
use reqwest::{Client, RequestBuilder};
use serde::de::DeserializeOwned;

use super::OidcError;

const TIMEOUT: Duration = Duration::from_secs(10);
/// More than any provider's keys take.
const BODY_BYTES_MAX: usize = 1 << 20;

pub(super) fn client() -> Client {
    // The first one in the process to choose the cryptography decides; all choose the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let built = Client::builder()
        .timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::limited(3))
        .user_agent(concat!("ferrotype/", env!("CARGO_PKG_VERSION")))
        .build();
    // It fails only without cryptography, which was chosen above.
    built.unwrap_or_default()
}

/// The JSON that the provider answers with.
pub(super) async fn json<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, OidcError> {
    let failed = |error: reqwest::Error| OidcError::Unavailable(error.without_url().to_string());
    let response = request.header("accept", "application/json").send().await.map_err(failed)?;
    let (status, url) = (response.status(), response.url().clone());
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk.map_err(failed)?);
        if body.len() > BODY_BYTES_MAX {
            return Err(OidcError::Unavailable(format!("{url} answers without end")));
        }
    }
    if !status.is_success() {
        let text: String = String::from_utf8_lossy(&body).chars().take(300).collect();
        let message = format!("{url} answers {status}: {text}");
        return Err(match status.is_client_error() {
            true => OidcError::Refused(message),
            false => OidcError::Unavailable(message),
        });
    }
    serde_json::from_slice(&body)
        .map_err(|error| OidcError::Unavailable(format!("{url} answers nonsense: {error}")))
}

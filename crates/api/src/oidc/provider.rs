//! What the provider says about itself.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{OidcError, OidcSettings, fetch};

/// The parts of a provider's description that we use.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Document {
    issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) jwks_uri: String,
    pub(super) userinfo_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl Document {
    /// Whether our secret goes into the body of a request, for providers that read it only there.
    pub(super) fn wants_secret_in_body(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_ref();
        methods.is_some_and(|methods| !methods.iter().any(|m| m == "client_secret_basic"))
    }
}

pub(super) struct Provider {
    pub(super) client: Client,
    issuer: String,
    url: String,
    last: Mutex<Option<(Instant, Arc<Document>)>>,
}

/// Providers hardly ever change, but they may.
const FRESH: Duration = Duration::from_secs(60 * 60);

impl Provider {
    pub(super) fn new(client: Client, settings: &OidcSettings) -> Self {
        let issuer = settings.issuer.clone();
        Self { client, issuer, url: settings.discovery_url(), last: Mutex::default() }
    }

    /// What the provider says about itself, as of the last hour.
    pub(super) async fn document(&self) -> Result<Arc<Document>, OidcError> {
        let mut last = self.last.lock().await;
        if let Some((at, document)) = &*last
            && at.elapsed() < FRESH
        {
            return Ok(Arc::clone(document));
        }
        match self.fetch().await {
            Ok(document) => {
                let document = Arc::new(document);
                *last = Some((Instant::now(), Arc::clone(&document)));
                Ok(document)
            }
            // What was true an hour ago is better than nothing.
            Err(error) => last.as_ref().map(|(_, old)| Arc::clone(old)).ok_or(error),
        }
    }

    async fn fetch(&self) -> Result<Document, OidcError> {
        let document: Document = fetch::json(self.client.get(&self.url)).await?;
        if document.issuer != self.issuer {
            return Err(OidcError::Unavailable(format!(
                "{} describes {:?}, and the setting oidc.issuer is {:?}; they must be the same",
                self.url, document.issuer, self.issuer
            )));
        }
        Ok(document)
    }
}

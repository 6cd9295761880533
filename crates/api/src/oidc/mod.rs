//! The identity provider: its login for browsers, and its tokens for programs.
//!
//! Nothing it says is believed unless it is signed by a key that the provider publishes, was
//! issued for us, and is of this moment.

mod claims;
mod fetch;
mod jws;
mod keys;
mod login;
mod provider;
mod settings;

use model::Timestamp;
use service::ProvenIdentity;

use self::claims::Audience;
use self::keys::Keys;
pub(crate) use self::login::{Answered, Begun};
use self::provider::Provider;
pub use self::settings::OidcSettings;

/// One identity provider.
pub(crate) struct Oidc {
    settings: OidcSettings,
    provider: Provider,
    keys: Keys,
}

/// Why somebody whom the provider sends is not let in. The details are for the operator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OidcError {
    /// What was shown proves nothing.
    #[error("the token is refused: {0}")]
    Refused(String),
    /// The provider cannot be asked.
    #[error("the identity provider: {0}")]
    Unavailable(String),
}

/// Asks a provider for its description and its keys, as signing in does, and says how many keys
/// it has that can be used.
///
/// # Errors
/// What is wrong, for the operator.
pub async fn check_oidc(settings: &OidcSettings) -> Result<usize, String> {
    let oidc = Oidc::new(settings.clone());
    let asked = async {
        // Also where the keys are elsewhere: people who sign in need it.
        oidc.provider.document().await?;
        oidc.keys.count(&oidc.keys_url().await?).await
    };
    match asked.await {
        Ok(0) => Err("the identity provider has no keys of a kind that is known here".to_owned()),
        Ok(keys) => Ok(keys),
        Err(error) => Err(error.to_string()),
    }
}

impl Oidc {
    pub(crate) fn new(settings: OidcSettings) -> Self {
        let client = fetch::client();
        let provider = Provider::new(client.clone(), &settings);
        let keys = Keys::new(client);
        Self { settings, provider, keys }
    }

    /// What its button says.
    pub(crate) fn label(&self) -> &str {
        &self.settings.label
    }

    /// Whether a text may be a token of the provider: three parts with dots between.
    pub(crate) fn may_be_token(text: &str) -> bool {
        text.bytes().filter(|byte| *byte == b'.').count() == 2
    }

    /// Who somebody is who shows a token of the provider.
    pub(crate) async fn verify(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<ProvenIdentity, OidcError> {
        let audience = Audience::Ours {
            audience: self.settings.audience(),
            client_id: &self.settings.client_id,
        };
        let claims = self.claims_of(token, audience, now).await?;
        Ok(claims.identity())
    }

    async fn claims_of(
        &self,
        token: &str,
        audience: Audience<'_>,
        now: Timestamp,
    ) -> Result<claims::Claims, OidcError> {
        let jws = jws::parse(token)?;
        let url = self.keys_url().await?;
        let key = self.keys.find(&url, &jws.header).await?;
        let claims = claims::parse(&jws.verify(&key)?)?;
        claims.check(&self.settings.issuer, audience, now)?;
        Ok(claims)
    }

    async fn keys_url(&self) -> Result<String, OidcError> {
        match &self.settings.jwks_url {
            Some(url) => Ok(url.clone()),
            None => Ok(self.provider.document().await?.jwks_uri.clone()),
        }
    }
}

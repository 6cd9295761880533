use std::fmt;

/// What the operator has decided about the identity provider.
#[derive(Clone)]
pub struct OidcSettings {
    /// The provider, exactly as its tokens name it.
    pub issuer: String,
    /// What the provider calls us.
    pub client_id: String,
    /// What proves us to the provider; public clients have none.
    pub client_secret: Option<String>,
    /// Where the provider describes itself, if not below the issuer.
    pub discovery_url: Option<String>,
    /// Where its keys are, if its description does not say so rightly.
    pub jwks_url: Option<String>,
    /// What tokens of programs are issued for, if not for our client id.
    pub audience: Option<String>,
    /// What the button says.
    pub label: String,
}

impl OidcSettings {
    /// A provider of which nothing but the necessary is known.
    pub fn new(issuer: impl Into<String>, client_id: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            client_id: client_id.into(),
            client_secret: None,
            discovery_url: None,
            jwks_url: None,
            audience: None,
            label: "Single sign-on".to_owned(),
        }
    }

    pub(super) fn discovery_url(&self) -> String {
        let issuer = self.issuer.trim_end_matches('/');
        let below = || format!("{issuer}/.well-known/openid-configuration");
        self.discovery_url.clone().unwrap_or_else(below)
    }

    pub(super) fn audience(&self) -> &str {
        self.audience.as_deref().unwrap_or(&self.client_id)
    }
}

impl fmt::Debug for OidcSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcSettings")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

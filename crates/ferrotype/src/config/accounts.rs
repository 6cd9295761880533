//! Settings of accounts and of the identity provider.

use api::OidcSettings;
use service::{AccountSettings, AttemptLimits, SignUp};

use super::parse;
use super::validate::Check;

impl Check<'_> {
    pub(super) fn accounts(&mut self) -> Option<AccountSettings> {
        let sign_ups = [SignUp::Closed, SignUp::Invitation, SignUp::Open];
        let sign_ups = sign_ups.map(|sign_up| (sign_up.to_string(), sign_up));
        let sign_ups: Vec<_> =
            sign_ups.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let sign_up = self.choice("accounts.sign_up", &sign_ups);
        let session_time = self.required("accounts.session_time", parse::long_time, "to sign in");
        let invitation_time =
            self.required("accounts.invitation_time", parse::long_time, "to invite");
        let window = self.required("accounts.attempts_window", parse::interval, "to sign in");
        let per_email = self.required("accounts.attempts_per_email", attempts, "to sign in");
        let per_address = self.required("accounts.attempts_per_address", attempts, "to sign in");
        let auto_create = self.required("oidc.auto_create", parse::boolean, "to sign in");
        Some(AccountSettings {
            sign_up: sign_up?,
            create_for_identity: auto_create?,
            session_time: session_time?,
            invitation_time: invitation_time?,
            attempts: AttemptLimits {
                window: window?,
                per_email: per_email?,
                per_address: per_address?,
            },
            ..AccountSettings::default()
        })
    }

    /// None where there is no provider; nothing at all where something about it is wrong.
    #[allow(clippy::option_option, reason = "the outer one is that of all checks")]
    pub(super) fn oidc(&mut self) -> Option<Option<OidcSettings>> {
        let issuer = self.optional("oidc.issuer", parse::url);
        let client_id = self.optional("oidc.client_id", parse::nonempty);
        let client_secret = self.optional("oidc.client_secret", parse::nonempty);
        let discovery_url = self.optional("oidc.discovery_url", parse::url);
        let jwks_url = self.optional("oidc.jwks_url", parse::url);
        let audience = self.optional("oidc.audience", parse::nonempty);
        let label = self.required("oidc.label", parse::nonempty, "to sign in");
        match (issuer, client_id) {
            (None, None) => Some(None),
            (None, Some(_)) => {
                self.missing("oidc.issuer", "because oidc.client_id is set");
                None
            }
            (Some(_), None) => {
                self.missing("oidc.client_id", "because oidc.issuer is set");
                None
            }
            (Some(issuer), Some(client_id)) => Some(Some(OidcSettings {
                issuer,
                client_id,
                client_secret,
                discovery_url,
                jwks_url,
                audience,
                label: label?,
            })),
        }
    }
}

fn attempts(text: &str) -> Result<i64, String> {
    parse::count(text)
}

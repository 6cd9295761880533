//! The identity provider, if there is one.

use super::Finding;
use crate::config::Config;

const CHECK: &str = "identity provider";

/// Asks the provider what it asks for at every sign-in: its description and its keys.
pub(super) async fn check(config: &Config) -> Option<Finding> {
    let settings = config.http.oidc.as_ref()?;
    let issuer = &settings.issuer;
    Some(match api::check_oidc(settings).await {
        Ok(keys) => Finding::ok(
            CHECK,
            format_args!("{issuer} describes itself as it should and has {keys} keys"),
        ),
        Err(problem) => Finding::problem(CHECK, problem).remedy(
            "check oidc.issuer, oidc.discovery_url and oidc.jwks_url, and that this machine \
             reaches them",
        ),
    })
}

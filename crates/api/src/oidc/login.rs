//! The login of a browser: authorisation code with PKCE.
//!
//! What we must remember meanwhile (state, nonce, verifier) the browser keeps for us, sealed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::Timestamp;
use serde::{Deserialize, Serialize};
use service::ProvenIdentity;
use sha2::{Digest, Sha256};

use super::claims::{Audience, Person};
use super::provider::Document;
use super::{Oidc, OidcError, fetch};

/// What the browser keeps while it is at the provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Begun {
    state: String,
    nonce: String,
    verifier: String,
    /// Where the browser goes in the end.
    pub(crate) next: String,
    /// Seconds since 1970 after which it is too late.
    pub(crate) until: i64,
}

/// What the provider has the browser bring back.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Answered {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
    error_description: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    person: Person,
}

impl Begun {
    pub(crate) fn new(next: &str, until: i64) -> Self {
        let random = || URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { state: random(), nonce: random(), verifier: random(), next: next.to_owned(), until }
    }
}

impl Oidc {
    /// Where to send the browser.
    pub(crate) async fn login_url(
        &self,
        begun: &Begun,
        redirect_uri: &str,
    ) -> Result<String, OidcError> {
        let document = self.provider.document().await?;
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(begun.verifier.as_bytes()));
        let parameters = [
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", redirect_uri),
            ("scope", "openid email profile"),
            ("state", &begun.state),
            ("nonce", &begun.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        let url = reqwest::Url::parse_with_params(&document.authorization_endpoint, parameters);
        url.map(String::from).map_err(|error| OidcError::Unavailable(error.to_string()))
    }

    /// Who comes back from the provider.
    pub(crate) async fn finish_login(
        &self,
        begun: &Begun,
        answered: &Answered,
        redirect_uri: &str,
        now: Timestamp,
    ) -> Result<ProvenIdentity, OidcError> {
        let code = self.accept(begun, answered, now)?;
        let document = self.provider.document().await?;
        let tokens = self.redeem(&document, begun, code, redirect_uri).await?;
        let audience = Audience::Login { client_id: &self.settings.client_id };
        let mut claims = self.claims_of(&tokens.id_token, audience, now).await?;
        if claims.nonce.as_deref() != Some(&begun.nonce) {
            return Err(OidcError::Refused("it was made for another login".to_owned()));
        }
        if claims.person.email.is_none() {
            claims.person = self.ask(&document, &tokens, &claims.sub, claims.person).await?;
        }
        Ok(claims.identity())
    }

    fn accept<'a>(
        &self,
        begun: &Begun,
        answered: &'a Answered,
        now: Timestamp,
    ) -> Result<&'a str, OidcError> {
        let refuse = |what: &str| Err(OidcError::Refused(what.to_owned()));
        // Random and used once: the time taken to compare tells nobody anything of use.
        if answered.state.as_deref() != Some(&begun.state) {
            return refuse("it does not belong to the login that was begun here");
        }
        if now.as_seconds() > begun.until {
            return refuse("the login took too long");
        }
        if answered.iss.as_ref().is_some_and(|issuer| *issuer != self.settings.issuer) {
            return refuse("it is from another provider");
        }
        if let Some(error) = &answered.error {
            let about = answered.error_description.as_deref().unwrap_or_default();
            let text: String = format!("{error} {about}").chars().take(300).collect();
            return refuse(&text);
        }
        answered.code.as_deref().ok_or_else(|| OidcError::Refused("it has no code".to_owned()))
    }

    async fn redeem(
        &self,
        document: &Document,
        begun: &Begun,
        code: &str,
        redirect_uri: &str,
    ) -> Result<Tokens, OidcError> {
        let client_id = self.settings.client_id.as_str();
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("client_id", client_id),
            ("code_verifier", &begun.verifier),
        ];
        let mut request = self.provider.client.post(&document.token_endpoint);
        if let Some(secret) = &self.settings.client_secret {
            if document.wants_secret_in_body() {
                form.push(("client_secret", secret));
            } else {
                // RFC 6749 has both encoded as in a form first.
                request = request.basic_auth(encoded(client_id), Some(encoded(secret)));
            }
        }
        let body = form_text(&form);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        fetch::json(request.body(body)).await
    }

    /// Asks for what the token does not say.
    async fn ask(
        &self,
        document: &Document,
        tokens: &Tokens,
        subject: &str,
        known: Person,
    ) -> Result<Person, OidcError> {
        let (Some(url), Some(token)) = (&document.userinfo_endpoint, &tokens.access_token) else {
            return Ok(known);
        };
        let info: UserInfo = fetch::json(self.provider.client.get(url).bearer_auth(token)).await?;
        if info.sub != subject {
            return Err(OidcError::Refused("the provider tells of somebody else".to_owned()));
        }
        Ok(info.person)
    }
}

fn encoded(text: &str) -> String {
    form_text(&[("", text)]).trim_start_matches('=').to_owned()
}

fn form_text(pairs: &[(&str, &str)]) -> String {
    let mut url = reqwest::Url::parse("x:/").ok();
    if let Some(url) = &mut url {
        url.query_pairs_mut().extend_pairs(pairs);
    }
    url.and_then(|url| url.query().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_encoded_as_the_standard_has_it() {
        assert_eq!(form_text(&[("a", "b c&d"), ("e", "ü")]), "a=b+c%26d&e=%C3%BC");
        assert_eq!(encoded("a:b/=c"), "a%3Ab%2F%3Dc");
    }

    #[test]
    fn every_login_is_unlike_all_others() {
        let (one, other) = (Begun::new("/", 0), Begun::new("/", 0));
        assert_ne!(one.state, other.state);
        assert_ne!(one.verifier, one.nonce);
        assert_eq!(one.verifier.len(), 43);
    }
}

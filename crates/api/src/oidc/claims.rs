//! What a token says, and whether it says it to us, now.

use model::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use service::ProvenIdentity;

use super::OidcError;

/// What a token says.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Claims {
    iss: String,
    pub(super) sub: String,
    #[serde(default)]
    aud: Option<OneOrMany>,
    azp: Option<String>,
    exp: f64,
    nbf: Option<f64>,
    pub(super) nonce: Option<String>,
    /// Amazon Cognito: access tokens have no audience, but these two.
    token_use: Option<String>,
    client_id: Option<String>,
    #[serde(flatten)]
    pub(super) person: Person,
}

/// What a provider tells about somebody, in a token or when asked.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Person {
    pub(super) email: Option<String>,
    /// Some providers write `"true"`.
    #[serde(default)]
    email_verified: Value,
    name: Option<String>,
    preferred_username: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// Whom a token must be for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Audience<'a> {
    /// For our programs: for the audience, or Cognito's access tokens for our client.
    Ours { audience: &'a str, client_id: &'a str },
    /// For our login: for our client alone.
    Login { client_id: &'a str },
}

/// Clocks of two machines differ.
const LEEWAY_SECONDS: f64 = 60.0;
const SUBJECT_CHARS_MAX: usize = 255;

pub(super) fn parse(payload: &[u8]) -> Result<Claims, OidcError> {
    serde_json::from_slice(payload)
        .map_err(|error| OidcError::Refused(format!("what it says: {error}")))
}

impl Claims {
    /// Whether the token is from this issuer, for this audience, and of this moment.
    pub(super) fn check(
        &self,
        issuer: &str,
        audience: Audience<'_>,
        now: Timestamp,
    ) -> Result<(), OidcError> {
        let refuse = |what: String| Err(OidcError::Refused(what));
        if self.iss != issuer {
            return refuse(format!("it is from {:?}", self.iss));
        }
        if self.sub.is_empty() || self.sub.chars().count() > SUBJECT_CHARS_MAX {
            return refuse("it is about nobody".to_owned());
        }
        let now = now.as_seconds() as f64;
        if self.exp + LEEWAY_SECONDS <= now {
            return refuse("it has expired".to_owned());
        }
        if self.nbf.is_some_and(|nbf| nbf - LEEWAY_SECONDS > now) {
            return refuse("it is not valid yet".to_owned());
        }
        if !self.is_for(audience) {
            return refuse(format!("it is for {:?}", self.aud));
        }
        Ok(())
    }

    fn is_for(&self, audience: Audience<'_>) -> bool {
        match audience {
            Audience::Ours { audience, client_id } => match &self.aud {
                Some(aud) => aud.contains(audience),
                None => {
                    self.token_use.as_deref() == Some("access")
                        && self.client_id.as_deref() == Some(client_id)
                }
            },
            Audience::Login { client_id } => {
                let others = matches!(&self.aud, Some(OneOrMany::Many(many)) if many.len() > 1);
                let azp_fits = match &self.azp {
                    Some(azp) => azp == client_id,
                    None => !others,
                };
                azp_fits && self.aud.as_ref().is_some_and(|aud| aud.contains(client_id))
            }
        }
    }

    pub(super) fn identity(self) -> ProvenIdentity {
        self.person.identity(self.iss, self.sub)
    }
}

impl Person {
    fn identity(self, issuer: String, subject: String) -> ProvenIdentity {
        let email_verified = self.is_verified();
        let name = self.name.or(self.preferred_username);
        ProvenIdentity {
            issuer,
            subject,
            email: self.email.and_then(|email| email.parse().ok()),
            email_verified,
            name: name.and_then(|name| name.parse().ok()),
        }
    }

    fn is_verified(&self) -> bool {
        self.email_verified == true || self.email_verified == "true"
    }
}

impl OneOrMany {
    fn contains(&self, wanted: &str) -> bool {
        match self {
            Self::One(one) => one == wanted,
            Self::Many(many) => many.iter().any(|one| one == wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://id.example.org";
    const NOW: i64 = 1_754_040_000;
    const OURS: Audience<'_> = Audience::Ours { audience: "api", client_id: "web" };
    const LOGIN: Audience<'_> = Audience::Login { client_id: "web" };

    fn with(change: Value, audience: Audience<'_>) -> bool {
        let mut claims = json!({ "iss": ISSUER, "sub": "1", "aud": "api", "exp": NOW + 60 });
        let Value::Object(change) = change else { panic!("{change} is no object") };
        for (name, value) in change {
            match value {
                Value::Null => drop(claims.as_object_mut().unwrap().remove(&name)),
                value => claims[name] = value,
            }
        }
        let now = Timestamp::from_millis(NOW * 1000);
        parse(claims.to_string().as_bytes())
            .and_then(|claims| claims.check(ISSUER, audience, now))
            .is_ok()
    }

    #[test]
    fn a_token_must_be_from_the_issuer_and_of_this_moment() {
        assert!(with(json!({}), OURS));
        for wrong in [
            json!({ "iss": "https://id.example.org/" }),
            json!({ "iss": null }),
            json!({ "sub": "" }),
            json!({ "sub": null }),
            json!({ "exp": NOW - 61 }),
            json!({ "exp": null }),
            json!({ "exp": "later" }),
            json!({ "nbf": NOW + 61 }),
        ] {
            assert!(!with(wrong.clone(), OURS), "{wrong}");
        }
        assert!(with(json!({ "exp": NOW - 59, "nbf": NOW + 59 }), OURS), "clocks differ");
    }

    #[test]
    fn a_token_must_be_for_us() {
        for right in [
            json!({ "aud": ["other", "api"] }),
            json!({ "aud": null, "token_use": "access", "client_id": "web" }),
        ] {
            assert!(with(right.clone(), OURS), "{right}");
        }
        for wrong in [
            json!({ "aud": "web" }),
            json!({ "aud": [] }),
            json!({ "aud": null }),
            json!({ "aud": null, "token_use": "access", "client_id": "other" }),
            json!({ "aud": null, "token_use": "id", "client_id": "web" }),
            json!({ "aud": "other", "token_use": "access", "client_id": "web" }),
        ] {
            assert!(!with(wrong.clone(), OURS), "{wrong}");
        }
        assert!(with(json!({ "aud": "web" }), LOGIN));
        assert!(with(json!({ "aud": ["web", "other"], "azp": "web" }), LOGIN));
        for wrong in [
            json!({}),
            json!({ "aud": ["web", "other"] }),
            json!({ "aud": "web", "azp": "other" }),
            json!({ "aud": null, "token_use": "access", "client_id": "web" }),
        ] {
            assert!(!with(wrong.clone(), LOGIN), "{wrong}");
        }
    }

    #[test]
    fn an_address_is_verified_only_if_the_provider_says_so() {
        let verified = |value: Value| {
            let claims = json!({ "iss": ISSUER, "sub": "1", "exp": 1, "email": "a@b.c",
                "email_verified": value });
            parse(claims.to_string().as_bytes()).unwrap().identity().email_verified
        };
        assert!(verified(json!(true)) && verified(json!("true")));
        for other in [json!(false), json!("false"), json!("yes"), json!(1), json!(null)] {
            assert!(!verified(other.clone()), "{other}");
        }
    }
}

use std::time::Duration;

use api::OidcSettings;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::issuer::{Issuer, Key};
use crate::support::{Server, code_of, json_of};
use crate::{me, now_millis, plain_server};

const ISSUER: &str = "https://id.example.org";

async fn server_of(issuer: &Issuer) -> Server {
    // The keys are elsewhere than the issuer's name says.
    let jwks_url = Some(format!("{}/keys", issuer.url));
    let audience = Some("photos".to_owned());
    plain_server(OidcSettings { jwks_url, audience, ..OidcSettings::new(ISSUER, "web") }).await
}

fn claims() -> Value {
    let now = now_millis() / 1000;
    json!({ "iss": ISSUER, "sub": "1", "aud": "photos", "exp": now + 300, "nbf": now,
        "email": "ada@example.org", "email_verified": true })
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

#[tokio::test]
async fn a_token_of_the_issuer_proves_who_somebody_is() {
    let (issuer, key) = (Issuer::start().await, Key::new("one"));
    issuer.publish(&[&key]);
    let server = server_of(&issuer).await;
    let answer = json_of(me(&server, &key.sign(&claims())).await);
    assert_eq!(answer["email"], "ada@example.org");
    for _ in 0..5 {
        assert_eq!(me(&server, &key.sign(&claims())).await.status(), 200);
    }
    assert_eq!(issuer.asked(), 1, "keys are kept");
}

#[tokio::test]
async fn tokens_that_prove_nothing_are_refused() {
    let (issuer, key, other) = (Issuer::start().await, Key::new("one"), Key::new("one"));
    issuer.publish(&[&key]);
    let server = server_of(&issuer).await;
    let now = now_millis() / 1000;
    let good = key.sign(&claims());
    assert_eq!(me(&server, &good).await.status(), 200);
    let encode = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let unsigned = |alg: &str| {
        format!("{}.{}.", encode(json!({ "alg": alg, "kid": "one" })), encode(claims()))
    };
    let (head, signature) = good.rsplit_once('.').unwrap();
    let (header, _) = head.split_once('.').unwrap();
    let swapped = format!("{header}.{}.{signature}", encode(with("sub", json!("2"))));
    for (what, token) in [
        ("another issuer", key.sign(&with("iss", json!("https://evil.example.org")))),
        ("another audience", key.sign(&with("aud", json!("web")))),
        ("no audience", key.sign(&with("aud", json!([])))),
        ("expired", key.sign(&with("exp", json!(now - 120)))),
        ("not yet valid", key.sign(&with("nbf", json!(now + 120)))),
        ("nobody", key.sign(&with("sub", json!("")))),
        ("another's key of the same name", other.sign(&claims())),
        ("unknown key", Key::new("two").sign(&claims())),
        ("no algorithm", unsigned("none")),
        ("a shared secret", unsigned("HS256")),
        ("another algorithm", key.sign_with(&json!({ "alg": "RS256", "kid": "one" }), &claims())),
        ("other contents", swapped),
        ("cut off", good[..good.len() - 2].to_owned()),
        (
            "an extension",
            key.sign_with(&json!({ "alg": "ES256", "kid": "one", "crit": ["x"] }), &claims()),
        ),
    ] {
        let answer = me(&server, &token).await;
        let challenge = answer.headers()["www-authenticate"].to_str().unwrap().to_owned();
        assert!(challenge.contains("invalid_token"), "{what}");
        assert_eq!(code_of(answer), "unauthenticated", "{what}");
    }
    assert!(issuer.asked() <= 2, "unknown keys do not have us ask all the time");
}

#[tokio::test]
async fn a_new_key_is_found_and_an_old_one_forgotten() {
    let (issuer, old, new) = (Issuer::start().await, Key::new("old"), Key::new("new"));
    issuer.publish(&[&old]);
    let server = server_of(&issuer).await;
    assert_eq!(me(&server, &old.sign(&claims())).await.status(), 200);
    issuer.publish(&[&new]);
    // Not asked again at once, so that made-up keys cost the issuer nothing.
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while me(&server, &new.sign(&claims())).await.status() != 200 {
        assert!(tokio::time::Instant::now() < deadline, "the new key was never found");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(issuer.asked(), 2);
    assert_eq!(code_of(me(&server, &old.sign(&claims())).await), "unauthenticated");
}

#[tokio::test]
async fn without_keys_nobody_is_let_in_and_nobody_is_blamed() {
    let settings = OidcSettings {
        jwks_url: Some("http://127.0.0.1:9/keys".to_owned()),
        ..OidcSettings::new(ISSUER, "photos")
    };
    let server = plain_server(settings).await;
    let answer = me(&server, &Key::new("one").sign(&claims())).await;
    assert_eq!(code_of(answer), "unavailable");
}

#[tokio::test]
async fn somebody_whom_the_issuer_names_but_nobody_knows_gets_no_account_without_an_address() {
    let (issuer, key) = (Issuer::start().await, Key::new("one"));
    issuer.publish(&[&key]);
    let server = server_of(&issuer).await;
    let silent = key.sign(&with("email", Value::Null));
    assert_eq!(code_of(me(&server, &silent).await), "unknown_identity");
    assert_eq!(me(&server, &key.sign(&claims())).await.status(), 200);
    assert_eq!(me(&server, &silent).await.status(), 200, "now they are known");
}

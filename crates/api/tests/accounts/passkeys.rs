use api::Settings;
use model::Role;
use serde_json::{Value, json};
use service::Scope;
use testkit::authenticator::{Algorithm, Authenticator, decode};
use ureq::http::Request;

use crate::people::{PASSWORD, add, address, bearer, browser, key};
use crate::support::browser::Browser;
use crate::support::{Options, Server, code_of, json_of};

const ORIGIN: &str = "https://photos.example.org";
const OWN: &str = "/api/v1/me/passkeys";
const OFFER: &str = "/api/v1/me/passkeys/options";
const ENTRY: &str = "/api/v1/session/passkey";
const ENTRY_OFFER: &str = "/api/v1/session/passkey/options";

async fn server_at(public_url: Option<&str>) -> Server {
    let public_url = public_url.map(|url| url.parse().unwrap());
    let settings = Settings { public_url, ..Settings::default() };
    Server::with(Options { settings, ..Options::default() }).await
}

async fn options(browser: &mut Browser, path: &str) -> Value {
    let answer = browser.post(path, Value::Null).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    json_of(answer)["publicKey"].clone()
}

#[tokio::test]
async fn passkeys_need_an_address_that_they_can_be_bound_to() {
    for (url, on) in [
        (None, false),
        (Some("http://photos.example.org"), false),
        (Some("https://192.0.2.1"), false),
        (Some("http://127.0.0.1:8080"), false),
        (Some("https://photos.example.org"), true),
        (Some("http://localhost:8080"), true),
    ] {
        let server = server_at(url).await;
        add(&server, "ada", Role::User).await;
        let mut ada = browser(&server, "ada").await;
        let offered = json_of(server.get("/api/v1/service").await);
        assert_eq!(offered["accounts"]["passkeys"], on, "{url:?}");
        if on {
            assert_eq!(ada.post(OFFER, Value::Null).await.status(), 200, "{url:?}");
            assert_eq!(ada.post(ENTRY_OFFER, Value::Null).await.status(), 200, "{url:?}");
            continue;
        }
        for path in [OFFER, ENTRY_OFFER] {
            let answer = json_of(ada.post(path, Value::Null).await);
            assert_eq!(answer["error"]["code"], "passkeys_off", "{url:?}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("public_url"), "{message}");
        }
        assert_eq!(json_of(ada.get(OWN).await), json!({ "passkeys": [] }));
    }
}

#[tokio::test]
async fn a_browser_is_told_how_to_make_and_use_a_passkey() {
    let server = server_at(Some(ORIGIN)).await;
    let ada_id = add(&server, "ada", Role::User).await.user;
    let mut ada = browser(&server, "ada").await;
    let creation = options(&mut ada, OFFER).await;
    let challenge = decode(creation["challenge"].as_str().unwrap());
    assert!(challenge.len() >= 32);
    let handle = decode(creation["user"]["id"].as_str().unwrap());
    assert_eq!(handle, ada_id.to_bits().to_be_bytes());
    let expected = json!({
        "rp": { "id": "photos.example.org", "name": "Ferrotype" },
        "user": { "id": creation["user"]["id"], "name": address("ada"), "displayName": "ada" },
        "challenge": creation["challenge"],
        "pubKeyCredParams": [
            { "type": "public-key", "alg": -7 },
            { "type": "public-key", "alg": -8 },
            { "type": "public-key", "alg": -257 },
        ],
        "timeout": 300_000,
        "excludeCredentials": [],
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": true,
            "userVerification": "required",
        },
        "attestation": "none",
    });
    assert_eq!(creation, expected);
    // Who asks makes no difference.
    let mut nobody = Browser::at(server.address);
    for browser in [&mut nobody, &mut ada] {
        let request = options(browser, ENTRY_OFFER).await;
        let expected = json!({
            "challenge": request["challenge"],
            "timeout": 300_000,
            "rpId": "photos.example.org",
            "userVerification": "required",
        });
        assert_eq!(request, expected);
    }
    let one = options(&mut nobody, ENTRY_OFFER).await;
    assert_ne!(one, options(&mut nobody, ENTRY_OFFER).await);
}

#[tokio::test]
async fn a_passkey_is_added_and_opens_a_session_as_a_password_does() {
    let server = server_at(Some(ORIGIN)).await;
    add(&server, "ada", Role::User).await;
    let mut ada = browser(&server, "ada").await;
    let mut device = Authenticator::new(Algorithm::Es256);
    let credential = device.register(&options(&mut ada, OFFER).await, ORIGIN);
    let added = ada.post(OWN, json!({ "name": " My phone ", "credential": credential })).await;
    assert_eq!(added.status(), 201);
    let added = json_of(added);
    let expected = json!({
        "id": added["id"], "name": "My phone", "createdAt": added["createdAt"], "backedUp": false,
    });
    assert_eq!(added, expected);
    let known = options(&mut ada, OFFER).await["excludeCredentials"].clone();
    assert_eq!(known, json!([{ "type": "public-key", "id": credential["id"] }]));

    let mut elsewhere = Browser::at(server.address);
    let credential = device.sign_in(&options(&mut elsewhere, ENTRY_OFFER).await, ORIGIN);
    let entered = elsewhere.post(ENTRY, json!({ "credential": credential })).await;
    let password = json!({ "email": address("ada"), "password": PASSWORD });
    let by_password = Browser::at(server.address).post("/api/v1/session", password).await;
    assert_eq!(entered.status(), 201);
    assert_eq!(by_password.status(), 201);
    assert_eq!(entered.headers()["cache-control"], "no-store");
    let flags = |cookie: &str| cookie.split_once(';').unwrap().1.to_owned();
    let cookie = entered.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-ferrotype_session=fts_"), "{cookie}");
    assert_eq!(flags(cookie), flags(by_password.headers()["set-cookie"].to_str().unwrap()));
    assert_eq!(json_of(entered), json_of(by_password));
    assert_eq!(elsewhere.json("/api/v1/me").await["email"], address("ada"));
    let listed = elsewhere.json(OWN).await;
    assert!(listed["passkeys"][0]["lastUsedAt"].is_string(), "{listed}");

    let again = Browser::at(server.address).post(ENTRY, json!({ "credential": credential })).await;
    assert!(!again.headers().contains_key("set-cookie"));
    assert_eq!(code_of(again), "bad_passkey");
}

#[tokio::test]
async fn programs_and_other_sites_add_no_passkeys() {
    let server = server_at(Some(ORIGIN)).await;
    let caller = add(&server, "ada", Role::User).await;
    let session = bearer(&server, "ada").await;
    let everything = [Scope::Read, Scope::Write, Scope::Delete, Scope::Account];
    let key = key(&server, &caller, &everything).await;
    let mut ada = browser(&server, "ada").await;
    let mut device = Authenticator::new(Algorithm::Es256);
    let credential = device.register(&options(&mut ada, OFFER).await, ORIGIN);
    let new = json!({ "name": "Phone", "credential": credential });
    let cookie =
        format!("__Host-ferrotype_session={}", ada.cookie("__Host-ferrotype_session").unwrap());
    for program in [&session, &key] {
        assert_eq!(code_of(program.post(OFFER, Value::Null).await), "browser_only");
        assert_eq!(code_of(program.post(OWN, new.clone()).await), "browser_only");
        // A cookie besides does not make it a browser.
        let both = [("cookie", cookie.as_str()), ("sec-fetch-site", "same-origin")];
        let answer = program.send("POST", OWN, new.clone(), &both).await;
        assert_eq!(code_of(answer), "browser_only");
        assert_eq!(json_of(program.get(OWN).await), json!({ "passkeys": [] }));
    }
    let foreign = Request::post(OFFER).header("cookie", &cookie);
    let foreign = foreign.header("sec-fetch-site", "cross-site").body(String::new()).unwrap();
    assert_eq!(code_of(server.send(foreign).await), "csrf");
    assert_eq!(
        code_of(server.send(Request::post(OFFER).body(String::new()).unwrap()).await),
        "unauthenticated"
    );
    assert_eq!(ada.post(OWN, new).await.status(), 201);
}

#[tokio::test]
async fn what_is_no_passkey_is_refused_with_a_reason() {
    let server = server_at(Some(ORIGIN)).await;
    add(&server, "ada", Role::User).await;
    let mut ada = browser(&server, "ada").await;
    let mut device = Authenticator::new(Algorithm::Es256);
    let elsewhere = device.register(&options(&mut ada, OFFER).await, "https://evil.example.org");
    let answer = ada.post(OWN, json!({ "name": "Phone", "credential": elsewhere })).await;
    let answer = json_of(answer);
    assert_eq!(answer["error"]["code"], "passkey_refused");
    assert!(answer["error"]["message"].as_str().unwrap().contains("public_url"), "{answer}");
    let credential = device.register(&options(&mut ada, OFFER).await, ORIGIN);
    for name in ["", " ", "a\u{0}b"] {
        let answer = ada.post(OWN, json!({ "name": name, "credential": credential })).await;
        assert_eq!(json_of(answer)["error"]["details"]["field"], "name", "{name:?}");
    }
    let long = json!({ "name": "x".repeat(256), "credential": credential });
    assert_eq!(code_of(ada.post(OWN, long).await), "name_too_long");
    assert_eq!(code_of(ada.post(OWN, json!({ "name": "Phone" })).await), "bad_json");
    // A bad name has not used the challenge up.
    let added = ada.post(OWN, json!({ "name": "Phone", "credential": credential })).await;
    assert_eq!(added.status(), 201);
    let credential = device.register(&options(&mut ada, OFFER).await, ORIGIN);
    let answer = ada.post(OWN, json!({ "name": "Again", "credential": credential })).await;
    assert_eq!(code_of(answer), "passkey_taken");
}

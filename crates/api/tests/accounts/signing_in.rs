use std::time::{Duration, Instant};

use api::Settings;
use model::Role;
use serde_json::json;
use service::{AccountSettings, AttemptLimits, PasswordCost};

use crate::people::{PASSWORD, add, address, bearer, browser};
use crate::support::browser::Browser;
use crate::support::{Options, Server, cheap_accounts, code_of, json_of};

#[tokio::test]
async fn set_up_makes_one_administrator() {
    let server = Server::start().await;
    let token = server.service.offer_set_up().await.unwrap().unwrap();
    let mut browser = Browser::at(server.address);
    let body = |token: &str| json!({ "token": token, "email": "root@example.org", "name": "Root", "password": PASSWORD });
    let wrong = browser.post("/api/v1/setup", body("ftu_wrong")).await;
    assert_eq!(code_of(wrong), "bad_set_up");
    let mut short = body(token.as_str());
    short["password"] = json!("short");
    let answer = browser.post("/api/v1/setup", short).await;
    assert_eq!(json_of(answer)["error"]["details"]["field"], "password");

    let asked = browser.json("/api/v1/service").await["accounts"]["setUpQuota"].clone();
    assert_eq!(asked, json!({ "diskBytes": null }));
    let mut wish = body(token.as_str());
    wish["defaultQuota"] = json!({ "imagesMax": null, "bytesMax": 1000 });
    let answer = browser.post("/api/v1/setup", wish).await;
    assert_eq!(answer.status(), 201);
    let session = json_of(answer);
    assert_eq!(session["user"]["role"], "administrator");
    assert!(session["token"].is_null(), "a browser has it in a cookie");
    let me = browser.json("/api/v1/me").await;
    assert_eq!(me["email"], "root@example.org");
    assert_eq!((&me["quota"]["imagesMax"], &me["quota"]["imagesUsed"]), (&json!(null), &json!(0)));
    let later = browser.json("/api/v1/quotas/default").await;
    assert_eq!((&later["imagesMax"], &later["bytesMax"]), (&json!(null), &json!(1000)));
    let asked = browser.json("/api/v1/service").await;
    assert!(asked["accounts"]["setUpQuota"].is_null(), "{asked}");
    let again = browser.post("/api/v1/setup", body(token.as_str())).await;
    assert_eq!(code_of(again), "bad_set_up");
}

#[tokio::test]
async fn a_browser_signs_in_and_out_with_a_cookie_for_us_alone() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let mut browser = Browser::at(server.address);
    assert_eq!(code_of(browser.get("/api/v1/me").await), "unauthenticated");
    let body = json!({ "email": "ADA@example.org", "password": PASSWORD });
    let answer = browser.post("/api/v1/session", body).await;
    assert_eq!(answer.status(), 201);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    let (value, flags) = cookie.split_once("; ").unwrap();
    assert!(value.starts_with("ferrotype_session=fts_"), "{value}");
    assert_eq!(flags, "Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000");
    let session = json_of(answer);
    assert_eq!((&session["user"]["name"], session.get("token")), (&json!("ada"), None));

    let token = browser.cookie("ferrotype_session").unwrap().to_owned();
    assert_eq!(browser.get("/api/v1/me").await.status(), 200);
    assert_eq!(browser.delete("/api/v1/session").await.status(), 204);
    assert_eq!(browser.cookie("ferrotype_session"), None, "it is told to forget it");
    browser.set_cookie("/", "ferrotype_session", &token);
    assert_eq!(code_of(browser.get("/api/v1/me").await), "unauthenticated");
}

#[tokio::test]
async fn behind_tls_the_cookie_is_bound_to_tls_and_host() {
    let public_url = Some("https://photos.example.org".parse().unwrap());
    let settings = Settings { public_url, ..Settings::default() };
    let server = Server::with(Options { settings, ..Options::default() }).await;
    add(&server, "ada", Role::User).await;
    let mut browser = browser(&server, "ada").await;
    let token = browser.cookie("__Host-ferrotype_session").unwrap().to_owned();
    assert_eq!(browser.get("/api/v1/me").await.status(), 200);
    let answer = browser
        .post("/api/v1/session", json!({ "email": address("ada"), "password": PASSWORD }))
        .await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("; Secure") && cookie.contains("Path=/;"), "{cookie}");
    // Another server of this host could set a cookie without the prefix.
    let mut other = Browser::at(server.address);
    other.set_cookie("/", "ferrotype_session", &token);
    assert_eq!(code_of(other.get("/api/v1/me").await), "unauthenticated");
}

#[tokio::test]
async fn a_program_signs_in_for_a_token() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let mut program = Browser::at(server.address);
    let body = json!({ "email": address("ada"), "password": PASSWORD, "kind": "bearer" });
    let answer = program.post("/api/v1/session", body).await;
    assert_eq!(answer.headers().get("set-cookie"), None);
    let session = json_of(answer);
    assert!(session["token"].as_str().unwrap().starts_with("fts_"));
    assert!(session["expiresAt"].as_str().unwrap().starts_with("2025-08-31T"));
    let ada = bearer(&server, "ada").await;
    assert_eq!(ada.get("/api/v1/me").await.status(), 200);
    assert_eq!(ada.delete("/api/v1/session").await.status(), 204);
    assert_eq!(code_of(ada.get("/api/v1/me").await), "unauthenticated");
}

#[tokio::test]
async fn a_session_ends_by_itself() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let ada = bearer(&server, "ada").await;
    server.clock.advance(Duration::from_secs(31 * 24 * 3600));
    let answer = ada.get("/api/v1/me").await;
    let challenge = answer.headers()["www-authenticate"].to_str().unwrap().to_owned();
    assert_eq!(challenge, r#"Bearer realm="ferrotype", error="invalid_token""#);
    assert_eq!(code_of(answer), "unauthenticated");
}

#[tokio::test]
async fn attempts_are_limited_and_told_when_to_go_on() {
    let attempts = AttemptLimits { per_email: 3, ..AttemptLimits::default() };
    let accounts = Some(AccountSettings { attempts, ..cheap_accounts() });
    let server = Server::with(Options { accounts, ..Options::default() }).await;
    add(&server, "ada", Role::User).await;
    let mut eve = Browser::at(server.address);
    for name in ["ada", "nobody"] {
        let body = |password: &str| json!({ "email": address(name), "password": password });
        for _ in 0..3 {
            let wrong = eve.post("/api/v1/session", body("wrong password")).await;
            assert_eq!(code_of(wrong), "wrong_password");
        }
        let refused = eve.post("/api/v1/session", body(PASSWORD)).await;
        let seconds: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=900).contains(&seconds), "{seconds}");
        assert_eq!(code_of(refused), "too_many_attempts");
    }
}

/// The work is the same, and the work is all that takes time: an answer about nobody takes no
/// less than half of what one about somebody takes.
#[tokio::test]
async fn whether_an_address_exists_cannot_be_told_by_the_time() {
    let password_cost = PasswordCost { memory_kib: 16 * 1024, passes: 3 };
    let accounts = Some(AccountSettings { password_cost, ..AccountSettings::default() });
    let server = Server::with(Options { accounts, ..Options::default() }).await;
    add(&server, "ada", Role::User).await;
    let mut eve = Browser::at(server.address);
    let mut fastest = async |email: &str| {
        let mut fastest = Duration::MAX;
        for _ in 0..5 {
            let begun = Instant::now();
            let body = json!({ "email": email, "password": "wrong password" });
            let answer = eve.post("/api/v1/session", body).await;
            fastest = fastest.min(begun.elapsed());
            assert_eq!(code_of(answer), "wrong_password");
        }
        fastest
    };
    let somebody = fastest(&address("ada")).await;
    let nobody = fastest(&address("nobody")).await;
    assert!(nobody * 2 > somebody && somebody * 2 > nobody, "{somebody:?} and {nobody:?}");
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let (mut here, there) = (browser(&server, "ada").await, bearer(&server, "ada").await);
    let change = |current: &str| json!({ "current": current, "new": "battery staple" });
    let wrong = here.post("/api/v1/me/password", change("wrong")).await;
    assert_eq!(code_of(wrong), "wrong_password");
    assert_eq!(here.post("/api/v1/me/password", change(PASSWORD)).await.status(), 204);
    assert_eq!(here.get("/api/v1/me").await.status(), 200);
    assert_eq!(code_of(there.get("/api/v1/me").await), "unauthenticated");
    let sessions = here.json("/api/v1/me/sessions").await;
    let sessions = sessions["items"].as_array().unwrap();
    assert_eq!((sessions.len(), &sessions[0]["current"]), (1, &json!(true)));
    assert_eq!(sessions[0]["agent"], "Browser");
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let mut here = browser(&server, "ada").await;
    let (one, two) = (bearer(&server, "ada").await, bearer(&server, "ada").await);
    let sessions = here.json("/api/v1/me/sessions?limit=2").await;
    assert_eq!(sessions["items"].as_array().unwrap().len(), 2);
    let cursor = sessions["nextCursor"].as_str().unwrap();
    let rest = here.json(&format!("/api/v1/me/sessions?limit=2&cursor={cursor}")).await;
    assert_eq!(rest["items"].as_array().unwrap().len(), 1);
    assert_eq!(here.delete("/api/v1/me/sessions").await.status(), 204);
    assert_eq!(here.get("/api/v1/me").await.status(), 200);
    for other in [&one, &two] {
        assert_eq!(code_of(other.get("/api/v1/me").await), "unauthenticated");
    }
    let sessions = here.json("/api/v1/me/sessions").await;
    let id = sessions["items"][0]["id"].as_str().unwrap();
    let path = format!("/api/v1/me/sessions/{id}");
    assert_eq!(here.delete(&path).await.status(), 204);
    assert_eq!(code_of(here.get("/api/v1/me").await), "unauthenticated");
}

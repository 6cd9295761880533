use model::Role;
use serde_json::{Value, json};
use service::{Scope, Scopes};
use ureq::http::Request;

use crate::people::{PASSWORD, add, address, bearer, browser, key};
use crate::support::{Server, code_of, json_of};

/// Sends what only a browser's cookie speaks for.
async fn with_cookie(server: &Server, cookie: &str, headers: &[(&str, &str)]) -> u16 {
    let mut request = Request::delete("/api/v1/me/sessions");
    request = request.header("cookie", format!("ferrotype_session={cookie}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = server.send(request.body(String::new()).unwrap()).await;
    match answer.status().as_u16() {
        403 => {
            assert_eq!(code_of(answer), "csrf");
            403
        }
        status => status,
    }
}

#[tokio::test]
async fn other_sites_cannot_act_by_a_cookie() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let browser = browser(&server, "ada").await;
    let cookie = browser.cookie("ferrotype_session").unwrap();
    let own = format!("http://{}", server.address);
    for wrong in [
        vec![],
        vec![("sec-fetch-site", "cross-site")],
        vec![("sec-fetch-site", "same-site")],
        vec![("origin", "https://evil.example.org")],
        vec![("origin", "null")],
        vec![("sec-fetch-site", "cross-site"), ("origin", own.as_str())],
    ] {
        assert_eq!(with_cookie(&server, cookie, &wrong).await, 403, "{wrong:?}");
    }
    for right in [vec![("sec-fetch-site", "same-origin")], vec![("origin", own.as_str())]] {
        assert_eq!(with_cookie(&server, cookie, &right).await, 204, "{right:?}");
    }
    // Reading needs no proof, since other sites do not see the answer.
    let request = Request::get("/api/v1/me").header("sec-fetch-site", "cross-site");
    let request = request.header("cookie", format!("ferrotype_session={cookie}"));
    assert_eq!(server.send(request.body(String::new()).unwrap()).await.status(), 200);
    // A token is sent by nobody but those who have it.
    let ada = bearer(&server, "ada").await;
    let headers = [("sec-fetch-site", "cross-site")];
    let answer = ada.send("DELETE", "/api/v1/me/sessions", Value::Null, &headers).await;
    assert_eq!(answer.status(), 204);
}

#[tokio::test]
async fn who_shows_nothing_or_nonsense_is_told_how() {
    let server = Server::start().await;
    let answer = server.get("/api/v1/me").await;
    assert_eq!(answer.headers()["www-authenticate"], r#"Bearer realm="ferrotype""#);
    assert_eq!(code_of(answer), "unauthenticated");
    for nonsense in ["Bearer x", "Bearer", "Basic YTpi", "Bearer a.b.c", "Bearer fts_x_y"] {
        let request = Request::get("/api/v1/me").header("authorization", nonsense);
        let answer = server.send(request.body(String::new()).unwrap()).await;
        let challenge = answer.headers()["www-authenticate"].to_str().unwrap().to_owned();
        assert!(challenge.contains("invalid_token"), "{nonsense}");
        assert_eq!(code_of(answer), "unauthenticated", "{nonsense}");
    }
    // What is for everybody is also for those.
    let request = Request::get("/api/v1/service").header("authorization", "Bearer x");
    assert_eq!(server.send(request.body(String::new()).unwrap()).await.status(), 200);
}

#[tokio::test]
async fn a_key_is_shown_once_and_can_be_revoked() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let mut browser = browser(&server, "ada").await;
    let body = json!({ "name": "Camera", "scopes": ["read", "write"],
        "expiresAt": "2025-09-01T00:00:00Z" });
    let made = browser.post("/api/v1/me/keys", body).await;
    assert_eq!(
        (made.status().as_u16(), &made.headers()["cache-control"]),
        (201, &"no-store".parse().unwrap())
    );
    let made = json_of(made);
    let token = made["token"].as_str().unwrap().to_owned();
    assert!(token.starts_with("ftk_"), "{token}");
    assert_eq!(made["expiresAt"], "2025-09-01T00:00:00.000Z");

    let listed = browser.json("/api/v1/me/keys").await;
    assert_eq!(listed["items"][0]["name"], "Camera");
    assert_eq!(listed["items"][0]["scopes"], json!(["read", "write"]));
    assert!(!listed.to_string().contains(&token));

    let get_me = async || {
        let request = Request::get("/api/v1/me").header("authorization", format!("bearer {token}"));
        server.send(request.body(String::new()).unwrap()).await
    };
    assert_eq!(json_of(get_me().await)["scopes"], json!(["read", "write"]));
    let path = format!("/api/v1/me/keys/{}", made["id"].as_str().unwrap());
    assert_eq!(browser.delete(&path).await.status(), 204);
    assert_eq!(code_of(browser.delete(&path).await), "not_found");
    assert_eq!(code_of(get_me().await), "unauthenticated");
}

#[tokio::test]
async fn a_key_does_what_its_scopes_say() {
    let server = Server::start().await;
    let root = add(&server, "root", Role::Administrator).await;
    let reader = key(&server, &root, &[Scope::Read]).await;
    assert_eq!(reader.get("/api/v1/me").await.status(), 200);
    for path in ["/api/v1/me/keys", "/api/v1/me/sessions", "/api/v1/users", "/api/v1/quotas"] {
        let answer = reader.get(path).await;
        assert_eq!(code_of(answer), "scope_missing", "{path}");
    }
    let refused = reader.post("/api/v1/me/keys", json!({ "name": "x", "scopes": ["read"] })).await;
    let error = json_of(refused);
    assert_eq!(error["error"]["details"]["scope"], "account");
    let keeper = key(&server, &root, &[Scope::Account]).await;
    let stronger = json!({ "name": "x", "scopes": ["account", "admin"] });
    assert_eq!(code_of(keeper.post("/api/v1/me/keys", stronger).await), "scope_missing");
    let all: Vec<Scope> = Scopes::all().iter().collect();
    let administrator = key(&server, &root, &all).await;
    assert_eq!(administrator.get("/api/v1/users").await.status(), 200);
    for (body, field) in [
        (json!({ "name": "x", "scopes": ["fly"] }), "scopes"),
        (json!({ "name": "x", "scopes": [] }), "scopes"),
        (json!({ "name": "", "scopes": ["read"] }), "name"),
        (
            json!({ "name": "x", "scopes": ["read"], "expiresAt": "2020-01-01T00:00:00Z" }),
            "expiresAt",
        ),
        (json!({ "name": "x", "scopes": ["read"], "expiresAt": "soon" }), "expiresAt"),
    ] {
        let answer = json_of(administrator.post("/api/v1/me/keys", body.clone()).await);
        assert_eq!(answer["error"]["details"]["field"], field, "{body}: {answer}");
    }
}

#[tokio::test]
async fn an_api_key_has_no_session_to_end() {
    let server = Server::start().await;
    let ada = add(&server, "ada", Role::User).await;
    let all: Vec<Scope> = Scopes::all().iter().collect();
    let key = key(&server, &ada, &all).await;
    assert_eq!(code_of(key.delete("/api/v1/session").await), "not_found");
}

#[tokio::test]
async fn who_is_erased_is_shut_out_at_once() {
    let server = Server::start().await;
    let ada = add(&server, "ada", Role::User).await;
    let key = key(&server, &ada, &[Scope::Read]).await;
    let mut browser = browser(&server, "ada").await;
    assert_eq!(browser.delete("/api/v1/me").await.status(), 202);
    assert_eq!(code_of(browser.get("/api/v1/me").await), "unauthenticated");
    assert_eq!(code_of(key.get("/api/v1/me").await), "unauthenticated");
    let body = json!({ "email": address("ada"), "password": PASSWORD });
    assert_eq!(code_of(browser.post("/api/v1/session", body).await), "wrong_password");
}

//! Somebody with an account, for tests that need one.

use model::Role;
use serde_json::{Value, json};
use service::{Caller, Client, NewApiKey, NewUser, Scope};
use ureq::Body;
use ureq::http::{Request, Response};

use crate::support::Server;
use crate::support::browser::Browser;

pub const PASSWORD: &str = "correct horse";

pub fn address(name: &str) -> String {
    format!("{name}@example.org")
}

pub async fn add(server: &Server, name: &str, role: Role) -> Caller {
    let new = NewUser { email: address(name).parse().unwrap(), name: name.parse().unwrap() };
    let password = PASSWORD.parse().unwrap();
    let made = server.service.create_user(&Caller::operator(), &new, role, Some(&password)).await;
    let user = made.unwrap();
    Caller::new(user.id, user.role)
}

pub async fn bearer<'a>(server: &'a Server, name: &str) -> Bearer<'a> {
    let session = server.service.sign_in(&address(name), PASSWORD, Client::default()).await;
    Bearer { server, token: session.unwrap().token.as_str().to_owned() }
}

pub async fn key<'a>(server: &'a Server, caller: &Caller, scopes: &[Scope]) -> Bearer<'a> {
    let scopes = scopes.iter().copied().collect();
    let new = NewApiKey { name: "test".parse().unwrap(), scopes, expires_at: None };
    let (token, _) = server.service.create_api_key(caller, &new).await.unwrap();
    Bearer { server, token: token.as_str().to_owned() }
}

pub async fn browser(server: &Server, name: &str) -> Browser {
    let mut browser = Browser::at(server.address);
    let body = json!({ "email": address(name), "password": PASSWORD });
    let answer = browser.post("/api/v1/session", body).await;
    assert_eq!(answer.status(), 201);
    browser
}

/// Somebody who shows a token.
pub struct Bearer<'a> {
    server: &'a Server,
    pub token: String,
}

impl Bearer<'_> {
    pub async fn get(&self, path: &str) -> Response<Body> {
        self.send("GET", path, Value::Null, &[]).await
    }

    pub async fn delete(&self, path: &str) -> Response<Body> {
        self.send("DELETE", path, Value::Null, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Response<Body> {
        self.send("POST", path, body, &[]).await
    }

    pub async fn send(
        &self,
        method: &str,
        path: &str,
        body: Value,
        headers: &[(&str, &str)],
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("authorization", format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        if !body.is_empty() {
            request = request.header("content-type", "application/json");
        }
        self.server.send(request.body(body).unwrap()).await
    }
}

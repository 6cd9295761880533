//! Identity providers: a login at a real one, tokens of a real one, and tokens that must be
//! refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod cognito;
mod issuer;
mod login;
mod refusals;

use api::{OidcSettings, Settings};
use service::AccountSettings;
use ureq::Body;
use ureq::http::{Request, Response};

use crate::support::{Options, Server, cheap_accounts};

/// A server with an identity provider, at the time that it really is.
async fn server(oidc: OidcSettings, accounts: AccountSettings) -> Server {
    let settings = Settings { oidc: Some(oidc), ..Settings::default() };
    let (accounts, now) = (Some(accounts), Some(now_millis()));
    Server::with(Options { settings, accounts, now, ..Options::default() }).await
}

async fn plain_server(oidc: OidcSettings) -> Server {
    server(oidc, cheap_accounts()).await
}

fn now_millis() -> i64 {
    service::Clock::now(&service::SystemClock).as_millis()
}

/// Asks who somebody is who shows this token.
async fn me(server: &Server, token: &str) -> Response<Body> {
    let request = Request::get("/api/v1/me").header("authorization", format!("Bearer {token}"));
    server.send(request.body(String::new()).unwrap()).await
}

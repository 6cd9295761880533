//! Signing in at the identity provider.

use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use service::NewSession;
use utoipa_axum::router::OpenApiRouter;

use super::pages::{Page, come_in, local, refuse};
use super::shapes::client_of;
use crate::app::App;
use crate::client::Client;
use crate::extract::Query;
use crate::identity::cookie;
use crate::oidc::{Answered, Begun, Oidc, OidcError};
use crate::{ApiError, ErrorCode};

pub(in crate::routes) const LOGIN: &str = "/auth/oidc/login";
const CALLBACK: &str = "/auth/oidc/callback";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().route(LOGIN, get(login)).route(CALLBACK, get(callback))
}

/// What the browser keeps while it is away. Not bound to the path `/`, so it cannot have the
/// prefix that binds a cookie to its host; the seal does that.
const COOKIE: &str = "ferrotype_login";
const COOKIE_PATH: &str = "/auth/oidc";
/// How long somebody may take to sign in over there.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    next: String,
}

async fn login(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Query(link): Query<Link>,
) -> Response {
    let begun = Begun::new(local(&link.next), app.service.now().after(PATIENCE).as_seconds());
    let kept = serde_json::to_string(&begun).unwrap_or_default();
    let cookie =
        cookie::set(COOKIE, &app.service.seal_login(&kept), COOKIE_PATH, client.https, PATIENCE);
    let url = async {
        let oidc = provider(&app)?;
        Ok(oidc.login_url(&begun, &redirect_uri(&app, client, &headers)?).await?)
    };
    match url.await {
        Ok(url) => with_cookie(Redirect::to(&url).into_response(), cookie),
        Err(error) => refuse_login(&error),
    }
}

async fn callback(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Query(answered): Query<Answered>,
) -> Response {
    let response = match finish(&app, client, &headers, &answered).await {
        Ok((session, next)) => come_in(&app, client, &session, local(&next)),
        Err(error) => refuse_login(&error),
    };
    // Good for one login, however it ended.
    with_cookie(response, cookie::set(COOKIE, "", COOKIE_PATH, client.https, Duration::ZERO))
}

async fn finish(
    app: &App,
    client: Client,
    headers: &HeaderMap,
    answered: &Answered,
) -> Result<(NewSession, String), ApiError> {
    let oidc = provider(app)?;
    let no_login = || {
        let message = "no login was begun in this browser, or it took too long; try again";
        ApiError::new(ErrorCode::Unauthenticated, message)
    };
    let kept = cookie::find(headers, COOKIE).and_then(|sealed| app.service.open_login(sealed));
    let begun: Begun =
        kept.and_then(|kept| serde_json::from_str(&kept).ok()).ok_or_else(no_login)?;
    let redirect_uri = redirect_uri(app, client, headers)?;
    let identity = oidc.finish_login(&begun, answered, &redirect_uri, app.service.now()).await?;
    let from = client_of(client, headers);
    let session = app.service.sign_in_by_identity(&identity, from).await?;
    Ok((session, begun.next))
}

fn provider(app: &App) -> Result<&Oidc, ApiError> {
    let message = "no identity provider is configured here";
    app.oidc.as_ref().ok_or_else(|| ApiError::new(ErrorCode::NotFound, message))
}

/// Where the provider sends the browser back to: where it reached us.
fn redirect_uri(app: &App, client: Client, headers: &HeaderMap) -> Result<String, ApiError> {
    if let Some(url) = &app.settings.public_url {
        return Ok(format!("{}{CALLBACK}", url.as_str()));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.ok_or_else(|| ApiError::new(ErrorCode::BadRequest, "there is no Host"))?;
    let scheme = if client.https { "https" } else { "http" };
    Ok(format!("{scheme}://{host}{CALLBACK}"))
}

fn refuse_login(error: &ApiError) -> Response {
    refuse(error, |error| {
        Page::new("Not signed in").error(Some(error)).link("/signin", "Try again")
    })
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    let cookie = cookie.map(|cookie| (header::SET_COOKIE, cookie));
    if let Some((name, value)) = cookie {
        response.headers_mut().append(name, value);
    }
    response
}

impl From<OidcError> for ApiError {
    /// What exactly is wrong is for the operator: the client can do nothing with it.
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Refused(_) => {
                tracing::info!(%error, "an identity was refused");
                let message = "what the identity provider says could not be verified";
                Self::new(ErrorCode::Unauthenticated, message)
            }
            OidcError::Unavailable(_) => {
                tracing::error!(%error, "an identity could not be verified");
                Self::plain(ErrorCode::Unavailable).with_retry_after(Duration::from_secs(5))
            }
        }
    }
}

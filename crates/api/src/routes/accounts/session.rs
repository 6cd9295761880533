//! Coming in and going out.

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::{QuotaRule, Timestamp};
use serde::{Deserialize, Serialize};
use service::{Error, NewSession};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::limits::SetDefaultQuota;
use super::shapes::{UserAnswer, client_of, new_user, password};
use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::error::error_answers;
use crate::extract::Json;
use crate::identity::Account;
use crate::identity::cookie::SessionCookie;
use crate::identity::origin::expect_kept_session;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(set_up))
        .routes(routes!(sign_in, sign_out))
        .routes(routes!(sign_up))
}

/// How a session is to be handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum SessionKind {
    /// As a cookie, for browsers.
    #[default]
    Cookie,
    /// As a token in the answer, for programs.
    Bearer,
}

/// Who wants to sign in.
#[derive(Deserialize, ToSchema)]
struct SignIn {
    /// The address of the account.
    email: String,
    /// Its password.
    password: String,
    #[serde(default)]
    kind: SessionKind,
}

/// The first administrator.
#[derive(Deserialize, ToSchema)]
struct SetUp {
    /// The token in the link that the server prints.
    token: String,
    /// The address to sign in with.
    email: String,
    /// The name others see.
    #[schema(max_length = 255)]
    name: String,
    /// A password of at least 10 characters.
    #[schema(min_length = 10)]
    password: String,
    /// What accounts that are made later may keep; 500 images and 20 GB unless it is said. The first
    /// administrator has no limit.
    #[serde(rename = "defaultQuota")]
    default_quota: Option<SetDefaultQuota>,
    #[serde(default)]
    kind: SessionKind,
}

/// Who wants an account.
#[derive(Deserialize, ToSchema)]
struct SignUp {
    /// The address to sign in with.
    email: String,
    /// The name others see.
    #[schema(max_length = 255)]
    name: String,
    /// A password of at least 10 characters.
    #[schema(min_length = 10)]
    password: String,
    /// The token of an invitation, where accounts are made by invitation.
    invitation: Option<String>,
    #[serde(default)]
    kind: SessionKind,
}

/// A session that has begun.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionAnswer {
    /// Who is signed in.
    user: UserAnswer,
    /// What to send as `Authorization: Bearer`; only with `"kind":"bearer"`, and only now.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// When the session ends by itself.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

error_answers!(SetUpErrors: HttpsNeeded, BadSetUp, SetByConfiguration, TooManyAttempts, InvalidValue,
    NameTooLong, EmailTaken);
/// Make the first administrator
///
/// Possible once, with the token in the link that the server prints when it starts.
#[utoipa::path(
    post,
    path = "/api/v1/setup",
    tag = tag::ACCOUNTS,
    request_body = SetUp,
    responses((status = 201, description = "Set up, and signed in.", body = SessionAnswer), SetUpErrors)
)]
async fn set_up(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Json(body): Json<SetUp>,
) -> Result<Response, ApiError> {
    if body.kind == SessionKind::Cookie {
        expect_kept_session(&headers, &app.settings)?;
    }
    let new = new_user(&body.email, &body.name)?;
    let password = password(&body.password)?;
    let from = client_of(client, &headers);
    let quota = body.default_quota.map(|quota| quota.over(QuotaRule::default())).transpose()?;
    let session = app.service.set_up(&body.token, &new, &password, quota, from).await?;
    Ok(begun(&app, client, session, body.kind))
}

error_answers!(SignInErrors: HttpsNeeded, WrongPassword, TooManyAttempts);
/// Sign in
///
/// Only so many wrong passwords may be tried for one account, and from one place.
#[utoipa::path(
    post,
    path = "/api/v1/session",
    tag = tag::ACCOUNTS,
    request_body = SignIn,
    responses((status = 201, description = "Signed in.", body = SessionAnswer), SignInErrors)
)]
async fn sign_in(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Json(body): Json<SignIn>,
) -> Result<Response, ApiError> {
    if body.kind == SessionKind::Cookie {
        expect_kept_session(&headers, &app.settings)?;
    }
    let from = client_of(client, &headers);
    let session = app.service.sign_in(&body.email, &body.password, from).await?;
    Ok(begun(&app, client, session, body.kind))
}

error_answers!(SignOutErrors: NotFound);
/// Sign out
///
/// Ends the session that the request is sent with.
#[utoipa::path(
    delete,
    path = "/api/v1/session",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    responses((status = 204, description = "Signed out."), SignOutErrors)
)]
async fn sign_out(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Account(account): Account,
) -> Result<Response, ApiError> {
    let session = account.proof.session().ok_or(Error::NotFound { what: "session" })?;
    app.service.sign_out(&account.caller, session).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(cookie) = SessionCookie::of(app.settings.path(), client.https).forget() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

error_answers!(SignUpErrors:
    HttpsNeeded, SignUpClosed, BadInvitation, TooManyAttempts, InvalidValue, NameTooLong, EmailTaken);
/// Make an account
///
/// By invitation, or without where the installation is open to everybody.
#[utoipa::path(
    post,
    path = "/api/v1/signup",
    tag = tag::ACCOUNTS,
    request_body = SignUp,
    responses((status = 201, description = "Signed up, and signed in.", body = SessionAnswer), SignUpErrors)
)]
async fn sign_up(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Json(body): Json<SignUp>,
) -> Result<Response, ApiError> {
    if body.kind == SessionKind::Cookie {
        expect_kept_session(&headers, &app.settings)?;
    }
    let new = new_user(&body.email, &body.name)?;
    let password = password(&body.password)?;
    let from = client_of(client, &headers);
    let invitation = body.invitation.as_deref();
    let session = app.service.sign_up(&new, &password, invitation, from).await?;
    Ok(begun(&app, client, session, body.kind))
}

pub(super) fn begun(app: &App, client: Client, session: NewSession, kind: SessionKind) -> Response {
    let NewSession { token, user, ends_at } = session;
    let in_answer = (kind == SessionKind::Bearer).then(|| token.as_str().to_owned());
    let answer =
        SessionAnswer { user: UserAnswer::of(app, user), token: in_answer, expires_at: ends_at };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    let mut response = (StatusCode::CREATED, no_store, axum::Json(answer)).into_response();
    let time = app.service.settings().accounts.session_time;
    if kind == SessionKind::Cookie
        && let cookie = SessionCookie::of(app.settings.path(), client.https)
        && let Some(cookie) = cookie.keep(token.as_str(), time)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

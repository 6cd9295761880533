//! Signing in with a passkey.

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::session::{SessionAnswer, SessionKind, begun};
use super::super::shapes::client_of;
use super::shapes::{PasskeySignIn, RequestAnswer, RequestOptions};
use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::error::error_answers;
use crate::extract::Json;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(offer_sign_in)).routes(routes!(sign_in_by_passkey))
}

error_answers!(OfferSignInErrors: PasskeysOff);
/// Begin to sign in with a passkey
///
/// What a browser needs to use one, for `PublicKeyCredential.parseRequestOptionsFromJSON`. It is
/// the same for everybody but for the challenge, which is good for five minutes and one answer:
/// the browser knows which passkeys it has.
#[utoipa::path(
    post,
    path = "/api/v1/session/passkey/options",
    tag = tag::ACCOUNTS,
    responses((status = 200, description = "How to use it.", body = RequestAnswer), OfferSignInErrors)
)]
async fn offer_sign_in(State(app): State<App>) -> Result<Response, ApiError> {
    let site = app.relying_party()?;
    let challenge = app.service.offer_passkey_sign_in().await?;
    let answer = RequestAnswer { public_key: RequestOptions::of(site, challenge) };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((no_store, axum::Json(answer)).into_response())
}

error_answers!(SignInByPasskeyErrors: BadPasskey, PasskeysOff, TooManyAttempts);
/// Sign in with a passkey
///
/// Takes what the browser made by the options, as its `toJSON()` writes it. Begins a session with
/// a cookie, as signing in with a password does. Whatever is wrong with the passkey, the answer
/// is the same.
#[utoipa::path(
    post,
    path = "/api/v1/session/passkey",
    tag = tag::ACCOUNTS,
    request_body = PasskeySignIn,
    responses((status = 201, description = "Signed in.", body = SessionAnswer), SignInByPasskeyErrors)
)]
async fn sign_in_by_passkey(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Json(body): Json<PasskeySignIn>,
) -> Result<Response, ApiError> {
    let site = app.relying_party()?;
    let from = client_of(client, &headers);
    let session = app.service.sign_in_by_passkey(site, &body.credential.into(), from).await?;
    Ok(begun(&app, client, session, SessionKind::Cookie))
}

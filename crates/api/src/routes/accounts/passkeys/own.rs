//! One's own passkeys.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::Sha256Hex;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shapes::{
    CreationAnswer, CreationOptions, NewPasskey, PasskeyAnswer, PasskeyList, RenamePasskey,
};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::{Json, Path};
use crate::identity::{Browser, SignedIn};
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(offer_passkey))
        .routes(routes!(list_passkeys, add_passkey))
        .routes(routes!(rename_passkey, delete_passkey))
}

error_answers!(OfferPasskeyErrors: BrowserOnly, PasskeysOff, TooManyPasskeys);
/// Begin to add a passkey
///
/// What a browser needs to make one, for `PublicKeyCredential.parseCreationOptionsFromJSON`. The
/// challenge is good for five minutes and one answer. Only for a browser that is signed in:
/// whoever has got hold of an API key must not be able to turn it into a way in for good.
#[utoipa::path(
    post,
    path = "/api/v1/me/passkeys/options",
    tag = tag::ACCOUNTS,
    security(("session" = [])),
    responses((status = 200, description = "How to make it.", body = CreationAnswer), OfferPasskeyErrors)
)]
async fn offer_passkey(
    State(app): State<App>,
    Browser(who): Browser,
) -> Result<Response, ApiError> {
    let site = app.relying_party()?;
    let offer = app.service.offer_passkey(&who).await?;
    let answer = CreationAnswer { public_key: CreationOptions::of(site, offer) };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((no_store, axum::Json(answer)).into_response())
}

error_answers!(AddPasskeyErrors: BrowserOnly, PasskeysOff, PasskeyRefused, PasskeyTaken,
    TooManyPasskeys, InvalidValue, NameTooLong);
/// Add a passkey
///
/// Takes what the browser made by the options, as its `toJSON()` writes it.
#[utoipa::path(
    post,
    path = "/api/v1/me/passkeys",
    tag = tag::ACCOUNTS,
    security(("session" = [])),
    request_body = NewPasskey,
    responses((status = 201, description = "The passkey.", body = PasskeyAnswer), AddPasskeyErrors)
)]
async fn add_passkey(
    State(app): State<App>,
    Browser(who): Browser,
    Json(body): Json<NewPasskey>,
) -> Result<(StatusCode, axum::Json<PasskeyAnswer>), ApiError> {
    let site = app.relying_party()?;
    let name = field("name", &body.name)?;
    let made = body.credential.into();
    let passkey = app.service.add_passkey(&who, site, &name, &made).await?;
    Ok((StatusCode::CREATED, axum::Json(passkey.into())))
}

/// My passkeys
///
/// All of them, oldest first.
#[utoipa::path(
    get,
    path = "/api/v1/me/passkeys",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    responses((status = 200, description = "The passkeys.", body = PasskeyList))
)]
async fn list_passkeys(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<axum::Json<PasskeyList>, ApiError> {
    let passkeys = app.service.list_passkeys(&caller).await?;
    let passkeys = passkeys.into_iter().map(PasskeyAnswer::from).collect();
    Ok(axum::Json(PasskeyList { passkeys }))
}

error_answers!(RenamePasskeyErrors: NotFound, InvalidValue, NameTooLong);
/// Rename a passkey
#[utoipa::path(
    patch,
    path = "/api/v1/me/passkeys/{id}",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The passkey.")),
    request_body = RenamePasskey,
    responses((status = 200, description = "The passkey as it is now.", body = PasskeyAnswer), RenamePasskeyErrors)
)]
async fn rename_passkey(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<Sha256Hex>,
    Json(body): Json<RenamePasskey>,
) -> Result<axum::Json<PasskeyAnswer>, ApiError> {
    let name = field("name", &body.name)?;
    let passkey = app.service.rename_passkey(&caller, &id, &name).await?;
    Ok(axum::Json(passkey.into()))
}

error_answers!(DeletePasskeyErrors: NotFound);
/// Take a passkey away
///
/// Nobody signs in with it any more. Sessions that began with it go on.
#[utoipa::path(
    delete,
    path = "/api/v1/me/passkeys/{id}",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The passkey.")),
    responses((status = 204, description = "The passkey is worth nothing now."), DeletePasskeyErrors)
)]
async fn delete_passkey(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<Sha256Hex>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_passkey(&caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

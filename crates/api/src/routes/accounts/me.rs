//! One's own account.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::limits::QuotaAnswer;
use super::shapes::{EditUser, UserAnswer, password};
use super::users::edited;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::etag::Expected;
use crate::extract::Json;
use crate::identity::{Account, SignedIn};
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_me, edit_me, erase_me)).routes(routes!(change_password))
}

/// Who is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MeAnswer {
    #[serde(flatten)]
    user: UserAnswer,
    /// How much they may keep.
    quota: QuotaAnswer,
    /// What the way they signed in allows: everything, or the scopes of the API key.
    scopes: Vec<String>,
    /// Whether they can sign in with a password.
    has_password: bool,
}

/// A new password.
#[derive(Deserialize, ToSchema)]
struct ChangePassword {
    /// The password until now; absent for those who never had one.
    current: Option<String>,
    /// A password of at least 10 characters.
    #[schema(min_length = 10)]
    new: String,
}

/// Who I am
#[utoipa::path(
    get,
    path = "/api/v1/me",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    responses((status = 200, description = "The account.", body = MeAnswer))
)]
async fn get_me(
    State(app): State<App>,
    Account(account): Account,
) -> Result<axum::Json<MeAnswer>, ApiError> {
    let caller = &account.caller;
    let quota = app.service.find_quota(caller, caller.user).await?.into();
    let has_password = app.service.has_password(caller).await?;
    let scopes = caller.scopes.iter().map(|scope| scope.to_string()).collect();
    Ok(axum::Json(MeAnswer {
        user: UserAnswer::of(&app, Arc::unwrap_or_clone(account.user)),
        quota,
        scopes,
        has_password,
    }))
}

error_answers!(EditMeErrors: Conflict, PreconditionFailed, EmailTaken, InvalidValue,
    NameTooLong, Forbidden, LastAdministrator);
/// Change my account
#[utoipa::path(
    patch,
    path = "/api/v1/me",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    request_body = EditUser,
    responses((status = 200, description = "The account as it is now.", body = UserAnswer), EditMeErrors)
)]
async fn edit_me(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    headers: HeaderMap,
    Json(body): Json<EditUser>,
) -> Result<Response, ApiError> {
    let user = caller.user;
    let expected = Expected::of(&headers, user, body.version)?;
    let edit = body.parse()?;
    let done = app.service.edit_user(&caller, user, expected.version(), edit).await;
    Ok(edited(&app, done.map_err(|error| expected.error(error))?))
}

error_answers!(EraseMeErrors: LastAdministrator);
/// Erase my account
///
/// Nobody can sign in from now on; images and everything else disappear soon after. There is no
/// undo.
#[utoipa::path(
    delete,
    path = "/api/v1/me",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    responses((status = 202, description = "Being erased."), EraseMeErrors)
)]
async fn erase_me(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<StatusCode, ApiError> {
    app.service.erase_user(&caller, caller.user).await?;
    Ok(StatusCode::ACCEPTED)
}

error_answers!(ChangePasswordErrors: WrongPassword, TooManyAttempts, InvalidValue);
/// Change my password
///
/// All other sessions end.
#[utoipa::path(
    post,
    path = "/api/v1/me/password",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    request_body = ChangePassword,
    responses((status = 204, description = "Changed."), ChangePasswordErrors)
)]
async fn change_password(
    State(app): State<App>,
    Account(account): Account,
    Json(body): Json<ChangePassword>,
) -> Result<Response, ApiError> {
    let new = password(&body.new)?;
    let (caller, kept) = (&account.caller, account.proof.session());
    app.service.change_password(caller, kept, body.current.as_deref(), &new).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

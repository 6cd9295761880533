//! The password of a link.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use model::Timestamp;
use serde::{Deserialize, Serialize};
use service::Unlocked;
use utoipa::ToSchema;

use super::guest::{discreet, remember_unlocked};
use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::error::error_answers;
use crate::extract::Path;
use crate::openapi::tag;
use crate::routes::accounts::client_of;

error_answers!(UnlockErrors: NotFound, LinkExpired, WrongPassword, TooManyAttempts);

/// What the owner of the link has told.
#[derive(Deserialize, ToSchema)]
pub(super) struct Unlock {
    /// The password.
    password: String,
}

/// That the password was right.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UnlockedAnswer {
    /// What to send as `X-Link-Unlocked` with requests for this link. Browsers have it in a cookie,
    /// too.
    proof: String,
    /// Until when it is good, unless the password is changed before.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Unlock a link
///
/// Only so many wrong passwords may be tried for one link, and from one place.
#[utoipa::path(
    post,
    path = "/api/v1/shared/{token}/unlock",
    tag = tag::LINKS,
    params(("token" = String, Path, description = "What proves the link")),
    request_body = Unlock,
    responses((status = 200, description = "It is open.", body = UnlockedAnswer), UnlockErrors)
)]
pub(super) async fn unlock_shared(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(token): Path<String>,
    headers: HeaderMap,
    crate::extract::Json(unlock): crate::extract::Json<Unlock>,
) -> Result<Response, ApiError> {
    let unlocked = unlocked(&app, &token, &unlock.password, client, &headers).await?;
    let kept = remember_unlocked(&app, &token, &unlocked, client);
    let answer = UnlockedAnswer { proof: unlocked.proof, expires_at: unlocked.until };
    Ok((discreet(), kept, Json(answer)).into_response())
}

/// Unlocks a link, which counts as opening it.
pub(super) async fn unlocked(
    app: &App,
    token: &str,
    password: &str,
    client: Client,
    headers: &HeaderMap,
) -> Result<Unlocked, ApiError> {
    let from = client_of(client, headers);
    let unlocked = app.service.unlock_link(token, password, from).await?;
    let guest = app.service.admit_guest(token, Some(&unlocked.proof)).await?;
    if guest.link().password.is_some() {
        app.service.count_view(&guest, None).await?;
    }
    Ok(unlocked)
}

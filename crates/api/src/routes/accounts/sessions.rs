//! Where somebody is signed in.

use axum::extract::State;
use axum::http::StatusCode;
use model::{Session, Sha256Hex, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shapes::moment;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::{Account, SignedIn};
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_sessions, delete_sessions))
        .routes(routes!(delete_session))
}

const LIST: &str = "sessions";

/// That somebody signed in somewhere.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
struct OneSession {
    /// Names the session.
    #[schema(value_type = String)]
    id: Sha256Hex,
    /// Whether it is the one that asks.
    current: bool,
    /// What they signed in with, as its program calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// When they signed in.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ends by itself.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

error_answers!(ListSessionsErrors: BadCursor);
/// Where I am signed in
#[utoipa::path(
    get,
    path = "/api/v1/me/sessions",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(PageParams),
    responses((status = 200, description = "A page of sessions.", body = Page<OneSession>), ListSessionsErrors)
)]
async fn list_sessions(
    State(app): State<App>,
    Account(account): Account,
    Query(page): Query<PageParams>,
) -> Result<axum::Json<Page<OneSession>>, ApiError> {
    let caller = &account.caller;
    let page = page.request(&app, caller, LIST)?;
    let listed = app.service.list_sessions(caller, &page).await?;
    let here = account.proof.session();
    let shape = |session: Session| OneSession {
        current: Some(&session.hash) == here,
        id: session.hash,
        agent: session.agent,
        created_at: session.created_at,
        expires_at: moment(session.ttl),
    };
    Ok(axum::Json(Page::of(&app, caller, LIST, listed, shape)))
}

/// Sign out everywhere else
#[utoipa::path(
    delete,
    path = "/api/v1/me/sessions",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    responses((status = 204, description = "All other sessions have ended."))
)]
async fn delete_sessions(
    State(app): State<App>,
    Account(account): Account,
) -> Result<StatusCode, ApiError> {
    app.service.delete_sessions(&account.caller, account.proof.session()).await?;
    Ok(StatusCode::NO_CONTENT)
}

error_answers!(DeleteSessionErrors: NotFound);
/// Sign out somewhere
#[utoipa::path(
    delete,
    path = "/api/v1/me/sessions/{id}",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The session.")),
    responses((status = 204, description = "The session has ended."), DeleteSessionErrors)
)]
async fn delete_session(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<Sha256Hex>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_session(&caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

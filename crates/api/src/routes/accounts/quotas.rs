//! What users may keep.

use axum::extract::State;
use model::UserId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::limits::{DefaultQuotaAnswer, QuotaAnswer, SetDefaultQuota, SetQuota};
use super::shapes::UserAnswer;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Json, Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_quota, set_quota))
        .routes(routes!(list_quotas))
        .routes(routes!(get_default_quota, set_default_quota))
}

const LIST: &str = "quotas";

/// A user and what they may keep.
#[derive(Serialize, ToSchema)]
struct UserQuota {
    /// Who.
    user: UserAnswer,
    /// How much.
    quota: QuotaAnswer,
}

error_answers!(GetQuotaErrors: Forbidden, NotFound);
/// What a user may keep
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}/quota",
    tag = tag::ACCOUNTS,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The user.")),
    responses((status = 200, description = "The limits and what is left.", body = QuotaAnswer), GetQuotaErrors)
)]
async fn get_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<UserId>,
) -> Result<axum::Json<QuotaAnswer>, ApiError> {
    Ok(axum::Json(app.service.find_quota(&caller, id).await?.into()))
}

error_answers!(SetQuotaErrors: Forbidden, NotFound, InvalidValue);
/// Change what a user may keep
///
/// What they have stays, even if it is more.
#[utoipa::path(
    put,
    path = "/api/v1/users/{id}/quota",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(("id" = String, Path, description = "The user.")),
    request_body = SetQuota,
    responses((status = 200, description = "The limits and what is left now.", body = QuotaAnswer), SetQuotaErrors)
)]
async fn set_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<UserId>,
    Json(body): Json<SetQuota>,
) -> Result<axum::Json<QuotaAnswer>, ApiError> {
    // Who asks for another user's limits without being allowed to is told so here already.
    let (images_max, bytes_max) = body.over(app.service.find_quota(&caller, id).await?);
    Ok(axum::Json(app.service.set_quota(&caller, id, images_max, bytes_max).await?.into()))
}

error_answers!(GetDefaultErrors: Forbidden);
/// What new accounts may keep
///
/// Those that there are have limits of their own.
#[utoipa::path(
    get,
    path = "/api/v1/quotas/default",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    responses((status = 200, description = "What they may keep, and who has decided it.", body = DefaultQuotaAnswer), GetDefaultErrors)
)]
async fn get_default_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<axum::Json<DefaultQuotaAnswer>, ApiError> {
    Ok(axum::Json(app.service.default_quota(&caller).await?.into()))
}

error_answers!(SetDefaultErrors: Forbidden, SetByConfiguration, InvalidValue);
/// Change what new accounts may keep
///
/// Those that there are keep their limits.
#[utoipa::path(
    put,
    path = "/api/v1/quotas/default",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    request_body = SetDefaultQuota,
    responses((status = 200, description = "What they may keep from now on.", body = DefaultQuotaAnswer), SetDefaultErrors)
)]
async fn set_default_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Json(body): Json<SetDefaultQuota>,
) -> Result<axum::Json<DefaultQuotaAnswer>, ApiError> {
    let rule = body.over(app.service.default_quota(&caller).await?.rule)?;
    Ok(axum::Json(app.service.set_default_quota(&caller, rule).await?.into()))
}

error_answers!(ListQuotasErrors: Forbidden, BadCursor);
/// Users by what is left
///
/// Those who may keep the fewest more images come first.
#[utoipa::path(
    get,
    path = "/api/v1/quotas",
    tag = tag::ADMIN,
    security(("bearer" = []), ("session" = [])),
    params(PageParams),
    responses((status = 200, description = "A page of users and their limits.", body = Page<UserQuota>), ListQuotasErrors)
)]
async fn list_quotas(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<axum::Json<Page<UserQuota>>, ApiError> {
    let page = page.request(&app, &caller, LIST)?;
    let listed = app.service.list_quotas(&caller, &page).await?;
    Ok(axum::Json(Page::of(&app, &caller, LIST, listed, |(user, quota)| UserQuota {
        user: UserAnswer::of(&app, user),
        quota: quota.into(),
    })))
}

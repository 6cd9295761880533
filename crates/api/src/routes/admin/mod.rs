//! What only administrators may: looking after the work that waits.

mod faces;
mod overview;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use model::{ImageId, Subject, UserId, WorkKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Query;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};
use crate::routes::images::FailureInfo;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_dead_work))
        .routes(routes!(retry_work))
        .routes(routes!(get_progress))
        .routes(routes!(make_missing_sizes))
        .routes(routes!(rebuild_metadata))
        .merge(faces::router())
        .routes(routes!(overview::get_overview))
}

error_answers!(AdminErrors: Unauthenticated, ScopeMissing, Forbidden);
error_answers!(ListErrors: Unauthenticated, ScopeMissing, Forbidden, BadCursor);
error_answers!(RetryErrors: Unauthenticated, ScopeMissing, Forbidden, NotFound, InvalidValue);

/// What is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WorkKind)]
enum KindParam {
    /// Make the renditions of an image.
    #[default]
    Process,
    /// Find the faces in an image.
    Faces,
    /// Say who is who in a library.
    Group,
    /// Give back what an upload had reserved.
    Expire,
    /// Remove an image and everything that belongs to it.
    Purge,
    /// Remove a user and everything of theirs.
    Erase,
}

impl From<KindParam> for WorkKind {
    fn from(kind: KindParam) -> Self {
        match kind {
            KindParam::Process => Self::Process,
            KindParam::Faces => Self::Faces,
            KindParam::Group => Self::Group,
            KindParam::Expire => Self::Expire,
            KindParam::Purge => Self::Purge,
            KindParam::Erase => Self::Erase,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct KindQuery {
    /// Which kind of work.
    #[serde(default)]
    #[param(inline)]
    kind: KindParam,
}

/// Work that was given up.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeadWork {
    /// What was to be done.
    kind: String,
    /// The image it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    /// The user it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    /// The name of the image's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<String>,
    /// What the owner of the image is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureInfo>,
    /// Whose it is.
    owner: String,
    /// What the owner is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_name: Option<String>,
    /// How often it was begun.
    attempts: i64,
    /// How the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Since when it is given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    dead_since: Option<String>,
}

impl DeadWork {
    fn of(dead: service::DeadWork) -> Self {
        let service::DeadWork { work, image: about, owner } = dead;
        let (image, user) = match work.subject {
            Subject::Image(image) => (Some(image.to_string()), None),
            Subject::User(user) => (None, Some(user.to_string())),
        };
        Self {
            kind: work.kind.to_string(),
            image,
            user,
            filename: about
                .as_ref()
                .and_then(|image| image.filename.as_ref())
                .map(ToString::to_string),
            failure: about.as_ref().and_then(FailureInfo::of),
            owner: work.owner.to_string(),
            owner_name: owner.map(|owner| owner.name.to_string()),
            attempts: work.attempts,
            error: work.error,
            dead_since: work.dead_since.map(|since| since.to_string()),
        }
    }
}

/// Work that was given up
///
/// Longest dead first.
#[utoipa::path(
    get,
    path = "/api/v1/admin/dead-work",
    tag = tag::ADMIN,
    params(PageParams, KindQuery),
    responses((status = 200, description = "A page of it.", body = Page<DeadWork>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn list_dead_work(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
    Query(KindQuery { kind }): Query<KindQuery>,
) -> Result<Json<Page<DeadWork>>, ApiError> {
    let kind = WorkKind::from(kind);
    let list = format!("dead-work?kind={kind}");
    let request = page.request(&app, &caller, &list)?;
    let listed = app.service.list_dead_work(&caller, kind, &request).await?;
    Ok(Json(Page::of(&app, &caller, &list, listed, DeadWork::of)))
}

/// Which work to try again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RetryWork {
    /// What is to be done.
    kind: KindParam,
    /// The image it is about, or
    image: Option<String>,
    /// the user.
    user: Option<String>,
}

/// Try dead work again
#[utoipa::path(
    post,
    path = "/api/v1/admin/dead-work/retry",
    tag = tag::ADMIN,
    request_body = RetryWork,
    responses((status = 202, description = "It waits to be done."), RetryErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn retry_work(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(retry): crate::extract::Json<RetryWork>,
) -> Result<StatusCode, ApiError> {
    let subject = match (&retry.image, &retry.user) {
        (Some(image), None) => Subject::Image(id::<ImageId>("image", image)?),
        (None, Some(user)) => Subject::User(id::<UserId>("user", user)?),
        _ => return Err(service::Error::invalid("image", "say image or user, one of them").into()),
    };
    app.service.revive_work(&caller, retry.kind.into(), subject).await?;
    Ok(StatusCode::ACCEPTED)
}

fn id<T: std::str::FromStr<Err = model::BadId>>(
    field: &'static str,
    text: &str,
) -> Result<T, ApiError> {
    text.parse().map_err(|bad| service::Error::invalid(field, bad).into())
}

/// How far making renditions has come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProgressInfo {
    /// Images that still wait for renditions; not counted beyond 10,000.
    waiting: usize,
    /// Images whose renditions could not be made; not counted beyond 10,000.
    failed: usize,
}

/// How far making renditions has come
#[utoipa::path(
    get,
    path = "/api/v1/admin/progress",
    tag = tag::ADMIN,
    responses((status = 200, description = "What still waits.", body = ProgressInfo), AdminErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn get_progress(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<ProgressInfo>, ApiError> {
    let service::Progress { waiting, failed } = app.service.progress(&caller).await?;
    Ok(Json(ProgressInfo { waiting, failed }))
}

/// Make missing sizes
///
/// For all images, in the background: of sizes that were added to the configuration, or changed
/// there. `GET /api/v1/admin/progress` tells how far it has come.
#[utoipa::path(
    post,
    path = "/api/v1/admin/sizes",
    tag = tag::ADMIN,
    responses((status = 202, description = "It has begun."), AdminErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn make_missing_sizes(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<StatusCode, ApiError> {
    caller.require_administrator()?;
    tokio::spawn(async move {
        match app.service.make_missing_sizes(&caller).await {
            Ok(queued) => tracing::info!(queued, "images wait for sizes they lack"),
            Err(error) => tracing::error!(%error, "missing sizes could not all be queued"),
        }
    });
    Ok(StatusCode::ACCEPTED)
}

/// Read all files again
///
/// In the background, what is written into photos and their sidecars: for images that came before
/// it was read, or all of it. Nothing that owners have said since is changed. It may be repeated.
/// `GET /api/v1/admin/progress` tells how far it has come.
#[utoipa::path(
    post,
    path = "/api/v1/admin/metadata",
    tag = tag::ADMIN,
    responses((status = 202, description = "It has begun."), AdminErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn rebuild_metadata(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<StatusCode, ApiError> {
    caller.require_administrator()?;
    tokio::spawn(async move {
        match app.service.read_all_again(&caller).await {
            Ok(queued) => tracing::info!(queued, "images wait to be read again"),
            Err(error) => tracing::error!(%error, "not all images could be queued to be read"),
        }
    });
    Ok(StatusCode::ACCEPTED)
}

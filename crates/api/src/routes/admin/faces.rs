//! How far finding faces has come, and finding them all again.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::identity::SignedIn;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_faces_progress)).routes(routes!(rebuild_faces))
}

error_answers!(ReadErrors: Unauthenticated, ScopeMissing, Forbidden);
error_answers!(RebuildErrors: Unauthenticated, ScopeMissing, Forbidden, PeopleOff);

/// How far finding faces has come; each is counted up to 10,000.
#[derive(Serialize, ToSchema)]
struct FacesProgress {
    /// Images that wait to be looked at.
    waiting: usize,
    /// Images that were given up.
    failed: usize,
    /// Libraries that wait to be grouped.
    grouping: usize,
}

/// How far finding faces has come
#[utoipa::path(
    get,
    path = "/api/v1/admin/faces",
    tag = tag::ADMIN,
    responses((status = 200, description = "How much waits.", body = FacesProgress), ReadErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn get_faces_progress(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<FacesProgress>, ApiError> {
    let service::FacesProgress { waiting, failed, grouping } =
        app.service.faces_progress(&caller).await?;
    Ok(Json(FacesProgress { waiting, failed, grouping }))
}

/// Which images.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Rebuild {
    /// Also those that the present models have seen.
    #[serde(default)]
    all: bool,
}

/// Find all faces again
///
/// In all images that the present models have not seen, in the background; `GET /api/v1/admin/faces`
/// tells how far it has come. Names and decisions stay.
#[utoipa::path(
    post,
    path = "/api/v1/admin/faces/rebuild",
    tag = tag::ADMIN,
    request_body = Rebuild,
    responses((status = 202, description = "It has begun."), RebuildErrors),
    security(("bearer" = []), ("session" = []))
)]
async fn rebuild_faces(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(Rebuild { all }): crate::extract::Json<Rebuild>,
) -> Result<StatusCode, ApiError> {
    caller.require_administrator()?;
    if app.service.people().finder().is_none() {
        return Err(service::Error::PeopleOff.into());
    }
    tokio::spawn(async move {
        match app.service.rebuild_faces(&caller, all).await {
            Ok(waiting) => tracing::info!(waiting, "images are to be looked at again"),
            Err(error) => tracing::error!(%error, "not all images could be had looked at again"),
        }
    });
    Ok(StatusCode::ACCEPTED)
}

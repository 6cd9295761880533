//! Trying again what could not be shown.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use model::ImageId;
use serde::{Deserialize, Serialize};
use service::RetryEnd;
use utoipa::ToSchema;

use super::ImageInfo;
use super::body::tagged;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Path;
use crate::identity::SignedIn;
use crate::openapi::tag;

error_answers!(RetryErrors: Unauthenticated, ScopeMissing, NotFound, NotFailed);
error_answers!(RetryManyErrors: Unauthenticated, ScopeMissing, BadJson, InvalidValue);

/// Try a failed image again
///
/// Its renditions could not be made; now they are tried anew. `failure` says why they could not.
#[utoipa::path(
    post,
    path = "/api/v1/images/{id}/retry",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 200, description = "The image, which is `processing` now.", body = ImageInfo), RetryErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn retry_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Response, ApiError> {
    let image = app.service.retry_image(&caller, id).await?;
    Ok(tagged(&app, &caller, image))
}

/// Which images to try again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RetryImages {
    /// Ids, 100 at most.
    ids: Vec<String>,
}

/// What became of each.
#[derive(Serialize, ToSchema)]
pub(super) struct RetriedImages {
    /// In the order of the request.
    items: Vec<RetriedImage>,
}

/// What became of an image that was to be tried again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RetriedImage {
    /// Its id.
    #[schema(value_type = String)]
    id: ImageId,
    /// `retried`; `notFailed`, there is nothing to try again; or `notFound`, the caller has no such
    /// image.
    outcome: &'static str,
}

/// Try failed images again
///
/// Each image as by itself, and the answer says what became of it. `GET /api/v1/search?q=is:failed`
/// finds them.
#[utoipa::path(
    post,
    path = "/api/v1/images/retry",
    tag = tag::IMAGES,
    request_body = RetryImages,
    responses((status = 200, description = "What became of each.", body = RetriedImages), RetryManyErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn retry_images(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(RetryImages { ids }): crate::extract::Json<RetryImages>,
) -> Result<Json<RetriedImages>, ApiError> {
    let ids = ids.iter().map(|id| id.parse::<ImageId>());
    let ids: Vec<ImageId> =
        ids.collect::<Result<_, _>>().map_err(|bad| service::Error::invalid("ids", bad))?;
    let ends = app.service.retry_images(&caller, &ids).await?;
    let retried = ends.into_iter().map(|(id, end)| {
        let outcome = match end {
            RetryEnd::Retried => "retried",
            RetryEnd::NotFailed => "notFailed",
            RetryEnd::NotFound => "notFound",
        };
        RetriedImage { id, outcome }
    });
    Ok(Json(RetriedImages { items: retried.collect() }))
}

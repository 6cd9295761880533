//! Where signed URLs of our own storage are answered.

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::openapi::tag;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(put_object))
}

error_answers!(PutErrors: BadSignature, FileTooLarge, UploadInterrupted, RequestTimeout);

/// Send a file to storage
///
/// Only by a URL that `POST /api/v1/uploads/direct` has given out, unchanged.
#[utoipa::path(
    put,
    path = "/storage/{*key}",
    tag = tag::UPLOADS,
    params(("key" = String, Path, description = "What the URL is for")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 204, description = "It is stored; complete the upload now."), PutErrors)
)]
async fn put_object(State(app): State<App>, uri: Uri, body: Body) -> Result<StatusCode, ApiError> {
    let query = uri.query().unwrap_or_default();
    app.service.receive_signed(uri.path(), query, body.into_data_stream()).await?;
    Ok(StatusCode::NO_CONTENT)
}

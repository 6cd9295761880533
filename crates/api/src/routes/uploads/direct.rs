//! Uploads straight to storage: asked for, sent to a signed URL, completed.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::ImageId;
use serde::Serialize;
use service::Begun;
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::error::error_answers;
use crate::extract::{Json, Path};
use crate::idempotency;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::routes::images::{ImageInfo, NewImageFields, keyed_upload_answer, upload_answer};

error_answers!(
    BeginErrors: Unauthenticated, ScopeMissing, QuotaImages, QuotaBytes, FileTooLarge, UploadGone,
    TitleTooLong, DescriptionTooLong, AltTextTooLong, FilenameTooLong, TagTooLong, TooManyTags,
    InvalidValue, NotFound,
);
error_answers!(
    CompleteErrors: Unauthenticated, ScopeMissing, NotFound, BytesMissing, BytesDiffer, QuotaBytes,
    FileTooLarge, UnsupportedImage, TruncatedImage, DamagedImage, TooManyPixels, SideTooLong,
    TooManyFrames, TooMuchMemory, UploadGone,
);

/// Where to send a file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DirectUpload {
    /// The upload's id, which the image will have.
    id: String,
    /// Where to send it, exactly so.
    url: String,
    /// The method to send it with.
    method: &'static str,
    /// Headers to send along, exactly so.
    headers: BTreeMap<&'static str, String>,
    /// The last moment at which the URL works.
    expires_at: String,
    /// What to call when it is sent.
    complete_url: String,
}

/// Begin an upload straight to storage
///
/// The quota is taken at once. Send the file to `url` with `method` and `headers`, then call
/// `completeUrl`.
#[utoipa::path(
    post,
    path = "/api/v1/uploads/direct",
    tag = tag::UPLOADS,
    params(("Idempotency-Key" = Option<String>, Header, description = "As for `POST /api/v1/images`")),
    request_body = NewImageFields,
    responses(
        (status = 201, description = "Where to send it.", body = DirectUpload),
        (status = 200, description = "The same request was completed before.", body = ImageInfo),
        BeginErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn begin(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Json(fields): Json<NewImageFields>,
) -> Result<Response, ApiError> {
    let new = fields.into_new_image(idempotency::key_of(&headers)?)?;
    let image = match app.service.begin_upload(&caller, &new).await? {
        Begun::Reserved(image) => image,
        Begun::Repeated(image) => {
            return Ok(keyed_upload_answer(&app, service::Uploaded::Repeated(image)));
        }
    };
    let signed = app.service.sign_upload(&caller, image.id).await?;
    let base = client.reached_at(&headers, &app.settings);
    let upload = DirectUpload {
        id: image.id.to_string(),
        url: signed.url.to_string(),
        method: signed.method,
        headers: signed.headers.into_iter().collect(),
        expires_at: signed.expires_at.to_string(),
        complete_url: format!("{base}/api/v1/uploads/{}/complete", image.id),
    };
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, no_store, axum::Json(upload)).into_response())
}

/// Complete an upload straight to storage
///
/// May be repeated for a day; the answer is as for `POST /api/v1/images`, and names the same image
/// each time.
#[utoipa::path(
    post,
    path = "/api/v1/uploads/{id}/complete",
    tag = tag::UPLOADS,
    params(("id" = String, Path, description = "The upload's id")),
    responses(
        (status = 201, description = "The image is kept.", body = ImageInfo),
        (status = 200, description = "There was this image already.", body = ImageInfo),
        CompleteErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn complete(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Response, ApiError> {
    Ok(upload_answer(&app, app.service.complete_upload(&caller, id).await?))
}

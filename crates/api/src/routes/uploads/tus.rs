//! tus 1.0: creation, creation-with-upload, termination, checksum, expiration.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use model::ImageId;
use service::{Begun, Caller, Resumed, Uploaded};

use super::tus_headers::{
    CHECKSUM_ALGORITHM, DONE, EXTENSION, IMAGE, LENGTH, MAX_SIZE, OFFSET, TUS_1_0, Tus, VERSION,
    answer_headers, expires,
};
use crate::app::App;
use crate::error::error_answers;
use crate::extract::Path;
use crate::idempotency;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::routes::images::{OUTCOME, outcome_of};
use crate::{ApiError, ErrorCode};

error_answers!(
    CreateErrors: Unauthenticated, ScopeMissing, PreconditionFailed, BadRequest, QuotaImages,
    QuotaBytes, FileTooLarge, UnsupportedImage, TruncatedImage, DamagedImage, TooManyPixels,
    SideTooLong, TooManyFrames, TooMuchMemory, BytesDiffer, UploadInterrupted, UploadGone,
    ChecksumMismatch, TitleTooLong, DescriptionTooLong, AltTextTooLong, FilenameTooLong, TagTooLong,
    TooManyTags, InvalidValue, AlreadyExists, RequestTimeout,
);
error_answers!(HeadErrors: Unauthenticated, ScopeMissing, PreconditionFailed, NotFound);
error_answers!(
    AppendErrors: Unauthenticated, ScopeMissing, PreconditionFailed, NotFound, BadRequest,
    UnsupportedMediaType, WrongOffset, ChecksumMismatch, QuotaBytes, FileTooLarge, UnsupportedImage,
    TruncatedImage, DamagedImage, TooManyPixels, SideTooLong, TooManyFrames, TooMuchMemory,
    BytesDiffer, UploadInterrupted, UploadGone, RequestTimeout,
);

/// What the upload protocol offers here
#[utoipa::path(
    options,
    path = "/api/v1/uploads",
    tag = tag::UPLOADS,
    responses((status = 204, description = "Versions, extensions and limits, in headers."))
)]
pub(super) async fn describe(State(app): State<App>) -> Response {
    let offers = [
        (VERSION, "1.0.0".to_owned()),
        (EXTENSION, "creation,creation-with-upload,termination,checksum,expiration".to_owned()),
        (MAX_SIZE, app.service.settings().limits.bytes.to_string()),
        (CHECKSUM_ALGORITHM, "sha1,sha256".to_owned()),
    ];
    (DONE, answer_headers(offers)).into_response()
}

/// Begin an upload that can be resumed
///
/// tus 1.0. `Upload-Metadata` may have `filename`, `title`, `description`, `altText`, `tags`,
/// `visibility`, `sha256`, `expiresAt`, `keepDuplicate` and `onlyShown`. A body of type
/// `application/offset+octet-stream` is taken as the first bytes.
#[utoipa::path(
    post,
    path = "/api/v1/uploads",
    tag = tag::UPLOADS,
    params(
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
        ("Upload-Length" = u64, Header, description = "Bytes of the file"),
        ("Upload-Metadata" = Option<String>, Header, description = "Pairs of a key and base64"),
        ("Idempotency-Key" = Option<String>, Header, description = "As for `POST /api/v1/images`")
    ),
    responses((status = 201, description = "`Location` says where to send bytes."), CreateErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn create(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    tus: Tus,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = tus.metadata()?;
    fields.size_bytes = Some(tus.length()?);
    let new = fields.into_new_image(idempotency::key_of(&tus.0)?)?;
    let image = match app.service.begin_upload(&caller, &new).await? {
        Begun::Reserved(image) => image,
        Begun::Repeated(image) => {
            let message = "this upload is complete";
            let details = serde_json::json!({ "image": image.id.to_string() });
            return Err(ApiError::new(ErrorCode::AlreadyExists, message).with_details(details));
        }
    };
    let location = (header::LOCATION, format!("/api/v1/uploads/{}", image.id));
    let until = image.upload.as_ref().map(|terms| expires(terms.until));
    let mut headers = answer_headers(until.into_iter().chain([location]));
    if tus.has_bytes() {
        headers.extend(receive(&app, &caller, image.id, 0, &tus, body).await?);
    }
    Ok((StatusCode::CREATED, headers).into_response())
}

/// How far an upload has come
#[utoipa::path(
    head,
    path = "/api/v1/uploads/{id}",
    tag = tag::UPLOADS,
    params(
        ("id" = String, Path, description = "The upload's id, which the image will have"),
        ("Tus-Resumable" = String, Header, description = "1.0.0")
    ),
    responses((status = 200, description = "`Upload-Offset` says where to go on."), HeadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn head(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    _tus: Tus,
) -> Result<Response, ApiError> {
    let found = match app.service.load_resumable(&caller, id).await {
        Ok(found) => found,
        // Complete, perhaps just now; whoever lost the last answer learns it here.
        Err(service::Error::NotFound { .. }) => {
            let uploaded = app.service.load_uploaded(&caller, id).await?;
            return Ok((StatusCode::OK, complete_headers(&uploaded)).into_response());
        }
        Err(error) => return Err(error.into()),
    };
    let terms = found.image.upload.as_ref();
    let size_bytes = terms.and_then(|terms| terms.size_bytes);
    if size_bytes.is_some_and(|size| u64::try_from(size) == Ok(found.offset)) {
        // Nobody had completed it; now it is.
        let uploaded = app.service.load_uploaded(&caller, id).await?;
        return Ok((StatusCode::OK, complete_headers(&uploaded)).into_response());
    }
    let length = size_bytes.map(|size| (LENGTH, size.to_string()));
    let until = terms.map(|terms| expires(terms.until));
    let offset = (OFFSET, found.offset.to_string());
    let headers = answer_headers(length.into_iter().chain(until).chain([offset]));
    Ok((StatusCode::OK, headers).into_response())
}

/// Send bytes of an upload
///
/// What has come is kept also when the connection breaks, unless an `Upload-Checksum` was given.
/// The answer to the last bytes comes when the image survives a crash; `Upload-Image` names it.
#[utoipa::path(
    patch,
    path = "/api/v1/uploads/{id}",
    tag = tag::UPLOADS,
    params(
        ("id" = String, Path, description = "The upload's id"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
        ("Upload-Offset" = u64, Header, description = "Where these bytes begin"),
        ("Upload-Checksum" = Option<String>, Header, description = "sha1 or sha256 as base64")
    ),
    request_body(content = Vec<u8>, content_type = "application/offset+octet-stream"),
    responses((status = 204, description = "`Upload-Offset` says where to go on."), AppendErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn append(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    tus: Tus,
    body: Body,
) -> Result<Response, ApiError> {
    tus.require_bytes()?;
    let offset = tus.offset()?;
    let headers = receive(&app, &caller, id, offset, &tus, body).await?;
    Ok((DONE, headers).into_response())
}

/// Cancel an upload
#[utoipa::path(
    delete,
    path = "/api/v1/uploads/{id}",
    tag = tag::UPLOADS,
    params(("id" = String, Path, description = "The upload's id")),
    responses((status = 204, description = "Nothing is left of it."), HeadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn cancel(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Response, ApiError> {
    app.service.cancel_upload(&caller, id).await?;
    Ok((DONE, answer_headers([])).into_response())
}

async fn receive(
    app: &App,
    caller: &Caller,
    id: ImageId,
    offset: u64,
    tus: &Tus,
    body: Body,
) -> Result<HeaderMap, ApiError> {
    let checksum = tus.checksum()?;
    let body = body.into_data_stream();
    match app.service.resume_upload(caller, id, offset, checksum, body).await? {
        Resumed::Kept { offset } => Ok(answer_headers([(OFFSET, offset.to_string())])),
        Resumed::Complete(uploaded) => Ok(complete_headers(&uploaded)),
        Resumed::WrongOffset { offset } => {
            let message = format!("{offset} bytes have come; go on from there");
            let error = ApiError::new(ErrorCode::WrongOffset, message);
            Err(error.with_header(OFFSET, offset.into()).with_header(VERSION, TUS_1_0))
        }
        Resumed::WrongChecksum => Err(ApiError::plain(ErrorCode::ChecksumMismatch)),
    }
}

/// A file that the owner has already counts as sent, whichever image has it.
fn complete_headers(uploaded: &Uploaded) -> HeaderMap {
    let image = uploaded.image();
    let size = image.size_bytes().to_string();
    answer_headers([
        (OFFSET, size.clone()),
        (LENGTH, size),
        (IMAGE, image.id.to_string()),
        (OUTCOME, outcome_of(uploaded).to_owned()),
    ])
}

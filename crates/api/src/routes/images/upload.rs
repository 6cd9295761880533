//! Uploading in one request, as a form in parts.

use axum::Json;
use axum::extract::State;
use axum::extract::multipart::{Field, Multipart, MultipartRejection};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::channel::{mpsc, oneshot};
use futures::{SinkExt, Stream, StreamExt, stream};
use model::limits::SIDECAR_BYTES_MAX;
use service::{Caller, Uploaded};
use utoipa::ToSchema;

use super::{ImageInfo, NewImageFields};
use crate::app::App;
use crate::error::error_answers;
use crate::etag::ETag;
use crate::extract::multipart_error;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::{ApiError, ErrorCode};

error_answers!(
    UploadErrors: Unauthenticated, ScopeMissing, NotFound, BadRequest, UnsupportedMediaType,
    BodyTooLarge, RequestTimeout, QuotaImages, QuotaBytes, FileTooLarge, UnsupportedImage,
    TruncatedImage, DamagedImage, TooManyPixels, SideTooLong, TooManyFrames, TooMuchMemory,
    BadSidecar, BytesDiffer, UploadInterrupted, UploadGone, TitleTooLong, DescriptionTooLong, AltTextTooLong,
    FilenameTooLong, TagTooLong, TooManyTags, InvalidValue,
);

/// An image as a form in parts; fields before the file.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it stands for the form in the document")]
pub(super) struct UploadForm {
    /// The file; the last part of the form.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: String,
    /// The file of XMP (`.xmp`) beside it, 1 MiB at most; what is written there is taken over.
    #[schema(format = Binary, content_media_type = "application/rdf+xml")]
    sidecar: Option<String>,
    /// As in `NewImage`; so are the other fields: `description`, `altText`, `tags` (with commas, or
    /// repeated), `visibility`, `sizeBytes`, `sha256`, `expiresAt`, `keepDuplicate`,
    /// `onlyShown`.
    title: Option<String>,
}

/// Says how an upload ended, beside the status.
const OUTCOME: HeaderName = HeaderName::from_static("upload-outcome");
pub(in crate::routes) const IDEMPOTENCY_KEY: HeaderName =
    HeaderName::from_static("idempotency-key");
/// No field but the file is longer than this.
const FIELD_BYTES_MAX: usize = 64 << 10;

/// Upload an image
///
/// The answer comes when the file and its record survive a crash; renditions follow. A file that
/// the owner has already is answered with the image that has it and 200, as is a request that is
/// repeated with the same `Idempotency-Key`; the header `Upload-Outcome` tells which.
#[utoipa::path(
    post,
    path = "/api/v1/images",
    tag = tag::IMAGES,
    params((
        "Idempotency-Key" = Option<String>, Header,
        description = "What tells a repeated request from a new one, for a day"
    )),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses(
        (status = 201, description = "The image is kept.", body = ImageInfo),
        (status = 200, description = "There was this image already.", body = ImageInfo),
        UploadErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn upload_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    headers: HeaderMap,
    multipart: Result<Multipart, MultipartRejection>,
) -> Result<Response, ApiError> {
    let multipart = multipart.map_err(|rejection| {
        ApiError::new(ErrorCode::UnsupportedMediaType, rejection.body_text())
    })?;
    let key = idempotency_key(&headers)?;
    let uploaded = receive(&app, &caller, multipart, key).await?;
    Ok(answer(&app, uploaded))
}

/// How an upload is answered, by whichever way it came.
pub(in crate::routes) fn answer(app: &App, uploaded: Uploaded) -> Response {
    let (status, outcome, image) = match uploaded {
        Uploaded::Created(image) => (StatusCode::CREATED, "created", image),
        Uploaded::Duplicate(image) => (StatusCode::OK, "duplicate", image),
        Uploaded::Repeated(image) => (StatusCode::OK, "repeated", image),
    };
    let location = format!("/api/v1/images/{}", image.id);
    let tag: HeaderMap = ETag::of(image.id, image.version).header().into_iter().collect();
    let headers = [(OUTCOME, outcome.to_owned()), (header::LOCATION, location)];
    (status, headers, tag, Json(ImageInfo::of(app, image, true))).into_response()
}

pub(in crate::routes) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let key = headers.get(IDEMPOTENCY_KEY).map(|value| value.to_str().map(str::to_owned));
    key.transpose().map_err(|_| {
        ApiError::new(ErrorCode::BadRequest, "Idempotency-Key: only plain characters are taken")
    })
}

async fn receive(
    app: &App,
    caller: &Caller,
    multipart: Multipart,
    idempotency_key: Option<String>,
) -> Result<Uploaded, ApiError> {
    let (begin, begun) = oneshot::channel::<NewImageFields>();
    let (sender, pieces) = mpsc::channel(1);
    let upload = async {
        // Without a file there is nothing to take; whoever reads the form says why.
        let Ok(fields) = begun.await else { return Ok(None) };
        let new = fields.into_new_image(idempotency_key)?;
        let uploaded = app.service.upload(caller, new, whole(pieces)).await?;
        Ok::<_, ApiError>(Some(uploaded))
    };
    let (read, uploaded) = futures::join!(read_form(multipart, begin, sender), upload);
    // What is wrong with the form is the cause of what is wrong with the upload, unless that has
    // ended first and nobody read on.
    match (read, uploaded?) {
        (Err(wrong), _) => Err(wrong),
        (Ok(()), Some(uploaded)) => Ok(uploaded),
        (Ok(()), None) => Err(no_file()),
    }
}

/// A piece of the file; `None` is its end.
type Piece = Option<Bytes>;

/// Hands on what is said about the image, and then the file piece by piece. If this is dropped in
/// the middle, there is no end, so nobody takes a part of a file for the whole.
async fn read_form(
    mut multipart: Multipart,
    begin: oneshot::Sender<NewImageFields>,
    mut pieces: mpsc::Sender<Piece>,
) -> Result<(), ApiError> {
    let mut fields = NewImageFields::default();
    let mut begin = Some(begin);
    while let Some(mut field) = next_field(&mut multipart).await? {
        let name = field.name().unwrap_or_default().to_owned();
        let Some(start) = begin.take() else {
            let message = format!("the field {name:?} comes after the file, which must be last");
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        };
        if name == "sidecar" {
            // Longer ones are told how much is allowed.
            let bytes_max = 2 * SIDECAR_BYTES_MAX as usize;
            fields.sidecar = Some(read_bytes(&mut field, &name, bytes_max).await?.into());
            begin = Some(start);
            continue;
        }
        if name != "file" {
            fields.set(&name, read_text(&mut field, &name).await?)?;
            begin = Some(start);
            continue;
        }
        let filename = field.file_name().map(str::to_owned).filter(|name| !name.is_empty());
        fields.filename = fields.filename.take().or(filename);
        if start.send(std::mem::take(&mut fields)).is_err() {
            return Ok(());
        }
        while let Some(piece) = field.chunk().await.map_err(|error| multipart_error(&error))? {
            if pieces.send(Some(piece)).await.is_err() {
                return Ok(());
            }
        }
    }
    match begin {
        Some(_) => Err(no_file()),
        None => {
            // The receiver may have had enough before.
            let _ = pieces.send(None).await;
            Ok(())
        }
    }
}

/// The pieces as a body that ends well only if the file did.
fn whole(
    pieces: mpsc::Receiver<Piece>,
) -> impl Stream<Item = Result<Bytes, &'static str>> + Send + 'static {
    stream::unfold(Some(pieces), |pieces| async {
        let mut pieces = pieces?;
        match pieces.next().await {
            Some(Some(piece)) => Some((Ok(piece), Some(pieces))),
            Some(None) => None,
            None => Some((Err("the connection was lost"), None)),
        }
    })
}

async fn next_field(multipart: &mut Multipart) -> Result<Option<Field<'_>>, ApiError> {
    multipart.next_field().await.map_err(|error| multipart_error(&error))
}

async fn read_bytes(
    field: &mut Field<'_>,
    name: &str,
    bytes_max: usize,
) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|error| multipart_error(&error))? {
        if bytes.len() + piece.len() > bytes_max {
            let message = format!("the field {name:?} has more than {bytes_max} bytes");
            return Err(ApiError::new(ErrorCode::BodyTooLarge, message));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

async fn read_text(field: &mut Field<'_>, name: &str) -> Result<String, ApiError> {
    let bytes = read_bytes(field, name, FIELD_BYTES_MAX).await?;
    String::from_utf8(bytes).map_err(|_| {
        ApiError::new(ErrorCode::BadRequest, format!("the field {name:?} is not UTF-8 text"))
    })
}

fn no_file() -> ApiError {
    ApiError::new(ErrorCode::BadRequest, "the form has no part called file")
}

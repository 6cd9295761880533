//! Uploading in one request, as a form in parts.

use axum::Json;
use axum::extract::State;
use axum::extract::multipart::{Field, Multipart, MultipartError, MultipartRejection};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::channel::{mpsc, oneshot};
use futures::{SinkExt, Stream, StreamExt, TryFutureExt, stream};
use model::limits::SIDECAR_BYTES_MAX;
use service::{BrokeOff, Caller, NewImage, Uploaded};
use utoipa::ToSchema;

use super::{ImageInfo, NewImageFields};
use crate::app::App;
use crate::error::error_answers;
use crate::etag::ETag;
use crate::extract::multipart_error;
use crate::idempotency;
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

/// An image as a form in parts, in any order.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it stands for the form in the document")]
pub(super) struct UploadForm {
    /// The file.
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
pub(in crate::routes) const OUTCOME: HeaderName = HeaderName::from_static("upload-outcome");
/// The part of the form with the bytes.
const FILE: &str = "file";
/// The part of the form with the file of XMP beside it.
const SIDECAR: &str = "sidecar";
/// No field but the file is longer than this.
const FIELD_BYTES_MAX: usize = 64 << 10;
/// All fields but files have no more bytes together, since they are held until the form has ended.
const SAID_BYTES_MAX: usize = 256 << 10;

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
    let key = idempotency::key_of(&headers)?;
    let uploaded = receive(&app, &caller, multipart, key).await?;
    Ok(answer_keyed(&app, uploaded))
}

/// The answer to a request that may have a key.
pub(in crate::routes) fn answer_keyed(app: &App, uploaded: Uploaded) -> Response {
    let is_repeated = matches!(uploaded, Uploaded::Repeated(_));
    let mut response = answer(app, uploaded);
    if is_repeated {
        idempotency::mark_replayed(response.headers_mut());
    }
    response
}

/// How an upload is answered, by whichever way it came.
pub(in crate::routes) fn answer(app: &App, uploaded: Uploaded) -> Response {
    let status = match uploaded {
        Uploaded::Created(_) => StatusCode::CREATED,
        Uploaded::Duplicate(_) | Uploaded::Repeated(_) => StatusCode::OK,
    };
    let outcome = outcome_of(&uploaded);
    let image = uploaded.into_image();
    let location = format!("/api/v1/images/{}", image.id);
    let tag: HeaderMap = ETag::of(image.id, image.version).header().into_iter().collect();
    let headers = [(OUTCOME, outcome.to_owned()), (header::LOCATION, location)];
    (status, headers, tag, Json(ImageInfo::of(app, image, true))).into_response()
}

/// How an upload ended, in one word.
pub(in crate::routes) fn outcome_of(uploaded: &Uploaded) -> &'static str {
    match uploaded {
        Uploaded::Created(_) => "created",
        Uploaded::Duplicate(_) => "duplicate",
        Uploaded::Repeated(_) => "repeated",
    }
}

async fn receive(
    app: &App,
    caller: &Caller,
    multipart: Multipart,
    key: Option<String>,
) -> Result<Uploaded, ApiError> {
    let (begin, begun) = oneshot::channel::<NewImageFields>();
    let (sender, pieces) = mpsc::channel(1);
    let (end, ended) = oneshot::channel::<Option<NewImage>>();
    let form = FormReader { key: key.clone(), begin: Some(begin), pieces: sender, end };
    let upload = async {
        // Without a file there is nothing to take; whoever reads the form says why.
        let Ok(fields) = begun.await else { return Ok(None) };
        let new = fields.into_new_image(key)?;
        let later = ended.map_err(|_| BrokeOff);
        let uploaded = app.service.upload_then(caller, new, whole(pieces), later).await?;
        Ok::<_, ApiError>(Some(uploaded))
    };
    match futures::join!(form.read(multipart), upload) {
        // What is wrong with the form is why the upload broke off.
        (Err(wrong), Err(error)) if error.code() == ErrorCode::UploadInterrupted => Err(wrong),
        (_, Err(error)) => Err(error),
        (Err(wrong), Ok(_)) => Err(wrong),
        (Ok(()), Ok(Some(uploaded))) => Ok(uploaded),
        (Ok(()), Ok(None)) => Err(no_file()),
    }
}

/// A piece of the file; `None` is its end.
type Piece = Option<Bytes>;

/// Reads a form whose fields may come in any order, and hands on what it finds.
struct FormReader {
    key: Option<String>,
    /// Taken when the file comes, with what was said before.
    begin: Option<oneshot::Sender<NewImageFields>>,
    pieces: mpsc::Sender<Piece>,
    /// All that was said, if some of it came after the file.
    end: oneshot::Sender<Option<NewImage>>,
}

impl FormReader {
    /// Reads to the end, or until nobody wants more. If this is dropped in the middle, there is no
    /// end, so nobody takes a part of a form for the whole.
    async fn read(mut self, mut multipart: Multipart) -> Result<(), ApiError> {
        let mut fields = NewImageFields::default();
        let mut is_more_said = false;
        let mut said_bytes = 0;
        loop {
            let has_begun = self.begin.is_none();
            let found = multipart.next_field().await;
            let found = found.map_err(|error| broken(&error, has_begun))?;
            let Some(mut field) = found else { break };
            let name = field.name().unwrap_or_default().to_owned();
            if name == SIDECAR {
                // Longer ones are told how much is allowed.
                let bytes_max = 2 * SIDECAR_BYTES_MAX as usize;
                fields.sidecar =
                    Some(read_bytes(&mut field, &name, bytes_max, has_begun).await?.into());
                is_more_said = has_begun;
                continue;
            }
            if name != FILE {
                let text = read_text(&mut field, &name, has_begun).await?;
                said_bytes += name.len() + text.len();
                if said_bytes > SAID_BYTES_MAX {
                    let message = format!("the fields have more than {SAID_BYTES_MAX} bytes");
                    return Err(ApiError::new(ErrorCode::BodyTooLarge, message));
                }
                fields.set(&name, text)?;
                is_more_said = has_begun;
                continue;
            }
            let Some(begin) = self.begin.take() else {
                let message = "the form has two parts called file; send one image in each form";
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            };
            let filename = field.file_name().map(str::to_owned).filter(|name| !name.is_empty());
            fields.filename = fields.filename.take().or(filename);
            if begin.send(fields.clone()).is_err() || !self.hand_on(&mut field).await? {
                return Ok(());
            }
        }
        if self.begin.is_some() {
            return Err(no_file());
        }
        let said = is_more_said.then(|| fields.into_new_image(self.key)).transpose()?;
        // The receiver may have had enough before.
        let _ = self.end.send(said);
        Ok(())
    }

    /// Hands on the file; false if nobody wants all of it.
    async fn hand_on(&mut self, file: &mut Field<'_>) -> Result<bool, ApiError> {
        loop {
            let piece = file.chunk().await.map_err(|error| broken(&error, true))?;
            let is_end = piece.is_none();
            let is_wanted = self.pieces.send(piece).await.is_ok();
            if is_end || !is_wanted {
                return Ok(is_wanted);
            }
        }
    }
}

/// What is wrong with a form. One that breaks off within the file or after it has lost its rest.
fn broken(error: &MultipartError, has_begun: bool) -> ApiError {
    match multipart_error(error) {
        broken if has_begun && broken.code() == ErrorCode::BadRequest => {
            let message = format!("the form broke off: {}; send it again", broken.message());
            ApiError::new(ErrorCode::UploadInterrupted, message)
        }
        other => other,
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

async fn read_bytes(
    field: &mut Field<'_>,
    name: &str,
    bytes_max: usize,
    has_begun: bool,
) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|error| broken(&error, has_begun))? {
        if bytes.len() + piece.len() > bytes_max {
            let message = format!("the field {name:?} has more than {bytes_max} bytes");
            return Err(ApiError::new(ErrorCode::BodyTooLarge, message));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

async fn read_text(field: &mut Field<'_>, name: &str, has_begun: bool) -> Result<String, ApiError> {
    let bytes = read_bytes(field, name, FIELD_BYTES_MAX, has_begun).await?;
    String::from_utf8(bytes).map_err(|_| {
        ApiError::new(ErrorCode::BadRequest, format!("the field {name:?} is not UTF-8 text"))
    })
}

fn no_file() -> ApiError {
    ApiError::new(ErrorCode::BadRequest, "the form has no part called file")
}

//! Images that live elsewhere.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use service::{NewExternalImage, RecordedImage};
use utoipa::ToSchema;

use super::body::tagged;
use super::change::parse_tags;
use super::shape::ImageInfo;
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::{Json, Path};
use crate::identity::SignedIn;
use crate::openapi::tag;

error_answers!(
    RecordErrors: AlreadyExists, TitleTooLong, DescriptionTooLong, AltTextTooLong, TagTooLong,
    TooManyTags, InvalidValue,
);
error_answers!(FindErrors: NotFound, InvalidValue);

/// What is known of an image that lives elsewhere.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ExternalImage {
    /// What the other system needs to fetch it; may change.
    #[schema(max_length = 200)]
    file_id: Option<String>,
    /// The set it belongs to there.
    #[schema(max_length = 200)]
    set_name: Option<String>,
    /// The title.
    #[schema(max_length = 255)]
    title: Option<String>,
    /// The description.
    #[schema(max_length = 5000)]
    description: Option<String>,
    /// The alternative text.
    #[schema(max_length = 255)]
    alt_text: Option<String>,
    /// Public tags.
    #[serde(default)]
    tags: Vec<String>,
}

/// Record an image that lives elsewhere
///
/// Such as a sticker: it has no file here, but can be found, put into albums and tagged like any
/// other. There is one image for each id of a source, shared with everybody; whoever records it
/// first owns it. Whoever records it again gets the same image; its owner can so change `fileId`
/// and `setName`, and nothing else.
#[utoipa::path(
    put,
    path = "/api/v1/external/{source}/{uniqueId}",
    tag = tag::IMAGES,
    params(
        ("source" = String, Path, description = "Which system, such as `telegram`"),
        ("uniqueId" = String, Path, description = "The image's lasting id there")
    ),
    request_body = ExternalImage,
    responses(
        (status = 200, description = "It was recorded before.", body = ImageInfo),
        (status = 201, description = "It is new.", body = ImageInfo),
        RecordErrors
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn record_external_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((source, unique_id)): Path<(String, String)>,
    Json(image): Json<ExternalImage>,
) -> Result<Response, ApiError> {
    let new = NewExternalImage {
        source: field("source", &source)?,
        unique_id: field("uniqueId", &unique_id)?,
        file_id: image.file_id.map(|id| field("fileId", &id)).transpose()?,
        set_name: image.set_name.map(|name| field("setName", &name)).transpose()?,
        title: image.title.map(|text| field("title", &text)).transpose()?,
        description: image.description.map(|text| field("description", &text)).transpose()?,
        alt_text: image.alt_text.map(|text| field("altText", &text)).transpose()?,
        tags: parse_tags(&image.tags)?,
    };
    Ok(match app.service.record_external_image(&caller, &new).await? {
        RecordedImage::Created(image) => {
            (StatusCode::CREATED, tagged(&app, &caller, image)).into_response()
        }
        RecordedImage::Existing(image) => tagged(&app, &caller, image),
    })
}

/// An image by its id elsewhere
#[utoipa::path(
    get,
    path = "/api/v1/external/{source}/{uniqueId}",
    tag = tag::IMAGES,
    params(
        ("source" = String, Path, description = "Which system, such as `telegram`"),
        ("uniqueId" = String, Path, description = "The image's lasting id there")
    ),
    responses((status = 200, description = "The image.", body = ImageInfo), FindErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_external_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((source, unique_id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (source, unique_id) = (field("source", &source)?, field("uniqueId", &unique_id)?);
    let image = app.service.load_external_image(&caller, &source, &unique_id).await?;
    Ok(tagged(&app, &caller, image))
}

//! Changing what is said about an image.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use model::{ImageId, Rating, Tag, Visibility};
use serde::{Deserialize, Serialize};
use service::EditImage;
use utoipa::ToSchema;

use super::body::ImageBody;
use super::shape::ImageInfo;
use super::taken::taken_at;
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::etag::Expected;
use crate::extract::{Json, Path};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::patch::Patch;

error_answers!(
    EditErrors: Unauthenticated, ScopeMissing, NotFound, Conflict, PreconditionFailed,
    TitleTooLong, DescriptionTooLong, AltTextTooLong, TagTooLong, TooManyTags, InvalidValue,
);

/// What to change. What is absent stays; `null` clears.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ImageChanges {
    /// The version that is to be changed, unless `If-Match` says so.
    version: Option<i64>,
    /// The title.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    title: Patch<String>,
    /// The description.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 5000)]
    description: Patch<String>,
    /// The alternative text.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    alt_text: Patch<String>,
    /// The owner's public tags, all of them.
    tags: Option<Vec<String>>,
    /// Who may see it.
    visibility: Option<VisibilityParam>,
    /// One to five stars, or -1 for rejected.
    #[serde(default)]
    #[schema(value_type = Option<i8>, minimum = -1, maximum = 5)]
    rating: Patch<i8>,
    /// When it was taken, such as `2024-05-01T10:00:00+02:00`, or without the offset if the zone is
    /// not known. `null` goes back to what the file says.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    taken_at: Patch<String>,
}

/// Who may see an image, beside its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Visibility)]
pub(in crate::routes) enum VisibilityParam {
    /// Nobody.
    Private,
    /// Every user.
    Shared,
}

impl From<VisibilityParam> for Visibility {
    fn from(visibility: VisibilityParam) -> Self {
        match visibility {
            VisibilityParam::Private => Self::Private,
            VisibilityParam::Shared => Self::Shared,
        }
    }
}

/// Change an image
///
/// With `If-Match` or `version`, only if nobody else has changed it since.
#[utoipa::path(
    patch,
    path = "/api/v1/images/{id}",
    tag = tag::IMAGES,
    params(("id" = String, Path, description = "The image's id")),
    request_body = ImageChanges,
    responses((status = 200, description = "The image as it is now.", body = ImageInfo), EditErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn edit_image(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
    headers: HeaderMap,
    Json(changes): Json<ImageChanges>,
) -> Result<Response, ApiError> {
    let expected = Expected::of(&headers, id, changes.version)?;
    let edit = changes.into_edit()?;
    let edited = app.service.edit_image(&caller, id, expected.version(), edit).await;
    let written = edited.map_err(|error| expected.error(error))?;
    let make = |image, is_owner| ImageBody::of(&app, image, is_owner);
    let kept = app.service.view_written(&caller, written, &app.answers, make);
    Ok(kept.view.respond(None))
}

impl ImageChanges {
    fn into_edit(self) -> Result<EditImage, ApiError> {
        Ok(EditImage {
            title: self.title.try_map(|text| field("title", &text))?.into_option(),
            description: self
                .description
                .try_map(|text| field("description", &text))?
                .into_option(),
            alt_text: self.alt_text.try_map(|text| field("altText", &text))?.into_option(),
            tags: self.tags.map(|tags| parse_tags(&tags)).transpose()?,
            visibility: self.visibility.map(Visibility::from),
            rating: self.rating.try_map(rating)?.into_option(),
            taken: self.taken_at.try_map(|text| taken_at(&text))?.into_option(),
        })
    }
}

fn rating(stars: i8) -> Result<Rating, ApiError> {
    let message = "is 1 to 5 stars, or -1 for rejected; null takes it away";
    Rating::new(stars).ok_or_else(|| service::Error::invalid("rating", message).into())
}

pub(super) fn parse_tags(tags: &[String]) -> Result<Vec<Tag>, ApiError> {
    tags.iter().map(|tag| field("tags", tag)).collect()
}

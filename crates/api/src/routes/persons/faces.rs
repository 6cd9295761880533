//! The faces of an image, and whose they are.

use axum::Json;
use axum::extract::State;
use model::{FaceId, ImageId};
use serde::{Deserialize, Serialize};
use service::FaceName;
use utoipa::ToSchema;

use super::change::parse_id;
use super::shape::{ChangedInfo, FaceInfo};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::extract::Path;
use crate::identity::SignedIn;
use crate::openapi::tag;

error_answers!(ReadErrors: NotFound);
error_answers!(AssignErrors: NotFound, Conflict, SamePhoto, NameTooLong, InvalidValue);
error_answers!(RejectErrors: NotFound, Conflict, InvalidValue);

/// The faces of an image.
#[derive(Serialize, ToSchema)]
pub(super) struct ImagePersons {
    /// From left to right.
    items: Vec<FaceInfo>,
    /// Whether the image was looked at for faces.
    looked: bool,
}

/// The persons in an image
///
/// With their faces. Others than the owner of the image see only persons who have a name and are not
/// hidden.
#[utoipa::path(
    get,
    path = "/api/v1/images/{id}/persons",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The image's id")),
    responses((status = 200, description = "All of them.", body = ImagePersons), ReadErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_image_persons(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<ImageId>,
) -> Result<Json<ImagePersons>, ApiError> {
    let (faces, looked) = app.service.list_image_faces(&caller, id).await?;
    let info = |seen: service::SeenFace| {
        let is_owner = seen.face.owner == caller.user;
        FaceInfo::of(&app, seen, is_owner)
    };
    Ok(Json(ImagePersons { items: faces.into_iter().map(info).collect(), looked }))
}

/// Whose a face is: a person, or somebody new with a name.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AssignFace {
    /// The id of the image it is in.
    image: String,
    /// The id of the person.
    person: Option<String>,
    /// What somebody new is called, instead of `person`.
    #[schema(max_length = 255)]
    name: Option<String>,
}

/// Say whose a face is
#[utoipa::path(
    post,
    path = "/api/v1/faces/{id}/assign",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The face's id")),
    request_body = AssignFace,
    responses((status = 200, description = "The person as they are now.", body = ChangedInfo), AssignErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn assign_face(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<FaceId>,
    crate::extract::Json(asked): crate::extract::Json<AssignFace>,
) -> Result<Json<ChangedInfo>, ApiError> {
    let image = parse_id("image", &asked.image)?;
    let to = match (asked.person, asked.name) {
        (Some(person), None) => FaceName::Person(parse_id("person", &person)?),
        (None, Some(name)) => FaceName::New(field("name", &name)?),
        _ => {
            return Err(service::Error::invalid("person", "send either person or name").into());
        }
    };
    let changed = app.service.assign_face(&caller, image, id, to).await?;
    Ok(Json(ChangedInfo::of(&app, changed)))
}

/// The image of a face.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RejectFace {
    /// The id of the image it is in.
    image: String,
}

/// Say that a face is not this person's
///
/// Not that of the person it has now. It is remembered until it is undone.
#[utoipa::path(
    post,
    path = "/api/v1/faces/{id}/reject",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The face's id")),
    request_body = RejectFace,
    responses((status = 200, description = "What was decided.", body = ChangedInfo), RejectErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn reject_face(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<FaceId>,
    crate::extract::Json(asked): crate::extract::Json<RejectFace>,
) -> Result<Json<ChangedInfo>, ApiError> {
    let image = parse_id("image", &asked.image)?;
    let changed = app.service.reject_face(&caller, image, id).await?;
    Ok(Json(ChangedInfo::of(&app, changed)))
}
